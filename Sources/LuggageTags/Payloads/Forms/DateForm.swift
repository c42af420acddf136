internal import Foundation
internal import System

/// How it is written when a bag departed and arrived.
public enum DateForm: CaseIterable, Hashable, Sendable {
    /// A text as ISO 8601 has it, in UTC, with all the digits that the time has.
    case text
    /// The number of seconds since 1970 where that keeps the time exactly, else a text.
    ///
    /// `Date` counts from 2001, and tells more moments apart than this number does.
    case seconds
    /// The format's own dates, where they keep the time exactly, else a text.
    ///
    /// JSON has none, and property lists have whole seconds.
    case native
}

/// A moment, in whatever form it is given.
struct Moment: Form {
    static let expectation = "a date"

    let date: Date

    init(_ date: Date) {
        self.date = date
    }

    /// The time as a text from which the very same time is had again: ISO 8601, and where that cannot
    /// tell it the seconds since 1970.
    var text: String { date.exactText ?? "\(date.timeIntervalSince1970)" }

    init(from decoder: any Decoder) throws {
        if let seconds = try decoder.attempt({ try Double(from: decoder) }) {
            guard Date.range ~= seconds else {
                throw Self.beyondCalendars("the number \(seconds)").error(at: decoder.codingPath)
            }
            date = Date(timeIntervalSince1970: seconds)
        } else if let text = try decoder.attempt({ try String(from: decoder) }) {
            guard let date = Date(exactText: text) else {
                throw Refusal.expected(
                    "a time in UTC like \"2026-07-01T08:00:00Z\"",
                    found: "the text \(text.quoted)"
                ).error(at: decoder.codingPath)
            }
            self.date = date
        } else if let date = try decoder.attempt({
            try decoder.singleValueContainer().decode(Date.self)
        }) {
            guard Date.range ~= date.timeIntervalSince1970 else {
                let found = "one that is \(date.timeIntervalSince1970) seconds from 1970"
                throw Self.beyondCalendars(found).error(at: decoder.codingPath)
            }
            self.date = date
        } else {
            throw decoder.noForm(of: Self.self)
        }
    }

    /// A time that nobody could write, and that is no bag's.
    private static func beyondCalendars(_ found: String) -> Refusal {
        Refusal(.outOfRange, "expected a time in the years 1 to 9999, found \(found)")
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        let form = encoder.userInfo[.dateForm] as? DateForm ?? .text
        let seconds = date.timeIntervalSince1970
        if form == .native, date.isNative, encoder.userInfo[.hasNativeDates] != nil {
            try container.encode(date)
        } else if form == .seconds, Date(timeIntervalSince1970: seconds) == date {
            try container.encode(seconds)
        } else if let text = date.exactText {
            try container.encode(text)
        } else {
            try container.encode(seconds)
        }
    }
}

extension CodingUserInfoKey {
    /// Where the encoder of a format that has dates of its own says so.
    static let hasNativeDates = key("LuggageTags.hasNativeDates")
}

extension Date {
    /// From the year 1 to the end of the year 9999, in seconds since 1970: what four digits can tell.
    fileprivate static let range = -62_135_596_800.0..<253_402_300_800

    /// From the year 1583, before which Foundation writes dates as they were counted then, which is
    /// not how others read them, to the end of the year 9999.
    private static let nativeRange = -12_212_553_600.0..<253_402_300_800

    /// The years after which the calendar is the same again, day by day, often enough to be beyond 1583.
    private static let periodInYears = 1600
    private static let periodInSeconds = 4 * 146_097 * 86_400.0

    /// From 1970 to 2001, where `Date` counts from.
    private static let secondsToReferenceDate = 978_307_200

    /// Whether every format that has dates keeps this one: those of XML have whole seconds and four
    /// digits for the year.
    fileprivate var isNative: Bool {
        let seconds = timeIntervalSinceReferenceDate
        return seconds.rounded() == seconds && Self.nativeRange ~= timeIntervalSince1970
    }

    /// The whole seconds of a time as ISO 8601, by the calendar that is used now, whatever the year.
    private static func wholeText(_ whole: Date) -> String {
        if nativeRange ~= whole.timeIntervalSince1970 { return whole.formatted(.iso8601) }
        let later = (whole + periodInSeconds).formatted(.iso8601)
        let year = (Int(later.prefix(4)) ?? 0) - periodInYears
        return String(format: "%04d", year) + later.dropFirst(4)
    }

    /// The time of which ``wholeText(_:)`` is a text; nil where no calendar has it.
    private init?(wholeText text: String) {
        guard let whole = try? Date(text, strategy: .iso8601) else { return nil }
        var date = whole
        if !(Self.nativeRange ~= whole.timeIntervalSince1970) {
            guard let year = Int(text.prefix(4)), year > 0,
                case let later = String(year + Self.periodInYears) + text.dropFirst(4),
                let moved = try? Date(later, strategy: .iso8601)
            else { return nil }
            date = moved - Self.periodInSeconds
        }
        // Foundation makes another day of one that does not exist.
        guard Self.range ~= date.timeIntervalSince1970, Self.wholeText(date) == text else {
            return nil
        }
        self = date
    }

    /// The time as ISO 8601, from which the very same time is had again; nil outside of those years.
    fileprivate var exactText: String? {
        guard Self.range ~= timeIntervalSince1970 else { return nil }
        let seconds = timeIntervalSinceReferenceDate
        let whole = seconds.rounded(.down)
        // Before 2001 the digits behind the point count backwards; the difference is exact.
        let digits = "\(seconds < 0 ? seconds - whole : seconds)".split(separator: ".")
        // What is less than a ten-thousandth of a second is written with an exponent.
        guard digits.count == 2, let fraction = digits.last, fraction.allSatisfy(\.isNumber) else {
            return nil
        }
        let text = Self.wholeText(Date(timeIntervalSinceReferenceDate: whole))
        if fraction != "0", self == ofFacts {
            // Thousandths are read as what they are rounded to.
            var digits = String(format: "%03d", Int(((seconds - whole) * 1000).rounded()))
            while digits.hasSuffix("0") { digits.removeLast() }
            return "\(text.dropLast()).\(digits)Z"
        }
        return fraction == "0" ? text : "\(text.dropLast()).\(fraction)Z"
    }

    fileprivate init?(exactText text: String) {
        let bytes = Array(text.utf8)
        // With up to 22 digits behind the point: 17 that count, after zeros.
        guard (20...44).contains(bytes.count), bytes.last == UInt8(ascii: "Z") else { return nil }
        let wholeText = String(decoding: bytes[..<19], as: UTF8.self) + "Z"
        let fraction = bytes[19..<bytes.count - 1]
        let digits = fraction.dropFirst()
        guard fraction.isEmpty || fraction.first == UInt8(ascii: ".") && !digits.isEmpty,
            digits.allSatisfy({ (0x30...0x39).contains($0) }),
            let whole = Date(wholeText: wholeText)
        else { return nil }
        let decimals = digits.isEmpty ? "0" : String(decoding: digits, as: UTF8.self)
        let seconds = Int(whole.timeIntervalSince1970) - Self.secondsToReferenceDate
        let exact =
            seconds < 0
            ? Double("0.\(decimals)").map { Double(seconds) + $0 }
            : Double("\(seconds).\(decimals)")
        guard let exact else { return nil }
        let date = Date(timeIntervalSinceReferenceDate: exact)
        self = digits.count <= 3 ? date.ofFacts : date
    }
}
