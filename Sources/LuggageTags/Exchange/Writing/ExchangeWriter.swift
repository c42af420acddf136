/// Writes records one after the other, and keeps none.
protocol ExchangeWriter {
    /// What stands before the records.
    ///
    /// - Parameter selection: What will come.
    /// - Returns: The bytes.
    /// - Throws: `EncodingError`.
    mutating func begin(_ selection: ExportSelection) throws -> [UInt8]

    /// One record.
    mutating func write(_ record: ExchangeRecord) throws -> [UInt8]

    /// What stands behind the records.
    mutating func end(_ counts: RecordCounts) throws -> [UInt8]
}

extension ExchangeFormat {
    /// A writer of files of this format.
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

    /// Goes on to the next section, or to none.
    mutating func advance() {
        current = rest.popFirst()
        isEmpty = true
    }

    mutating func noteRecord() {
        isEmpty = false
    }
}

/// The encoding of records in one of the formats that tags have too.
struct RecordEncoding {
    let format: any PayloadFormat
    var userInfo: [CodingUserInfoKey: any Sendable] = [.dateForm: DateForm.text]

    func encode(_ record: ExchangeRecord) throws -> [UInt8] {
        try format.encode(record, userInfo: userInfo)
    }
}
