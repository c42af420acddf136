internal import CYAML

/// The text of the only value in YAML: a mapping of one key to one scalar.
struct YAMLText {
    /// What the parser reports of such a mapping, in order.
    private static let expected = [
        YAML_STREAM_START_EVENT, YAML_DOCUMENT_START_EVENT, YAML_MAPPING_START_EVENT,
        YAML_SCALAR_EVENT, YAML_SCALAR_EVENT, YAML_MAPPING_END_EVENT, YAML_DOCUMENT_END_EVENT,
        YAML_STREAM_END_EVENT,
    ]

    /// The text, without its quotes and escapes; nil if the YAML is anything else.
    let value: String?

    /// Parses YAML up to the first thing that does not belong there.
    ///
    /// So no list, nested mapping or alias of a hostile text is ever followed.
    ///
    /// - Parameter yaml: The YAML.
    /// - Throws: Why it is none, as far as it was parsed.
    init(_ yaml: String) throws(YAMLFlaw) {
        let parser = YAMLParser(yaml)
        var last: String?
        for kind in Self.expected {
            let event = try parser.next()
            if event.kind != kind {
                value = nil
                return
            }
            last = event.scalar ?? last
        }
        value = last
    }
}

/// Why a text is not YAML, and where.
struct YAMLFlaw: Error, Equatable {
    /// What was being parsed, if the parser says so.
    let context: String?
    let problem: String
    /// The line, counted from 1.
    let line: Int
    /// The place in the line in Unicode scalars, counted from 1.
    let column: Int
}

/// The one owner of a parser of libyaml, and of the text that it parses.
@safe
private struct YAMLParser: ~Copyable {
    /// Not a stored value: it keeps its own address, and must not move.
    private let parser: UnsafeMutablePointer<yaml_parser_t>
    private let bytes: UnsafeMutableBufferPointer<UInt8>

    init(_ yaml: String) {
        unsafe bytes = .allocate(capacity: yaml.utf8.count)
        _ = unsafe bytes.initialize(from: yaml.utf8)
        unsafe parser = .allocate(capacity: 1)
        // It fails only without memory, and `next` then throws that.
        _ = unsafe yaml_parser_initialize(parser)
        unsafe yaml_parser_set_encoding(parser, YAML_UTF8_ENCODING)
        unsafe yaml_parser_set_input_string(parser, bytes.baseAddress, bytes.count)
    }

    deinit {
        unsafe yaml_parser_delete(parser)
        unsafe parser.deallocate()
        unsafe bytes.deallocate()
    }

    /// Parses the next event: its kind, and the text of a scalar.
    func next() throws(YAMLFlaw) -> (kind: yaml_event_type_t, scalar: String?) {
        var event = unsafe yaml_event_t()
        let isParsed = unsafe yaml_parser_parse(parser, &event) == 1
        defer { unsafe yaml_event_delete(&event) }
        guard isParsed, unsafe parser.pointee.error == YAML_NO_ERROR else { throw flaw }
        let kind = unsafe event.type
        guard kind == YAML_SCALAR_EVENT else { return (kind, nil) }
        let scalar = unsafe event.data.scalar
        let text = unsafe UnsafeBufferPointer(start: scalar.value, count: scalar.length)
        return unsafe (kind, String(decoding: text, as: UTF8.self))
    }

    /// What has just failed.
    private var flaw: YAMLFlaw {
        let context = unsafe parser.pointee.context.map { unsafe String(cString: $0) }
        let problem = unsafe parser.pointee.problem.map { unsafe String(cString: $0) }
        let mark = unsafe parser.pointee.problem_mark
        var (line, column) = (mark.line, mark.column)
        // A character that is not allowed has no mark, only an offset in bytes.
        if unsafe parser.pointee.error == YAML_READER_ERROR {
            let start = unsafe bytes.prefix(parser.pointee.problem_offset)
            let lines = unsafe String(decoding: start, as: UTF8.self).unicodeScalars
                .split(separator: "\n", omittingEmptySubsequences: false)
            (line, column) = (lines.count - 1, lines.last?.count ?? 0)
        }
        return YAMLFlaw(
            context: context,
            problem: problem ?? "there is no memory",
            line: line + 1,
            column: column + 1
        )
    }
}
