internal import CSQLite
internal import CSQLiteLog
internal import ObjectStore
internal import Synchronization

/// A connection to a database, through SQLite's C interface.
///
/// It is unchecked because SQLite lets one thread at a time use it: those who share one take turns, as in
/// ``ConnectionPool`` and ``GroupCommit``.
@safe final class SQLiteConnection: @unchecked Sendable {
    /// What a connection may do with a file.
    enum Access {
        case read
        case write
        /// Also make the file if there is none.
        case create

        fileprivate var flags: Int32 {
            switch self {
            case .read: SQLITE_OPEN_READONLY
            case .write: SQLITE_OPEN_READWRITE
            case .create: SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE
            }
        }
    }

    /// How it waits while others are in the way.
    enum Patience {
        /// It fails at once.
        case none
        case milliseconds(Int32)
        /// As long as the function returns true, which gets the number of earlier calls for the same lock.
        case asking((Int) -> Bool)
    }

    /// The connection; nil if it is closed.
    private(set) var handle: OpaquePointer?
    /// The compiled statements, by their texts.
    private(set) var statements: [SQLText: CompiledStatement] = [:]
    /// The keys that savers may use; who ends a transaction says what becomes of them.
    var keys = KeyReserve()
    /// Kept because SQLite calls it.
    private let patience: Patience
    /// The files that it reads without SQLite's locks; nil if it has these.
    let frozen: FrozenFiles?
    /// Its own in this process.
    private let number = lastNumber.add(1, ordering: .relaxed).newValue
    private static let lastNumber = Atomic<Int>(0)

    /// Opens a database.
    ///
    /// - Parameters:
    ///   - path: The absolute path of the file, or its address as a URL.
    ///   - access: What it may do.
    ///   - patience: How it waits.
    ///   - frozen: The files, if they are read without SQLite's locks.
    ///   - prepare: Prepares it before it reads the file.
    /// - Throws: ``SQLiteError``.
    init(
        _ path: String,
        _ access: Access = .create,
        patience: Patience = .none,
        frozen: FrozenFiles? = nil,
        prepare: (SQLiteConnection) throws -> Void = { _ in }
    ) throws {
        self.patience = patience
        self.frozen = frozen
        // With a cache of its own, whatever the program has chosen: connections that share one share a log.
        let flags =
            access.flags | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_PRIVATECACHE | SQLITE_OPEN_EXRESCODE
            | SQLITE_OPEN_URI
        var opened: OpaquePointer?
        // Who only reads adds nothing to a log.
        let way = access == .read ? nil : unsafe sqlite_log_vfs()
        let code = unsafe sqlite3_open_v2(path, &opened, flags, way)
        unsafe handle = opened
        do {
            if code != SQLITE_OK { throw failure(code) }
            try check(unsafe sqlite3_refuse_quoted_text(handle))
            wait()
            try execute("PRAGMA foreign_keys = ON")
            try prepare(self)
            try execute("PRAGMA synchronous = FULL")
            // Opening reads nothing, so an unusable file is noticed only now.
            try look()
        } catch {
            // A connection that could not be opened has to be closed all the same.
            end()
            throw error
        }
    }

    deinit { end() }

    private func wait() {
        switch patience {
        case .none: break
        case .milliseconds(let most): unsafe sqlite3_busy_timeout(handle, most)
        case .asking:
            // The address stays valid as long as the connection, which this object closes.
            unsafe sqlite3_busy_handler(
                handle,
                { address, attempt in
                    guard let address = unsafe address else { return 0 }
                    let connection = unsafe Unmanaged<SQLiteConnection>.fromOpaque(address)
                        .takeUnretainedValue()
                    guard case .asking(let ask) = connection.patience else { return 0 }
                    return ask(Int(attempt)) ? 1 : 0
                },
                Unmanaged.passUnretained(self).toOpaque()
            )
        }
    }

    // MARK: Closing

    /// Closes it.
    ///
    /// - Throws: ``SQLiteError`` if a statement is in use; then it stays open.
    func close() throws {
        if unsafe handle == nil { return }
        if frozen != nil { return end() }
        statements = [:]
        try check(unsafe sqlite3_close(handle))
        unsafe handle = nil
    }

    /// Closes it as soon as nothing uses it.
    private func end() {
        guard let opened = unsafe handle else { return }
        statements = [:]
        unsafe handle = nil
        guard let frozen else {
            unsafe sqlite3_close_v2(opened)
            return
        }
        // Nobody else has this handle any more.
        let address = UInt(bitPattern: opened)
        frozen.closeConnection { unsafe sqlite3_close_v2(OpaquePointer(bitPattern: address)) }
    }

