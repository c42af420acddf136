/// Checks that a payload is JSON exactly as in RFC 8259, before it is decoded.
///
/// Decoders are lenient, each in its own way: they ignore a trailing comma, take the first or the last
/// of two members of the same name, or accept other encodings than UTF-8. Another reader could then
/// read another bag from the same tag, so this refuses what is ambiguous.
struct StrictJSON {
    /// The bytes that some editors put in front of a text in UTF-8.
    static let byteOrderMark: [UInt8] = [0xEF, 0xBB, 0xBF]

    private let bytes: [UInt8]
    private var position = 0

    /// Checks a whole payload.
    static func check(_ bytes: [UInt8]) throws(PayloadFlaw) {
        if bytes.isUTF16(beginningWith: "{[") { throw .isUTF16 }
        guard String(validating: bytes, as: UTF8.self) != nil else {
            throw .notUTF8
        }
        if bytes.starts(with: byteOrderMark) {
            throw PayloadFlaw("a byte order mark stands in front of it; write it without one")
        }
        var check = StrictJSON(bytes)
        try check.value(depth: 0)
        check.skipSpace()
        if check.next != nil { throw check.flaw("something follows its end") }
    }

    private init(_ bytes: [UInt8]) {
        self.bytes = bytes
    }

    private var next: UInt8? { position < bytes.count ? bytes[position] : nil }

    private func flaw(_ reason: String) -> PayloadFlaw {
        PayloadFlaw(reason, at: position)
    }

    private mutating func skipSpace() {
        while let byte = next, byte == 0x20 || byte == 0x09 || byte == 0x0A || byte == 0x0D {
            position += 1
        }
    }

    private mutating func skip(_ character: Unicode.Scalar) -> Bool {
        guard next == UInt8(ascii: character) else { return false }
        position += 1
        return true
    }

    private mutating func value(depth: Int) throws(PayloadFlaw) {
        if depth > PayloadFlaw.mostDepth { throw .tooDeep(at: position) }
        skipSpace()
        switch next {
        case nil: throw flaw("it ends early")
        case UInt8(ascii: "{"): try object(depth: depth)
        case UInt8(ascii: "["): try list(depth: depth)
        case UInt8(ascii: "\""): _ = try text()
        case .some(let byte) where byte == UInt8(ascii: "-") || DecimalNumber.isDigit(byte):
            try number()
        default:
            for word in ["true", "false", "null"] where bytes[position...].starts(with: word.utf8) {
                position += word.utf8.count
                return
            }
            throw flaw("a value is expected")
        }
    }

    private mutating func object(depth: Int) throws(PayloadFlaw) {
        position += 1
        skipSpace()
        if skip("}") { return }
        var names: Set<[UInt8]> = []
        repeat {
            skipSpace()
            guard next == UInt8(ascii: "\"") else { throw flaw("a name in quotes is expected") }
            let start = position
            let name = try text()
            if !names.insert(name).inserted {
                position = start
                throw flaw("two members have the same name")
            }
            skipSpace()
            guard skip(":") else { throw flaw("a colon is expected") }
            try value(depth: depth + 1)
            skipSpace()
        } while skip(",")
        guard skip("}") else { throw flaw("a comma or the end of the object is expected") }
    }

    private mutating func list(depth: Int) throws(PayloadFlaw) {
        position += 1
        skipSpace()
        if skip("]") { return }
        repeat {
            try value(depth: depth + 1)
            skipSpace()
        } while skip(",")
        guard skip("]") else { throw flaw("a comma or the end of the list is expected") }
    }

    /// Skips a text and returns its bytes, with escapes resolved.
    private mutating func text() throws(PayloadFlaw) -> [UInt8] {
        position += 1
        var units: [UInt8] = []
        while let byte = next {
            switch byte {
            case UInt8(ascii: "\""):
                position += 1
                return units
            case UInt8(ascii: "\\"): try escape(&units)
            case 0..<0x20: throw flaw("a control character is in a text")
            default:
                units.append(byte)
                position += 1
            }
        }
        throw flaw("it ends early")
    }

    private mutating func escape(_ units: inout [UInt8]) throws(PayloadFlaw) {
        position += 1
        if let byte = next, let meaning = Self.meaning(ofEscaped: byte) {
            position += 1
            return units.append(meaning)
        }
        guard skip("u") else { throw flaw("an unknown escape is in a text") }
        let high = try fourDigits()
        guard (0xD800...0xDFFF).contains(high) else { return units += Self.utf8(high) }
        guard high < 0xDC00, skip("\\"), skip("u") else {
            throw flaw("half a character is escaped")
        }
        let low = try fourDigits()
        guard (0xDC00...0xDFFF).contains(low) else { throw flaw("half a character is escaped") }
        units += Self.utf8(0x10000 + (high - 0xD800) << 10 + (low - 0xDC00))
    }

    /// The character that an escape of one character stands for.
    static func meaning(ofEscaped byte: UInt8) -> UInt8? {
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): byte
        case UInt8(ascii: "b"): 0x08
        case UInt8(ascii: "f"): 0x0C
        case UInt8(ascii: "n"): 0x0A
        case UInt8(ascii: "r"): 0x0D
        case UInt8(ascii: "t"): 0x09
        default: nil
        }
    }

    private mutating func fourDigits() throws(PayloadFlaw) -> UInt32 {
        guard position + 4 <= bytes.count else { throw flaw("it ends early") }
        let digits = bytes[position..<position + 4]
        guard digits.allSatisfy({ Character(Unicode.Scalar($0)).isHexDigit && $0 < 0x80 }),
            let number = UInt32(String(decoding: digits, as: UTF8.self), radix: 16)
        else { throw flaw("four hexadecimal digits are expected") }
        position += 4
        return number
    }

    private static func utf8(_ value: UInt32) -> [UInt8] {
        Unicode.Scalar(value).map { Array(String($0).utf8) } ?? []
    }

    private mutating func number() throws(PayloadFlaw) {
        _ = skip("-")
        if !skip("0") { try digits() }
        if skip(".") { try digits() }
        if skip("e") || skip("E") {
            if !skip("+") { _ = skip("-") }
            try digits()
        }
    }

    private mutating func digits() throws(PayloadFlaw) {
        let start = position
        while let byte = next, DecimalNumber.isDigit(byte) { position += 1 }
        if position == start { throw flaw("a digit is expected") }
    }
}
