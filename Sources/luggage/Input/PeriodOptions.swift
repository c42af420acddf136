internal import ArgumentParser
internal import LuggageTags

/// Options that select a period of time.
struct PeriodOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Nothing before this time.",
            discussion: """
                A moment as lists show it, 2026-11-21 08:00, or as ISO 8601, a day such as 2026-11-21, \
                today, yesterday, or how long ago: 6h.
                """,
            valueName: "time"
        ),
        transform: { try TimeArgument($0) }
    )
    var since: TimeArgument?

    @Option(
        help: ArgumentHelp("Nothing from this time on; a day is included.", valueName: "time"),
        transform: { try TimeArgument($0) }
    )
    var until: TimeArgument?

    /// The period, as of now.
    var period: Period { Period(since: since?.beginning, until: until?.end) }

    func validate() throws {
        if let since = period.since, let until = period.until, since >= until {
            throw ValidationError("--since is not before --until: there is no time between them")
        }
    }
}
