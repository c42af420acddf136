internal import Foundation
internal import GRDB
internal import ObjectStore
internal import System

#if canImport(Glibc)
internal import Glibc
#endif

/// How a store is opened that is only read.
///
/// SQLite wants two files beside one with a write-ahead log, and makes them. That is not to be where the
/// user may not write: nor would others be able to use files of this user's. So what is there is read as
/// it lies, and looked at afterwards: where somebody has changed it meanwhile, that is an error, and no
/// answer is wrong.
enum ReadingWay: Sendable {
    /// With SQLite's own files. They are made where the user may write, and go at the end.
    case shared(isOwner: Bool)
    /// Without any, as it lies there.
    case frozen(FrozenFiles)

    /// The ways to be tried, one after the other, for a file that is a store.
    static func ways(to path: String, _ file: FileHold) throws -> [ReadingWay] {
        let place = SQLiteStore.place(of: path)
        guard SQLiteFileHeader.usesLog(file) else { return [.shared(isOwner: false)] }
        if mayWrite(place) && mayWrite(folder(of: place)) { return [.shared(isOwner: true)] }
        let frozen = ReadingWay.frozen(try FrozenFiles(place, path: path))
        let hasBoth = ["-wal", "-shm"].allSatisfy { FileIdentity(at: place + $0) != nil }
        return hasBoth ? [.shared(isOwner: false), frozen] : [frozen]
    }

    private static func folder(of place: String) -> String {
        URL(fileURLWithPath: place).deletingLastPathComponent().path
    }

    private static func mayWrite(_ path: String) -> Bool {
        unsafe faccessat(AT_FDCWD, path, W_OK, AT_EACCESS) == 0
    }

    /// What SQLite is given as the path.
    func name(of path: String) -> String {
        if case .frozen(let files) = self { files.address } else { path }
    }

    /// Prepares each connection, before it looks at the file.
    func prepare(_ db: Database) throws {
        if case .frozen(let files) = self, files.hasLog {
            // With an index of the log in its own memory.
            try db.execute(sql: "PRAGMA locking_mode = EXCLUSIVE")
        }
    }

    /// Throws where what was read may be wrong.
    func check() throws {
        if case .frozen(let files) = self { try files.check() }
    }
}

/// The files of a store as they were when it was opened without SQLite's locks.
struct FrozenFiles: Sendable {
    /// All that changes when a file is written to or replaced.
    private struct Look: Equatable, Sendable {
        let identity: FileIdentity
        let size: Int
        let seconds: Int
        let nanoseconds: Int

        /// How long ago it was written to.
        var age: Duration {
            var now = timespec()
            unsafe clock_gettime(CLOCK_REALTIME, &now)
            return .seconds(now.tv_sec - seconds) + .nanoseconds(now.tv_nsec - nanoseconds)
        }
    }

    private let path: String
    private let place: String
    private let main: Look?
    private let log: Look?
    /// The beginning of the log, which is another one when the log is begun anew.
    private let header: [UInt8]

    /// Looks at the files when nobody has written to them just then.
    ///
    /// - Parameters:
    ///   - place: Where the file is.
    ///   - path: Its path, for errors.
    /// - Throws: ``StoreError`` where what they say cannot be told from them.
    init(_ place: String, path: String) throws {
        (self.path, self.place) = (path, place)
        if Self.hasJournal(place) { throw StoreError.isUnfinished(path) }
        // Times of files are those of a clock that moves on every few milliseconds.
        var looks: (Look?, Look?)
        repeat {
            looks = (Self.look(at: place), Self.look(at: place + "-wal"))
            let age = [looks.0?.age, looks.1?.age].compactMap(\.self).filter { $0 >= .zero }.min()
            guard let age, age < Self.grain else { break }
            usleep(UInt32(Self.grain / .microseconds(1)))
        } while true
        (main, log) = looks
        header = looks.1.map { $0.size > 0 } ?? false ? try Self.header(place) : []
    }

    /// Whether a transaction was interrupted, or is under way, that goes without a log.
    static func hasJournal(_ place: String) -> Bool {
        look(at: place + "-journal").map { $0.size > 0 } ?? false
    }

    private static let grain = Duration.milliseconds(20)

    /// Whether there is anything in the log.
    var hasLog: Bool { log.map { $0.size > 0 } ?? false }

    /// How SQLite is told not to look for what is not there, nor to make it.
    var address: String {
        place.asAddress + (hasLog ? "?vfs=unix-none" : "?immutable=1")
    }

    /// Throws where somebody has written to what was read.
    ///
    /// A log may have become longer: what was read ends where it ended.
    func check() throws {
        if Self.look(at: place) == main {
            guard hasLog else { return }
            let now = Self.look(at: place + "-wal")
            let isLonger = now?.identity == log?.identity && now?.size ?? 0 >= log?.size ?? 0
            if try isLonger && Self.header(place) == header { return }
        }
        throw StoreError(
            .locked,
            "somebody has written to \(path) while it was read, which you may only read; ask again"
        )
    }

    private static func look(at path: String) -> Look? {
        // Not opened: to close the file would end the locks of this process on it.
        var status = stat()
        guard unsafe stat(path, &status) == 0, let identity = FileIdentity(at: path) else {
            return nil
        }
        return Look(
            identity: identity,
            size: Int(status.st_size),
            seconds: status.st_mtim.tv_sec,
            nanoseconds: status.st_mtim.tv_nsec
        )
    }

    /// The beginning of the log, on which SQLite has no locks.
    private static func header(_ place: String) throws -> [UInt8] {
        let descriptor = unsafe open(place + "-wal", O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else {
            if errno == ENOENT { return [] }
            throw FileHold.unreadable(place + "-wal")
        }
        defer { close(descriptor) }
        var bytes = [UInt8](repeating: 0, count: 32)
        let count = unsafe pread(descriptor, &bytes, bytes.count, 0)
        return Array(bytes.prefix(max(0, count)))
    }
}

extension StoreError {
    /// A transaction was interrupted, and the user may not undo it.
    static func isUnfinished(_ path: String) -> StoreError {
        StoreError(
            .readOnly,
            "\(path) was left in the middle of a transaction, and you may not put it in order; let whoever "
                + "may write to it open it once"
        )
    }
}

extension String {
    /// The path as SQLite takes it where more is said of how the file is to be opened.
    var asAddress: String {
        "file://" + (addingPercentEncoding(withAllowedCharacters: .urlPathAllowed) ?? self)
    }
}
