internal import ArgumentParser
internal import Foundation
internal import LuggageService
internal import LuggageTags

/// Between which times, for commands that look at the record.
struct PeriodOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Nothing before this time.",
            discussion: """
                A moment as ISO 8601, a day such as 2026-11-21, today, yesterday, or how long ago: 6h.
                """,
            valueName: "time"
        ),
        transform: { try TimeArgument($0) }
    )
    var since: TimeArgument?

    @Option(
        help: ArgumentHelp("Nothing from this time on; a day is counted in.", valueName: "time"),
        transform: { try TimeArgument($0) }
    )
    var until: TimeArgument?

    /// The period, as seen now.
    var period: Period { Period(since: since?.beginning, until: until?.end) }

    func validate() throws {
        if let since = period.since, let until = period.until, since >= until {
            throw ValidationError("--since is not before --until: there is no time between them")
        }
    }
}

/// A moment or a day, as people name it.
struct TimeArgument: Sendable {
    /// Its first moment.
    let beginning: Date
    /// The first moment after it; of a moment, itself.
    let end: Date

    /// Understands what was given.
    ///
    /// - Throws: `ValidationError`.
    init(_ text: String, now: Date = Date()) throws {
        if let date = Date(strictly: text) {
            (beginning, end) = (date, date)
        } else if let duration = Duration(settingText: text) {
            let date = now - duration.seconds
            (beginning, end) = (date, date)
        } else if let day = Self.day(text, now) {
            (beginning, end) = (day.start, day.end)
        } else {
            throw ValidationError(
                "'\(text.onOneLine)' is no time; write 2026-11-21T08:00:00Z, 2026-11-21, today, "
                    + "yesterday, or how long ago: 90m, 6h, 2d"
            )
        }
    }

    /// A day in the local zone, from its beginning to that of the next.
    private static func day(_ text: String, _ now: Date) -> DateInterval? {
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = .current
        switch text {
        case "today": return calendar.dateInterval(of: .day, for: now)
        case "yesterday":
            return calendar.date(byAdding: .day, value: -1, to: now)
                .flatMap { calendar.dateInterval(of: .day, for: $0) }
        default:
            guard let match = text.wholeMatch(of: /(\d{4})-(\d\d)-(\d\d)/) else { return nil }
            let components = DateComponents(
                calendar: calendar,
                timeZone: calendar.timeZone,
                year: Int(match.1),
                month: Int(match.2),
                day: Int(match.3),
                hour: 12
            )
            guard components.isValidDate, let noon = components.date else { return nil }
            // Not every day begins at midnight.
            return calendar.dateInterval(of: .day, for: noon)
        }
    }
}

extension Duration {
    /// The duration in seconds.
    var seconds: Double { self / .seconds(1) }

    /// Takes a length of time such as `90m`, `6h` or `2d`.
    ///
    /// - Throws: `ValidationError`.
    init(argument: String) throws {
        guard let duration = Duration(settingText: argument) else {
            throw ValidationError(
                "'\(argument.onOneLine)' is no length of time; write 90m, 6h or 2d"
            )
        }
        self = duration
    }
}
