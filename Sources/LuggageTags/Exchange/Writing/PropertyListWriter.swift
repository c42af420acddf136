internal import FoundationEssentials

/// Writes a property list in XML: a header, and a list for each kind of record.
///
/// Foundation's encoder can only encode a whole list at once. So it encodes one record at a time here,
/// and this writes the document around them.
struct PropertyListWriter: ExchangeWriter {
    private let encoding = RecordEncoding(
        format: .xmlPropertyList,
        userInfo: [.dateForm: DateForm.text, .isXML: true, .hasNativeData: true]
    )
    private var sections = SectionOrder()

    private static let prologue = """
        <?xml version="1.0" encoding="UTF-8"?>
        <!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" \
        "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
        <plist version="1.0">

        """

    mutating func begin(_ selection: ExportSelection) throws -> [UInt8] {
        sections = SectionOrder(selection.kinds)
        let about = try element(.about(ExchangeHeader(selection)))
        guard let end = about.range(ofLast: "</dict>") else {
            throw CocoaError(.propertyListWriteInvalid)
        }
        return Array(Self.prologue.utf8) + about[..<end.lowerBound] + goOn()
    }

    mutating func write(_ record: ExchangeRecord) throws -> [UInt8] {
        var bytes: [UInt8] = []
        while let current = sections.current, current != record.kind { bytes += goOn() }
        sections.noteRecord()
        return try bytes + element(record) + [UInt8(ascii: "\n")]
    }

    mutating func end(_ counts: RecordCounts) throws -> [UInt8] {
        var bytes: [UInt8] = []
        while sections.current != nil { bytes += goOn() }
        return bytes + "</dict>\n</plist>\n".utf8
    }

    private mutating func goOn() -> [UInt8] {
        let end = sections.current == nil ? "" : "</array>\n"
        sections.advance()
        let start = sections.current.map { "<key>\($0.section)</key>\n<array>\n" } ?? ""
        return Array((end + start).utf8)
    }

    /// The element of a record, cut out of the document that the encoder makes.
    private func element(_ record: ExchangeRecord) throws -> ArraySlice<UInt8> {
        let document = try encoding.encode(record)
        guard let start = document[...].range(ofFirst: "<dict>"),
            let end = document[...].range(ofLast: "</dict>"), start.lowerBound < end.upperBound
        else { throw CocoaError(.propertyListWriteInvalid) }
        let element = document[start.lowerBound..<end.upperBound]
        // Of the characters that XML does not allow, only these two can be in a name.
        if element.range(ofFirst: "\u{FFFE}") != nil || element.range(ofFirst: "\u{FFFF}") != nil {
            throw EncodingError.invalidValue(
                record,
                .init(
                    codingPath: [],
                    debugDescription: "it has a character that XML cannot hold"
                )
            )
        }
        return element
    }
}

extension ArraySlice<UInt8> {
    fileprivate func range(ofFirst text: String) -> Range<Int>? {
        firstRange(of: Array(text.utf8))
    }

    fileprivate func range(ofLast text: String) -> Range<Int>? {
        let bytes = Array(text.utf8)
        guard count >= bytes.count else { return nil }
        for start in stride(from: endIndex - bytes.count, through: startIndex, by: -1)
        where self[start..<start + bytes.count].elementsEqual(bytes) {
            return start..<start + bytes.count
        }
        return nil
    }
}