    // MARK: Failures

    /// The error of the last call.
    func failure(_ code: Int32, sql: String? = nil) -> SQLiteError {
        let message = unsafe handle.map { unsafe String(cString: sqlite3_errmsg($0)) }
        return SQLiteError(code, message, sql: sql)
    }

    private func check(_ code: Int32, sql: String? = nil) throws {
        if code != SQLITE_OK { throw failure(code, sql: sql) }
    }

    // MARK: Statements

    /// How many compiled statements are kept: more texts than the fetches of a program have.
    private static let mostStatements = 500

    /// Finds or compiles a statement; each text is compiled once.
    func statement(_ sql: SQLText) throws -> CompiledStatement {
        if let known = statements[sql] { return known }
        if statements.count >= Self.mostStatements { statements = [:] }
        let statement = try CompiledStatement(sql.text, in: self)
        statements[sql] = statement
        return statement
    }

    /// Runs statements that have no parameters, and passes over the rows that they give.
    func execute(_ sql: String) throws {
        guard let handle = unsafe handle else { throw SQLiteError.closed }
        try check(unsafe sqlite3_exec(handle, sql, nil, nil, nil), sql: sql)
    }

    /// Runs a statement once.
    ///
    /// - Parameters:
    ///   - sql: One statement.
    ///   - arguments: The values of its parameters, in order.
    /// - Returns: The rows that it gives, each as its values in order.
    /// - Throws: ``SQLiteError``, also if there are too few or too many arguments.
    func rows(_ sql: String, _ arguments: [AttributeValue] = []) throws -> [[AttributeValue]] {
        let statement = try SQLiteStatement(unshared: sql, in: self)
        guard statement.parameterCount == arguments.count else {
            let words = "\(arguments.count) arguments for \(statement.parameterCount) parameters"
            throw SQLiteError(SQLITE_MISUSE, words, sql: sql)
        }
        try statement.bind(arguments)
        var rows: [[AttributeValue]] = []
        while try statement.step() {
            rows.append((0..<statement.columnCount).map { statement.value($0, leadingTo: nil) })
        }
        return rows
    }

    /// Runs a statement that gives no rows.
    func run(_ sql: String, _ arguments: [AttributeValue] = []) throws {
        _ = try rows(sql, arguments)
    }

    /// The first value that a statement gives; nil if it gives no row, or none in it.
    func value(_ sql: String, _ arguments: [AttributeValue] = []) throws -> AttributeValue? {
        try rows(sql, arguments).first?.first.flatMap { $0.isNull ? nil : $0 }
    }

    /// Reads the file, and what tables it has if others have changed them.
    func look() throws {
        let statement = try SQLiteStatement("SELECT 1 FROM sqlite_master LIMIT 1", in: self)
        defer { statement.reset() }
        _ = try statement.step()
    }

    // MARK: Transactions

    var isInTransaction: Bool {
        unsafe handle.map { unsafe sqlite3_get_autocommit($0) == 0 } ?? false
    }

    /// Throws if SQLite has rolled the transaction back by itself, and somebody passed over the error: each further
    /// statement would be committed alone.
    func checkTransaction() throws {
        if isInTransaction { return }
        let words = "an earlier error has ended this transaction; begin it anew"
        throw SQLiteError(SQLITE_ABORT, words)
    }

    /// Runs work whose statements may neither begin nor end transactions, nor leave anything in this connection.
    ///
    /// Those fail with `SQLITE_AUTH` that make temporary tables or triggers, attach files, or set something.
    func confined<Result>(_ body: () throws -> Result) rethrows -> Result {
        _ = unsafe sqlite3_set_authorizer(
            handle,
            { _, action, name, value, database, _ in
                let isConfined = SQLiteConnection.isConfined(
                    action,
                    name: unsafe name.map { unsafe String(cString: $0) },
                    hasValue: unsafe value != nil,
                    database: unsafe database.map { unsafe String(cString: $0) }
                )
                return isConfined ? SQLITE_OK : SQLITE_DENY
            },
            nil
        )
        defer { _ = unsafe sqlite3_set_authorizer(handle, nil, nil) }
        return try body()
    }

    /// Whether something that a statement does, as an authorizer is asked for it, ends with the transaction.
    private static func isConfined(
        _ action: Int32,
        name: String?,
        hasValue: Bool,
        database: String?
    ) -> Bool {
        switch action {
        case SQLITE_TRANSACTION, SQLITE_SAVEPOINT, SQLITE_ATTACH, SQLITE_DETACH: false
        // As whatever is made there is listed there.
        case SQLITE_INSERT: database != "temp"
        case SQLITE_PRAGMA:
            // Those that tell of a table name it where others have what they set.
            !hasValue
                || ["table_", "index_", "foreign_key_", "integrity_", "quick_", "defer_"]
                    .contains { name?.lowercased().hasPrefix($0) ?? false }
        default: true
        }
    }

