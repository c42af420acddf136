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

    /// The path of the file, as it was given.
    public let path: String
    /// The same from the root on, since the program may go to another folder; a link may lead elsewhere later.
    let absolutePath: String

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
    /// Nil only if there was none, and none was made.
    let file: FileHold?

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
        absolutePath = path.absolute
        self.access = access
        self.migrations = migrations
        self.duplicates = duplicates
        // SQLite treats `:memory:` and similar names as something other than a file.
        let path = Self.place(of: path)
        try Self.refuseLink(path)
        if access == .create, let error = Self.refusal(ofLogWithoutFileAt: path) { throw error }
        try Self.refuseOtherKinds(besides: path)
        file = try FileHold(path: path, isMade: access == .create)
        if file == nil && access == .create {
            // SQLite takes dots away as text, and would open another file.
            throw StoreError.cannotOpen(path, SQLiteError(SQLITE_CANTOPEN))
        }
        let header = try SQLiteFileHeader(file, path: path)
        // SQLite would remove a log beside an empty file.
        if header.isEmpty && access == .read {
            throw StoreError(.notFound, "there is no store at \(path)")
        }
        try header.check(path: path)
        hadLog = file.map(SQLiteFileHeader.usesLog) ?? false
        let name = StoreName(path)
        if let file { try name.use(file) }
        if let file, hadLog { try name.refuseOthers(of: file) }
        turns = WriterTurns(path: path, timeout: lockTimeout, notice: whenLocked)
        if access == .read, let file {
            (pool, keeper) = try Self.openForReading(path, file, turns)
            files = nil
        } else {
            pool = try StoreError.translating(path) { [file, turns] in
                // A process that was killed while it marked the file has left its journal.
                let isInterrupted = FileManager.default.fileExists(atPath: path + "-journal")
                if header.isEmpty || isInterrupted { try Self.claim(path, turns) }
                let hadIndex = FileStatus(at: name.index) != nil
                return try Self.openPool(path, turns, lockTimeout) {
                    try file.map { try name.refuseOthers(of: $0, isIndexNew: !hadIndex) }
                }
            }
            keeper = nil
            files = try StoreFiles(path: absolutePath, main: file)
        }
        commits = GroupCommit(pool, turns)
        // Connections own the turns, and the turns own these files, so the files are closed last.
        turns.hold([file, files?.log, files?.index])
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
    /// - Throws: `StoreError` if this thread is reading or saving, and nothing is closed; or if the log cannot be
    ///   merged.
    public func close() throws {
        try StoreError.translating(path) {
            if isInTransaction { throw StoreError.isInTransaction }
            // The last connection to close is the one to merge the log. A thread that reads may save too,
            // so its turn comes before that of closing.
            try pool.closeReaders()
            watches.cancelAll()
            // Running savers finish first.
            try commits.alone { try $0.close() }
            try keeper?.close()
            file?.endUse()
        }
    }
}
