/// The members of a JSON object of the plain kind that these programs write: texts, numbers, and lists of texts.
///
/// It reads such an object many times faster than a decoder. It takes only what every reader understands
/// alike, and gives up at anything else: the decoder then reads the object, or tells what is wrong with it.
struct PlainJSON {
    /// A value of a member.
    enum Value: Equatable {
        case text(String)
        case number(Double)
        case texts([String])
    }

    private let bytes: [UInt8]
    private var position = 0

    private init(_ bytes: [UInt8]) {
        self.bytes = bytes
    }

    /// Reads an object; nil if it is not plain.
    ///
    /// - Parameter bytes: The object, and nothing else.
    /// - Returns: The members in their order, no two of one name.
    static func members(of bytes: [UInt8]) -> [(name: String, value: Value)]? {
        guard bytes.first == UInt8(ascii: "{") else { return nil }
        var reader = PlainJSON(bytes)
        var members: [(name: String, value: Value)] = []
        members.reserveCapacity(16)
        repeat {
            // The brace, or a comma.
            reader.position += 1
            reader.skipSpace()
            guard let name = reader.text() else { return nil }
            reader.skipSpace()
            guard reader.skip(UInt8(ascii: ":")), let value = reader.value(),
                !members.contains(where: { $0.name == name })
            else { return nil }
            members.append((name, value))
            reader.skipSpace()
        } while reader.next == UInt8(ascii: ",")
        guard reader.skip(UInt8(ascii: "}")), reader.position == bytes.count else { return nil }
        return members
    }

    private var next: UInt8? { position < bytes.count ? bytes[position] : nil }

    private mutating func skipSpace() {
        while next == UInt8(ascii: " ") { position += 1 }
    }

    private mutating func skip(_ byte: UInt8) -> Bool {
        guard next == byte else { return false }
        position += 1
        return true
    }

    private mutating func value() -> Value? {
        skipSpace()
        switch next {
        case UInt8(ascii: "\""): return text().map { .text($0) }
        case UInt8(ascii: "["): return texts().map { .texts($0) }
        default: return number().map { .number($0) }
        }
    }

    private mutating func texts() -> [String]? {
        var texts: [String] = []
        repeat {
            position += 1
            skipSpace()
            guard let text = text() else { return nil }
            texts.append(text)
            skipSpace()
        } while next == UInt8(ascii: ",")
        return skip(UInt8(ascii: "]")) ? texts : nil
    }

    private mutating func text() -> String? {
        guard skip(UInt8(ascii: "\"")) else { return nil }
        let start = position
        while let byte = next, byte != UInt8(ascii: "\""), byte != UInt8(ascii: "\\"), byte >= 0x20
        {
            position += 1
        }
        var units = bytes[start..<position]
        while next == UInt8(ascii: "\\") {
            guard position + 1 < bytes.count,
                let meaning = StrictJSON.meaning(ofEscaped: bytes[position + 1])
            else { return nil }
            units.append(meaning)
            position += 2
            let start = position
            while let byte = next, byte != UInt8(ascii: "\""), byte != UInt8(ascii: "\\"),
                byte >= 0x20
            {
                position += 1
            }
            units += bytes[start..<position]
        }
        guard skip(UInt8(ascii: "\"")) else { return nil }
        return String(validating: units, as: UTF8.self)
    }

    /// A number of at most 15 digits, which every reader reads as the same.
    private mutating func number() -> Double? {
        let start = position
        _ = skip(UInt8(ascii: "-"))
        if !skip(UInt8(ascii: "0")) && skipDigits() == 0 { return nil }
        if skip(UInt8(ascii: ".")) && skipDigits() == 0 { return nil }
        if let byte = next, byte == UInt8(ascii: "e") || byte == UInt8(ascii: "E") { return nil }
        guard position - start <= 15 else { return nil }
        return Double(String(decoding: bytes[start..<position], as: UTF8.self))
    }

    private mutating func skipDigits() -> Int {
        let start = position
        while let byte = next, DecimalNumber.isDigit(byte) { position += 1 }
        return position - start
    }
}
