import Foundation
import Logging
import LuggageTags
import ObjectStore
import ServiceTurns
import SQLiteStore
import Synchronization
import SystemSupport
import TagDrawing
import TagPrinting
import TagReading
import TestFolders
import Testing
import ZBarTagReader

@testable import LuggageService

/// A watched folder with a record of its own, and what a service makes of the files in it.
final class WatchedInbox: Sendable {
    let base: TemporaryFolder
    let store: String
    let path: String

    init() throws {
        base = try TemporaryFolder()
        path = base.path("inbox")
        store = base.path("luggage.sqlite")
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
        try FolderLayout(path: path).make()
    }

    /// The path of a file in one of the folders.
    func path(_ name: String, in place: String = "origin") -> String {
        "\(path)/\(place)/\(name)"
    }

    /// Puts a whole file into a folder, under a name that is ignored until it is complete.
    @discardableResult
    func drop(_ name: String, _ bytes: [UInt8], in place: String = "origin") throws -> String {
        try Data(bytes).write(to: URL(filePath: path(".\(name)", in: place)))
        // Unlike the file manager's move, this takes the place of a file that is there.
        let (hidden, path) = (path(".\(name)", in: place), path(name, in: place))
        try #require(unsafe rename(hidden, path) == 0)
        return path
    }

    /// Lets all pictures that are dropped belong to somebody else, which only root can do.
    func giveAway() throws {
        for place in ["origin", "destination"] {
            for name in try names(in: place) {
                try #require(unsafe chown(path(name, in: place), 65_534, 65_534) == 0)
            }
        }
    }

    /// Writes to a file that is there.
    func damage(_ name: String, in place: String) throws {
        let file = try #require(FileHandle(forWritingAtPath: path(name, in: place)))
        try file.write(contentsOf: Data([1]))
        try file.close()
    }

    /// The names in a folder, without hidden ones.
    func names(in place: String) throws -> [String] {
        try FolderNames.files(in: "\(path)/\(place)").map(\.displayText)
    }

    /// A picture that was dropped for the origin, as it is when it was read.
    func readPicture(
        _ name: String,
        _ image: TagImage,
        digest: String? = nil,
        _ reading: Result<Reading, ReadError>
    ) -> DroppedPicture {
        var picture = ReadPicture(
            name: name,
            digest: digest,
            reading: reading,
            point: .origin,
            station: "origin",
            date: Date()
        )
        picture.file = DroppedFileFacts(
            number: image.fileNumber,
            modifiedAt: image.modificationTime
        )
        return DroppedPicture(
            file: DroppedFile(
                folder: FolderLayout(path: path).dropFolders[0],
                name: Array(name.utf8)
            ),
            image: image,
            picture: picture,
            known: nil
        )
    }

    func makeContainer() throws -> PersistentContainer {
        try PersistentContainer(model: LuggageModel.make(), store: SQLiteStore(path: store))
    }

    /// What is on record, as an export has it: the same bytes for the same record.
    func record() throws -> [[String]] {
        try makeContainer().read { context in
            let scans = try context.fetch(FetchRequest(Scan.self))
            let bags = try context.fetch(FetchRequest(Luggage.self))
            let times = { (date: Date?) in "\(date?.timeIntervalSince1970 ?? 0)" }
            return bags.map { bag in
                [
                    bag.identifier.uuidString, bag.weight.map { "\($0)" } ?? "",
                    times(bag.departedAt),
                    times(bag.arrivedAt), bag.owner?.name.description ?? "",
                ]
            }.sorted { $0[0] < $1[0] }
                + scans.map { scan in
                    [
                        scan.imageDigest ?? "", scan.point.rawValue, scan.station,
                        scan.outcome.isFiled ? "filed" : scan.outcome.rawValue, scan.reason,
                        times(scan.scannedAt),
                    ]
                }.sorted { $0.joined() < $1.joined() }
        }
    }

    /// What became of a file.
    struct Event: Sendable {
        let name: String
        let disposition: Disposition

        var destination: FolderLayout.Destination? {
            if case .filed(let filed) = disposition { filed.destination } else { nil }
        }
    }

