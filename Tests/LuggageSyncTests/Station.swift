import Foundation
import HubConnection
import Logging
import LuggageTags
import ObjectStore
import SQLiteStore
import TagReading
import TestFolders
import TestHubs

@testable import LuggageSync

/// A station with its record on disk, which exchanges facts with a hub; for one thread at a time.
final class Station: @unchecked Sendable {
    let name: String
    /// The role with which it logs in.
    let login: String
    /// The identifier of its machine.
    var machine: String
    private let folder: TemporaryFolder
    private(set) var container: PersistentContainer
    let address: String
    /// By how many seconds its clock is ahead.
    var ahead: TimeInterval = 0
    /// The version of its program.
    var version = "1"
    private var pictures = 0
    /// What its last exchange told.
    private(set) var events: [SyncEvent] = []
    /// Called with each event of an exchange.
    var onEvent: (SyncEvent) -> Void = { _ in }

    var path: String { folder.path("record.sqlite") }

    /// Makes one with an empty record, or with a copy of another.
    init(_ name: String, login: String, machine: String, at address: String, copy: Station? = nil)
        throws
    {
        (self.name, self.login, self.machine, self.address) = (name, login, machine, address)
        folder = try TemporaryFolder(named: "station-")
        if let copy { try Self.copy(copy.path, to: folder.path("record.sqlite")) }
        container = try Self.open(folder.path("record.sqlite"))
        pictures = copy.map { $0.pictures + 1000 } ?? 0
    }

    /// Opens the record once more, for a program beside it.
    var opening: @Sendable () throws -> PersistentContainer {
        { [path] in try Self.open(path) }
    }

    private static func open(_ path: String) throws -> PersistentContainer {
        try PersistentContainer(model: LuggageModel.make(), store: SQLiteStore(path: path))
    }

    /// Copies the files of a record that nobody changes meanwhile.
    private static func copy(_ from: String, to path: String) throws {
        for suffix in ["", "-wal"] {
            try? FileManager.default.removeItem(atPath: path + suffix)
            guard FileManager.default.fileExists(atPath: from + suffix) else { continue }
            try FileManager.default.copyItem(atPath: from + suffix, toPath: path + suffix)
        }
    }

    // MARK: Its record

    /// Keeps a copy of the record's files.
    func backup() throws {
        try Self.copy(path, to: folder.path("backup.sqlite"))
    }

    /// Puts the record back to what it was at the backup.
    func restore() throws {
        try (container.store as? SQLiteStore)?.close()
        try? FileManager.default.removeItem(atPath: path + "-shm")
        try Self.copy(folder.path("backup.sqlite"), to: path)
        container = try Self.open(path)
    }

    /// Everything that it knows, as a file.
    var export: String {
        get throws {
            var bytes: [UInt8] = []
            let exporter = StoreExporter(container: container, selection: .everything)
            _ = try exporter.export(as: .json) { bytes += $0 }
            return String(decoding: bytes, as: UTF8.self)
        }
    }

    /// How many scans are on record.
    var scans: Int { get throws { try container.read { try $0.count(FetchRequest(Scan.self)) } } }

    var state: HubState? { get throws { try container.read { try $0.hubState } } }

    /// All that its files hold, also where nobody looks.
    var files: [UInt8] {
        ["", "-wal", "-shm"].flatMap {
            [UInt8](FileManager.default.contents(atPath: path + $0) ?? Data())
        }
    }

    // MARK: Its work

    static func bag(_ number: Int) -> UUID {
        let digits = String(number)
        let zeros = String(repeating: "0", count: 12 - digits.count)
        return UUID(uuidString: "F432BDB8-D84F-4461-8362-\(zeros)\(digits)") ?? UUID()
    }

