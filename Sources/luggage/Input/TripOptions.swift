internal import ArgumentParser
internal import LuggageTags

/// Options that name a trip.
struct TripOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Only bags of this trip, in capital or small letters.",
            valueName: "LX14"
        )
    )
    var trip: String?

    @Option(help: ArgumentHelp("Only on this day of the trip.", valueName: "2026-07-01"))
    var date: String?

    func validate() throws {
        if let trip, !trip.isRouteName {
            throw ValidationError("a trip has 1 to 64 characters on one line, not blanks alone")
        }
        if date != nil && trip == nil {
            throw ValidationError("--date is the day of a trip: add --trip")
        }
        if let date, !date.isCalendarDay {
            throw ValidationError("--date is a day of the calendar, as 2026-07-01")
        }
    }

    /// The query; nil if no trip is named.
    var question: TripQuestion? { trip.map { TripQuestion($0, date: date) } }
}