    /// The state of the database that an open transaction reads; nil if it writes.
    var state: StoreState? {
        guard unsafe sqlite3_txn_state(handle, "main") == SQLITE_TXN_READ else { return nil }
        return version.map { StoreState(viewer: number, number: $0) }
    }

    /// The number of the last state of the database that this connection has seen, its own commits counted; nil if
    /// SQLite does not tell.
    ///
    /// See https://www.sqlite.org/c3ref/c_fcntl_begin_atomic_write.html#sqlitefcntldataversion.
    var version: UInt32? {
        var version: UInt32 = 0
        let code = unsafe sqlite3_file_control(
            handle,
            "main",
            SQLITE_FCNTL_DATA_VERSION,
            &version
        )
        return code == SQLITE_OK ? version : nil
    }

    /// The number of rows that the last statement has changed.
    var changedCount: Int { Int(unsafe sqlite3_changes(handle)) }

    /// The number of rows that all statements of this connection have changed.
    var totalChangedCount: Int { Int(unsafe sqlite3_total_changes(handle)) }

    /// The key of the row that was inserted last.
    var lastInsertedKey: Int64 { unsafe sqlite3_last_insert_rowid(handle) }

    /// Runs work in a transaction, which is rolled back if it throws.
    func transaction<Result>(
        _ beginning: String,
        _ body: () throws -> Result
    ) throws -> Result {
        try SQLiteStatement(beginning, in: self).finish()
        do {
            let result = try body()
            try commit()
            return result
        } catch {
            // The first error is the one to report.
            rollback()
            throw error
        }
    }

    /// Commits the open transaction, its pages written together; rolls it back if that fails.
    func commit() throws {
        guard let handle = unsafe handle else { throw SQLiteError.closed }
        unsafe sqlite_log_join(handle, true)
        defer { unsafe sqlite_log_join(handle, false) }
        do {
            try SQLiteStatement(.commit, in: self).finish()
        } catch {
            rollback()
            throw error
        }
    }

    /// Rolls back the open transaction; SQLite may already have done so.
    func rollback() {
        if isInTransaction { try? execute("ROLLBACK") }
    }

    // MARK: Copying

    /// Makes another database a copy of this one, as one consistent state.
    func copy(to other: SQLiteConnection) throws {
        guard unsafe handle != nil, unsafe other.handle != nil else { throw SQLiteError.closed }
        guard let copying = unsafe sqlite3_backup_init(other.handle, "main", handle, "main") else {
            throw other.failure(unsafe sqlite3_extended_errcode(other.handle))
        }
        let code = unsafe sqlite3_backup_step(copying, -1)
        let end = unsafe sqlite3_backup_finish(copying)
        if code != SQLITE_DONE { throw other.failure(end == SQLITE_OK ? code : end) }
    }
}

/// A compiled statement of a connection, which ends before it.
@safe final class CompiledStatement {
    let sql: String
    let handle: OpaquePointer
    /// Whether values of many bytes are bound, which are to be released after the run.
    var holdsMuch = false

    /// Compiles one statement.
    init(_ sql: String, in connection: SQLiteConnection) throws {
        guard let database = unsafe connection.handle else { throw SQLiteError.closed }
        self.sql = sql
        var compiled: OpaquePointer?
        var (isAlone, code) = (true, SQLITE_OK)
        unsafe sql.withCString { text in
            var rest: UnsafePointer<CChar>?
            code = unsafe sqlite3_prepare_v2(database, text, -1, &compiled, &rest)
            // Blanks and comments may follow, and no second statement, which nobody would run.
            while code == SQLITE_OK, isAlone, let more = unsafe rest, unsafe more.pointee != 0 {
                var second: OpaquePointer?
                let isBlank =
                    unsafe sqlite3_prepare_v2(database, more, -1, &second, &rest) == SQLITE_OK
                isAlone = unsafe isBlank && second == nil
                unsafe sqlite3_finalize(second)
            }
        }
        if code != SQLITE_OK { throw connection.failure(code, sql: sql) }
        guard let compiled = unsafe compiled, isAlone else {
            unsafe sqlite3_finalize(compiled)
            throw SQLiteError(SQLITE_MISUSE, "one statement is expected", sql: sql)
        }
        unsafe handle = compiled
    }

    deinit { unsafe sqlite3_finalize(handle) }
}
