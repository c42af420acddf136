internal import FoundationEssentials
internal import CSQLite
internal import ObjectStore

/// A compiled statement of a connection, run through SQLite's C interface.
///
/// A row of a store has values of five kinds only, which are bound and read directly.
@safe struct SQLiteStatement {
    /// Kept because it owns the memory behind the pointer.
    private let owner: CompiledStatement
    private let statement: OpaquePointer
    private let connection: SQLiteConnection

    /// Finds or compiles a statement.
    ///
    /// - Parameters:
    ///   - sql: Its text; each text is compiled once per connection.
    ///   - db: The connection, to whose thread the statement belongs.
    /// - Throws: The error of SQLite for the text.
    init(_ sql: SQLText, in db: SQLiteConnection) throws {
        try self.init(db.statement(sql), in: db)
    }

    /// Finds or compiles a statement.
    init(_ sql: String, in db: SQLiteConnection) throws { try self.init(SQLText(sql), in: db) }

    /// Compiles a statement for one use, while others with the same text may run.
    init(unshared sql: String, in db: SQLiteConnection) throws {
        try self.init(CompiledStatement(sql, in: db), in: db)
    }

    private init(_ owner: CompiledStatement, in db: SQLiteConnection) {
        self.owner = owner
        connection = db
        unsafe statement = owner.handle
    }

    var parameterCount: Int { Int(unsafe sqlite3_bind_parameter_count(statement)) }

    var columnCount: Int { Int(unsafe sqlite3_column_count(statement)) }

    // MARK: Running

    /// Runs the statement to its end.
    ///
    /// - Parameter bindings: The values of its parameters, in order.
    /// - Throws: The error of SQLite; the statement can then be run again.
    func run(_ bindings: AttributeValue...) throws {
        try bind(bindings)
        try finish()
    }

    /// Runs the statement to its end with the bound values.
    func finish() throws {
        while try step() {}
    }

    /// Moves to the next row of the result.
    ///
    /// - Returns: Whether there is one; if not, the statement can be run again.
    /// - Throws: The error of SQLite; the statement can then be run again.
    func step() throws -> Bool {
        let code = unsafe sqlite3_step(statement)
        if code == SQLITE_ROW { return true }
        defer { reset() }
        if code == SQLITE_DONE { return false }
        throw failure(code)
    }

    /// Ends a run, also before its last row.
    func reset() {
        unsafe sqlite3_reset(statement)
        if !owner.holdsMuch { return }
        // SQLite would keep its copies until the next values are bound.
        unsafe sqlite3_clear_bindings(statement)
        owner.holdsMuch = false
    }

    private func failure(_ code: Int32) -> SQLiteError { connection.failure(code, sql: owner.sql) }

    // MARK: Values

    /// Binds values to the parameters from a position on.
    func bind(_ values: some Sequence<AttributeValue>, from first: Int = 0) throws {
        var place = first
        for value in values {
            try bind(value, at: place)
            place += 1
        }
    }

    /// Binds a value to a parameter; the first one is 0.
    func bind(_ value: AttributeValue, at place: Int) throws {
        let mark = Int32(place + 1)
        let code =
            switch value {
            case .null: unsafe sqlite3_bind_null(statement, mark)
            case .integer(let number): unsafe sqlite3_bind_int64(statement, mark, number)
            case .real(let number): unsafe sqlite3_bind_double(statement, mark, number)
            case .reference(let id): unsafe sqlite3_bind_int64(statement, mark, id.key)
            case .text(let text): bind(text, at: mark)
            case .data(let data): bind(data, at: mark)
            case .invalid(let reason):
                throw StoreError(.failed, "a value that was to be stored \(reason)")
            }
        // SQLite also fails if a value is too long.
        if code != SQLITE_OK { throw failure(code) }
    }

    /// Makes SQLite copy the bytes before the call returns.
    static var copied: sqlite3_destructor_type? {
        unsafe unsafeBitCast(-1, to: sqlite3_destructor_type.self)
    }

    /// The most bytes of a value that a statement may keep.
    private static let much = 64 * 1024

