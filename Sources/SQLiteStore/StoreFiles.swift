internal import Foundation
internal import GRDB
internal import ObjectStore
internal import Synchronization
internal import System

#if canImport(Glibc)
internal import Glibc
#endif

/// The files that a store that is open for writing has open, and without which it is not whole.
final class StoreFiles: Sendable {
    let path: String
    let main: FileHold
    let log: FileHold
    let index: FileHold
    /// When the file was last written to, as of a log of which everything was in it.
    private let seen = Mutex<(index: LogIndex, modified: Duration)?>(nil)

    /// Takes the files that SQLite has just opened; nil where one of them is not there.
    init?(path: String, main: FileHold?) throws {
        let place = SQLiteStore.place(of: path)
        guard let main, let log = try FileHold(path: place + "-wal", isMade: false),
            let index = try FileHold(path: place + "-shm", isMade: false)
        else { return nil }
        self.path = path
        (self.main, self.log, self.index) = (main, log, index)
    }

    /// Looks whether the files that are open are those at the path, and whole.
    func check() throws {
        let place = SQLiteStore.place(of: path)
        guard let found = FileIdentity(at: place) else {
            throw StoreError(
                .gone,
                "\(path) is gone: somebody has removed it, or moved it away; put it back, or put a backup "
                    + "in its place"
            )
        }
        guard found == main.identity else {
            throw StoreError(.gone, "\(path) is another file than it was")
        }
        try checkContents()
        for (suffix, file) in [("-wal", log), ("-shm", index)] {
            let found = FileIdentity(at: place + suffix)
            if found == file.identity { continue }
            let what = found == nil ? "removed" : "replaced by another file"
            throw StoreError(.incomplete, "\(path)\(suffix) was \(what) while the store was in use")
        }
    }

    private func checkContents() throws {
        // SQLite has it in memory, and would be ended by the system where nothing is behind that.
        if let size = index.size, size < LogIndex.blockSize { throw cut("-shm") }
        // What does not agree may have been written just then.
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

    /// Whether the file was not written to since the log is as it is now, where everything in the log is in
    /// it: whoever saves has nothing to write to it then.
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
                + "put a backup in its place where it is not whole"
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
    /// Where the file is: SQLite puts the others beside the one to which a link leads.
    static func place(of path: String) -> String {
        URL(fileURLWithPath: path).resolvingSymlinksInPath().path
    }

    /// What follows the name of a store's file in those of the files that SQLite keeps beside it.
    public static let companionSuffixes = ["-wal", "-shm", "-journal"]

    /// Whether there is no store at a path, so that opening it for writing would make one.
    ///
    /// - Parameter path: The path.
    /// - Returns: Whether nothing is there, or an empty file.
    public static func isMissing(at path: String) -> Bool {
        var status = stat()
        return unsafe stat(path, &status) != 0 || status.st_size == 0
    }

    /// Looks whether the files that the store has open are those at its path, and whole.
    ///
    /// What others do to them by commands of the system SQLite does not notice: it goes on with files
    /// that nobody finds any more.
    ///
    /// - Throws: `StoreError`: of the code `gone` where the file is not there, or is another one; of the
    ///   code `incomplete` where one beside it is so, of which ``rescue()`` saves what is in it; of the code
    ///   `cut` where something that was saved is in no file any more, after which ``forsake()`` is called for.
    public func checkFiles() throws {
        try files?.check()
    }

    /// Whether the files of the store, by which it is found again, are beside another file now.
    ///
    /// SQLite would take what is in them for the other file's.
    ///
    /// - Returns: The path of the first of them; nil where there is none.
    public func strayFile() -> String? {
        guard let files, FileIdentity(at: Self.place(of: path)) != files.main.identity else {
            return nil
        }
        let place = Self.place(of: path)
        return [("-wal", files.log), ("-shm", files.index)].first {
            FileIdentity(at: place + $0.0) == $0.1.identity
        }.map { place + $0.0 }
    }

    /// Brings what is in the write-ahead log into the file, also where nobody else finds the log any more.
    ///
    /// - Returns: Whether all of it is there now, and the store can be closed without losing anything.
    /// - Throws: `StoreError`, of the code `cut` where the log is not whole.
    public func rescue() throws -> Bool {
        try StoreError.translating(path) {
            try commits.alone { db in try turns.withoutWaiting { try Self.merge(db) } }
        }
    }

    /// Brings what is in the write-ahead log into the file, and empties the log, without keeping anybody
    /// waiting.
    ///
    /// Then the file by itself is the store, whatever becomes of the log.
    ///
    /// - Returns: Whether the log is empty now; it is not where others read or write at the moment.
    /// - Throws: `StoreError`.
    @discardableResult
    public func emptyLog() throws -> Bool {
        guard access == .create else { return true }
        return try StoreError.translating(path) {
            try commits.alone { db in
                // What a log has lost must not be taken from it.
                try checkFiles()
                if files?.log.size == 0 { return true }
                return try turns.withoutWaiting {
                    // While there is still much to do, nobody is kept from writing.
                    guard try Self.merge(db) else { return false }
                    let answer = try Row.fetchOne(db, sql: "PRAGMA wal_checkpoint(TRUNCATE)")
                    return answer.map { $0[0] == 0 } ?? false
                }
            }
        }
    }

    private static func merge(_ db: Database) throws -> Bool {
        // Says by its answer, not by an error, that others are in the way.
        guard let answer = try Row.fetchOne(db, sql: "PRAGMA wal_checkpoint(PASSIVE)") else {
            return false
        }
        let (isBusy, frames, merged): (Int, Int, Int) = (answer[0], answer[1], answer[2])
        return isBusy == 0 && frames == merged
    }

    /// Leaves the files as they are, for as long as the process lives.
    ///
    /// To close a store, SQLite brings its log into the file; what is left of a log that was cut would
    /// spoil it.
    public func forsake() {
        unsafe _ = Unmanaged.passRetained(self)
    }

    /// Has savers who wait for other processes, and all who come, wait no longer than this from now on.
    ///
    /// - Parameter patience: How long.
    public func stopWaiting(after patience: Duration) {
        turns.giveUp(after: patience)
    }
}
