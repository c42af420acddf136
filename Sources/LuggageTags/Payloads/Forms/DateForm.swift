internal import Foundation
internal import SystemSupport

/// How departure and arrival are written.
public enum DateForm: CaseIterable, Hashable, Sendable {
    /// An ISO 8601 text in UTC, with all digits of the time.
    case text
    /// The number of seconds since 1970 if that is exact, otherwise a text.
    ///
    /// `Date` counts from 2001, and so distinguishes more moments than this number.
    case seconds
    /// The format's own dates if they are exact, otherwise a text.
    ///
    /// JSON has no dates, and property lists have dates of whole seconds.
    case native
}

/// A moment, given in any form.
struct Moment: Form {
    static let expectation = "a date"

    let date: Date

    init(_ date: Date) {
        self.date = date
    }

    /// A text that gives the very same time again: ISO 8601, or else the seconds since 1970.
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

    /// The error for a time that has no four-digit year, and so belongs to no bag.
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
    /// The key with which the encoder of a format tells that the format has its own dates.
    static let hasNativeDates = key("LuggageTags.hasNativeDates")
}

extension Date {
    /// The years 1 to 9999 in seconds since 1970, because a year has four digits.
    fileprivate static let range = -62_135_596_800.0..<253_402_300_800

    /// The years 1583 to 9999 in seconds since 1970.
    ///
    /// For earlier years Foundation uses the Julian calendar, which other readers do not expect.
    private static let nativeRange = -12_212_553_600.0..<253_402_300_800

    /// A number of years after which the calendar repeats, and that leads from year 1 beyond 1583.
    private static let periodInYears = 1600
    private static let periodInSeconds = 4 * 146_097 * 86_400.0

    /// The seconds from 1970 to 2001, which is the reference date of `Date`.
    private static let secondsToReferenceDate = 978_307_200

    /// Whether it is exact in every format with dates: XML has whole seconds and four-digit years.
    fileprivate var isNative: Bool {
        let seconds = timeIntervalSinceReferenceDate
        return seconds.rounded() == seconds && Self.nativeRange ~= timeIntervalSince1970
    }

    /// The whole seconds of a time as ISO 8601, in the present calendar even for early years.
    private static func wholeText(_ whole: Date) -> String {
        if nativeRange ~= whole.timeIntervalSince1970 { return whole.formatted(.iso8601) }
        let later = (whole + periodInSeconds).formatted(.iso8601)
        let year = (Int(later.prefix(4)) ?? 0) - periodInYears
        return String(format: "%04d", year) + later.dropFirst(4)
    }

    /// The time that ``wholeText(_:)`` has written as a text; nil if there is no such time.
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
        // Foundation turns a day that does not exist into another day.
        guard Self.range ~= date.timeIntervalSince1970, Self.wholeText(date) == text else {
            return nil
        }
        self = date
    }

    /// An ISO 8601 text that gives the very same time again; nil if there is none.
    fileprivate var exactText: String? {
        guard Self.range ~= timeIntervalSince1970 else { return nil }
        let seconds = timeIntervalSinceReferenceDate
        let whole = seconds.rounded(.down)
        // Before 2001 the decimals of the number count backwards; this difference is exact.
        let digits = "\(seconds < 0 ? seconds - whole : seconds)".split(separator: ".")
        // A number below a ten-thousandth has an exponent; it gets no text.
        guard digits.count == 2, let fraction = digits.last, fraction.allSatisfy(\.isNumber) else {
            return nil
        }
        let text = Self.wholeText(Date(timeIntervalSinceReferenceDate: whole))
        if fraction != "0", self == ofFacts {
            // Up to three decimals are read as the rounded time.
            var digits = String(format: "%03d", Int(((seconds - whole) * 1000).rounded()))
            while digits.hasSuffix("0") { digits.removeLast() }
            return "\(text.dropLast()).\(digits)Z"
        }
        return fraction == "0" ? text : "\(text.dropLast()).\(fraction)Z"
    }

    fileprivate init?(exactText text: String) {
        let bytes = Array(text.utf8)
        // At most 22 decimals: 17 significant digits after zeros.
        guard (20...44).contains(bytes.count), bytes.last == UInt8(ascii: "Z") else { return nil }
        let wholeText = String(decoding: bytes[..<19], as: UTF8.self) + "Z"
        let fraction = bytes[19..<bytes.count - 1]
        let digits = fraction.dropFirst()
        guard fraction.isEmpty || fraction.first == UInt8(ascii: ".") && !digits.isEmpty,
            digits.allSatisfy(DecimalNumber.isDigit),
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
