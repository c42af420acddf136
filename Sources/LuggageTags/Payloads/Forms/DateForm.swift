internal import FoundationEssentials
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

/// A moment, given in any form; in a list also as people write it.
struct Moment: Form {
    static let expectation = "a date"

    let date: Date

    init(_ date: Date) {
        self.date = date
    }

    /// Reads a text that tells a time in UTC; nil if it does not.
    init?(text: String) {
        guard let date = Date(exactText: text) else { return nil }
        self.date = date
    }

    /// A text that gives the very same time again: ISO 8601, or else the seconds since 1970.
    var text: String { date.exactText ?? "\(date.timeIntervalSince1970)" }

    init(from decoder: any Decoder) throws {
        // The text comes first, because each form that fails takes long.
        if let text = try decoder.attempt({ try String(from: decoder) }) {
            if let date = Date(exactText: text) {
                self.date = date
                return
            }
            let written = decoder.isOfList ? WrittenMoment(text) : nil
            if let doubt = written?.doubt {
                throw Refusal(.notDecodable, doubt).error(at: decoder.codingPath)
            }
            guard let date = written?.candidates.first else {
                let local = decoder.isOfList ? ", or \"2026-07-01 10:00\" in local time" : ""
                throw Refusal.expected(
                    "a time in UTC like \"2026-07-01T08:00:00Z\"" + local,
                    found: "the text \(text.quoted)"
                ).error(at: decoder.codingPath)
            }
            self.date = date
        } else if let seconds = try decoder.attempt({ try Double(from: decoder) }) {
            guard Date.range ~= seconds else {
                throw Self.beyondCalendars("the number \(seconds)").error(at: decoder.codingPath)
            }
            date = Date(timeIntervalSince1970: seconds)
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

    /// The seconds from 1970 to 2001, which is the reference date of `Date`.
    private static let secondsToReferenceDate = 978_307_200

    /// Whether it is exact in every format with dates: XML has whole seconds and four-digit years.
    fileprivate var isNative: Bool {
        let seconds = timeIntervalSinceReferenceDate
        return seconds.rounded() == seconds && Self.nativeRange ~= timeIntervalSince1970
    }

    /// The whole seconds of a time as ISO 8601, in the present calendar even for early years.
    private static func wholeText(_ whole: Date) -> String {
        let seconds = Int(whole.timeIntervalSince1970)
        let day = CalendarDay(number: (seconds - (seconds < 0 ? 86_399 : 0)) / 86_400)
        let second = seconds - day.number * 86_400
        let time = [second / 3600, second / 60 % 60, second % 60].map { $0.digits(2) }
        return "\(day)T\(time.joined(separator: ":"))Z"
    }

    /// The time that ``wholeText(_:)`` has written as a text; nil if there is no such time.
    private init?(wholeText text: some Collection<UInt8>) {
        let pattern = "dddd-dd-ddTdd:dd:ddZ".utf8
        guard text.count == pattern.count else { return nil }
        var numbers = [0]
        for (byte, expected) in zip(text, pattern) {
            if expected != UInt8(ascii: "d") {
                guard byte == expected else { return nil }
                numbers.append(0)
            } else {
                guard DecimalNumber.isDigit(byte) else { return nil }
                numbers[numbers.count - 1] = numbers[numbers.count - 1] * 10 + Int(byte - 0x30)
            }
        }
        guard numbers[0] > 0,
            let day = CalendarDay(year: numbers[0], month: numbers[1], day: numbers[2]),
            numbers[3] < 24, numbers[4] < 60, numbers[5] < 60
        else { return nil }
        let second = (numbers[3] * 60 + numbers[4]) * 60 + numbers[5]
        self.init(timeIntervalSince1970: Double(day.number * 86_400 + second))
    }

    /// An ISO 8601 text that gives the very same time again; nil if there is none.
    fileprivate var exactText: String? {
        guard Self.range ~= timeIntervalSince1970 else { return nil }
        let seconds = timeIntervalSinceReferenceDate
        let whole = seconds.rounded(.down)
        let text = Self.wholeText(Date(timeIntervalSinceReferenceDate: whole))
        if seconds == whole { return text }
        if self == ofFacts {
            // Up to three decimals are read as the rounded time.
            var digits = Int(((seconds - whole) * 1000).rounded()).digits(3)
            while digits.hasSuffix("0") { digits.removeLast() }
            return "\(text.dropLast()).\(digits)Z"
        }
        // Before 2001 the decimals of the number count backwards; this difference is exact.
        let digits = "\(seconds < 0 ? seconds - whole : seconds)".split(separator: ".")
        // A number below a ten-thousandth has an exponent; it gets no text.
        guard digits.count == 2, let fraction = digits.last, fraction.allSatisfy(\.isNumber) else {
            return nil
        }
        return "\(text.dropLast()).\(fraction)Z"
    }

    fileprivate init?(exactText text: String) {
        let bytes = Array(text.utf8)
        // At most 22 decimals: 17 significant digits after zeros.
        guard (20...44).contains(bytes.count), bytes.last == UInt8(ascii: "Z") else { return nil }
        let fraction = bytes[19..<bytes.count - 1]
        let digits = fraction.dropFirst()
        guard fraction.isEmpty || fraction.first == UInt8(ascii: ".") && !digits.isEmpty,
            digits.allSatisfy(DecimalNumber.isDigit),
            let whole = Date(wholeText: bytes[..<19] + bytes.suffix(1))
        else { return nil }
        if digits.count <= 3 {
            let thousandths = digits.reduce(0) { $0 * 10 + Int($1 - 0x30) }
            let unit = [1.0, 10, 100, 1000][digits.count]
            self = (whole + Double(thousandths) / unit).ofFacts
            return
        }
        let decimals = String(decoding: digits, as: UTF8.self)
        let seconds = Int(whole.timeIntervalSince1970) - Self.secondsToReferenceDate
        let exact =
            seconds < 0
            ? Double("0.\(decimals)").map { Double(seconds) + $0 }
            : Double("\(seconds).\(decimals)")
        guard let exact else { return nil }
        self.init(timeIntervalSinceReferenceDate: exact)
    }
}
