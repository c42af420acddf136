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
        name: .customLong("weight"),
        help: ArgumentHelp("The weight with its unit.", valueName: "50lb|23kg"),
        transform: { try MassUnit.exactPounds(argument: $0) }
    )
    var exactWeight: Double?

    /// The weight in pounds, as it is kept.
    var weight: Float? { exactWeight.map { Float($0) + 0 } }

    /// Refuses what no bag has.
    ///
    /// - Throws: `TagError`.
    func check(_ bounds: TagBounds) throws {
        // What is kept is too heavy too, and is told as that, in fewer digits.
        if let exactWeight, let weight, weight <= bounds.heaviest {
            try bounds.check(exactPounds: exactWeight)
        }
    }
}
