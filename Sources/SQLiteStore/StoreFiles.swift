internal import FoundationEssentials
internal import Glibc
package import ObjectStore
internal import Synchronization
internal import SystemSupport

/// The files of a store that is open for writing.
final class StoreFiles: Sendable {
    let path: String
    let main: FileHold
    let log: FileHold
    let index: FileHold
    /// The state of the log when all of it was in the file, and the file's last write then.
    private let seen = Mutex<(index: LogIndex, modified: FileTime)?>(nil)

    /// Holds the files that SQLite has just opened; nil if one does not exist.
    init?(path: String, main: FileHold?) throws {
        let place = SQLiteStore.place(of: path)
        guard let main, let log = try FileHold(path: place + "-wal", isMade: false),
            let index = try FileHold(path: place + "-shm", isMade: false)
        else { return nil }
        self.path = path
        (self.main, self.log, self.index) = (main, log, index)
        main.keepOpen(index)
    }

    /// Checks that the open files are those at the path, and complete.
    func check() throws {
        let place = SQLiteStore.place(of: path)
        guard let found = FileStatus(at: place)?.identity else {
            throw StoreError(
                .gone,
                "\(path) is gone: it was removed or moved away; put it back, or put a backup "
                    + "in its place"
            )
        }
        guard found == main.identity else {
            throw StoreError(.gone, "\(path) was replaced by another file")
        }
        try checkContents()
        for (suffix, file) in [("-wal", log), ("-shm", index)] {
            let found = FileStatus(at: place + suffix)?.identity
            if found == file.identity { continue }
            let what = found == nil ? "removed" : "replaced by another file"
            throw StoreError(.incomplete, "\(path)\(suffix) was \(what) while the store was in use")
        }
    }

    private func checkContents() throws {
        // SQLite maps it into memory; if it were shorter than that, the system would end the process.
        if let size = index.size, size < LogIndex.blockSize { throw cut("-shm") }
        // A mismatch may come from a write at this moment.
        for _ in 0..<Self.mostLooks {
            let index = LogIndex(index)
            guard let header = main.bytes(SQLiteFileHeader.size) else { return }
            guard SQLiteFileHeader.isInUse(header) else { throw cut("") }
            guard let index, let size = main.size else { return }
            let isWhole = index.agrees(with: log)
            let agrees = isWhole && index.agrees(withSize: size, header: header)
            if agrees && isUntouched(index) { return }
            if LogIndex(self.index) == index {
                throw agrees ? touched : cut(isWhole ? "" : "-wal")
            }
        }
    }

    /// Whether the file was not written since the log has its present state.
    ///
    /// This applies only if the file contains the whole log: savers then have nothing to write to it.
    private func isUntouched(_ index: LogIndex) -> Bool {
        guard index.isMerged, let modified = main.modified else { return true }
        return seen.withLock { seen in
            if let seen, seen.index == index { return seen.modified == modified }
            seen = (index, modified)
            return true
        }
    }

    private static let mostLooks = 100

    private var touched: StoreError {
        StoreError(
            .cut,
            "\(path) was written to by another program while the store was in use; close it, check it, and "
                + "put a backup in its place if it is damaged"
        )
    }

    private func cut(_ suffix: String) -> StoreError {
        StoreError(
            .cut,
            "\(path)\(suffix) was cut, or overwritten by another program, while the store was in use; "
                + "put a backup in its place"
        )
    }
}

extension SQLiteStore {
    /// Whether a store of this process has the file at a path open, or the one beside which it lies; who opens and
    /// closes that file too takes away the store's locks, so that another process may damage what it reads or writes.
    package static func hasOpen(_ path: [UInt8]) -> Bool {
        ([""] + companionSuffixes).contains { suffix in
            guard path.suffix(suffix.utf8.count).elementsEqual(suffix.utf8) else { return false }
            let main = Array(path.dropLast(suffix.utf8.count))
            return FileStatus(at: main).map { FileHold.isHeld($0.identity) } ?? false
        }
    }

    /// The location of the file: SQLite puts the others beside the target of a symbolic link.
    static func place(of path: String) -> String { path.behindLinks }

    /// Refuses a place that is a link still: SQLite would follow it elsewhere than this does.
    static func refuseLink(_ place: String) throws {
        guard place.isLink else { return }
        throw StoreError(
            .cannotOpen,
            "\(place) is a link that cannot be followed; name the file that it leads to"
        )
    }

    /// Refuses what SQLite would open beside a store's file and wait for, as a pipe.
    static func refuseOtherKinds(besides place: String) throws {
        for path in companionSuffixes.map({ place + $0 }) {
            guard let status = FileStatus(at: path), status.kind != .file else { continue }
            throw StoreError(.cannotOpen, "\(path) is not a regular file; move it away")
        }
    }

    /// The suffixes of the files beside a store's file that may have some of its data.
    static let logSuffixes = ["-wal", "-journal"]

    /// The suffixes of the files that SQLite keeps beside a store's file.
    public static let companionSuffixes = ["-wal", "-shm", "-journal"]

