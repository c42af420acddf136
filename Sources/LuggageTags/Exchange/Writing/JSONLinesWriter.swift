/// Writes JSON objects, one per line: a header, the records, and their number.
struct JSONLinesWriter: ExchangeWriter {
    private let encoding = RecordEncoding(
        format: .json,
        userInfo: [.dateForm: DateForm.text, .tellsKind: true]
    )

    func begin(_ selection: ExportSelection) throws -> [UInt8] {
        try write(.about(ExchangeHeader(selection)))
    }

    func write(_ record: ExchangeRecord) throws -> [UInt8] {
        try encoding.encode(record) + [UInt8(ascii: "\n")]
    }

    func end(_ counts: RecordCounts) throws -> [UInt8] {
        try write(.end(counts))
    }
}
