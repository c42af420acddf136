internal import ObjectStore

/// The passengers that were read or made while bags are derived, so that each is looked up once.
final class PassengersMet {
    private var known: [PassengerName: Passenger] = [:]
    /// The names that were looked up together, with or without success.
    private var names: Set<PassengerName> = []

    /// Begins with none.
    init() {}

    /// Reads the passengers with some names.
    init(_ names: Set<PassengerName>, in context: ManagedObjectContext) throws {
        self.names = names
        let families = Set(names.map(\.familyName))
        for passenger in try context.fetch(
            FetchRequest(Passenger.self).where(\.familyName, isOneOf: families)
        ) where passenger.hasKeptSpelling {
            known[passenger.name] = passenger
        }
    }

    /// The passenger with a name, on record or new.
    func passenger(
        _ name: PassengerName,
        in context: ManagedObjectContext
    ) throws -> Passenger {
        if let passenger = known[name], !passenger.isDeleted { return passenger }
        let isUnknown = names.contains(name) && known[name] == nil
        let passenger =
            try (isUnknown ? nil : context.passenger(name)) ?? Passenger(name, context: context)
        known[name] = passenger
        return passenger
    }
}
