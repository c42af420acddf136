internal import CSQLite

/// What SQLite says of a failure.
struct SQLiteError: Error, CustomStringConvertible {
    /// The extended code.
    let code: Int32
    let message: String
    /// The statement that failed; nil if it was none.
    var sql: String?

    /// The code without its details, one of `SQLITE_BUSY`, `SQLITE_FULL` and so on.
    var primaryCode: Int32 { code & 0xFF }

    /// Whether the statement names a table or column that the database does not have; there is no code for it.
    var isOfOtherTables: Bool {
        primaryCode == SQLITE_ERROR
            && ["no such table:", "no such column:", "has no column named"].contains(
                where: message.contains
            )
    }

    init(_ code: Int32, _ message: String? = nil, sql: String? = nil) {
        self.code = code
        self.message = unsafe message ?? String(cString: sqlite3_errstr(code))
        self.sql = sql
    }

    var description: String {
        "SQLite error \(code): \(message)" + (sql.map { " in \($0)" } ?? "")
    }

    static let closed = SQLiteError(SQLITE_MISUSE, "the connection is closed")
}
