internal import Foundation
internal import ObjectStore

/// Tells what a scan has done to a bag, and gives the bag what is said about it.
struct BagSettling {
    let context: ManagedObjectContext

    /// What a scan has done to a bag that was on record, and whether the bag has another owner or
    /// weight now than before, be it only by rounding.
    func comparison(
        of before: Snapshot,
        with luggage: Luggage
    ) -> (outcome: Outcome, differs: Bool) {
        let weight = context.model.value(\Luggage.weight, in: before) ?? luggage.weight
        let owner = context.model.target(\Luggage.owner, in: before)
        let hasOtherOwner = owner != luggage.owner?.objectID
        let differs = weight != luggage.weight || hasOtherOwner
        let isContradiction = owner != nil && hasOtherOwner
        if isContradiction || !Weight.isSame(weight, luggage.weight) { return (.changed, differs) }
        let times: [KeyPath<Luggage, Date?>] = [\.departedAt, \.arrivedAt]
        let hasNewTime = times.contains { time in
            context.model.value(time, in: before) != .some(luggage[keyPath: time])
        }
        return (hasNewTime || hasOtherOwner ? .updated : .repeated, differs)
    }

    /// Gives the bag what its scans and corrections say together, the scan that is being filed
    /// included.
    func settle(_ luggage: Luggage, and statement: TagStatement?) throws {
        let words = try LastWords(of: luggage, and: statement, in: context)
        if let weight = words.weight { luggage.weight = weight }
        switch words.owner {
        case .passenger(let name): luggage.owner = Passenger(name, context: context)
        case .nobody: luggage.owner = nil
        case nil: break
        }
        try context.save()
    }
}