    /// Files scans of bags, all in one save.
    ///
    /// - Parameters:
    ///   - bags: The numbers of the bags.
    ///   - owner: The beginning of the owner's family name.
    ///   - point: Where they are.
    ///   - hour: When, since a day of long ago.
    ///   - now: The time that the machine believes it to be.
    /// - Throws: `StoreError`.
    func scan(
        _ bags: some Sequence<Int>,
        owner: String? = "ZMU",
        at point: Point = .origin,
        hour: Double = 0,
        now: Date = Date()
    ) throws {
        let images = try bags.map { bag in
            pictures += 1
            let contents = TagContents(
                identifier: Self.bag(bag),
                owner: owner.map { PassengerName(givenName: "D", familyName: $0) },
                weight: 42
            )
            return picture(
                [try TagEncoder().encode(contents)],
                point,
                Date(timeIntervalSince1970: 1_700_000_000 + hour * 3600)
            )
        }
        _ = try ScanRecorder(container: container, now: { now }).record(images)
    }

    /// Files a scan of now, by a clock.
    func scan(_ bag: Int, by clock: Date) throws {
        pictures += 1
        let contents = TagContents(identifier: Self.bag(bag), owner: nil, weight: 42)
        let image = picture([try TagEncoder().encode(contents)], .origin, clock)
        _ = try ScanRecorder(container: container, now: { clock }).record(image)
    }

    /// Files a scan of a tag at a place.
    func scan(payload: String, at point: Point, in place: String) throws {
        pictures += 1
        let date = Date(timeIntervalSince1970: 1_700_000_000)
        var image = picture([Array(payload.utf8)], point, date)
        image.place = place
        _ = try ScanRecorder(container: container).record(image)
    }

    /// Files a picture from which nothing could be read.
    func fail() throws {
        pictures += 1
        let date = Date(timeIntervalSince1970: 1_700_000_000)
        _ = try ScanRecorder(container: container).record(picture([], .origin, date))
    }

    private func picture(_ payloads: [[UInt8]], _ point: Point, _ date: Date) -> ReadPicture {
        ReadPicture(
            name: "\(name) \(pictures).png",
            digest: "digest of \(name) \(pictures)",
            reading: .success(
                Reading(
                    symbols: payloads.map { Symbol(payload: $0) },
                    unread: [],
                    width: 100,
                    height: 100,
                    duration: .zero
                )
            ),
            point: point,
            station: name,
            date: date
        )
    }

    /// Purges everything that is on record now.
    func purge(_ scope: RecordPurge.Scope) throws {
        _ = try RecordPurge(container: container, scope: scope, before: Date()).run()
        _ = try (container.store as? SQLiteStore)?.compact()
    }

    // MARK: Its hub

    /// What a service needs that exchanges its facts.
    var parts: SyncService.Parts {
        get throws {
            SyncService.Parts(
                address: try HubAddress(address),
                recordPath: path,
                openRecord: opening,
                version: "1",
                logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
            )
        }
    }

    func connect() throws -> Hub {
        try Hub(HubConnection(ofTest: address))
    }

    func join(pullsEverything: Bool = true, asNew: Bool = false) throws {
        try Membership(container).join(
            connect(),
            .init(
                station: name,
                pullsEverything: pullsEverything,
                asNew: asNew,
                machine: machine
            )
        )
    }

    /// Connects, and gives the exchange.
    func exchange() throws -> StationExchange {
        events = []
        return try StationExchange(
            container,
            connect(),
            machine: machine,
            version: version,
            tell: { [unowned self] in
                events.append($0)
                onEvent($0)
            },
            now: { [unowned self] in Date() + ahead }
        )
    }

    /// Exchanges everything over a new connection.
    @discardableResult
    func sync(publishes: Bool = false) throws -> HubState {
        var exchange = try exchange()
        try exchange.run(publishes: publishes)
        return exchange.state
    }

    /// How often its last exchange compared days.
    var comparisons: [Int] {
        events.compactMap { if case .compared(_, let differing) = $0 { differing } else { nil } }
    }

    /// How many facts its last exchange took and sent.
    var traffic: (pulled: Int, pushed: Int) {
        events.reduce(into: (0, 0)) { sum, event in
            switch event {
            case .pulled(let count): sum.0 += count
            case .pushed(let count): sum.1 += count
            default: break
            }
        }
    }
}
