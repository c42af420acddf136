internal import CSQLite
internal import FoundationEssentials
internal import Glibc
public import ObjectStore
internal import Synchronization
internal import SystemSupport

/// A store in an SQLite file: durable, transactional, and open to several processes at once.
///
/// Every committed transaction is on the disk before its save returns (write-ahead log,
/// `synchronous=FULL`). Each entity is a table with one column for each attribute and to-one
/// relationship, so any SQLite tool can read the file. Text and numbers are stored as such, dates
/// as seconds since the beginning of 2001 (UTC), UUIDs as text, relationships as the key of the
/// target. Unsigned 64-bit integers, which SQLite does not have, are text of 20 digits. Keys rise in
/// the order of the saves, and some are left out.
public final class SQLiteStore: PersistentStore {
    /// How to open the file.
    public enum Access: Sendable {
        /// For reading and writing; the file is made if there is none.
        case create
        /// For reading only; the file must exist.
        case read
    }

    /// The path of the file.
    public let path: String

    let pool: ConnectionPool
    let access: Access
    let migrations: [MigrationStep]
    let duplicates: DuplicateHandling
    let commits: GroupCommit
    /// The statements of the last prepared model.
    let sql = Mutex<ModelSQL?>(nil)
    let watches = CommitWatches()
    let turns: WriterTurns
    /// The files, if the store is open for writing.
    let files: StoreFiles?
    /// Whether the file had a write-ahead log already when it was opened.
    let hadLog: Bool
    /// The connection that is closed last, and then removes the files that SQLite made beside the
    /// store.
    private let keeper: SQLiteConnection?

    /// Opens or makes a store.
    ///
    /// A file that is not a store of this kind stays unchanged.
    ///
    /// - Parameters:
    ///   - path: The path of the file, whose folder exists.
    ///   - access: How to open it.
    ///   - lockTimeout: How long to wait while others write. One write takes milliseconds, a
    ///     checkpoint longer. But on a busy machine with a slow disk many writers may be in front,
    ///     and waiting is better than failing.
    ///   - whenLocked: Is called once in each wait of some seconds, with an error that names the
    ///     process which keeps the store locked.
    ///   - migrations: The changes of older stores that cannot be derived from the model.
    ///   - duplicates: What a migration does with objects that violate a constraint of the model.
    /// - Throws: `StoreError`, which names the file and what to do.
    public init(
        path: String,
        access: Access = .create,
        lockTimeout: Duration = .seconds(120),
        whenLocked: (@Sendable (StoreError) -> Void)? = nil,
        migrations: [MigrationStep] = [],
        duplicates: DuplicateHandling = .refuse
    ) throws {
        self.path = path
        self.access = access
        self.migrations = migrations
        self.duplicates = duplicates
        // SQLite treats `:memory:` and similar names as something other than a file.
        let path = URL(fileURLWithPath: path).path
        if access == .create, let log = Self.log(withoutFileAt: path) {
            throw StoreError(
                .incomplete,
                "\(log) may have saves of a store, but there is nothing in \(path); put its file back, "
                    + "or move the log away to begin anew"
            )
        }
        let file = try FileHold(path: path, isMade: access == .create)
        let header = try SQLiteFileHeader(file, path: path)
        // SQLite would remove a log beside an empty file.
        if header.isEmpty && access == .read {
            throw StoreError(.notFound, "there is no store at \(path)")
        }
        try header.check(path: path)
        hadLog = file.map(SQLiteFileHeader.usesLog) ?? false
        turns = WriterTurns(path: path, timeout: lockTimeout, notice: whenLocked)
        if access == .read, let file {
            (pool, keeper) = try Self.openForReading(path, file, turns)
            files = nil
        } else {
            pool = try StoreError.translating(path) { [turns] in
                // A process that was killed while it marked the file has left its journal.
                let isInterrupted = FileManager.default.fileExists(atPath: path + "-journal")
                if header.isEmpty || isInterrupted { try Self.claim(path, turns) }
                return try Self.openPool(path, turns, lockTimeout)
            }
            keeper = nil
            files = try StoreFiles(path: path, main: file)
        }
        commits = GroupCommit(pool, turns)
        // Connections own the turns, and the turns own these files, so the files are closed last.
        turns.hold([file, files?.log, files?.index])
    }

    /// Opens the store in the first way that works.
    private static func openForReading(
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
                        let place = place(of: path)
                        keeper = try connection(place, .write, turns)
                        try keeper?.execute("PRAGMA query_only = 1")
                    }
                    if case .frozen = way {
                        let open = { @Sendable in try frozenConnection(path, turns) }
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
                throw FrozenFiles.hasJournal(place(of: path))
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
    private static func frozenConnection(_ path: String, _ turns: WriterTurns) throws
        -> SQLiteConnection
    {
        let end = ContinuousClock.now + turns.timeout
        let files = try FrozenFiles(place(of: path), path: path, until: end)
        return try SQLiteConnection(files.address, .read, frozen: files) { db in
            // The index of the log is then in the connection's own memory.
            if files.hasLog { try db.execute("PRAGMA locking_mode = EXCLUSIVE") }
            try SQLFunctions.add(to: db)
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
                try SQLFunctions.add(to: $0)
                // In KiB: the kernel keeps pages for all processes, and reading them again costs next to nothing.
                try $0.execute("PRAGMA cache_size = -256")
            }
        }
    }

