/// An element of XML property lists that is neither a text nor a container.
///
/// Foundation's parser accepts hexadecimal numbers, turns a day that does not exist into another day, and
/// skips characters that are not base64. Here the content must have only one meaning.
enum PropertyListScalar: String {
    case integer, real, date, data

    /// The required content, as words after "must be".
    var expectation: String {
        switch self {
        case .integer: "a whole number in decimal digits, like 42"
        case .real: "a number in decimal digits, like 42.5"
        case .date: "a time in UTC like 2026-07-01T08:00:00Z, of a day that exists, from 1583 on"
        case .data: "bytes in base64"
        }
    }

    /// Whether a content is valid.
    func accepts(_ content: ArraySlice<UInt8>) -> Bool {
        switch self {
        case .integer: DecimalNumber.isWholeNumber(content)
        // The words that encoders of property lists write for numbers that are not finite.
        case .real:
            DecimalNumber.isNumber(content)
                || ["nan", "+infinity", "-infinity"].contains { content.elementsEqual($0.utf8) }
        case .date: Self.isTime(content)
        case .data: Self.isBase64(content)
        }
    }

    private static func isTime(_ content: ArraySlice<UInt8>) -> Bool {
        let pattern = Array("0000-00-00T00:00:00Z".utf8)
        let isOfForm = content.elementsEqual(pattern) { byte, sign in
            sign == UInt8(ascii: "0") ? DecimalNumber.isDigit(byte) : byte == sign
        }
        guard isOfForm else { return false }
        func number(_ start: Int, _ count: Int) -> Int {
            content.dropFirst(start).prefix(count).reduce(0) { $0 * 10 + Int($1 & 0xF) }
        }
        let (year, month, day) = (number(0, 4), number(5, 2), number(8, 2))
        // For earlier years, Foundation uses another calendar.
        guard year >= 1583, 1...12 ~= month, day >= 1 else { return false }
        let isLeap =
            year.isMultiple(of: 4) && (!year.isMultiple(of: 100) || year.isMultiple(of: 400))
        let days = [31, isLeap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
        return day <= days[month - 1] && number(11, 2) < 24 && number(14, 2) < 60
            && number(17, 2) < 60
    }

    private static func isBase64(_ content: ArraySlice<UInt8>) -> Bool {
        let letters = content.filter { ![0x20, 0x09, 0x0A, 0x0D].contains($0) }
        let end = letters.lastIndex { $0 != UInt8(ascii: "=") }.map { $0 + 1 } ?? 0
        return letters.count.isMultiple(of: 4) && letters.count - end <= 2
            && letters[..<end].allSatisfy { letter in
                switch letter {
                case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"),
                    UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "+"), UInt8(ascii: "/"):
                    true
                default: false
                }
            }
    }
}
