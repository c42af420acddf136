internal import ArgumentParser
internal import LuggageTags

/// What somebody says about a bag.
struct BagOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp("Initial and family name as on tags.", valueName: "D/ZMU"),
        transform: { try PassengerName(argument: $0) }
    )
    var owner: PassengerName?

    @Option(
        help: ArgumentHelp("The weight with its unit.", valueName: "50lb|23kg"),
        transform: { try MassUnit.pounds(argument: $0) }
    )
    var weight: Float?
}
