internal import Foundation
internal import ObjectStore

/// What scans and people say together about a bag's weight and owner.
///
/// Of scans, the last by their own order has the word. What somebody has corrected stands against them:
/// a tag that was printed wrong says the same wrong thing wherever the bag is scanned. What was taken
/// back says nothing.
struct LastWords {
    /// Whose a bag is said to be.
    enum Owner: Hashable {
        case nobody
        case passenger(PassengerName)
    }

    /// The weight in pounds, where anybody has told one.
    private(set) var weight: Float?
    /// The owner, where anybody has said something about that.
    private(set) var owner: Owner?

    /// Asks those of a bag.
    ///
    /// - Parameters:
    ///   - luggage: The bag.
    ///   - statement: What a scan says that is not on record yet.
    ///   - context: The context of the bag, without changes.
    /// - Throws: `StoreError`.
    init(
        of luggage: Luggage,
        and statement: TagStatement? = nil,
        in context: ManagedObjectContext
    ) throws {
        let scans = try context.fetch(
            FetchRequest(Scan.self).where(\.luggage, is: luggage).where(\.undoneAt, isMissing: true)
        )
        let statements = scans.map(TagStatement.init) + (statement.map { [$0] } ?? [])
        let (weight, owner) = TagStatement.lastWords(of: statements)
        self.weight = weight
        self.owner = owner.map(Owner.passenger)
        let corrections = try context.fetch(
            FetchRequest(Correction.self)
                .where(\.luggage, is: luggage)
                .where(\.undoneAt, isMissing: true)
                .where(\.kind, is: .edit)
                .sorted(by: \.madeAt)
        )
        for correction in corrections { hear(correction) }
    }

    private mutating func hear(_ correction: Correction) {
        weight = correction.weight ?? weight
        if correction.hasNoOwner { owner = .nobody }
        if let name = correction.owner { owner = .passenger(name) }
    }
}
