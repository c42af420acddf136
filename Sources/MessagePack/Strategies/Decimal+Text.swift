#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import FoundationEssentials
#endif

extension Decimal {
    /// Parses a number such as `-12.50` or `1e-7`; nil for any other text.
    ///
    /// `Decimal(string:)` would read the valid beginning of another text.
    init?(decimalText: String) {
        if decimalText == "NaN" {
            self = .nan
            return
        }
        guard Self.isNumber(decimalText), let number = Decimal(string: decimalText),
            number.isFinite
        else { return nil }
        self = number
    }

    private static func isNumber(_ text: String) -> Bool {
        var rest = Substring(text).utf8
        rest.dropSign()
        let whole = rest.dropDigits()
        var fraction = 0
        if rest.first == UInt8(ascii: ".") {
            rest.removeFirst()
            fraction = rest.dropDigits()
        }
        guard whole + fraction > 0 else { return false }
        if let letter = rest.first, letter | 0x20 == UInt8(ascii: "e") {
            rest.removeFirst()
            rest.dropSign()
            guard rest.dropDigits() > 0 else { return false }
        }
        return rest.isEmpty
    }
}

extension Substring.UTF8View {
    fileprivate mutating func dropSign() {
        if first == UInt8(ascii: "-") || first == UInt8(ascii: "+") { removeFirst() }
    }

    /// - Returns: The number of digits.
    fileprivate mutating func dropDigits() -> Int {
        let digits = prefix { UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 }.count
        removeFirst(digits)
        return digits
    }
}
