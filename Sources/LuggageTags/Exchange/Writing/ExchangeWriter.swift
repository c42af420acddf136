/// Writes records one after the other, and keeps none in memory.
protocol ExchangeWriter {
    /// Writes what comes before the records.
    ///
    /// - Parameter selection: The records that will come.
    /// - Returns: The bytes.
    /// - Throws: `EncodingError`.
    mutating func begin(_ selection: ExportSelection) throws -> [UInt8]

    /// Writes one record.
    mutating func write(_ record: ExchangeRecord) throws -> [UInt8]

    /// Writes what comes after the records.
    mutating func end(_ counts: RecordCounts) throws -> [UInt8]
}

extension ExchangeFormat {
    /// Makes a writer for files of this format.
    func makeWriter() -> any ExchangeWriter {
        switch self {
        case .json: JSONDocumentWriter()
        case .jsonLines: JSONLinesWriter()
        case .csv: CSVWriter()
        case .propertyList: PropertyListWriter()
        case .messagePack: MessagePackWriter()
        }
    }
}

/// The sections of a document that has a list for each kind of record.
struct SectionOrder {
    private var rest: ArraySlice<RecordKind> = []
    private(set) var current: RecordKind?
    /// Whether the section has no record so far.
    private(set) var isEmpty = true

    init(_ kinds: [RecordKind] = []) {
        rest = kinds[...]
    }

    /// Goes on to the next section, if there is one.
    mutating func advance() {
        current = rest.popFirst()
        isEmpty = true
    }

    mutating func noteRecord() {
        isEmpty = false
    }
}

/// The encoding of records in one of the formats of tags.
struct RecordEncoding {
    let format: any PayloadFormat
    var userInfo: [CodingUserInfoKey: any Sendable] = [.dateForm: DateForm.text]

    func encode(_ record: ExchangeRecord) throws -> [UInt8] {
        try format.encode(record, userInfo: userInfo)
    }
}
