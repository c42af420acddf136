internal import CPostgres

/// The one owner of a result of libpq.
@safe
struct LibpqResult: ~Copyable {
    private let handle: OpaquePointer

    init(_ handle: OpaquePointer) {
        unsafe self.handle = handle
    }

    deinit {
        unsafe PQclear(handle)
    }

    /// What kind of result it is.
    enum Status {
        case rows, done, failed
        /// A copy or a pipeline, which nobody here has asked for.
        case unexpected
    }

    var status: Status {
        switch unsafe PQresultStatus(handle) {
        case PGRES_TUPLES_OK: .rows
        case PGRES_COMMAND_OK, PGRES_EMPTY_QUERY: .done
        case PGRES_FATAL_ERROR, PGRES_BAD_RESPONSE: .failed
        default: .unexpected
        }
    }

    /// The statement as the server names what it has done, such as `COMMIT`.
    var command: String { unsafe String(cString: PQcmdStatus(handle)) }

    /// Why it has failed.
    var message: ServerMessage { unsafe ServerMessage(handle) }

    /// The rows, copied.
    var rows: [HubRow] {
        let columns = unsafe PQnfields(handle)
        let names = (0..<columns).map { unsafe String(cString: PQfname(handle, $0)) }
        let count = unsafe PQntuples(handle)
        return (0..<count).map { row in
            HubRow(names: names, values: (0..<columns).map { value(row, $0) })
        }
    }

    private func value(_ row: Int32, _ column: Int32) -> String? {
        guard unsafe PQgetisnull(handle, row, column) == 0,
            let start = unsafe PQgetvalue(handle, row, column)
        else { return nil }
        let count = unsafe Int(PQgetlength(handle, row, column))
        return unsafe String(
            decoding: UnsafeRawBufferPointer(start: start, count: count),
            as: UTF8.self
        )
    }
}

/// What the server says about a failure.
struct ServerMessage: Hashable, Sendable {
    /// Its code of five characters; nil if the message is one of libpq itself.
    var sqlState: String?
    /// One line.
    var text: String
    var detail: String?
    var hint: String?
}

extension ServerMessage {
    /// Takes it from a result.
    init(_ result: OpaquePointer?) {
        func field(_ code: Character) -> String? {
            let text = unsafe PQresultErrorField(result, Int32(code.asciiValue ?? 0))
            return unsafe text.map { unsafe String(cString: $0) }
        }
        // PG_DIAG_SQLSTATE and its like, which are characters that Swift does not import.
        sqlState = field("C")
        let whole = unsafe String(cString: PQresultErrorMessage(result))
        text = field("M") ?? Self.firstLine(of: whole)
        detail = field("D")
        hint = field("H")
    }

    /// Takes the first line that is not empty.
    static func firstLine(of text: String) -> String {
        text.split(whereSeparator: \.isNewline).first.map(String.init) ?? ""
    }
}
