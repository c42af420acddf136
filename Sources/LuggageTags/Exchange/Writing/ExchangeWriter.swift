/// Writes records one after the other, and keeps none in memory.
protocol ExchangeWriter {
    /// Writes what comes before the records.
    ///
    /// - Parameter selection: The records that will come.
    /// - Returns: The bytes.
    /// - Throws: `EncodingError`.
    mutating func begin(_ selection: ExportSelection) throws -> [UInt8]

    mutating func write(_ record: ExchangeRecord) throws -> [UInt8]

    /// Writes what comes after the records.
    mutating func end(_ counts: RecordCounts) throws -> [UInt8]
}

/// The encoding of records in one of the formats of tags.
struct RecordEncoding {
    let format: any PayloadFormat
    var userInfo: [CodingUserInfoKey: any Sendable] = [.dateForm: DateForm.text]

    func encode(_ record: ExchangeRecord) throws -> [UInt8] {
        try format.encode(record, userInfo: userInfo)
    }
}

/// Writes one record after the other: a header, the records, and their number.
struct RecordStreamWriter: ExchangeWriter {
    private let encoding: RecordEncoding
    /// What follows each record.
    private let separator: [UInt8]

    /// Writes JSON objects, one per line.
    static let jsonLines = Self(
        encoding: RecordEncoding(
            format: .json,
            userInfo: [.dateForm: DateForm.text, .tellsKind: true]
        ),
        separator: Array("\n".utf8)
    )

    /// Writes MessagePack messages.
    static let messagePack = Self(
        encoding: RecordEncoding(
            format: .messagePack,
            userInfo: [.dateForm: DateForm.text, .tellsKind: true, .hasNativeData: true]
        ),
        separator: []
    )

    func begin(_ selection: ExportSelection) throws -> [UInt8] {
        try write(.about(ExchangeHeader(selection)))
    }

    func write(_ record: ExchangeRecord) throws -> [UInt8] {
        try encoding.encode(record) + separator
    }

    func end(_ counts: RecordCounts) throws -> [UInt8] {
        try write(.end(counts))
    }
}
