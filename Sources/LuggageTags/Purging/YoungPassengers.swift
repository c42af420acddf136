internal import Foundation
internal import ObjectStore

/// The passengers without bags who are younger than what is taken away.
///
/// A passenger has no date: one is as old as the first scan or correction that has the name, or else as
/// the save that put it on record, as far as the history tells.
struct YoungPassengers {
    private var identities: [PassengerName: ObjectID] = [:]

    /// How many saves and passengers are in memory at a time.
    private static let size = 500

    /// Finds those who were put on record since a moment, and have no bag.
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
        let givenName = context.model.property(\Passenger.givenName)
        let familyName = context.model.property(\Passenger.familyName)
        for page in young.pages(of: Self.size) {
            for passenger in try context.snapshots(of: Passenger.self, page) {
                let name = PassengerName(
                    givenName: passenger[givenName],
                    familyName: passenger[familyName]
                )
                identities[name] = passenger.id
            }
        }
    }

    /// Who they are.
    var ids: Set<ObjectID> { Set(identities.values) }

    /// Whether there are none, so that it does not matter who is named.
    var isEmpty: Bool { identities.isEmpty }

    /// Takes note that passengers are named by something that is as old as what is taken away.
    ///
    /// - Parameter names: Whoever is named.
    /// - Returns: Those who were thought young.
    mutating func remove(_ names: Set<PassengerName>) -> [ObjectID] {
        names.compactMap { identities.removeValue(forKey: $0) }
    }
}

extension FetchRequest<Passenger> {
    /// Those who have no bags.
    static var withoutBags: Self { Self(predicate: #Predicate { $0.luggage.isEmpty }) }
}
