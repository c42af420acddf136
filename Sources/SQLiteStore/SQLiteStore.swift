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
/// `synchronous=FULL`). Each entity is a table of its own with one column for each attribute and
/// to-one relationship, so the file can be looked at with any SQLite tool: text and numbers are
/// kept as such, dates as seconds since 1970, UUIDs as text, relationships as the key of the target.
/// Whole numbers of 64 unsigned bits, which SQLite does not have, are text of 20 digits.
public final class SQLiteStore: PersistentStore {
    /// What to do with the file.
    public enum Access: Sendable {
        /// Read and write, and make the file where there is none.
        case create
        /// Read only; the file must be there.
        case read
    }

    /// The path of the file.
    public let path: String

    let pool: DatabasePool
    let access: Access
    let migrations: [MigrationStep]
    let duplicates: DuplicateHandling
    let commits: GroupCommit
    /// The statements of the model that the store was last prepared for.
    let sql = Mutex<ModelSQL?>(nil)
    let watches = CommitWatches()
    /// What has marked the file as a store, closed: to let go of a connection sets threads of libdispatch
    /// going that look after one another from then on, once a second.
    private let claimant: DatabaseQueue?
    let turns: WriterTurns
    /// The files, where the store is open for writing.
    let files: StoreFiles?
    /// How the store is read, where it is not.
    private let way: ReadingWay?
    /// Who leaves no files beside the store that nobody had there before, and goes last.
    private let keeper: DatabaseQueue?
    /// The threads that are reading: on one of them, another reading is within that.
    private let readers = Mutex<Set<pthread_t>>([])

