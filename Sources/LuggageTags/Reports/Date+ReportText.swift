package import FoundationEssentials
internal import ObjectStore
internal import SystemSupport

// Writes reports as text, faster than an encoder: for lists of a million of them.

extension Date {
    /// The time in UTC as ISO 8601 with milliseconds, as reports show it.
    package var reportText: String {
        let reference = timeIntervalSinceReferenceDate
        // The years 1970 to 2900; Foundation has rules of its own for times far away.
        guard -978_307_200..<28_400_000_000 ~= reference else {
            return formatted(Date.ISO8601FormatStyle(includingFractionalSeconds: true))
        }
        let whole = reference.rounded(.down)
        let milliseconds = Int((reference - whole) * 1e9) / 1_000_000
        let seconds = Int(whole) + 978_307_200
        let (year, month, day) = Self.civilDay(seconds / 86400)
        var text: [UInt8] = []
        text.reserveCapacity(24)
        func append(_ number: Int, _ digits: Int) {
            var divisor = [1, 10, 100, 1000][digits - 1]
            while divisor > 0 {
                text.append(UInt8(ascii: "0") + UInt8(number / divisor % 10))
                divisor /= 10
            }
        }
        for (number, digits, separator) in [
            (year, 4, "-"), (month, 2, "-"), (day, 2, "T"), (seconds / 3600 % 24, 2, ":"),
            (seconds / 60 % 60, 2, ":"), (seconds % 60, 2, "."), (milliseconds, 3, "Z"),
        ] as [(Int, Int, Unicode.Scalar)] {
            append(number, digits)
            text.append(UInt8(ascii: separator))
        }
        return String(decoding: text, as: UTF8.self)
    }

    /// The day of the Gregorian calendar that is a number of days after 1 January 1970.
    ///
    /// It counts in years that begin in March, so that a leap day is the last day of its year.
    private static func civilDay(_ days: Int) -> (year: Int, month: Int, day: Int) {
        let sinceMarch = days + 719_468
        let (era, dayOfEra) = sinceMarch.quotientAndRemainder(dividingBy: 146_097)
        let leaps = dayOfEra / 1460 - dayOfEra / 36_524 + dayOfEra / 146_096
        let yearOfEra = (dayOfEra - leaps) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let march = (5 * dayOfYear + 2) / 153
        let month = march < 10 ? march + 3 : march - 9
        let year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
        return (year, month, dayOfYear - (153 * march + 2) / 5 + 1)
    }
}

extension Int {
    /// The share of a whole in per cent, rounded to a tenth: `63.2%`.
    ///
    /// Only all give 100.0%, and only none give 0.0%: a share that would be rounded to these gives 99.9%
    /// or 0.1%.
    ///
    /// - Parameter whole: The whole.
    /// - Returns: The text; `-` if the whole is 0.
    package func percentage(of whole: Int) -> String {
        if whole == 0 { return "-" }
        var tenths = Int((Double(self) / Double(whole) * 1000).rounded())
        if self < whole { tenths = Swift.min(tenths, 999) }
        if self > 0 { tenths = Swift.max(tenths, 1) }
        return "\(tenths / 10).\(tenths % 10)%"
    }
}

extension LuggageReport {
    /// The report as JSON on one line, as `JSONEncoder.forReports()` writes it.
    ///
    /// - Throws: `EncodingError`.
    package func jsonText() throws -> [UInt8] {
        // The encoder writes weights that are not numbers, or are very large or small.
        if let weight, weight.bitPattern != 0, !(0.001..<1_000_000 ~= weight.magnitude) {
            return Array(try JSONEncoder.forReports().encode(self))
        }
        var text: [UInt8] = []
        text.reserveCapacity(192)
        text += "{".utf8
        if let arrivedAt { text += "\"arrivedAt\":\"\(arrivedAt.reportText)\",".utf8 }
        if let departedAt { text += "\"departedAt\":\"\(departedAt.reportText)\",".utf8 }
        text += "\"id\":\"\(id.text)\"".utf8
        if let misroutedAt { text += ",\"misroutedAt\":\"\(misroutedAt.reportText)\"".utf8 }
        if let misroutedTo {
            text += ",\"misroutedTo\":".utf8
            Self.append(misroutedTo, to: &text)
        }
        if let owner {
            text += ",\"owner\":{\"familyName\":".utf8
            Self.append(owner.familyName, to: &text)
            text += ",\"givenName\":".utf8
            Self.append(owner.givenName, to: &text)
            text += "}".utf8
        }
        if let route {
            let members = [
                ("date", route.date), ("from", route.from), ("to", route.to), ("trip", route.trip),
            ]
            var separator = ",\"route\":{"
            for case (let name, let value?) in members {
                text += "\(separator)\"\(name)\":".utf8
                Self.append(value, to: &text)
                separator = ","
            }
            text += "}".utf8
        }
        if let weight {
            let number = weight == weight.rounded() ? "\(Int(weight))" : "\(weight)"
            text += ",\"weight\":\(number)".utf8
        }
        text += "}".utf8
        return text
    }

    /// Adds a text in quotes.
    private static func append(_ string: String, to text: inout [UInt8]) {
        text.append(UInt8(ascii: "\""))
        for byte in string.utf8 {
            switch byte {
            case UInt8(ascii: "\""), UInt8(ascii: "\\"): text += [UInt8(ascii: "\\"), byte]
            case 0x08: text += "\\b".utf8
            case 0x09: text += "\\t".utf8
            case 0x0A: text += "\\n".utf8
            case 0x0C: text += "\\f".utf8
            case 0x0D: text += "\\r".utf8
            case ..<0x20: text += "\\u00\([byte].hexadecimal)".utf8
            default: text.append(byte)
            }
        }
        text.append(UInt8(ascii: "\""))
    }
}
