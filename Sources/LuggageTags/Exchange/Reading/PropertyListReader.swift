/// Finds the records in a property list in XML.
///
/// The property list is a dictionary with a list for each kind, a list of bags, or one bag. The reader
/// only counts tags; each record is checked when it is decoded.
struct PropertyListReader: RecordReader {
    private enum State {
        case start
        /// Between members of the outermost dictionary.
        case members
        /// In a list; the kind is nil if the list is the document itself.
        case elements(RecordKind?)
        /// After the outermost value.
        case end
    }

    private var tags: XMLTags
    private var state = State.start
    private var names: Set<String> = []
    /// The members that are not lists of records, with their keys.
    private var others: [UInt8] = []
    private var hasList = false

    init(_ input: ByteReader) {
        tags = XMLTags(input)
    }

    mutating func next() throws -> RawRecord? {
        while true {
            switch state {
            case .start: try start()
            case .members:
                if let record = try member() { return record }
            case .elements(let kind):
                let line = tags.line
                let tag = try tags.next()
                guard tag.isEnd(of: "array") else {
                    return record(try tags.element(from: tag), kind, line)
                }
                state = kind == nil ? .end : .members
            case .end:
                guard try tags.next().isEnd(of: "plist") else {
                    throw tags.malformed("</plist> is expected")
                }
                try tags.expectEnd()
                state = .end
                return nil
            }
        }
    }

    private mutating func start() throws {
        var tag = try tags.next()
        while tag.isProlog { tag = try tags.next() }
        guard tag.isStart(of: "plist") else { throw tags.malformed("<plist> is expected") }
        switch try tags.next() {
        case let tag where tag.isStart(of: "dict"): state = .members
        case let tag where tag.isStart(of: "array"): state = .elements(nil)
        default: throw tags.malformed("<dict> or <array> is expected")
        }
    }

    /// Reads a member, and returns its record if it is one.
    private mutating func member() throws -> RawRecord? {
        let line = tags.line
        let tag = try tags.next()
        if tag.isEnd(of: "dict") {
            state = .end
            if hasList { return nil }
            if others.isEmpty { throw tags.malformed(RecordKind.noList) }
            // A dictionary without lists of records is a bag.
            return record(Array("<dict>".utf8) + others + "</dict>".utf8, nil, line)
        }
        guard tag.isStart(of: "key") else { throw tags.malformed("<key> is expected") }
        let key = try tags.element(from: tag)
        let name = String(decoding: key.dropFirst(5).dropLast(6), as: UTF8.self)
        if !names.insert(name).inserted { throw tags.malformed("two keys are the same") }
        if names.count > 1000 { throw tags.malformed("it has too many keys") }
        let value = try tags.next()
        if let kind = RecordKind(section: name) {
            hasList = true
            if value.isStart(of: "array") { state = .elements(kind) }
            if value.isStart(of: "array") || value.text == "<array/>" { return nil }
            throw tags.malformed("<array> is expected")
        }
        let element = try tags.element(from: value)
        guard name == "about" else {
            others += key + element
            if others.count > RawRecord.longest { throw ImportFault.tooLong(line: line) }
            return nil
        }
        return record(Array("<dict><key>about</key>".utf8) + element + "</dict>".utf8, nil, line)
    }

    private func record(_ element: [UInt8], _ kind: RecordKind?, _ line: Int) -> RawRecord {
        let document = Array("<plist version=\"1.0\">".utf8) + element + "</plist>".utf8
        return RawRecord(line: line, kind: kind, bytes: document, format: .xmlPropertyList)
    }
}
