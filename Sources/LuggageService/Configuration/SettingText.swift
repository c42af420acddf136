internal import FoundationEssentials
internal import LuggageTags
internal import SystemSupport

/// What is wrong with the text of a setting.
package struct WrongValue: Error, Equatable, Sendable {
    /// What was expected, and what was found.
    package let problem: String
    /// What to write instead.
    package let remedy: String
    /// On which line of a text it is, counted from 0; nil if the text has only one.
    var line: Int?

    init(_ problem: String, remedy: String) {
        self.problem = problem
        self.remedy = remedy
    }

    init(expected: String, found text: String, remedy: String) {
        self.init("expected \(expected), found \(SettingText.quoted(text))", remedy: remedy)
    }
}

/// Parses the text of settings.
enum SettingText {
    /// The text in quotes, on one line, and short enough for a message.
    static func quoted(_ text: some StringProtocol) -> String {
        let start = text.unicodeScalars.prefix(60)
        let ellipsis = start.endIndex == text.unicodeScalars.endIndex ? "" : "…"
        return "\"\(String(String.UnicodeScalarView(start)).onOneLine)\(ellipsis)\""
    }

    /// A path; a relative one is appended to the base, which ends with a slash or is empty.
    static func path(_ text: String, in base: String) throws(WrongValue) -> String {
        let expected = "a path"
        if text.isEmpty || text.utf8.contains(0) {
            throw WrongValue(expected: expected, found: text, remedy: "write the whole path")
        }
        let path = text.hasPrefix("/") ? text : base + text
        if path.utf8.count > 4095 {
            throw WrongValue(
                expected: "a path of at most 4095 bytes",
                found: text,
                remedy: "choose a place nearer to the root folder"
            )
        }
        if text == "~" || text.hasPrefix("~/") {
            throw WrongValue(
                expected: expected,
                found: text,
                remedy: "write the whole path; only a shell knows what ~ stands for"
            )
        }
        return path
    }

    /// Passes the entries of a setting to a closure: there are commas or line breaks between them, and
    /// comments.
    ///
    /// - Parameters:
    ///   - text: The text.
    ///   - take: Takes an entry without the blanks around it.
    /// - Throws: What is wrong with an entry, and on which line.
    static func forEachEntry(
        of text: String,
        _ take: (String) throws(WrongValue) -> Void
    ) throws(WrongValue) {
        let lines = text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
        for (number, line) in lines.enumerated() where line.trimmed.first != "#" {
            let content = line.firstRange(of: " #").map { line[..<$0.lowerBound] } ?? line
            do throws(WrongValue) {
                for entry in content.split(separator: ",") where !entry.trimmed.isEmpty {
                    try take(entry.trimmed)
                }
            } catch {
                var error = error
                error.line = number
                throw error
            }
        }
    }

    static func commandLine(_ text: String) throws(WrongValue) -> String {
        if text.utf8.contains(0) || text.utf8.count > 65536 || text.allSatisfy(\.isWhitespace) {
            throw WrongValue(
                expected: "a command line of at most 65536 bytes",
                found: text,
                remedy: "write it as for /bin/sh, or put it into a script and name that"
            )
        }
        return text
    }

    static func stationName(_ text: String) throws(WrongValue) -> String {
        guard text.isStationName, !text.isBlank else {
            throw WrongValue(
                expected: "a name of 1 to 64 characters on one line, not blanks alone",
                found: text,
                remedy: "choose another name"
            )
        }
        return text
    }

    static func placeName(_ text: String) throws(WrongValue) -> String {
        guard text.isRouteName else {
            throw WrongValue(
                expected: "a name of 1 to 64 characters on one line, not blanks alone",
                found: text,
                remedy: "write it as tags do, like JFK or Pier 3"
            )
        }
        return text.composed
    }

    static func word<Word: CaseIterable & RawRepresentable<String>>(
        _ text: String
    ) throws(WrongValue) -> Word {
        if let word = Word(rawValue: text) { return word }
        let words = Word.allCases.map(\.rawValue)
        let likely = Spelling.nearest(to: text, among: words)
        throw WrongValue(
            expected: "one of " + words.joined(separator: ", "),
            found: text,
            remedy: likely.map { "did you mean \($0)?" } ?? "choose one of them"
        )
    }

    static func wholeNumber(
        _ text: String,
        _ range: ClosedRange<Int>
    ) throws(WrongValue) -> Int {
        let isNumber = !text.isEmpty && text.utf8.allSatisfy { (0x30...0x39).contains($0) }
        guard isNumber, let number = Int(text), range.contains(number) else {
            throw WrongValue(
                expected: "a whole number from \(range.lowerBound) to \(range.upperBound)",
                found: text,
                remedy: "write one, or leave the setting out"
            )
        }
        return number
    }

    /// The beginning of a day in UTC.
    static func day(_ text: String) throws(WrongValue) -> Date {
        let date = try? Date(text, strategy: .iso8601.year().month().day())
        // Foundation turns a day that does not exist into another one.
        guard let date, date.formatted(.iso8601.year().month().day()) == text, date <= Date(),
            date.timeIntervalSince1970 >= 0
        else {
            throw WrongValue(
                expected: "a day from 1970-01-01 until today",
                found: text,
                remedy: "write it like 2001-01-01"
            )
        }
        return date
    }

