internal import FoundationEssentials
internal import ObjectStore

/// Undoes or redoes an import: one new fact for each imported fact, so that exports carry it.
struct ImportTurning {
    private let note: Correction
    private let number: Int64
    private let person: Responsibility
    private let date: Date
    private let context: ManagedObjectContext
    private let isUndo: Bool

    /// How many bags are in memory at a time.
    private static let size = 50

    /// Prepares to undo or redo an import.
    ///
    /// - Parameters:
    ///   - note: The correction that says that the file was imported.
    ///   - number: The number of the change.
    ///   - person: The person who does it, with the reason.
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

    /// Undoes the import, or redoes it if it is undone, and saves in the transaction.
    func run() throws {
        let (id, identifier) = (note.objectID, note.identifier)
        let bags = try bags(of: identifier)
        for page in Array(bags).sorted(by: { $0.key < $1.key }).pages(of: Self.size) {
            for (bag, facts) in page {
                try turn(facts, of: bag)
                // Without this save, each fetch would search all unsaved objects.
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

    /// The facts to withdraw, by the bag that they are about, or by the failure.
    private func bags(of identifier: UUID) throws -> [UUID: Set<UUID>] {
        var bags: [UUID: Set<UUID>] = [:]
        if !isUndo {
            let made = try context.fetch(
                FetchRequest(Correction.self).where(\.kind, is: .withdrawal)
                    .where(\.change, is: number)
            )
            let own = Set(made.map(\.factIdentifier))
            // Withdrawals of these withdrawals, made by an earlier redo, are not meant.
            for correction in made where !(correction.withdrawn.map(own.contains) ?? true) {
                bags[correction.identifier, default: []].insert(correction.factIdentifier)
            }
            return bags
        }
        let scans = FetchRequest(Scan.self).where(\.importedBy, is: identifier)
        try context.forEachPage(of: scans, size: RecordBatch.size) { page in
            for scan in page {
                bags[scan.bagTold ?? scan.factIdentifier, default: []].insert(scan.factIdentifier)
            }
        }
        let corrections = FetchRequest(Correction.self).where(\.importedBy, is: identifier)
        try context.forEachPage(of: corrections, size: RecordBatch.size) { page in
            for correction in page where correction.forgetting == nil {
                bags[correction.identifier, default: []].insert(correction.factIdentifier)
            }
        }
        return bags
    }

    private func turn(_ facts: Set<UUID>, of bag: UUID) throws {
        let deriving = BagDeriving(context: context)
        let (luggage, before) = try deriving.bag(bag)
        let withdrawals = try RecordedFacts(of: luggage, in: context).withdrawals
        // An import may have withdrawn its own facts, or others may have: whoever takes that back must not bring
        // back what was imported here.
        for fact in facts.sorted() where isUndo || withdrawals.stands(fact) {
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
