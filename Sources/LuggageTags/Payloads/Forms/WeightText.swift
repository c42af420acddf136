internal import SystemSupport

/// A weight written as a text with its unit: `19.05 kg`.
struct WeightText {
    let amount: Double
    let unit: MassUnit

    /// Reads a text; nil if it has no digit.
    ///
    /// - Parameters:
    ///   - text: A number as in JSON and a unit, with or without spaces around and between them.
    ///   - path: The coding path of the text.
    /// - Throws: `DecodingError` if the text is no weight or an ambiguous one.
    init?(_ text: String, at path: [any CodingKey]) throws {
        guard text.utf8.contains(where: DecimalNumber.isDigit) else { return nil }
        func refuse(_ code: TagError.Code, _ reason: String) -> DecodingError {
            Refusal(code, "the text \(text.quoted) \(reason)").error(at: path)
        }
        let (number, spelling) = Self.parts(of: text)
        if number.contains(",") {
            throw refuse(
                .ambiguous,
                "has a comma, which may separate thousands or decimals; write a point for decimals"
            )
        }
        if Self.isSeparated(number) {
            throw refuse(
                .notDecodable,
                "has a separator between its digits; write them without, like \"1250 kg\""
            )
        }
        guard DecimalNumber.isNumber(number.utf8, isPadded: true), let amount = Double(number)
        else {
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
        guard let unit = MassUnit(spelling: spelling) else {
            throw Refusal.expected("a weight in lb or kg", found: "the text \(text.quoted)")
                .error(at: path)
        }
        if Self.mayBeThousands(number) {
            throw refuse(
                .ambiguous,
                "has three digits after its point, which may separate thousands; write "
                    + "\"\(Self.withoutPoint(number)) \(unit.rawValue)\" for thousands, or "
                    + "\"\(number)0 \(unit.rawValue)\" for decimals"
            )
        }
        self.amount = amount
        self.unit = unit
    }

    /// Writes a weight as an unambiguous text.
    static func text(_ amount: Double, _ unit: MassUnit) -> String {
        let number = "\(amount)"
        return "\(number)\(mayBeThousands(number) ? "0" : "") \(unit.rawValue)"
    }

    /// The separators of thousands in some countries, apart from points and commas.
    private static let separators = spaces.union(["'", "\u{2019}", "_"])

    /// The spaces around numbers; some printers put a narrow or non-breaking space before a unit.
    private static let spaces: Set<Character> = [" ", "\u{A0}", "\u{202F}", "\u{2009}"]

    /// Splits a text into the number and the rest, without the spaces around them.
    private static func parts(of text: String) -> (number: String, spelling: String) {
        let trimmed = trimmed(text[...])
        let signs: Set<Character> = [".", ",", "+", "-", "e", "E"]
        let start = trimmed.prefix { character in
            (character.isASCII && character.isNumber) || signs.contains(character)
                || separators.contains(character)
        }
        let number = Self.trimmed(start)
        return (String(number), String(Self.trimmed(trimmed.dropFirst(start.count))))
    }

    /// Whether separators split a number into parts that each begin with a digit.
    private static func isSeparated(_ number: String) -> Bool {
        let parts = number.split { separators.contains($0) }
        return parts.count > 1 && parts.allSatisfy { $0.first?.isNumber == true }
    }

    private static func trimmed(_ text: Substring) -> Substring {
        let start = text.drop { spaces.contains($0) }
        let end = start.lastIndex { !spaces.contains($0) }
        return end.map { start[...$0] } ?? ""
    }

    /// Whether a number could have a point between thousands, as some countries write it.
    ///
    /// It could not with a leading zero, or without exactly three digits after the point and one to three
    /// in front.
    private static func mayBeThousands(_ number: String) -> Bool {
        let digits = number.drop { $0 == "-" }.split(
            separator: ".",
            omittingEmptySubsequences: false
        )
        return digits.count == 2 && 1...3 ~= digits[0].count && digits[0].first != "0"
            && digits[1].count == 3 && digits[1].utf8.allSatisfy(DecimalNumber.isDigit)
    }

    private static func withoutPoint(_ number: String) -> String {
        number.filter { $0 != "." }
    }
}
