internal import Foundation
internal import ObjectStore

/// What was on record about a bag before a scan was merged with it.
struct RecordedLuggage {
    private let weight: Float
    private let owner: ObjectID?
    private let lastSeen: Date?

    init(_ snapshot: Snapshot, _ model: ManagedObjectModel) {
        weight = model.value(\Luggage.weight, in: snapshot) ?? .absent
        owner = model.target(\Luggage.owner, in: snapshot)
        lastSeen = [
            model.value(\Luggage.departedAt, in: snapshot) ?? nil,
            model.value(\Luggage.arrivedAt, in: snapshot) ?? nil,
        ].compactMap(\.self).max()
    }

    /// Whether the bag, merged with its tag, has another weight, or another owner than one that was
    /// known.
    func isContradicted(by luggage: Luggage) -> Bool {
        weight != luggage.weight || hasOtherOwner(luggage)
    }

    private func hasOtherOwner(_ luggage: Luggage) -> Bool {
        owner != nil && owner != luggage.owner?.objectID
    }

    /// Whether a later scan than one of this date is on record.
    func isNewer(than date: Date) -> Bool {
        lastSeen.map { $0 > date } ?? false
    }

    /// Gives the bag its recorded weight and owner back.
    func restore(to luggage: Luggage, in context: ManagedObjectContext) throws {
        luggage.weight = weight
        if let owner {
            luggage.owner = try context.existingObject(Passenger.self, id: owner)
        }
    }
}
