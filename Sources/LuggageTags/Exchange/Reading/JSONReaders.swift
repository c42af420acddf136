/// Finds the records in a JSON document.
///
/// The document is an object with a list for each kind, a list of bags, or one bag. The reader only
/// counts brackets; each record is checked when it is decoded.
struct JSONDocumentReader: RecordReader {
    private enum State {
        case start
        /// Between members of the outermost object.
        case members(isFirst: Bool)
        /// In a list; the kind is nil if the list is the document itself.
        case elements(RecordKind?, isFirst: Bool)
        case end
    }

    private let input: ByteReader
    private var state = State.start
    private var names: Set<[UInt8]> = []
    /// The members that are not lists of records.
    private var others: [UInt8] = []
    private var hasList = false

    init(_ input: ByteReader) {
        self.input = input
    }

    mutating func next() throws -> RawRecord? {
        while true {
            switch state {
            case .start: try start()
            case .members(let isFirst):
                if let record = try member(isFirst: isFirst) { return record }
            case .elements(let kind, let isFirst):
                if let record = try element(kind, isFirst: isFirst) { return record }
            case .end:
                try input.skipSpace()
                if try input.peek() != nil {
                    throw malformed("something follows its end; one record a line is JSON lines")
                }
                return nil
            }
        }
    }

    private mutating func start() throws {
        try input.skipSpace()
        switch try input.next() {
        case UInt8(ascii: "{"): state = .members(isFirst: true)
        case UInt8(ascii: "["): state = .elements(nil, isFirst: true)
        default: throw malformed("an object or a list is expected")
        }
    }

    /// Reads a member, and returns its record if it is one.
    private mutating func member(isFirst: Bool) throws -> RawRecord? {
        let line = input.line
        if try isAtEnd(UInt8(ascii: "}"), isFirst: isFirst) {
            state = .end
            if hasList { return nil }
            if others.isEmpty {
                throw ImportFault.malformed(.json, RecordKind.noList, line: line)
            }
            // An object without lists of records is a bag.
            return RawRecord(line: line, bytes: [0x7B] + others + [0x7D], format: .json)
        }
        guard try input.peek() == UInt8(ascii: "\"") else {
            throw malformed("the name of a member is expected")
        }
        let name = try value()
        try input.skipSpace()
        guard try input.next() == UInt8(ascii: ":") else { throw malformed("a colon is expected") }
        try input.skipSpace()
        if !names.insert(name).inserted { throw malformed("two members have the same name") }
        if names.count > 1000 { throw malformed("it has too many members") }
        state = .members(isFirst: false)
        let text = String(decoding: name.dropFirst().dropLast(), as: UTF8.self)
        if let kind = RecordKind(section: text), try input.peek() == UInt8(ascii: "[") {
            _ = try input.next()
            hasList = true
            state = .elements(kind, isFirst: true)
            return nil
        }
        let member = name + [0x3A] + (try value())
        if text == "about" {
            return RawRecord(line: line, bytes: [0x7B] + member + [0x7D], format: .json)
        }
        others += (others.isEmpty ? [] : [0x2C]) + member
        if others.count > RawRecord.longest { throw ImportFault.tooLong(line: line) }
        return nil
    }

    private mutating func element(_ kind: RecordKind?, isFirst: Bool) throws -> RawRecord? {
        if try isAtEnd(UInt8(ascii: "]"), isFirst: isFirst) {
            state = kind == nil ? .end : .members(isFirst: false)
            return nil
        }
        state = .elements(kind, isFirst: false)
        let line = input.line
        return RawRecord(line: line, kind: kind, bytes: try value(), format: .json)
    }

    /// Skips the space and comma before the next item, and tells whether the end has come instead.
    private func isAtEnd(_ end: UInt8, isFirst: Bool) throws -> Bool {
        try input.skipSpace()
        if try input.peek() == end {
            _ = try input.next()
            return true
        }
        guard !isFirst else { return false }
        guard try input.next() == UInt8(ascii: ",") else { throw malformed("a comma is expected") }
        try input.skipSpace()
        return false
    }

    /// Takes a value up to where its brackets and quotes end.
    private func value() throws -> [UInt8] {
        let start = input.line
        var bytes: [UInt8] = []
        var depth = 0
        var isInText = false
        while let byte = try input.peek() {
            if !isInText && depth == 0 && ",]}: \t\r\n".utf8.contains(byte) { break }
            _ = try input.next()
            bytes.append(byte)
            if bytes.count > RawRecord.longest { throw ImportFault.tooLong(line: start) }
            if isInText {
                if byte == UInt8(ascii: "\\"), let escaped = try input.next() {
                    bytes.append(escaped)
                } else if byte == UInt8(ascii: "\"") {
                    isInText = false
                    if depth == 0 { return bytes }
                }
                continue
            }
            switch byte {
            case UInt8(ascii: "\""): isInText = true
            case UInt8(ascii: "{"), UInt8(ascii: "["): depth += 1
            case UInt8(ascii: "}"), UInt8(ascii: "]"):
                depth -= 1
                if depth == 0 { return bytes }
            default: break
            }
        }
        if isInText || depth > 0 { throw ImportFault.truncated(line: start) }
        if bytes.isEmpty { throw malformed("a value is expected") }
        return bytes
    }

    private func malformed(_ reason: String) -> any Error {
        do {
            if try input.peek() == nil { return ImportFault.truncated(line: input.line) }
        } catch {
            return error
        }
        return ImportFault.malformed(.json, reason, line: input.line)
    }
}

/// Finds the records in a file with one JSON object per line.
struct JSONLinesReader: RecordReader {
    private let input: ByteReader

    init(_ input: ByteReader) {
        self.input = input
    }

    func next() throws -> RawRecord? {
        while true {
            let line = input.line
            guard let bytes = try input.bytes(upTo: 0x0A) else { return nil }
            if bytes.allSatisfy({ [0x20, 0x09, 0x0D].contains($0) }) { continue }
            return RawRecord(line: line, bytes: bytes, format: .json)
        }
    }
}