    /// Runs a service, and the body beside it; the service is stopped when the body returns.
    ///
    /// - Parameters:
    ///   - reader: What reads pictures; the one in this process where none is given.
    ///   - isOnce: Whether it ends as soon as everything is filed that is there.
    ///   - body: Gets what becomes of files, as it happens.
    ///   - change: Changes the parts of the service.
    /// - Throws: What the service or the body throws.
    func watch(
        reader: (any TagReader)? = nil,
        isOnce: Bool = false,
        _ body: (inout AsyncStream<Event>.Iterator) async throws -> Void = { _ in },
        changing change: (inout WatchService.Parts) -> Void = { _ in }
    ) async throws {
        await ServiceTurns.take()
        defer { ServiceTurns.giveBack() }
        let configuration = WatchConfiguration(folder: path)
        let (events, told) = AsyncStream.makeStream(of: Event.self)
        var parts = WatchService.Parts(
            ServiceParts(
                configuration: configuration,
                reload: { () throws(ConfigurationError) in configuration },
                openStore: { [self] in try makeContainer() },
                log: ServiceLog(format: .plain, level: .critical, environment: [:]),
                environment: [:]
            ),
            reader: reader ?? ZBarTagReader(),
            isOnce: isOnce
        )
        parts.observe = { told.yield(Event(name: $0.displayName, disposition: $1)) }
        change(&parts)
        let service = try WatchService(parts)
        let stop = StopRequest()
        async let running: Void = service.run(until: stop)
        var iterator = events.makeAsyncIterator()
        do {
            try await body(&iterator)
        } catch {
            stop.make()
            await running
            throw error
        }
        if !isOnce { stop.make() }
        await running
    }
}

extension PictureMove {
    /// A move to the folder at a path, which is there.
    init(
        source: [UInt8],
        image: TagImage,
        folder: String,
        microseconds: UInt64 = FreeNames.present,
        observe: @escaping (Step) -> Void = { _ in }
    ) {
        self.init(
            source: source,
            image: image,
            folder: HeldFolder(
                adopting: unsafe open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC),
                path: folder
            ),
            microseconds: microseconds,
            observe: observe
        )
    }
}

extension AsyncStream<WatchedInbox.Event>.Iterator {
    /// The next event that is more than that a file is not complete.
    mutating func nextEnd() async throws -> WatchedInbox.Event {
        while let event = await next(isolation: #isolation) {
            if case .unfinished = event.disposition { continue }
            return event
        }
        throw CancellationError()
    }

    /// Waits for a number of files that have come to an end, by name.
    mutating func ends(_ count: Int) async throws -> [String: WatchedInbox.Event] {
        var ends: [String: WatchedInbox.Event] = [:]
        while ends.count < count {
            let event = try await nextEnd()
            ends[event.name] = event
        }
        return ends
    }
}

/// Sets when a file was last modified, down to the nanosecond.
func setModificationTime(of path: String, _ seconds: Int, _ nanoseconds: Int) throws {
    // The tuple stands for two `timespec`s, whose members the compiler may take for another module's.
    let times = (seconds, nanoseconds, seconds, nanoseconds)
    let status = unsafe withUnsafeBytes(of: times) { times in
        unsafe utimensat(AT_FDCWD, path, times.bindMemory(to: timespec.self).baseAddress, 0)
    }
    try #require(status == 0)
}

/// A tag's picture, small and quickly read.
func tagPicture(
    _ number: Int = 0,
    weight: String = "42.0",
    owner: (String, String) = ("D", "ZMU")
) throws -> [UInt8] {
    let tail = String(number, radix: 16)
    let id = "F432BDB8-D84F-4461-8362-" + String(repeating: "0", count: 12 - tail.count) + tail
    let payload = #"{"id":"\#(id)","owner":["\#(owner.0)","\#(owner.1)"],"weight":\#(weight)}"#
    return try QRSymbol(Array(payload.utf8)).image(module: 3).png()
}

/// The same as a camera stores it, with a small picture before it that has an end of its own.
func tagJPEG() throws -> [UInt8] {
    let payload =
        #"{"id":"F432BDB8-D84F-4461-8362-AFF89F6C493E","owner":["D","ZMU"],"weight":42.0}"#
    let jpeg = try QRSymbol(Array(payload.utf8)).image(module: 4).jpeg()
    return JPEGMarkers.insert(0xE1, jpeg, into: jpeg)
}
