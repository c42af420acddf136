import Foundation
import LuggageBoard
import LuggageService
import SeededRandom
import TestFolders
import Testing

/// Pictures that are handed in.
struct HandingInTests {
    private static let boundary = "----WebKitFormBoundary7MA4YWxkTrZu0gW"

    /// A form as browsers send it.
    private static func form(
        seal: String?,
        point: String? = "origin",
        files: [(name: String, bytes: [UInt8])]
    ) -> [UInt8] {
        var body: [UInt8] = []
        func field(_ name: String, _ value: String) {
            body +=
                "--\(boundary)\r\nContent-Disposition: form-data; name=\"\(name)\"\r\n\r\n\(value)\r\n"
                .utf8
        }
        if let seal { field("seal", seal) }
        if let point { field("point", point) }
        for file in files {
            let name = file.name.replacing("\"", with: "%22")
            body +=
                "--\(boundary)\r\nContent-Disposition: form-data; name=\"pictures\"; filename=\"\(name)\"\r\n"
                .utf8
            body += "Content-Type: image/jpeg\r\n\r\n".utf8 + file.bytes + "\r\n".utf8
        }
        return body + Array("--\(boundary)--\r\n".utf8)
    }

    private static func begin(_ board: TestBoard, as role: Role) throws -> Result<
        HandIn, AnsweredRefusal
    > {
        var headers = board.headers(role)
        headers["content-type"] = "multipart/form-data; boundary=\(boundary)"
        let request = try #require(
            PageRequest(method: "POST", target: "/hand-in", headers: headers)
        )
        return board.board.beginHandIn(request)
    }

    private static func dropped(_ board: TestBoard, _ point: String = "origin") throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: board.folder.path("inbox/\(point)"))
            .sorted()
    }

    /// A picture of some size with bytes that look like boundaries in it.
    private static func picture(_ seed: UInt64, _ count: Int = 20_000) -> [UInt8] {
        var random = SeededGenerator(seed: seed)
        var bytes = (0..<count).map { _ in UInt8.random(in: 0...255, using: &random) }
        bytes.insert(contentsOf: Array("\r\n--\(boundary.dropLast())".utf8), at: count / 2)
        bytes += Array("\r\n--".utf8)
        return bytes
    }

    @Test("A form comes whole, however it is divided", arguments: [1, 2, 7, 64, 1000, 1_000_000])
    func divided(size: Int) async throws {
        let board = try TestBoard()
        let files = [("a.jpg", Self.picture(1)), ("b \"c\".png", Self.picture(2, 3000))]
        let body = Self.form(seal: try await board.seal(.file), files: files)
        let form = try Self.begin(board, as: .file).get()
        for start in stride(from: 0, to: body.count, by: size) {
            #expect(form.take(Array(body[start..<min(start + size, body.count)])) == nil)
        }
        let answer = form.finish()
        #expect(answer.status == 303)
        #expect(try Self.dropped(board) == ["a.jpg", "b \"c\".png"])
        for (name, bytes) in files {
            let kept = try Data(
                contentsOf: URL(filePath: board.folder.path("inbox/origin/\(name)"))
            )
            #expect(Array(kept) == bytes)
        }
        let page = await board.get(try #require(answer.header("Location")), as: .file)
        #expect(page.text.contains("2 pictures handed in"))
        #expect(page.text.contains("nobody files at the moment"))
    }

    @Test(
        "A form that is cut leaves whole pictures or nothing, and can be sent again",
        arguments: 0...10
    )
    func cut(tenths: Int) async throws {
        let board = try TestBoard()
        let picture = Self.picture(3)
        let body = Self.form(seal: try await board.seal(.file), files: [("a.jpg", picture)])
        let count = body.count * tenths / 10
        do {
            let form = try Self.begin(board, as: .file).get()
            #expect(form.take(Array(body.prefix(count))) == nil)
            if tenths < 10 { #expect(form.finish().status == 400) }
        }
        #expect(try Self.dropped(board) == (tenths == 10 ? ["a.jpg"] : []))
        let again = try Self.begin(board, as: .file).get()
        #expect(again.take(body) == nil)
        #expect(again.finish().status == 303)
        let names = try Self.dropped(board)
        #expect(names == (tenths == 10 ? ["a-2.jpg", "a.jpg"] : ["a.jpg"]))
    }

    @Test func `A form that is refused says why, and which of its pictures were taken`()
        async throws
    {
        let board = try TestBoard()
        let seal = try await board.seal(.file)
        let body = Self.form(
            seal: seal,
            files: [
                ("ok.png", Self.picture(1)), ("huge.png", [UInt8](repeating: 7, count: 65 << 20)),
            ]
        )
        let form = try Self.begin(board, as: .file).get()
        var answer: PageAnswer?
        for start in stride(from: 0, to: body.count, by: 1 << 20) where answer == nil {
            answer = form.take(Array(body[start..<min(start + (1 << 20), body.count)]))
        }
        let refusal = try #require(answer)
        #expect(refusal.status == 413)
        #expect(refusal.text.contains("A picture may have 64 MB"))
        #expect(refusal.text.contains("Taken before that: ok.png."))
        #expect(!refusal.text.contains("Nothing was changed"))
        #expect(try Self.dropped(board).count { !$0.hasPrefix(".") } == 1)
    }

    @Test("What nobody may hand in is refused, and leaves nothing")
    func refused() async throws {
        let board = try TestBoard()
        let bytes: [UInt8] = [1, 2, 3]
        guard case .failure(let refusal) = try Self.begin(board, as: .see) else {
            Issue.record("a see-only token may hand in")
            return
        }
        #expect(refusal.answer.status == 403)
        for (seal, point) in [
            (nil, "origin"), ("0", "origin"), (try await board.seal(.see), "origin"),
            (try await board.seal(.file), "nowhere"), (try await board.seal(.file), "../.."),
            (try await board.seal(.file), nil),
        ] as [(String?, String?)] {
            let form = try Self.begin(board, as: .file).get()
            let answer = form.take(Self.form(seal: seal, point: point, files: [("a.jpg", bytes)]))
            #expect([400, 403].contains(answer?.status ?? 0))
            #expect(try Self.dropped(board) == [])
        }
        let empty = try Self.begin(board, as: .file).get()
        #expect(empty.take(Self.form(seal: try await board.seal(.file), files: [("", [])])) == nil)
        #expect(empty.finish().status == 422)
    }

    @Test(
        "A name is made one of this folder, visible, and no note",
        arguments: [
            ("../../etc/passwd", "passwd"), ("C:\\fakepath\\a.jpg", "a.jpg"), (".hidden", "hidden"),
            ("", "picture"), ("..", "picture"), ("a\u{202E}gpj.png", "agpj.png"),
            ("x.part", "x.part.picture"),
            ("a.png.error.json", "a.png.error.json.picture"),
        ]
    )
    func names(given: String, kept: String) async throws {
        let board = try TestBoard()
        let form = try Self.begin(board, as: .file).get()
        let seal = try await board.seal(.file)
        #expect(form.take(Self.form(seal: seal, files: [(given, [1])])) == nil)
        #expect(form.finish().status == 303)
        #expect(try Self.dropped(board) == [kept])
    }

    @Test func `What a killed program has left is removed, and what is being written is not`()
        throws
    {
        let board = try TestBoard()
        let folder = try #require(board.layout.dropFolders.first)
        var picture = try HandedInPicture(into: folder)
        try picture.add([1, 2, 3])
        try Data([1]).write(
            to: URL(filePath: board.folder.path("inbox/origin/.luggage-board-X.part"))
        )
        HandedInPicture.removeLeftovers(in: board.layout)
        #expect(try Self.dropped(board).count == 1)
        _ = try picture.drop(as: "a.png")
        #expect(try Self.dropped(board) == ["a.png"])
    }

    @Test(
        "No body makes the reader keep much of it, or crashes it",
        arguments: 1...200 as ClosedRange<UInt64>
    )
    func hostile(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        var body = Self.form(seal: "x", files: [("a", Self.picture(seed, 500))])
        for _ in 0..<Int.random(in: 1...8, using: &random) {
            let place = Int.random(in: 0..<body.count, using: &random)
            switch Int.random(in: 0..<3, using: &random) {
            case 0: body[place] = UInt8.random(in: 0...255, using: &random)
            case 1: body.remove(at: place)
            default: body.insert(contentsOf: Array("\r\n--\(Self.boundary)".utf8), at: place)
            }
        }
        let type = "multipart/form-data; boundary=\(Self.boundary)"
        var reader = try #require(MultipartReader(contentType: type))
        var bytes = 0
        do {
            for start in stride(from: 0, to: body.count, by: 13) {
                for finding in try reader.read(body[start..<min(start + 13, body.count)]) {
                    if case .bytes(let some) = finding { bytes += some.count }
                }
            }
        } catch {}
        #expect(bytes <= body.count)
    }
}
