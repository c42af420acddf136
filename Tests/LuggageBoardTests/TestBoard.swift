import Foundation
import LuggageBoard
import LuggageService
import LuggageTags
import ObjectStore
import SQLiteStore
import TagReading
import TestFolders

/// A board of a record on disk, a watched folder, and somebody of each role; no network is needed.
final class TestBoard: Sendable {
    let folder: TemporaryFolder
    let record: PersistentContainer
    let layout: FolderLayout
    let board: Board
    let tokens: [Role: Token]
    let file: TokenFile

    init(
        patience: TimeInterval = 6 * 3600,
        mostAtOnce: (bags: Int, scans: Int)? = nil
    ) throws {
        folder = try TemporaryFolder()
        let store = try SQLiteStore(path: folder.path("luggage.sqlite"))
        record = try PersistentContainer(model: LuggageModel.make(), store: store)
        layout = FolderLayout(path: folder.path("inbox"))
        try layout.make()
        tokens = Role.allCases.reduce(into: [:]) { $0[$1] = Token() }
        var list = TokenList()
        for (role, token) in tokens {
            list.tokens.append(
                TokenEntry(name: "\(role.rawValue)-er", role: role, token: token, madeAt: Date())
            )
        }
        file = TokenFile(at: try folder.write(try list.bytes, to: "tokens"))
        var settings = Board.Settings(layout: layout)
        settings.patience = patience
        if let mostAtOnce { settings.mostAtOnce = mostAtOnce }
        board = Board(record: record, tokens: file, reader: nil, settings: settings)
    }

    // MARK: Filing

    /// Files a tag, or several, as if they had been read in a picture.
    @discardableResult
    func file(
        _ payload: String,
        and others: [String] = [],
        at point: Point = .origin,
        station: String = "MUC-2",
        name: String = "a.png",
        place: String? = nil,
        minutesAgo: Double = 10
    ) throws -> [ScanReport] {
        let symbols = ([payload] + others).map { Symbol(payload: Array($0.utf8)) }
        var picture = ReadPicture(
            name: name,
            digest: UUID().uuidString.lowercased().replacing("-", with: "")
                + String(repeating: "0", count: 32),
            reading: .success(Reading(symbols: symbols, width: 9, height: 9, duration: .zero)),
            point: point,
            station: station,
            date: Date() - minutesAgo * 60
        )
        picture.place = place
        return try ScanRecorder(container: record).record(picture)
    }

    static let bag = "F432BDB8-D84F-4461-8362-AFF89F6C493E"

    static func payload(_ id: String = bag, family: String = "ZMU", weight: String = "42.0")
        -> String
    {
        #"{ "id": "\#(id)", "owner": ["D", "\#(family)"], "weight": \#(weight) }"#
    }

    func luggage(_ id: String = bag) throws -> LuggageReport? {
        try record.read { context in
            try context.fetch(
                FetchRequest(Luggage.self).where(\.identifier, is: UUID(uuidString: id) ?? UUID())
            ).first.map { LuggageReport($0) }
        }
    }

    // MARK: Asking

    /// A board of the same record, as another program shows it.
    func other() throws -> Board {
        let store = try SQLiteStore(path: folder.path("luggage.sqlite"))
        return Board(
            record: try PersistentContainer(model: LuggageModel.make(), store: store),
            tokens: file,
            reader: nil,
            settings: Board.Settings(layout: layout)
        )
    }

    func headers(_ role: Role?) -> [String: String] {
        var headers = ["host": "bags.example", "sec-fetch-site": "same-origin"]
        headers["cookie"] = role.flatMap { tokens[$0] }.map { "luggage=\($0.text)" }
        return headers
    }

    func get(_ target: String, as role: Role?) async -> PageAnswer {
        guard let request = PageRequest(method: "GET", target: target, headers: headers(role))
        else {
            return PageAnswer(400)
        }
        return await board.answer(request)
    }

    /// Sends a form, with the seal that the pages of the role have.
    func post(
        _ target: String,
        _ form: [String: String],
        as role: Role,
        at other: Board? = nil,
        changing change: (inout PageRequest) -> Void = { _ in }
    ) async throws -> PageAnswer {
        guard var request = PageRequest(method: "POST", target: target, headers: headers(role))
        else {
            return PageAnswer(400)
        }
        request.form = form
        request.form["seal"] = try await seal(role)
        change(&request)
        return await (other ?? board).answer(request)
    }

    func seal(_ role: Role) async throws -> String {
        let page = await get("/", as: role).text
        guard let seal = page.firstMatch(of: /name="seal" value="([0-9a-f]{64})"/) else {
            throw CocoaError(.coderInvalidValue)
        }
        return String(seal.1)
    }
}

extension PageAnswer {
    /// What follows the headers, as text.
    var text: String {
        guard case .whole(let bytes) = body else { return "" }
        return String(decoding: bytes, as: UTF8.self)
    }

    func header(_ name: String) -> String? { headers.first { $0.name == name }?.value }
}
