internal import CSQLite
internal import FoundationEssentials
internal import Glibc
internal import ObjectStore
internal import SystemSupport

extension SQLiteStore {
    /// Opens the store in the first way that works.
    static func openForReading(
        _ path: String,
        _ file: FileHold,
        _ turns: WriterTurns
    ) throws -> (ConnectionPool, keeper: SQLiteConnection?) {
        var ways = ReadingWay.ways(to: path, file)[...]
        while true {
            guard let way = ways.popFirst() else { throw StoreError.isUnfinished(path) }
            do {
                return try StoreError.translating(path) {
                    var keeper: SQLiteConnection?
                    if case .shared(isOwner: true) = way {
                        // If the file is gone by now, no new one is made.
                        keeper = try connection(path, .write, turns)
                        try keeper?.execute("PRAGMA query_only = 1")
                    }
                    if case .frozen = way {
                        file.useNoLocks()
                        let open = { @Sendable in try frozenConnection(path, file, turns) }
                        return (ConnectionPool(writer: try open(), turns, openReader: open), keeper)
                    }
                    return (pool(try connection(path, .read, turns), path, turns), keeper)
                }
            } catch let error as StoreError
                where [.readOnly, .cannotOpen, .ioFailed, .full].contains(error.code)
                && !ways.isEmpty
            {
                continue
            } catch let error as StoreError where [.readOnly, .cannotOpen].contains(error.code) {
                throw FrozenFiles.hasJournal(path)
                    ? StoreError.isUnfinished(path) : error
            }
        }
    }

    /// A connection that waits for others in turn.
    private static func connection(
        _ path: String,
        _ access: SQLiteConnection.Access,
        _ turns: WriterTurns
    ) throws -> SQLiteConnection {
        try SQLiteConnection(
            path,
            access,
            patience: .asking { turns.wait($0) },
            prepare: SQLFunctions.add
        )
    }

    /// A connection that reads the files as they are now, without SQLite's locks.
    private static func frozenConnection(
        _ path: String,
        _ file: FileHold,
        _ turns: WriterTurns
    ) throws -> SQLiteConnection {
        let end = ContinuousClock.now + turns.timeout
        let files = try FrozenFiles(path, file, until: end)
        return try SQLiteConnection(files.address, .read, frozen: files) { db in
            // The index of the log is then in the connection's own memory.
            if files.hasLog { try db.execute("PRAGMA locking_mode = EXCLUSIVE") }
            try prepareReader(db)
        }
    }

    /// The connections to a file, of which the first is open.
    private static func pool(
        _ first: SQLiteConnection,
        _ path: String,
        _ turns: WriterTurns
    ) -> ConnectionPool {
        ConnectionPool(writer: first, turns) {
            // Nobody makes a reader wait, but for moments: https://www.sqlite.org/wal.html, "Sometimes Queries
            // Return SQLITE_BUSY In WAL Mode".
            try SQLiteConnection(path, .read, patience: .milliseconds(10_000)) {
                try prepareReader($0)
            }
        }
    }

    private static func prepareReader(_ db: SQLiteConnection) throws {
        try SQLFunctions.add(to: db)
        // In KiB: the kernel keeps pages for all processes, and reading them again costs next to nothing.
        try db.execute("PRAGMA cache_size = -256")
    }

    /// Marks an empty file as a store, before the write-ahead log is turned on.
    ///
    /// So the mark is in the file itself, where the next process finds it without opening a database.
    static func claim(_ path: String, _ turns: WriterTurns) throws {
        let db = try connection(path, .create, turns)
        try db.transaction("BEGIN IMMEDIATE") {
            if try db.value("PRAGMA application_id") == .integer(0) {
                // Nobody uses a log of this file yet, if it is at its place still: an empty one, and its index, are
                // those of a store whose file is gone, and which may be open.
                if FileStatus(at: path)?.byteCount == 0 {
                    for suffix in ["-wal", "-shm"] { unsafe unlink(path + suffix) }
                }
                try db.execute("PRAGMA application_id = \(SQLiteFileHeader.applicationID)")
                // The tables bring the present one with them.
                try db.execute("PRAGMA user_version = \(StoredDates.since1970.format)")
            }
        }
        try db.close()
    }

    /// The pages after which a save copies the log into the file: up to here one look finds a page in the log, whose
    /// index has places for 4,096 (https://www.sqlite.org/walformat.html#wal_index_format), and to copy it four times
    /// as seldom as SQLite does by itself writes the pages that many saves change less often.
    private static let longestLog = 4000

    /// Opens the connections, and turns the write-ahead log on if it is off.
    ///
    /// To turn it on, SQLite requests a lock while it holds another one. To avoid a deadlock of two
    /// processes, it does not wait for the second lock: it fails at once and releases both. Waits
    /// elsewhere in the opening count towards the timeout.
    ///
    /// - Parameters:
    ///   - path: The path of the file.
    ///   - turns: The turns of those who write.
    ///   - timeout: How long to try it.
    ///   - check: Is called when the file is open, before anything is written to the log.
    /// - Returns: The connections.
    /// - Throws: An error of SQLite, or what `check` throws.
    static func openPool(
        _ path: String,
        _ turns: WriterTurns,
        _ timeout: Duration,
        _ check: () throws -> Void
    ) throws -> ConnectionPool {
        let end = ContinuousClock.now + timeout
        while true {
            do {
                let writer = try connection(path, .create, turns)
                try writer.execute("PRAGMA wal_autocheckpoint = \(longestLog)")
                try useLog(writer, path, check)
                return pool(writer, path, turns)
            } catch let error as SQLiteError where error.primaryCode == SQLITE_BUSY {
                guard ContinuousClock.now < end else { throw error }
            }
            usleep(1000)
        }
    }

    /// Turns the write-ahead log on, and makes it if it is not there or empty: who may only read cannot.
    private static func useLog(
        _ db: SQLiteConnection,
        _ path: String,
        _ check: () throws -> Void
    ) throws {
        let mode = try db.value("PRAGMA journal_mode = WAL")?.text
        guard mode == "wal" else {
            throw SQLiteError(SQLITE_ERROR, "the file has the journal mode \(mode ?? "of nothing")")
        }
        // It has its locks from here on.
        try db.look()
        try check()
        if let log = FileStatus(at: path + "-wal"), log.byteCount > 0 { return }
        try db.transaction("BEGIN IMMEDIATE") {
            // It is written even if it stays what it is.
            let version = try db.value("PRAGMA user_version")?.integer ?? 0
            try db.execute("PRAGMA user_version = \(version)")
        }
    }
}
