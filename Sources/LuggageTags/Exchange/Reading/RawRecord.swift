/// A record as it stands in a file, before anything is made of it.
struct RawRecord {
    /// The longest that is taken, in bytes: the memory for one record is bounded by it.
    static let longest = 1 << 20

    /// The line in which it begins, from 1, where the format has lines.
    var line: Int?
    /// The kind of the list in which it stands.
    var kind: RecordKind?
    /// Its bytes.
    var bytes: [UInt8]
    /// The format of the bytes.
    var format: any PayloadFormat
    /// What keeps it from being read at all.
    var flaw: String?

    /// Makes of the bytes what they tell.
    func decoded() throws(TagError) -> (ExchangeRecord, PayloadSource) {
        if let flaw { throw TagError(.structured, .malformed, flaw) }
        do throws(PayloadFlaw) {
            try format.check(bytes)
        } catch {
            let place = error.position.map { "at its byte \($0 + 1), " } ?? ""
            throw TagError(
                .structured,
                format.malformed,
                "the record is not \(format.name): \(place)\(error.reason)"
            )
        }
        let source = PayloadSource(checked: bytes, format)
        var userInfo: [CodingUserInfoKey: any Sendable] = [.dateForm: DateForm.text]
        userInfo[.recordKind] = kind
        return (try source.decode(ExchangeRecord.self, userInfo), source)
    }
}

extension RawRecord {
    /// Of which kind a record is that cannot be read; nil where nobody can tell.
    var kindOfRefused: RecordKind? {
        if let kind { return kind }
        guard flaw == nil, (try? format.check(bytes)) != nil else { return nil }
        let told = try? PayloadSource(checked: bytes, format).decode(ExchangeRecord.Told.self, [:])
        return told?.kind
    }
}

/// Finds the records of a file one after the other.
protocol RecordReader {
    /// The next record; nil at the end of the file.
    ///
    /// - Throws: ``ImportFault`` where no further record can be found, or what reading throws.
    mutating func next() throws -> RawRecord?
}

extension ExchangeFormat {
    func makeReader(_ input: ByteReader) -> any RecordReader {
        switch self {
        case .json: JSONDocumentReader(input)
        case .jsonLines: JSONLinesReader(input)
        case .csv: CSVReader(input)
        case .propertyList: PropertyListReader(input)
        case .messagePack: MessagePackReader(input)
        }
    }
}
