internal import Foundation
internal import GRDB
public import ObjectStore
internal import Synchronization

#if canImport(Glibc)
internal import Glibc
#endif

/// A store in an SQLite file: durable, transactional, and open to several processes at once.
///
/// Every committed transaction is on the disk before its save returns (write-ahead log,
/// `synchronous=FULL`). Each entity is a table with one column for each attribute and to-one
/// relationship, so any SQLite tool can read the file. Text and numbers are stored as such, dates
/// as seconds since the beginning of 2001 (UTC), UUIDs as text, relationships as the key of the
/// target. Unsigned 64-bit integers, which SQLite does not have, are text of 20 digits.
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

    let pool: DatabasePool
    let access: Access
    let migrations: [MigrationStep]
    let duplicates: DuplicateHandling
    let commits: GroupCommit
    /// The statements of the last prepared model.
    let sql = Mutex<ModelSQL?>(nil)
    let watches = CommitWatches()
    /// The closed connection that marked the file as a store.
    ///
    /// It is kept because releasing a connection starts threads of libdispatch, which then wake up
    /// once a second.
    private let claimant: DatabaseQueue?
    let turns: WriterTurns
    /// The files, if the store is open for writing.
    let files: StoreFiles?
    /// Whether the file had a write-ahead log already when it was opened.
    let hadLog: Bool
    /// The way of reading, if the store is open for reading.
    private let way: ReadingWay?
    /// The connection that is closed last, and then removes the files that SQLite made beside the
    /// store.
    private let keeper: DatabaseQueue?
    /// The threads that are reading: a second read on one of them is nested in the first.
    private let readers = Mutex<Set<pthread_t>>([])

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
            (pool, keeper, way) = try Self.openForReading(path, file, turns)
            (claimant, files) = (nil, nil)
        } else {
            let configuration = Self.configuration(nil, turns)
            (pool, claimant) = try StoreError.translating(path) {
                // A process that was killed while it marked the file has left its journal.
                let isInterrupted = FileManager.default.fileExists(atPath: path + "-journal")
                let isClaimed = !(header.isEmpty || isInterrupted)
                let claimant = isClaimed ? nil : try Self.claim(path, configuration)
                let pool = try Self.openPool(path, configuration, lockTimeout)
                // A pool sets NORMAL when it turns the write-ahead log on, after it has applied the
                // configuration: commits would then not wait for the disk.
                try pool.writeWithoutTransaction {
                    try $0.execute(sql: "PRAGMA synchronous = FULL")
                }
                return (pool, claimant)
            }
            (keeper, way) = (nil, nil)
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
    ) throws -> (DatabasePool, keeper: DatabaseQueue?, ReadingWay) {
        var ways = try ReadingWay.ways(to: path, file)[...]
        while true {
            guard let way = ways.popFirst() else { throw StoreError.isUnfinished(path) }
            do {
                return try StoreError.translating(path) {
                    let configuration = configuration(way, turns)
                    var keeper: DatabaseQueue?
                    if case .shared(isOwner: true) = way {
                        var own = configuration
                        own.readonly = false
                        own.prepareDatabase { try $0.execute(sql: "PRAGMA query_only = 1") }
                        // If the file is gone by now, no new one is made.
                        keeper = try DatabaseQueue(
                            path: place(of: path).asAddress + "?mode=rw",
                            configuration: own
                        )
                    }
                    let name = way.name(of: path)
                    return (try DatabasePool(path: name, configuration: configuration), keeper, way)
                }
            } catch let error as StoreError
                where [.readOnly, .cannotOpen].contains(error.code) && !ways.isEmpty
            {
                continue
            } catch let error as StoreError where [.readOnly, .cannotOpen].contains(error.code) {
                throw FrozenFiles.hasJournal(place(of: path))
                    ? StoreError.isUnfinished(path) : error
            }
        }
    }

    /// The configuration of connections for a way of reading, or for writing if nil.
    private static func configuration(_ way: ReadingWay?, _ turns: WriterTurns) -> Configuration {
        var configuration = Configuration()
        configuration.label = "SQLiteStore"
        configuration.readonly = way != nil
        configuration.foreignKeysEnabled = true
        configuration.busyMode = .callback { turns.wait($0) }
        configuration.maximumReaderCount = 2
        // The transaction of a group passes from one saver to the next.
        configuration.allowsUnsafeTransactions = true
        // For the connection that marks the file; a pool needs it again when it is open.
        configuration.prepareDatabase { db in
            try way?.prepare(db)
            try db.execute(sql: "PRAGMA synchronous = FULL")
            for function in SQLFunctions.all { db.add(function: function) }
        }
        return configuration
    }

    /// Marks an empty file as a store, before the write-ahead log is turned on.
    ///
    /// So the mark is in the file itself, where the next process finds it without opening a database.
    ///
    /// - Returns: The connection that marked it, closed.
    private static func claim(
        _ path: String,
        _ configuration: Configuration
    ) throws -> DatabaseQueue {
        let queue = try DatabaseQueue(path: path, configuration: configuration)
        try queue.inTransaction(.immediate) { db in
            let mark = try Int64.fetchOne(db, sql: "PRAGMA application_id")
            if mark == 0 {
                try db.execute(sql: "PRAGMA application_id = \(SQLiteFileHeader.applicationID)")
                // The tables bring the present one with them.
                try db.execute(sql: "PRAGMA user_version = \(StoredDates.since1970.format)")
            }
            return .commit
        }
        try queue.close()
        return queue
    }

    /// Opens the connections, and turns the write-ahead log on if it is off.
    ///
    /// To turn it on, SQLite requests a lock while it holds another one. To avoid a deadlock of two
    /// processes, it does not wait for the second lock: it fails at once and releases both. Waits
    /// elsewhere in the opening count towards the timeout.
    ///
    /// Then GRDB reads the size of the log. Nothing is locked at that moment: if the file is new,
    /// another process that has marked it may close it just then, and remove the log.
    private static func openPool(
        _ path: String,
        _ configuration: Configuration,
        _ timeout: Duration
    ) throws -> DatabasePool {
        let end = ContinuousClock.now + timeout
        while true {
            do {
                return try DatabasePool(path: path, configuration: configuration)
            } catch let error as DatabaseError where error.resultCode == .SQLITE_BUSY {
                guard ContinuousClock.now < end else { throw error }
            } catch let error as CocoaError where error.code == .fileReadNoSuchFile {
                guard ContinuousClock.now < end else { throw StoreError.cannotOpen(path, error) }
            }
            usleep(1000)
        }
    }

    /// Reads one consistent state of the file, while other processes may write.
    ///
    /// A nested read, for example of a second context, sees the same state.
    public func read<Result>(_ body: (any StoreReading) throws -> Result) throws -> Result {
        try StoreError.translating(path) {
            func run(_ db: Database) throws -> Result {
                try body(SQLiteTransaction(db, path: path, sql: statements(in: db), way: way))
            }
            let thread = pthread_self()
            guard readers.withLock({ $0.insert(thread).inserted }) else {
                return try pool.unsafeReentrantRead(run)
            }
            defer { readers.withLock { _ = $0.remove(thread) } }
            return try pool.read(run)
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
    private func statements(in db: Database) throws -> ModelSQL? {
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
        watches.cancelAll()
        // Closes the reading connections first: the pool would close them last, and the last
        // connection to close is the one to merge the log.
        pool.releaseMemory()
        try StoreError.translating(path) {
            // Running savers finish first.
            try commits.alone { _ in }
            try pool.close()
            try keeper?.close()
        }
    }

    /// Throws if what was read without SQLite's locks may be wrong.
    func checkReading() throws {
        try way?.check()
    }
}
