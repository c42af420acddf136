internal import FoundationEssentials
internal import Glibc
internal import ObjectStore
internal import SystemSupport

/// How a store is opened for reading only.
///
/// SQLite makes two files beside a database with a write-ahead log. It must not do so in a folder
/// that the user may not write, and other users could not use files owned by this one. So the files
/// are then read as they are, and checked afterwards: if another process changed them meanwhile,
/// the reading fails, and no wrong result is returned. Each reading begins with what is there then.
enum ReadingWay: Sendable {
    /// With SQLite's own files, which are made if the user may write, and removed at the end.
    case shared(isOwner: Bool)
    /// Without any further files.
    case frozen

    /// The ways to try, in order, for a file that is a store.
    static func ways(to path: String, _ file: FileHold) -> [ReadingWay] {
        guard SQLiteFileHeader.usesLog(file) else { return [.shared(isOwner: false)] }
        // A full disk has no room for further files.
        if mayWrite(path) && mayWrite(path.parentPath) {
            return [.shared(isOwner: true), .frozen]
        }
        let hasBoth = ["-wal", "-shm"].allSatisfy { FileStatus(at: path + $0) != nil }
        return hasBoth ? [.shared(isOwner: false), .frozen] : [.frozen]
    }

    private static func mayWrite(_ path: String) -> Bool {
        unsafe faccessat(AT_FDCWD, path, W_OK, AT_EACCESS) == 0
    }
}

/// The files of a store that was opened without SQLite's locks, as they were then.
struct FrozenFiles: Sendable {
    /// The properties of a file that change when it is written or replaced.
    private struct Look: Equatable, Sendable {
        let identity: FileIdentity
        let size: Int
        let modified: FileTime

        /// The time since the last write.
        var age: Duration {
            var now = timespec()
            unsafe clock_gettime(CLOCK_REALTIME, &now)
            return .seconds(now.tv_sec - modified.seconds)
                + .nanoseconds(now.tv_nsec - modified.nanoseconds)
        }
    }

    private let path: String
    private let hold: FileHold
    private let main: Look?
    private let log: Look?
    /// The header of the log, which changes when the log is restarted.
    private let header: [UInt8]

    /// Records the state of the files at a moment when nobody has just written to them.
    ///
    /// - Parameters:
    ///   - path: The location of the file.
    ///   - hold: The file.
    ///   - end: When to give up waiting for such a moment.
    ///   - grain: How long nobody has written then: file times come from a clock that advances only every few
    ///     milliseconds.
    /// - Throws: ``StoreError`` if their contents cannot be determined.
    init(
        _ path: String,
        _ hold: FileHold,
        until end: ContinuousClock.Instant,
        grain: Duration = .milliseconds(20)
    ) throws {
        (self.path, self.hold) = (path, hold)
        if Self.hasJournal(path) { throw StoreError.isUnfinished(path) }
        var looks: (Look?, Look?)
        repeat {
            looks = (Self.look(at: path), Self.look(at: path + "-wal"))
            let age = [looks.0?.age, looks.1?.age].compactMap(\.self).filter { $0 >= .zero }.min()
            guard let age, age < grain else { break }
            if ContinuousClock.now >= end {
                throw StoreError(
                    .locked,
                    "other programs write to \(path) without a pause, and you may only read it; try again"
                )
            }
            usleep(UInt32(grain / .microseconds(1)))
        } while true
        (main, log) = looks
        header = looks.1.map { $0.size > 0 } ?? false ? try Self.header(path) : []
    }

    /// Whether a transaction without a log was interrupted, or is in progress.
    static func hasJournal(_ path: String) -> Bool {
        look(at: path + "-journal").map { $0.size > 0 } ?? false
    }

    /// Whether the log has any contents.
    var hasLog: Bool { log.map { $0.size > 0 } ?? false }

    /// The URL that tells SQLite not to look for missing files, nor to make them.
    var address: String {
        path.asAddress + (hasLog ? "?vfs=unix-none" : "?immutable=1")
    }

    /// Whether nobody has written since.
    var isPresent: Bool {
        Self.look(at: path) == main && Self.look(at: path + "-wal") == log
    }

    /// Closes a connection to them: with a log beside it, that releases all locks of this process on the file.
    func closeConnection(_ close: @escaping @Sendable () -> Void) {
        if hasLog { hold.closeWithoutLocks(close) } else { close() }
    }

    /// Throws if another process has changed what was read.
    ///
    /// The log may have grown: this reading ended at its old end.
    func check() throws {
        if Self.look(at: path) == main {
            guard hasLog else { return }
            let now = Self.look(at: path + "-wal")
            let isLonger = now?.identity == log?.identity && now?.size ?? 0 >= log?.size ?? 0
            if try isLonger && Self.header(path) == header { return }
        }
        throw StoreError(
            .locked,
            "another program wrote to \(path) while it was read, and you may only read it; try again"
        )
    }

    private static func look(at path: String) -> Look? {
        // Not opened, because closing the file would release the locks of this process on it.
        FileStatus(at: path).map {
            Look(identity: $0.identity, size: $0.byteCount, modified: $0.modified)
        }
    }

    /// The header of the log, which SQLite does not lock.
    private static func header(_ path: String) throws -> [UInt8] {
        let descriptor = unsafe open(path + "-wal", O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else {
            if errno == ENOENT { return [] }
            throw FileHold.unreadable(path + "-wal")
        }
        defer { close(descriptor) }
        var bytes = [UInt8](repeating: 0, count: 32)
        let count = unsafe pread(descriptor, &bytes, bytes.count, 0)
        return Array(bytes.prefix(max(0, count)))
    }
}

extension StoreError {
    /// The error for an interrupted transaction that the user may not roll back.
    static func isUnfinished(_ path: String) -> StoreError {
        StoreError(
            .readOnly,
            "\(path) was left in the middle of a transaction, and you may not repair it; ask a "
                + "user who may write to it to open it once"
        )
    }
}

extension String {
    /// The path as a file URL, to which options for SQLite can be added.
    var asAddress: String { URL(filePath: self, directoryHint: .notDirectory).absoluteString }
}
