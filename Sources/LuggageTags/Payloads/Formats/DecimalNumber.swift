/// The decimal notation of numbers in texts, the same everywhere.
///
/// It is JSON's (RFC 8259). It has no hexadecimal, octal or infinite numbers, which some readers accept.
package enum DecimalNumber {
    static func isDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) }

    /// The number that ASCII digits give, with any zeros in front; nil for anything else, or beyond 64 bits.
    static func value(ofDigits text: some Sequence<UInt8>) -> UInt64? {
        var number: UInt64?
        for byte in text {
            guard isDigit(byte) else { return nil }
            let (tens, isMuch) = (number ?? 0).multipliedReportingOverflow(by: 10)
            let (sum, isMore) = tens.addingReportingOverflow(UInt64(byte - 0x30))
            if isMuch || isMore { return nil }
            number = sum
        }
        return number
    }

    /// Whether a text is a number.
    ///
    /// - Parameters:
    ///   - text: The text.
    ///   - isPadded: Whether leading zeros are allowed, as on the labels of scales.
    /// - Returns: False for a number with a plus sign, without a digit before or after its point, or with
    ///   other characters.
    package static func isNumber(_ text: some Sequence<UInt8>, isPadded: Bool = false) -> Bool {
        var rest = Array(text)[...]
        guard skipWhole(&rest, isPadded: isPadded) else { return false }
        if skip(".", &rest) && !skipDigits(&rest) { return false }
        if skip("e", &rest) || skip("E", &rest) {
            if !skip("+", &rest) { _ = skip("-", &rest) }
            if !skipDigits(&rest) { return false }
        }
        return rest.isEmpty
    }

    /// Whether a text is a number without point and exponent.
    static func isWholeNumber(_ text: some Sequence<UInt8>) -> Bool {
        var rest = Array(text)[...]
        return skipWhole(&rest, isPadded: false) && rest.isEmpty
    }

    private static func skipWhole(_ rest: inout ArraySlice<UInt8>, isPadded: Bool) -> Bool {
        _ = skip("-", &rest)
        if !isPadded && skip("0", &rest) { return true }
        return skipDigits(&rest)
    }

    private static func skip(_ character: Character, _ rest: inout ArraySlice<UInt8>) -> Bool {
        guard let first = rest.first, first == character.asciiValue else { return false }
        rest.removeFirst()
        return true
    }

    private static func skipDigits(_ rest: inout ArraySlice<UInt8>) -> Bool {
        let count = rest.prefix(while: isDigit).count
        rest.removeFirst(count)
        return count > 0
    }
}
