internal import ArgumentParser
internal import FoundationEssentials
internal import LuggageTags
internal import ObjectStore

/// Options that select bags.
struct LuggageFilters: ParsableArguments {
    @Flag(help: "Only bags that have departed, whether or not they have arrived.")
    var departed = false

    @Flag(help: "Only bags that have arrived.")
    var arrived = false

    @Flag(help: "Only bags that have departed and not arrived.")
    var missing = false

    @Flag(help: "Only bags that were last seen departing or arriving where their tags do not say.")
    var misrouted = false

    @Flag(help: "Only bags that a list expects; with --trip, on that trip.")
    var expected = false

    @Flag(help: "Only bags that no list expects; with --trip, on that trip.")
    var unexpected = false

    @Flag(help: "Only bags that a list expects where nobody has seen them yet.")
    var awaited = false

    @Flag(help: "Only bags that nobody has seen departing.")
    var undeparted = false

    @OptionGroup var trip: TripOptions

    @Option(
        help: ArgumentHelp(
            "Only bags that departed longer ago than this and have not arrived.",
            valueName: "90m|6h|2d"
        ),
        transform: { try Duration(argument: $0) }
    )
    var overdue: Duration?

    @Option(
        help: ArgumentHelp(
            "Only bags of a passenger: D/ZMU, zmu/d, or the family name alone.",
            valueName: "D/ZMU"
        ),
        transform: { try OwnerQuestion(argument: $0) }
    )
    var owner: OwnerQuestion?

    @Option(help: ArgumentHelp("Only bags that were scanned at this station.", valueName: "name"))
    var station: String?

    @Option(
        help: ArgumentHelp(
            "Only bags that were scanned at this point; with --station, by that station there.",
            valueName: PointArgument.valueName
        ),
        completion: PointArgument.completion
    )
    var point: String?

    @Option(
        help: ArgumentHelp("Only bags that weigh more than this.", valueName: "50lb|23kg"),
        transform: { try MassUnit.pounds(argument: $0) }
    )
    var heavierThan: Float?

    @OptionGroup var times: PeriodOptions

    func validate() throws {
        if expected && unexpected {
            throw ValidationError("a bag is expected or not: leave out --expected or --unexpected")
        }
        if undeparted && (departed || missing || overdue != nil) {
            throw ValidationError(
                "a bag that has departed is not undeparted: leave one of them out"
            )
        }
        if arrived && (missing || overdue != nil) {
            throw ValidationError("a bag that has arrived is not missing: leave out --arrived")
        }
    }

    /// The query, as of now.
    ///
    /// - Parameter point: The point that the options name.
    /// - Returns: The query.
    func question(at point: Point?) -> LuggageQuestion {
        var question = LuggageQuestion()
        question.hasDeparted = departed
        question.hasArrived = arrived
        question.isMissing = missing || overdue != nil
        question.isMisrouted = misrouted
        question.trip = trip.question
        question.isExpected = expected ? true : unexpected ? false : nil
        question.isAwaited = awaited
        question.hasNotDeparted = undeparted
        question.departedBefore = overdue.map { Date() - $0.seconds }
        question.owner = owner
        question.station = station
        question.point = point
        question.heavierThan = heavierThan
        question.period = times.period
        return question
    }

    /// Refuses an owner or a station that is not on record: a typing error must not look like an answer.
    ///
    /// - Throws: ``Failure``, which proposes what was meant.
    func check(in context: ManagedObjectContext) throws {
        if let owner { try owner.check(in: context) }
        if let station { try RecordNames.check(station: station, in: context) }
    }
}
