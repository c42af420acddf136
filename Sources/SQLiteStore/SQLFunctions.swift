internal import CSQLite
internal import FoundationEssentials
internal import ObjectStore

/// Functions that the statements of a store call and SQLite does not have.
///
/// No table or index uses them, so other tools can open the file.
enum SQLFunctions {
    /// Decodes a value of a ``ValueList``.
    static let value = "objectStoreValue"
    /// The exact sum of floating-point numbers, or of 64-bit unsigned integers stored as text.
    static let sum = "objectStoreSum"
    /// The mean of floating-point numbers.
    static let mean = "objectStoreMean"

    /// Lets the statements of a connection call them.
    static func add(to connection: SQLiteConnection) throws {
        try unsafe connection.add(
            value,
            { result, _, arguments in
                let coded = unsafe AttributeValue(functionArgument: arguments?[0])
                if case .text(let text) = coded {
                    unsafe AttributeValue(coded: text).give(to: result)
                } else {
                    unsafe AttributeValue.null.give(to: result)
                }
            }
        )
        try unsafe connection.add(sum, step: step) { context in
            switch unsafe SQLFunctions.takeTotal(context)?.sum {
            case .success(let value)?: unsafe value.give(to: context)
            case .failure(let error)?:
                unsafe sqlite3_result_error(context, error.message, -1)
                unsafe sqlite3_result_error_code(context, error.code)
            case nil: unsafe AttributeValue.null.give(to: context)
            }
        }
        try unsafe connection.add(mean, step: step) { context in
            let mean = unsafe SQLFunctions.takeTotal(context)?.real.mean
            unsafe (mean.map { AttributeValue.real($0) } ?? .null).give(to: context)
        }
    }

    /// What is added up of the rows of a group.
    private final class Total {
        var real = ExactSum()
        private var whole = ColumnSum()
        private var isWhole = false
        private var wrongDigits: String?

        func add(_ value: AttributeValue) {
            switch value {
            case .real(let number): real.add(number)
            case .text(let digits):
                isWhole = true
                if !whole.add(value) { wrongDigits = wrongDigits ?? digits }
            default: break
            }
        }

        var sum: Result<AttributeValue, SQLiteError> {
            if let wrongDigits {
                let message = "\"\(wrongDigits)\" is not 20 digits of a number of 64 bits"
                return .failure(SQLiteError(SQLITE_CORRUPT, message))
            }
            if isWhole { return .success(.text(String(whole.wholeSum))) }
            return .success(real.sum.map { .real($0) } ?? .null)
        }
    }

    /// Adds a row to the total, of which SQLite keeps the address with the group.
    private static let step: SQLiteConnection.Function = { context, _, arguments in
        let size = unsafe Int32(MemoryLayout<UnsafeRawPointer?>.size)
        guard let memory = unsafe sqlite3_aggregate_context(context, size) else {
            return unsafe sqlite3_result_error_nomem(context)
        }
        let place = unsafe memory.assumingMemoryBound(to: UnsafeRawPointer?.self)
        if unsafe place.pointee == nil {
            unsafe place.pointee = UnsafeRawPointer(Unmanaged.passRetained(Total()).toOpaque())
        }
        guard let address = unsafe place.pointee else { return }
        let total = unsafe Unmanaged<Total>.fromOpaque(address).takeUnretainedValue()
        unsafe total.add(AttributeValue(functionArgument: arguments?[0]))
    }

    /// The total of a group, which ends with it; nil if it has no rows.
    private static func takeTotal(_ context: OpaquePointer?) -> Total? {
        guard let memory = unsafe sqlite3_aggregate_context(context, 0) else { return nil }
        let place = unsafe memory.assumingMemoryBound(to: UnsafeRawPointer?.self)
        guard let address = unsafe place.pointee else { return nil }
        unsafe place.pointee = nil
        return unsafe Unmanaged<Total>.fromOpaque(address).takeRetainedValue()
    }
}

extension SQLiteConnection {
    /// A function as SQLite calls it, with one argument.
    typealias Function =
        @convention(c) (
            OpaquePointer?, Int32, UnsafeMutablePointer<OpaquePointer?>?
        ) -> Void

    /// It gives the same for the same argument.
    private static let kind = SQLITE_UTF8 | SQLITE_DETERMINISTIC

    /// Adds a function of a row, or with a step and an end one of a group.
    ///
    /// SQLite calls the end also where a statement is given up.
    fileprivate func add(
        _ name: String,
        _ function: Function? = nil,
        step: Function? = nil,
        end: (@convention(c) (OpaquePointer?) -> Void)? = nil
    ) throws {
        let code = unsafe sqlite3_create_function_v2(
            handle,
            name,
            1,
            Self.kind,
            nil,
            function,
            step,
            end,
            nil
        )
        if code != SQLITE_OK { throw failure(code) }
    }
}

extension AttributeValue {
    /// The argument of a function.
    fileprivate init(functionArgument value: OpaquePointer?) {
        switch unsafe sqlite3_value_type(value) {
        case SQLITE_INTEGER: self = .integer(unsafe sqlite3_value_int64(value))
        case SQLITE_FLOAT: self = .real(unsafe sqlite3_value_double(value))
        case SQLITE_TEXT:
            // The address first, because this call may change the number of bytes.
            let bytes = unsafe sqlite3_value_text(value)
            let count = Int(unsafe sqlite3_value_bytes(value))
            let text = unsafe UnsafeBufferPointer(start: bytes, count: bytes == nil ? 0 : count)
            self = unsafe .text(String(decoding: text, as: UTF8.self))
        default: self = .null
        }
    }

    /// Makes it the result of a function.
    fileprivate func give(to context: OpaquePointer?) {
        let copied = unsafe SQLiteStatement.copied
        switch self {
        case .null, .invalid: unsafe sqlite3_result_null(context)
        case .integer(let number): unsafe sqlite3_result_int64(context, number)
        case .reference(let id): unsafe sqlite3_result_int64(context, id.key)
        case .real(let number): unsafe sqlite3_result_double(context, number)
        case .text(var text):
            text.withUTF8 { bytes in
                unsafe bytes.withMemoryRebound(to: CChar.self) { characters in
                    let (start, count) = (characters.baseAddress, UInt64(characters.count))
                    if unsafe start == nil {
                        return unsafe sqlite3_result_text(context, "", 0, copied)
                    }
                    unsafe sqlite3_result_text64(context, start, count, copied, UInt8(SQLITE_UTF8))
                }
            }
        case .data(let data):
            if data.isEmpty { return unsafe sqlite3_result_zeroblob(context, 0) }
            unsafe data.withUnsafeBytes { bytes in
                unsafe sqlite3_result_blob64(
                    context,
                    bytes.baseAddress,
                    UInt64(bytes.count),
                    copied
                )
            }
        }
    }
}