    /// Marks an empty file as a store, before the write-ahead log is turned on.
    ///
    /// So the mark is in the file itself, where the next process finds it without opening a database.
    private static func claim(_ path: String, _ turns: WriterTurns) throws {
        let db = try connection(path, .create, turns)
        try db.transaction("BEGIN IMMEDIATE") {
            if try db.value("PRAGMA application_id") == .integer(0) {
                try db.execute("PRAGMA application_id = \(SQLiteFileHeader.applicationID)")
                // The tables bring the present one with them.
                try db.execute("PRAGMA user_version = \(StoredDates.since1970.format)")
            }
        }
        try db.close()
    }

    /// Opens the connections, and turns the write-ahead log on if it is off.
    ///
    /// To turn it on, SQLite requests a lock while it holds another one. To avoid a deadlock of two
    /// processes, it does not wait for the second lock: it fails at once and releases both. Waits
    /// elsewhere in the opening count towards the timeout.
    private static func openPool(
        _ path: String,
        _ turns: WriterTurns,
        _ timeout: Duration
    ) throws -> ConnectionPool {
        let end = ContinuousClock.now + timeout
        while true {
            do {
                let writer = try connection(path, .create, turns)
                try useLog(writer, path)
                return pool(writer, path, turns)
            } catch let error as SQLiteError where error.primaryCode == SQLITE_BUSY {
                guard ContinuousClock.now < end else { throw error }
            }
            usleep(1000)
        }
    }

    /// Turns the write-ahead log on, and makes it if it is not there or empty: who may only read cannot.
    private static func useLog(_ db: SQLiteConnection, _ path: String) throws {
        let mode = try db.value("PRAGMA journal_mode = WAL")?.text
        guard mode == "wal" else {
            throw SQLiteError(SQLITE_ERROR, "the file has the journal mode \(mode ?? "of nothing")")
        }
        if let log = FileStatus(at: place(of: path) + "-wal"), log.byteCount > 0 { return }
        try db.transaction("BEGIN IMMEDIATE") {
            // It is written even if it stays what it is.
            let version = try db.value("PRAGMA user_version")?.integer ?? 0
            try db.execute("PRAGMA user_version = \(version)")
        }
    }

    /// Reads one consistent state of the file, while other processes may write.
    ///
    /// A nested read, for example of a second context, sees the same state, until its thread saves.
    public func read<Result>(_ body: (any StoreReading) throws -> Result) throws -> Result {
        try StoreError.translating(path) {
            try pool.read { db in
                try body(SQLiteTransaction(db, path: path, sql: statements(in: db)))
            }
        }
    }

    /// Whether this thread is in a transaction.
    public var isInTransaction: Bool { commits.isTurnOfThisThread }

    /// Runs a transaction that is on the disk when this returns.
    ///
    /// Concurrent savers share one write to the disk: they run one after the other, each on its own
    /// thread, fail alone, and return together. If that write fails, it fails for all of them.
    ///
    /// - Parameter body: Reads and writes; it must not keep its argument.
    /// - Returns: What `body` returns.
    /// - Throws: What `body` throws, or `StoreError`.
    public func transaction<Result>(
        _ body: (any StoreTransaction) throws -> Result
    ) throws -> Result {
        try StoreError.translating(path) {
            try commits.transaction { db in
                try body(SQLiteTransaction(db, path: path, sql: statements(in: db)))
            }
        }
    }

    /// The statements for the file as it is now: another store may have converted its dates.
    private func statements(in db: SQLiteConnection) throws -> ModelSQL? {
        let known = sql.withLock { $0 }
        guard let known, known.dates == .since1970 else { return known }
        let present = try known.current(in: db)
        // A reader may still see the file as it was before: it leaves what others know by now.
        if present.dates == .since2001 { sql.withLock { $0 = present } }
        return present
    }

    /// Closes the file; the last process to do so merges the write-ahead log into it.
    ///
    /// - Throws: `StoreError` if work is still in progress.
    public func close() throws {
        // Nothing is closed then.
        if isInTransaction { throw StoreError.isInTransaction }
        watches.cancelAll()
        try StoreError.translating(path) {
            // The last connection to close is the one to merge the log. A thread that reads may save too,
            // so its turn comes before that of closing.
            try pool.closeReaders()
            // Running savers finish first.
            try commits.alone { try $0.close() }
            try keeper?.close()
        }
    }
}