    /// Opens or makes a store.
    ///
    /// A file that is not a store of this kind is left as it was.
    ///
    /// - Parameters:
    ///   - path: The path of the file, whose folder exists.
    ///   - access: What to do with it.
    ///   - lockTimeout: How long to wait while others write. What one of them does takes
    ///     milliseconds, a checkpoint longer; but on a busy machine with a slow disk many may be in
    ///     front, and to wait for them is better than to fail.
    ///   - whenLocked: Is told, once in each wait that takes some seconds, by whom the store is kept
    ///     locked.
    ///   - migrations: What cannot be derived from the model when an older store is brought to it.
    ///   - duplicates: What becomes of the objects in an older store that a constraint of the model
    ///     does not allow.
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
        // SQLite takes `:memory:` and the like for something else than the name of a file.
        let path = URL(fileURLWithPath: path).path
        let file = try FileHold(path: path, isMade: access == .create)
        let header = try SQLiteFileHeader(file, path: path)
        // SQLite would make away with a log beside an empty one.
        if header.isEmpty && access == .read {
            throw StoreError(.notFound, "there is no store at \(path)")
        }
        try header.check(path: path)
        turns = WriterTurns(path: path, timeout: lockTimeout, notice: whenLocked)
        if access == .read, let file {
            (pool, keeper, way) = try Self.openForReading(path, file, turns)
            (claimant, files) = (nil, nil)
        } else {
            let configuration = Self.configuration(nil, turns)
            (pool, claimant) = try StoreError.translating(path) {
                // A process that was killed while it claimed the file has left its journal.
                let isInterrupted = FileManager.default.fileExists(atPath: path + "-journal")
                let isClaimed = !(header.isEmpty || isInterrupted)
                let claimant = isClaimed ? nil : try Self.claim(path, configuration)
                let pool = try Self.openPool(path, configuration, lockTimeout)
                // A pool sets NORMAL when it turns the write-ahead log on, after the configuration
                // was applied: commits would not wait for the disk.
                try pool.writeWithoutTransaction {
                    try $0.execute(sql: "PRAGMA synchronous = FULL")
                }
                return (pool, claimant)
            }
            (keeper, way) = (nil, nil)
            files = try StoreFiles(path: path, main: file)
        }
        commits = GroupCommit(pool, turns)
        // Connections keep the turns, and these the files: they are closed after the last of them.
        turns.hold([file, files?.log, files?.index])
    }

    /// Opens the store in the first way in which that can be done.
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
                        // Where the file is gone by now, none is made.
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

    /// How connections are made, for a way of reading; without one, for writing.
    private static func configuration(_ way: ReadingWay?, _ turns: WriterTurns) -> Configuration {
        var configuration = Configuration()
        configuration.label = "SQLiteStore"
        configuration.readonly = way != nil
        configuration.foreignKeysEnabled = true
        configuration.busyMode = .callback { turns.wait($0) }
        configuration.maximumReaderCount = 2
        // The transaction of a group goes from one saver to the next.
        configuration.allowsUnsafeTransactions = true
        // For the connection that claims the file; a pool needs it again once it is open.
        configuration.prepareDatabase { db in
            try way?.prepare(db)
            try db.execute(sql: "PRAGMA synchronous = FULL")
            for function in SQLFunctions.all { db.add(function: function) }
        }
        return configuration
    }

    /// Marks an empty file as a store, before it gets a write-ahead log: the mark is then in the file
    /// itself, where the next process looks for it without opening anything.
    ///
    /// - Returns: The connection that has done so, closed.
    private static func claim(
        _ path: String,
        _ configuration: Configuration
    ) throws -> DatabaseQueue {
        let queue = try DatabaseQueue(path: path, configuration: configuration)
        try queue.inTransaction(.immediate) { db in
            let mark = try Int64.fetchOne(db, sql: "PRAGMA application_id")
            if mark == 0 {
                try db.execute(sql: "PRAGMA application_id = \(SQLiteFileHeader.applicationID)")
                try db.execute(sql: "PRAGMA user_version = \(SQLiteFileHeader.formatVersion)")
            }
            return .commit
        }
        try queue.close()
        return queue
    }

    /// Opens the connections, and turns the write-ahead log on where it is not.
    ///
    /// To turn it on, SQLite asks for a lock while it has another one. It does not wait there, so that
    /// two who do so do not wait for one another, but fails at once and lets go of both. Where it does
    /// wait, that time counts.
    ///
    /// Then GRDB asks how long the log is. Nothing is locked there yet: where the file is new, another
    /// who has marked it may close it just then, and take the log away.
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

    /// Reads from one consistent state of the file, whatever other writers do meanwhile.
    ///
    /// A reading within another one, as of a second context, has the same state.
    public func read<Result>(_ body: (any StoreReading) throws -> Result) throws -> Result {
        try StoreError.translating(path) {
            let sql = sql.withLock { $0 }
            func run(_ db: Database) throws -> Result {
                try body(SQLiteTransaction(db, path: path, sql: sql, way: way))
            }
            let thread = pthread_self()
            guard readers.withLock({ $0.insert(thread).inserted }) else {
                return try pool.unsafeReentrantRead(run)
            }
            defer { readers.withLock { _ = $0.remove(thread) } }
            return try pool.read(run)
        }
    }

    /// Whether a transaction is under way on this thread.
    public var isInTransaction: Bool { commits.isTurnOfThisThread }

    /// Runs a transaction that is on the disk when this returns.
    ///
    /// Savers that come at the same time share one write to the disk: they run one after the other,
    /// each on its own thread and failing alone, and return together. Where that write fails, it fails
    /// for all of them.
    ///
    /// - Parameter body: Reads and writes; what it is given must not be kept.
    /// - Returns: What `body` returns.
    /// - Throws: What `body` throws, or `StoreError`.
    public func transaction<Result>(
        _ body: (any StoreTransaction) throws -> Result
    ) throws -> Result {
        try StoreError.translating(path) {
            let sql = sql.withLock { $0 }
            return try commits.transaction {
                try body(SQLiteTransaction($0, path: path, sql: sql))
            }
        }
    }

    /// Closes the file; the last process to do so merges the write-ahead log into it.
    ///
    /// - Throws: `StoreError` where work is still under way.
    public func close() throws {
        watches.cancelAll()
        // Closes the connections that only read: the pool would close them last, and whichever is
        // closed last is the one to merge the log.
        pool.releaseMemory()
        try StoreError.translating(path) {
            // Savers that are under way come first.
            try commits.alone { _ in }
            try pool.close()
            try keeper?.close()
        }
    }

    /// Throws where what was read from a store that is not written may be wrong.
    func checkReading() throws {
        try way?.check()
    }
}
