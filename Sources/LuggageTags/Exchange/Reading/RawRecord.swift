/// The bytes of a record in a file, before they are decoded.
struct RawRecord {
    /// The greatest length in bytes, which limits the memory for one record.
    static let longest = 1 << 20

    /// The line in which it begins, from 1, if the format has lines.
    var line: Int?
    /// The kind of the list that contains it.
    var kind: RecordKind?
    var bytes: [UInt8]
    /// The format of the bytes.
    var format: any PayloadFormat
    /// The reason why it cannot be decoded, if the reader has found one.
    var flaw: String?

    /// Checks and decodes the bytes.
    func decoded() throws(TagError) -> (ExchangeRecord, PayloadSource) {
        if let flaw { throw TagError(.structured, .malformed, flaw) }
        if kind == nil, format is JSONFormat, let scan = ScanRecord(plain: bytes) {
            return (.scan(scan), PayloadSource(checked: bytes, format))
        }
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
    /// The kind of a record that cannot be decoded; nil if it cannot be told.
    var kindOfRefused: RecordKind? {
        if let kind { return kind }
        guard flaw == nil, (try? format.check(bytes)) != nil else { return nil }
        let told = try? PayloadSource(checked: bytes, format).decode(ExchangeRecord.Told.self, [:])
        return told?.kind
    }
}

/// Finds the records in a file, one after the other.
protocol RecordReader {
    /// The next record; nil at the end of the file.
    ///
    /// - Throws: ``ImportFault`` if no further record can be found, or the error of reading.
    mutating func next() throws -> RawRecord?
}
