internal import FoundationEssentials
internal import ObjectStore

extension ChangedFact {
    /// The last facts that a person undid and nobody has redone, the last one first.
    ///
    /// Those whose identifiers older versions of the program did not note are left out.
    static func last(
        _ limit: Int,
        takenBackBy author: String,
        in context: ManagedObjectContext
    ) throws -> [Self] {
        let withdrawals = FetchRequest(Correction.self).where(\.author, is: author)
            .where(\.kind, isOneOf: [.undo, .undoImport]).where(\.withdrawn, isMissing: false)
            .sorted(by: \.knownAt, .descending)
        var found: [Self] = []
        var done = 0
        while true {
            let page = try context.fetch(withdrawals.skipping(done).limited(to: 100))
            for withdrawal in page {
                guard let fact = try Self(takenBackBy: withdrawal, in: context) else { continue }
                found.append(fact)
                if found.count == limit { return found }
            }
            done += page.count
            if page.count < 100 { return found }
        }
    }

    /// The fact that a withdrawal keeps from counting; nil if another withdrawal does so now, or none.
    private init?(takenBackBy withdrawal: Correction, in context: ManagedObjectContext) throws {
        guard let number = withdrawal.change, let withdrawn = withdrawal.withdrawn,
            try context.withdrawal(of: withdrawn) == withdrawal
        else { return nil }
        do {
            self = try Self.find(number, in: context)
        } catch is CorrectionError {
            // It was purged.
            return nil
        }
        guard isUndone, identifier == withdrawn else { return nil }
    }
}

extension ManagedObjectContext {
    /// The last withdrawal of a fact, whether it is in force or not.
    func withdrawal(of fact: UUID) throws -> Correction? {
        let withdrawals = FetchRequest(Correction.self).where(\.withdrawn, is: fact)
            .where(\.kind, isOneOf: [.undo, .undoImport]).sorted(by: \.knownAt, .descending)
        return try fetch(withdrawals.limited(to: 1)).first
    }
}
