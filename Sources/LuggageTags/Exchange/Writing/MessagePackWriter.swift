/// Writes MessagePack messages: a header, the records, and their number.
struct MessagePackWriter: ExchangeWriter {
    private let encoding = RecordEncoding(
        format: .messagePack,
        userInfo: [.dateForm: DateForm.text, .tellsKind: true, .hasNativeData: true]
    )

    func begin(_ selection: ExportSelection) throws -> [UInt8] {
        try write(.about(ExchangeHeader(selection)))
    }

    func write(_ record: ExchangeRecord) throws -> [UInt8] {
        try encoding.encode(record)
    }

    func end(_ counts: RecordCounts) throws -> [UInt8] {
        try write(.end(counts))
    }
}
