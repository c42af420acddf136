internal import Foundation
package import ObjectStore

/// A save that can be checked afterwards: it adds a passenger with three bags and counts up.
package enum SavedRound {
    /// Saves once and gives the number of saves so far.
    package static func save(in container: PersistentContainer) throws -> Int {
        try save(container.makeContext())
    }

    /// Saves once while other processes may do the same; none counts a save of another again.
    package static func saveAmongOthers(in container: PersistentContainer) throws -> Int {
        try container.transaction { try save($0) }
    }

    private static func save(_ context: ManagedObjectContext) throws -> Int {
        let counter = try context.first(FetchRequest(Counter.self)) ?? Counter(context: context)
        counter.name = "saves"
        counter.value += 1
        let owner = Passenger(context, "P", String(counter.value, radix: 36))
        for bag in 0..<3 {
            let luggage = Luggage(context, "\(counter.value)-\(bag)", weight: 1)
            // Of the size of a page of the file and more, so that a save takes many writes.
            luggage.note = String(repeating: "n", count: 6000)
            luggage.owner = owner
        }
        try context.save()
        return counter.value
    }

    /// The number of saves of which a store keeps everything, or nil where it keeps half of one.
    package static func count(in container: PersistentContainer) throws -> Int? {
        try container.read { context in
            let saves = try context.first(FetchRequest(Counter.self))?.value ?? 0
            let bags = FetchRequest(Luggage.self, predicate: #Predicate { $0.owner != nil })
            guard try context.count(FetchRequest(Passenger.self)) == saves,
                try context.count(FetchRequest(Luggage.self)) == 3 * saves,
                try context.count(bags) == 3 * saves,
                try context.fetch(FetchRequest(Luggage.self)).allSatisfy({ $0.note?.count == 6000 })
            else { return nil }
            return saves
        }
    }
}
