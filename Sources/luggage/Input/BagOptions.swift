internal import ArgumentParser
internal import LuggageTags

/// What the user says about a bag.
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

    /// The weight in pounds, as the record keeps it.
    var weight: Float? { exactWeight.map { Float($0) + 0 } }

    /// Refuses a weight that no bag has.
    ///
    /// - Throws: `TagError`.
    func check(_ bounds: TagBounds) throws {
        // If the rounded weight is too heavy too, a later check reports it, in fewer digits.
        if let exactWeight, let weight, weight <= bounds.heaviest {
            try bounds.check(exactPounds: exactWeight)
        }
    }
}
