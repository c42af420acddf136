/// A weight that is written as a text, with its unit: `19.05 kg`.
struct WeightText {
    let amount: Double
    let unit: MassUnit

    /// Reads a text; nil where there is no digit in it.
    ///
    /// - Parameters:
    ///   - text: A number as JSON has it and a unit, with or without space around and between them.
    ///   - path: Where the text is.
    /// - Throws: `DecodingError` where the weight cannot be told, or can be told in two ways.
    init?(_ text: String, at path: [any CodingKey]) throws {
        guard text.utf8.contains(where: Self.isDigit) else { return nil }
        var rest = Self.trimmed(text[...])
        let sign = rest.first == "-" ? "-" : ""
        rest = rest.dropFirst(sign.count)
        let number = rest.prefix { $0.isASCII && ($0.isNumber || ".,+-'eE".contains($0)) }
        let spelling = Self.trimmed(rest.dropFirst(number.count))
        func refuse(_ code: TagError.Code, _ reason: String) -> DecodingError {
            Refusal(code, "the text \(text.quoted) \(reason)").error(at: path)
        }
        if number.contains(",") {
            throw refuse(
                .ambiguous,
                "has a comma, which may separate thousands or decimals; write a point for decimals"
            )
        }
        let digits = Self.isNumber(number) ? Double(sign + number) : nil
        guard let amount = digits else {
            throw Refusal.expected(
                "a weight like \"42 lb\" or \"19.05 kg\"",
                found: "the text \(text.quoted)"
            ).error(at: path)
        }
        if spelling.isEmpty {
            throw refuse(
                .ambiguous,
                "has no unit; write \"lb\" or \"kg\" after it, or a number without quotes for pounds"
            )
        }
        guard let unit = MassUnit(spelling: String(spelling)) else {
            throw Refusal.expected("a weight in lb or kg", found: "the text \(text.quoted)")
                .error(at: path)
        }
        self.amount = amount
        self.unit = unit
    }

    private static func isDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) }

    /// Without the spaces around it; printers put a narrow or an unbreakable one before a unit.
    private static func trimmed(_ text: Substring) -> Substring {
        let spaces: Set<Character> = [" ", "\u{A0}", "\u{202F}", "\u{2009}"]
        let start = text.drop { spaces.contains($0) }
        let end = start.lastIndex { !spaces.contains($0) }
        return end.map { start[...$0] } ?? ""
    }

    /// Whether a text is digits, with more of them after a point or an exponent or not.
    private static func isNumber(_ text: Substring) -> Bool {
        var rest = text.utf8
        func digits() -> Bool {
            let count = rest.prefix(while: isDigit).count
            rest = rest.dropFirst(count)
            return count > 0
        }
        guard digits() else { return false }
        if rest.first == UInt8(ascii: ".") {
            rest = rest.dropFirst()
            guard digits() else { return false }
        }
        if let first = rest.first, first | 0x20 == UInt8(ascii: "e") {
            rest = rest.dropFirst()
            if let sign = rest.first, "+-".utf8.contains(sign) { rest = rest.dropFirst() }
            guard digits() else { return false }
        }
        return rest.isEmpty
    }
}