    private func bind(_ text: String, at mark: Int32) -> Int32 {
        // SQLite would take a null address for NULL.
        if text.isEmpty { return unsafe sqlite3_bind_text(statement, mark, "", 0, Self.copied) }
        var text = text
        return text.withUTF8 { bytes in
            if bytes.count > Self.much { owner.holdsMuch = true }
            return unsafe bytes.withMemoryRebound(to: CChar.self) { characters in
                unsafe sqlite3_bind_text64(
                    statement,
                    mark,
                    characters.baseAddress,
                    UInt64(characters.count),
                    Self.copied,
                    UInt8(SQLITE_UTF8)
                )
            }
        }
    }

    private func bind(_ data: Data, at mark: Int32) -> Int32 {
        unsafe data.withUnsafeBytes { unsafe bind($0, at: mark) }
    }

    private func bind(_ bytes: UnsafeRawBufferPointer, at mark: Int32) -> Int32 {
        // SQLite would take a null address for NULL.
        if unsafe bytes.isEmpty { return unsafe sqlite3_bind_zeroblob(statement, mark, 0) }
        if bytes.count > Self.much { owner.holdsMuch = true }
        return unsafe sqlite3_bind_blob64(
            statement,
            mark,
            bytes.baseAddress,
            UInt64(bytes.count),
            Self.copied
        )
    }

    /// Binds bytes to a parameter; the first one is 0.
    func bind(_ bytes: [UInt8], at place: Int) throws {
        let code = unsafe bytes.withUnsafeBytes { unsafe bind($0, at: Int32(place + 1)) }
        if code != SQLITE_OK { throw failure(code) }
    }

    /// The integer in a column of the row.
    func integer(_ column: Int) -> Int64 {
        unsafe sqlite3_column_int64(statement, Int32(column))
    }

    /// The text in a column of the row; nil if there is none.
    func optionalText(_ column: Int) -> String? {
        if case .text(let text) = value(column, leadingTo: nil) { text } else { nil }
    }

    /// The value in a column of the row; an integer becomes a reference if an entity is given.
    func value(_ column: Int, leadingTo entity: Int?) -> AttributeValue {
        let column = Int32(column)
        switch unsafe sqlite3_column_type(statement, column) {
        case SQLITE_INTEGER:
            let number = unsafe sqlite3_column_int64(statement, column)
            return entity.map { .reference(ObjectID(entity: $0, key: number)) } ?? .integer(number)
        case SQLITE_FLOAT: return .real(unsafe sqlite3_column_double(statement, column))
        case SQLITE_TEXT: return .text(unsafe String(decoding: text(column), as: UTF8.self))
        case SQLITE_BLOB: return .data(unsafe Data(data(column)))
        default: return .null
        }
    }

    /// Adds the value in a column of the row to a packed one, without making it.
    func pack(_ column: Int, leadingTo entity: Int?, _ packer: inout RowPacker) {
        let column = Int32(column)
        switch unsafe sqlite3_column_type(statement, column) {
        case SQLITE_INTEGER:
            let number = unsafe sqlite3_column_int64(statement, column)
            if let entity {
                packer.append(ObjectID(entity: entity, key: number))
            } else {
                packer.append(number)
            }
        case SQLITE_FLOAT: packer.append(unsafe sqlite3_column_double(statement, column))
        case SQLITE_TEXT: unsafe packer.append(text: text(column))
        case SQLITE_BLOB: unsafe packer.append(data: data(column))
        default: packer.appendNull()
        }
    }

    /// The text in a column, until the next step.
    private func text(_ column: Int32) -> UnsafeRawBufferPointer {
        // The address first, because this call may change the number of bytes.
        let bytes = unsafe sqlite3_column_text(statement, column)
        let count = Int(unsafe sqlite3_column_bytes(statement, column))
        return unsafe UnsafeRawBufferPointer(start: bytes, count: bytes == nil ? 0 : count)
    }

    /// The bytes in a column, until the next step.
    private func data(_ column: Int32) -> UnsafeRawBufferPointer {
        let bytes = unsafe sqlite3_column_blob(statement, column)
        let count = Int(unsafe sqlite3_column_bytes(statement, column))
        return unsafe UnsafeRawBufferPointer(start: bytes, count: bytes == nil ? 0 : count)
    }
}
