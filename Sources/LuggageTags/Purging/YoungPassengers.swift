internal import FoundationEssentials
internal import ObjectStore

/// The passengers without bags who are younger than the cutoff of a purge.
///
/// A passenger has no date. The first scan or correction with the name tells the age, or else the save
/// that put the passenger on record, if the history still has it.
struct YoungPassengers {
    private var identities: [PassengerName: ObjectID] = [:]

    /// How many saves and passengers are in memory at a time.
    private static let size = 500

    /// Finds the passengers without bags who were put on record since a moment.
    init(since cutoff: Date, in context: ManagedObjectContext) throws {
        let idle = Set(try context.fetchIDs(.withoutBags.asFaults()))
        context.reset()
        if idle.isEmpty { return }
        var young: [ObjectID] = []
        var token: HistoryToken?
        while true {
            let saves = try context.history(after: token, limit: Self.size)
            guard let last = saves.last else { break }
            for save in saves where save.date >= cutoff {
                young += save.changes.filter { $0.kind == .inserted }.map(\.id)
                    .filter(idle.contains)
            }
            token = last.token
        }
        let name = context.model.passengerName
        for page in young.pages(of: Self.size) {
            for passenger in try context.snapshots(of: Passenger.self, page) {
                identities[name(passenger)] = passenger.id
            }
        }
    }

    /// The identifiers of the passengers.
    var ids: Set<ObjectID> { Set(identities.values) }

    /// Whether there are none, so that nobody has to collect names.
    var isEmpty: Bool { identities.isEmpty }

    /// Removes passengers who are named by something older than the cutoff, and returns them.
    mutating func remove(_ names: Set<PassengerName>) -> [ObjectID] {
        names.compactMap { identities.removeValue(forKey: $0) }
    }
}
