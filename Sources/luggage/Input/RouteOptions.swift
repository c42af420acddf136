internal import ArgumentParser
internal import LuggageTags

/// Options with what a tag says about the way of its bag.
struct RouteOptions: ParsableArguments {
    @Option(help: ArgumentHelp("The place where the bag departs.", valueName: "ZRH"))
    var from: String?

    @Option(help: ArgumentHelp("The place where the bag is to arrive.", valueName: "JFK"))
    var to: String?

    @Option(help: ArgumentHelp("The name of the trip.", valueName: "LX14"))
    var trip: String?

    @Option(help: ArgumentHelp("The day of the trip.", valueName: "2026-07-01"))
    var date: String?

    func validate() throws {
        for name in [from, to, trip].compactMap(\.self) where !name.isRouteName {
            throw ValidationError(
                "a place or a trip has 1 to 64 characters on one line, not blanks alone"
            )
        }
        if let date, !date.isCalendarDay {
            throw ValidationError("--date is a day of the calendar, as 2026-07-01")
        }
    }

    /// The route; nil if nothing of it is known.
    var route: Route? { Route(from: from, to: to, trip: trip, date: date) }
}