    /// A weight, in pounds.
    static func pounds(_ text: String) throws(WrongValue) -> Float {
        guard let pounds = try? MassUnit.pounds(in: text), pounds > 0,
            pounds <= MassUnit.mostPounds
        else {
            throw WrongValue(
                expected: "a weight with its unit, of at most 99999 lb",
                found: text,
                remedy: "write it like 1000 lb or 450 kg"
            )
        }
        return pounds
    }

    /// The speed of a serial line, in bits a second.
    static func baud(_ text: String) throws(WrongValue) -> Int {
        guard let baud = Int(text), SerialLine.speeds[baud] != nil else {
            let speeds = SerialLine.speeds.keys.sorted().map(String.init)
            throw WrongValue(
                expected: "one of \(speeds.joined(separator: ", "))",
                found: text,
                remedy: "write the speed to which the scanner is set"
            )
        }
        return baud
    }

    static func duration(_ text: String) throws(WrongValue) -> Duration {
        try duration(
            text,
            .milliseconds(1) ... .seconds(24 * 3600),
            "1ms to 24h",
            "250ms, 30s, 5m or 1h"
        )
    }

    /// A length of time that may be days.
    static func days(_ text: String) throws(WrongValue) -> Duration {
        try duration(text, .seconds(60) ... .seconds(29 * 86_400), "1m to 29d", "30m, 6h or 2d")
    }

    /// A share of a whole in per cent, from 0 to 1.
    static func share(_ text: String) throws(WrongValue) -> Double {
        let number = text.hasSuffix("%") ? text.dropLast() : ""
        guard !number.isEmpty, number.utf8.allSatisfy({ $0 == 0x2E || (0x30...0x39).contains($0) }),
            let percent = Double(number), percent > 0, percent <= 100
        else {
            throw WrongValue(
                expected: "a share in per cent, more than 0% and at most 100%",
                found: text,
                remedy: "write it like 90% or 97.5%"
            )
        }
        return percent / 100
    }

    private static func duration(
        _ text: String,
        _ bounds: ClosedRange<Duration>,
        _ boundsText: String,
        _ examples: String
    ) throws(WrongValue) -> Duration {
        let expected = "a length of time from \(boundsText)"
        guard let duration = Duration(settingText: text) else {
            let isNumber = !text.isEmpty && text.utf8.allSatisfy { (0x30...0x39).contains($0) }
            throw WrongValue(
                expected: expected,
                found: text,
                remedy: isNumber
                    ? "write the unit too: \(boundsText.hasSuffix("d") ? "m, h or d" : "ms, s, m or h")"
                    : "write it like \(examples)"
            )
        }
        guard bounds.contains(duration) else {
            throw WrongValue(
                expected: expected,
                found: text,
                remedy: "write one within these bounds"
            )
        }
        return duration
    }
}

extension Substring {
    /// The text without surrounding blanks.
    fileprivate var trimmed: String {
        let content = unicodeScalars.drop { Self.blanks.contains($0) }
        let last = content.lastIndex { !Self.blanks.contains($0) }
        return last.map { String(content[...$0]) } ?? ""
    }

    private static let blanks: Set<Unicode.Scalar> = [" ", "\t"]

    /// The text without surrounding blanks and quotes.
    var unquoted: String {
        let text = trimmed
        guard text.utf8.count > 1, let quote = text.first, quote == text.last,
            quote == "'" || quote == "\""
        else { return text }
        return String(text.dropFirst().dropLast())
    }
}

extension Duration {
    private static let units: [(name: String, milliseconds: Int)] = [
        ("ms", 1), ("s", 1000), ("m", 60_000), ("h", 3_600_000), ("d", 86_400_000),
    ]

    /// Parses a whole number and a unit, such as `250ms`, `30s`, `5m`, `1h` or `2d`.
    ///
    /// - Returns: Nil for anything else.
    package init?(settingText text: String) {
        let digits = text.prefix { $0.isASCII && $0.isNumber }
        let unit = text.dropFirst(digits.count).drop { $0 == " " }
        // Nine digits of days are more than anyone waits, and cannot overflow.
        guard (1...9).contains(digits.count), let number = Int(digits),
            let factor = Self.units.first(where: { $0.name == unit })?.milliseconds
        else { return nil }
        self = .milliseconds(number * factor)
    }

    /// The duration as in a configuration file, with the largest unit that keeps the number whole.
    var settingText: String {
        let (seconds, attoseconds) = components
        let milliseconds = seconds * 1000 + attoseconds / 1_000_000_000_000_000
        let unit = Self.units.last { milliseconds % Int64($0.milliseconds) == 0 }
        guard let unit, milliseconds != 0 else { return "\(milliseconds)ms" }
        return "\(milliseconds / Int64(unit.milliseconds))\(unit.name)"
    }
}
