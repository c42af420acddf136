internal import Foundation
internal import ObjectStore

/// Takes back what an import has brought, or brings it back: each fact by one of its own, so that other
/// records hear of it.
struct ImportTurning {
    private let note: Correction
    private let number: Int64
    private let person: Responsibility
    private let date: Date
    private let context: ManagedObjectContext
    private let isUndo: Bool

    /// How many bags are in memory at a time.
    private static let size = 50

    /// Prepares to turn an import.
    ///
    /// - Parameters:
    ///   - note: What says that the file was imported.
    ///   - number: The number of the change.
    ///   - person: Who does it, and why.
    ///   - date: The present moment.
    ///   - context: The context of a transaction.
    init(
        _ note: Correction,
        _ number: Int64,
        by person: Responsibility,
        at date: Date,
        in context: ManagedObjectContext
    ) {
        self.note = note
        self.number = number
        self.person = person
        self.date = date
        self.context = context
        isUndo = note.undoneAt == nil
    }

    /// Turns it; what is changed is saved in the transaction.
    ///
    /// - Throws: `StoreError`.
    func run() throws {
        let (id, identifier) = (note.objectID, note.identifier)
        let bags = try bags(of: identifier)
        for page in Array(bags).sorted(by: { $0.key < $1.key }).pages(of: Self.size) {
            for (bag, facts) in page {
                try turn(facts, of: bag)
                // What is not saved has to be looked through at each question.
                try context.save()
            }
            context.reset()
        }
        guard let note = try context.existingObject(Correction.self, id: id) else { return }
        note.undoneAt = isUndo ? date.ofFacts : nil
        let made = try Correction(
            isUndo ? .undoImport : .redoImport,
            identifier,
            person,
            at: date,
            in: context
        )
        made.change = number
        if isUndo { made.withdrawn = identifier }
    }

    /// What is to be named, by the bag that it is about, or the failure that it is.
    private func bags(of identifier: UUID) throws -> [UUID: Set<UUID>] {
        var bags: [UUID: Set<UUID>] = [:]
        if !isUndo {
            let made = try context.fetch(
                FetchRequest(Correction.self).where(\.kind, is: .withdrawal)
                    .where(\.change, is: number)
            )
            let own = Set(made.map(\.factIdentifier))
            // What has brought it back before is none of them.
            for correction in made where !(correction.withdrawn.map(own.contains) ?? true) {
                bags[correction.identifier, default: []].insert(correction.factIdentifier)
            }
            return bags
        }
        try look(at: FetchRequest(Scan.self).where(\.importedBy, is: identifier)) { scan in
            bags[scan.bagTold ?? scan.factIdentifier, default: []].insert(scan.factIdentifier)
        }
        let corrections = FetchRequest(Correction.self).where(\.importedBy, is: identifier)
        try look(at: corrections) { correction in
            if correction.forgetting != nil { return }
            bags[correction.identifier, default: []].insert(correction.factIdentifier)
        }
        return bags
    }

    /// Looks at what may be the whole record, a part of it at a time.
    private func look<Object: ManagedObject>(
        at request: FetchRequest<Object>,
        _ body: (Object) -> Void
    ) throws {
        for page in try context.fetchIDs(request.asFaults()).pages(of: RecordBatch.size) {
            try context.fetch(FetchRequest(Object.self).whereObject(isOneOf: page)).forEach(body)
            context.reset()
        }
    }

    private func turn(_ facts: Set<UUID>, of bag: UUID) throws {
        let deriving = BagDeriving(context: context)
        let (luggage, before) = try deriving.bag(bag)
        let withdrawals = try RecordedFacts(of: luggage, in: context).withdrawals
        for fact in facts.sorted() where withdrawals.stands(fact) {
            let made = try Correction(.withdrawal, bag, person, at: date, in: context)
            made.luggage = luggage
            made.change = number
            made.withdrawn = fact
        }
        try deriving.derive(luggage, before)
        let failures = FetchRequest(Scan.self).where(\.identifier, is: bag)
        try deriving.mark(failures: context.fetch(failures).filter { !$0.outcome.isFiled })
    }
}