    /// A log of a store whose file is missing or empty.
    ///
    /// It may have saves, so nothing is opened for writing beside it.
    ///
    /// - Parameter path: The path of the store.
    /// - Returns: The path of the log; nil if there is none.
    package static func log(withoutFileAt path: String) -> String? {
        let place = place(of: path)
        func hasBytes(_ path: String) -> Bool { FileStatus(at: path)?.byteCount ?? 0 > 0 }
        // The file is looked at after its log: who makes a store at this moment makes it before.
        // The journal of an empty file is that of a process that was killed while it made the store.
        if hasBytes(place + "-wal"), !hasBytes(place) { return place + "-wal" }
        if hasBytes(place + "-journal"), FileStatus(at: place) == nil { return place + "-journal" }
        return nil
    }

    /// The error for such a log; nil if there is none.
    package static func refusal(ofLogWithoutFileAt path: String) -> StoreError? {
        log(withoutFileAt: path).map { log in
            StoreError(
                .incomplete,
                "\(log) may have saves of a store, but there is nothing in \(path); put its file back, "
                    + "or move the log away to begin anew"
            )
        }
    }

    /// Whether there is no store at a path, so that opening it for writing would make one, unless there is a log
    /// without its file.
    ///
    /// - Parameter path: The path.
    /// - Returns: Whether there is nothing, or an empty file.
    public static func isMissing(at path: String) -> Bool {
        FileStatus(at: path)?.byteCount ?? 0 == 0
    }

    /// Checks that the store's open files are those at its path, and complete.
    ///
    /// SQLite does not notice if others change them with system commands: it continues with files
    /// that nobody can find any more.
    ///
    /// - Throws: `StoreError`, with the code `gone` if the file does not exist or is another one;
    ///   with the code `incomplete` if that is so for a file beside it, whose contents ``rescue()``
    ///   saves; with the code `cut` if saved data is in no file any more, after which ``forsake()``
    ///   must be called.
    public func checkFiles() throws {
        try files?.check()
    }

    /// Whether files of this store are now beside another file.
    ///
    /// SQLite would take their contents for the other file's.
    ///
    /// - Returns: The path of the first of them; nil if there is none.
    public func strayFile() -> String? {
        let place = Self.place(of: absolutePath)
        guard let files, FileStatus(at: place)?.identity != files.main.identity else { return nil }
        return [("-wal", files.log), ("-shm", files.index)].first {
            FileStatus(at: place + $0.0)?.identity == $0.1.identity
        }.map { place + $0.0 }
    }

    /// Copies the write-ahead log into the file, even if no other process can find the log any more.
    ///
    /// - Returns: Whether all of it is in the file, and the store can be closed without a loss.
    /// - Throws: `StoreError`, with the code `cut` if the log is incomplete.
    public func rescue() throws -> Bool {
        try StoreError.translating(path) {
            try commits.alone { db in try turns.withoutWaiting { try Self.merge(db) } }
        }
    }

    /// Copies the write-ahead log into the file and empties it, without making others wait.
    ///
    /// Then the file alone is the store, even if the log is lost.
    ///
    /// - Returns: Whether the log is empty now; it is not if others are reading or writing.
    /// - Throws: `StoreError`.
    @discardableResult
    public func emptyLog() throws -> Bool {
        guard access == .create else { return true }
        return try StoreError.translating(path) {
            try commits.alone { db in
                // An incomplete log must not be emptied.
                try checkFiles()
                if files?.log.size == 0 { return true }
                return try turns.withoutWaiting {
                    // While much is left to copy, no writer is blocked.
                    guard try Self.merge(db) else { return false }
                    return try Self.truncateLog(db)
                }
            }
        }
    }

    /// Returns the space of deleted rows to the disk, and merges the write-ahead log.
    ///
    /// It writes the whole file anew, and needs the same amount of space again meanwhile. Others
    /// can read, but wait to save. The log stays if others read for seconds.
    ///
    /// - Returns: Whether the log is empty now, so that the files contain no deleted data.
    /// - Throws: `StoreError`.
    @discardableResult
    public func compact() throws -> Bool {
        try StoreError.translating(path) { try commits.alone { try $0.execute("VACUUM") } }
        // Who waits for readers with the lock for writing would make all savers wait too.
        let end = ContinuousClock.now + .seconds(5)
        while try !emptyLog() {
            if ContinuousClock.now >= end { return false }
            usleep(10_000)
        }
        return true
    }

    /// Copies the log into the file and empties it; returns whether it is empty now.
    static func truncateLog(_ db: SQLiteConnection) throws -> Bool {
        // If others are in the way, this reports it in its result, not as an error.
        try db.value("PRAGMA wal_checkpoint(TRUNCATE)") == .integer(0)
    }

    private static func merge(_ db: SQLiteConnection) throws -> Bool {
        // If others are in the way, this reports it in its result, not as an error.
        guard let answer = try db.rows("PRAGMA wal_checkpoint(PASSIVE)").first else { return false }
        let (isBusy, frames, merged) = (answer[0], answer[1], answer[2])
        return isBusy == .integer(0) && frames == merged
    }

    /// Leaves the files as they are while the process lives.
    ///
    /// On closing a store, SQLite copies the log into the file; the rest of a truncated log would
    /// damage it.
    public func forsake() {
        unsafe _ = Unmanaged.passRetained(self)
    }

    /// Limits the wait of all present and future savers for other processes.
    ///
    /// - Parameter patience: The longest wait from now on.
    public func stopWaiting(after patience: Duration) {
        turns.giveUp(after: patience)
    }
}
