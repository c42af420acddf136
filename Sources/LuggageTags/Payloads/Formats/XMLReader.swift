/// Reads the parts of an XML document in UTF-8, one after the other.
struct XMLReader {
    private let bytes: [UInt8]
    private(set) var position = 0

    /// Begins to read a document; throws unless all characters are allowed in XML 1.0.
    init(_ bytes: [UInt8]) throws(PayloadFlaw) {
        if bytes.isUTF16(beginningWith: "<") { throw .isUTF16 }
        guard let text = String(validating: bytes, as: UTF8.self) else { throw .notUTF8 }
        self.bytes = bytes
        if let foreign = text.unicodeScalars.firstIndex(where: { !Self.isCharacter($0) }) {
            let position = text.utf8.distance(from: text.startIndex, to: foreign)
            throw PayloadFlaw("a control character is in it", at: position)
        }
    }

    /// Whether XML 1.0 allows a character.
    static func isCharacter(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x09, 0x0A, 0x0D: true
        case ..<0x20, 0xFFFE, 0xFFFF: false
        default: true
        }
    }

    var isAtEnd: Bool { position == bytes.count }

    private var next: UInt8? { isAtEnd ? nil : bytes[position] }

    func flaw(_ reason: String) -> PayloadFlaw {
        PayloadFlaw(isAtEnd ? "it ends early" : reason, at: position)
    }

    func isNext(_ text: String) -> Bool { bytes[position...].starts(with: text.utf8) }

    mutating func skip(_ text: String) -> Bool {
        guard isNext(text) else { return false }
        position += text.utf8.count
        return true
    }

    mutating func expect(_ text: String) throws(PayloadFlaw) {
        if !skip(text) { throw flaw("\(text) is expected") }
    }

    mutating func skipSpace() {
        while let byte = next, [0x20, 0x09, 0x0A, 0x0D].contains(byte) { position += 1 }
    }

    mutating func skipSpaceAndComments() throws(PayloadFlaw) {
        skipSpace()
        while skip("<!--") {
            while !isAtEnd && !isNext("--") { position += 1 }
            try expect("-->")
            skipSpace()
        }
    }

    private mutating func name() throws(PayloadFlaw) -> String {
        let start = position
        while let byte = next, UInt8(ascii: "a")...UInt8(ascii: "z") ~= byte { position += 1 }
        if position == start { throw flaw("a name is expected") }
        return String(decoding: bytes[start..<position].prefix(16), as: UTF8.self)
    }

    /// Skips the start of an element without attributes.
    ///
    /// - Returns: Its name, and whether it is an empty element without an end tag.
    mutating func startTag() throws(PayloadFlaw) -> (name: String, isEmpty: Bool) {
        try expect("<")
        let name = try name()
        skipSpace()
        if skip("/>") { return (name, true) }
        try expect(">")
        return (name, false)
    }

    mutating func endTag(_ name: String) throws(PayloadFlaw) {
        guard skip("</\(name)") else { throw flaw("</\(name)> is expected") }
        skipSpace()
        try expect(">")
    }

    /// Skips attributes, each at most once, and the space after them.
    mutating func attributes() throws(PayloadFlaw) -> [(name: String, value: String)] {
        var attributes: [(name: String, value: String)] = []
        while true {
            let start = position
            skipSpace()
            guard let byte = next, UInt8(ascii: "a")...UInt8(ascii: "z") ~= byte else {
                return attributes
            }
            if position == start { throw flaw("a space is expected") }
            let name = try name()
            if attributes.contains(where: { $0.name == name }) {
                throw flaw("an attribute is there twice")
            }
            skipSpace()
            try expect("=")
            attributes.append((name, try literal()))
        }
    }

    /// Skips space and a text in quotes.
    @discardableResult
    mutating func literal() throws(PayloadFlaw) -> String {
        skipSpace()
        guard let quote = next, quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'") else {
            throw flaw("a text in quotes is expected")
        }
        position += 1
        let start = position
        while let byte = next, byte != quote {
            if byte == UInt8(ascii: "<") || byte == UInt8(ascii: "&") {
                throw flaw("a quote is expected")
            }
            position += 1
        }
        if isAtEnd { throw flaw("a quote is expected") }
        position += 1
        return String(decoding: bytes[start..<position - 1], as: UTF8.self)
    }

    /// Skips the text of an element and returns its bytes, with references resolved.
    mutating func text() throws(PayloadFlaw) -> [UInt8] {
        var text: [UInt8] = []
        while let byte = next {
            switch byte {
            case UInt8(ascii: "&"): text += try reference()
            case UInt8(ascii: "<"):
                guard skip("<![CDATA[") else { return text }
                let start = position
                while !isAtEnd && !isNext("]]>") { position += 1 }
                text += bytes[start..<position]
                try expect("]]>")
            default:
                text.append(byte)
                position += 1
            }
        }
        throw flaw("it ends early")
    }

    /// Skips everything before the next markup, and returns it without resolving references.
    mutating func textWithoutMarkup() -> ArraySlice<UInt8> {
        let start = position
        while let byte = next, byte != UInt8(ascii: "<") { position += 1 }
        return bytes[start..<position]
    }

    private mutating func reference() throws(PayloadFlaw) -> [UInt8] {
        let start = position
        let predefined = [
            ("&lt;", "<"), ("&gt;", ">"), ("&amp;", "&"), ("&quot;", "\""), ("&apos;", "'"),
        ]
        for (reference, meaning) in predefined where skip(reference) { return Array(meaning.utf8) }
        let radix = skip("&#x") ? 16 : 10
        guard radix == 16 || skip("&#") else { throw flaw("an unknown entity is in a text") }
        let digits = bytes[position...].prefix(9).prefix { $0 != UInt8(ascii: ";") }
        position += digits.count
        guard skip(";"), digits.allSatisfy({ Character(Unicode.Scalar($0)).isHexDigit }),
            let number = UInt32(String(decoding: digits, as: UTF8.self), radix: radix),
            let scalar = Unicode.Scalar(number), Self.isCharacter(scalar)
        else { throw PayloadFlaw("a reference stands for no character", at: start) }
        return Array(String(scalar).utf8)
    }
}
