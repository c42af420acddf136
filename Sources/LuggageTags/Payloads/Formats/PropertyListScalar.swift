/// The contents of the elements of XML property lists that are neither texts nor containers.
///
/// Foundation's parser takes hexadecimal digits for numbers, makes another day of one that does not
/// exist, and passes over what is no base64. Here only that is right which can be read in one way.
enum PropertyListScalar: String {
    case integer, real, date, data

    /// What the content must be, to follow "must be".
    var expectation: String {
        switch self {
        case .integer: "a whole number in decimal digits, like 42"
        case .real: "a number in decimal digits, like 42.5"
        case .date: "a time in UTC like 2026-07-01T08:00:00Z, of a day that exists, from 1583 on"
        case .data: "bytes in base64"
        }
    }

    /// Whether a content is right.
    func accepts(_ content: ArraySlice<UInt8>) -> Bool {
        switch self {
        case .integer: DecimalNumber.isWholeNumber(content)
        // The words by which encoders of property lists write what is no finite number.
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
        // Before, Foundation takes dates for those of another calendar.
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
