internal import ArgumentParser
internal import FoundationEssentials
internal import LuggageService
internal import LuggageTags
internal import SystemSupport

// How moments, days and lengths of time are written on the command line.

/// A moment or a day, as people write it.
struct TimeArgument: Sendable {
    /// Its first moment; if the local clocks showed the time twice, the first one.
    let beginning: Date
    /// The first moment after a day, or the moment itself; if it was shown twice, the second one.
    let end: Date

    /// Parses an argument.
    ///
    /// - Throws: `ValidationError`.
    init(_ text: String, now: Date = Date()) throws {
        if let moment = WrittenMoment(text) {
            guard let first = moment.candidates.first, let last = moment.candidates.last else {
                throw ValidationError(moment.doubt ?? "")
            }
            (beginning, end) = (first, last)
        } else if let age = Duration(age: text) {
            (beginning, end) = (now - age.seconds, now - age.seconds)
        } else if let day = Self.day(text, now) {
            (beginning, end) = (day.start, day.end)
        } else {
            throw ValidationError(
                "'\(text.onOneLine)' is not a time; write 2026-11-21 08:00 in local time, "
                    + "2026-11-21T08:00:00Z, 2026-11-21, today, yesterday, or how long ago: 90m, 6h, 2d"
            )
        }
        if beginning < Self.earliest {
            throw ValidationError("'\(text.onOneLine)' is before 1900; nothing here is so old")
        }
    }

    /// The beginning of 1900; an earlier time is a typing error.
    private static let earliest = Date(timeIntervalSince1970: -2_208_988_800)

    /// A day on the local clocks, from its beginning to that of the next day.
    private static func day(_ text: String, _ now: Date) -> DateInterval? {
        let midnight: Date
        switch text {
        case "today": midnight = LocalClock.day(at: now)
        case "yesterday": midnight = LocalClock.day(at: now) - 86400
        default:
            let pattern = /(\d{4})-(\d\d)-(\d\d)/.asciiOnlyDigits()
            guard let match = text.wholeMatch(of: pattern) else { return nil }
            let components = DateComponents(
                calendar: Calendar(identifier: .gregorian),
                timeZone: .gmt,
                year: Int(match.1),
                month: Int(match.2),
                day: Int(match.3)
            )
            guard components.isValidDate, let date = components.date else { return nil }
            midnight = date
        }
        return DateInterval(
            start: LocalClock.beginning(ofDay: midnight),
            end: LocalClock.beginning(ofDay: midnight + 86400)
        )
    }
}

extension Duration {
    /// The duration in seconds.
    var seconds: Double { self / .seconds(1) }

    /// Parses a duration such as `90m`, `6h` or `2d`.
    ///
    /// - Throws: `ValidationError`.
    init(argument: String) throws {
        guard let duration = Duration(age: argument) else {
            throw ValidationError(
                "'\(argument.onOneLine)' is not a length of time; write 90m, 6h or 2d"
            )
        }
        self = duration
    }

    /// Parses a duration as in settings, such as `6h`, and also weeks and years: `12w`, `1y`.
    fileprivate init?(age text: String) {
        if let duration = Duration(settingText: text) {
            self = duration
            return
        }
        let days = ["w": 7, "y": 365]
        guard let factor = text.last.flatMap({ days[String($0)] }),
            let number = Duration(settingText: text.dropLast() + "d")
        else { return nil }
        self = number * factor
    }
}
