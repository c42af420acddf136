public import FoundationEssentials
public import ObjectStore

/// Undoes and redoes changes of the record, no matter which process made them.
///
/// Undoing and redoing each add a fact and erase nothing. An undone fact stays on record, with a mark,
/// and no longer affects its bag, whose state is derived from the facts that count. So any change can be
/// undone, whatever came later.
public struct ChangeUndoing: Sendable {
    let container: PersistentContainer
    let now: @Sendable () -> Date

    /// Prepares to undo changes.
    ///
    /// - Parameters:
    ///   - container: The record, with the model of ``LuggageModel``.
    ///   - now: Gives the present moment.
    public init(
        container: PersistentContainer,
        now: @escaping @Sendable () -> Date = { Date() }
    ) {
        self.container = container
        self.now = now
    }

    /// The last changes that count, or that are undone.
    ///
    /// - Parameters:
    ///   - isUndone: Whether to return the undone ones.
    ///   - limit: The greatest number of changes.
    ///   - author: The person who made or undid them; nil for everybody, including services.
    ///   - subject: The bag that they are about, or the alarm if that is about no bag; nil for any.
    /// - Returns: The changes, the last one first; for undone ones, the one that was undone last first.
    ///   The details of each are what undoing or redoing it would change.
    /// - Throws: `StoreError`.
    public func changes(
        areUndone isUndone: Bool = false,
        limit: Int,
        of author: String? = nil,
        about subject: UUID? = nil
    ) throws -> [RecordChange] {
        try container.read { context in
            try ChangedFact.last(
                limit,
                areUndone: isUndone,
                of: author,
                about: subject,
                in: context
            ).map { try tried($0, in: context) }
        }
    }

    /// The change that an undo or redo would turn, with its effect on its bag.
    ///
    /// - Parameters:
    ///   - number: The number of the change; nil for the last one of the author.
    ///   - isUndone: Whether to redo it.
    ///   - author: The person who asks.
    /// - Returns: The change.
    /// - Throws: The same errors as ``undo(_:by:)``.
    public func change(
        _ number: Int64? = nil,
        isUndone: Bool = false,
        of author: String
    ) throws -> RecordChange {
        try container.read { context in
            try tried(fact(number, isUndone: isUndone, of: author, in: context), in: context)
        }
    }

    /// Tries a change out to find its effect, and rolls it back.
    private func tried(
        _ fact: ChangedFact,
        in context: ManagedObjectContext
    ) throws -> RecordChange {
        defer { context.rollback() }
        return try fact.turned(by: nil, at: now(), in: context)
    }

    /// Undoes a change.
    ///
    /// - Parameters:
    ///   - number: The number of the change; nil for this person's last one that counts.
    ///   - person: The person who undoes it, with the reason.
    /// - Returns: The undone change.
    /// - Throws: ``CorrectionError``, with ``CorrectionError/Code/nothing`` if this person has made no such
    ///   change, or `StoreError`; then nothing is changed.
    public func undo(_ number: Int64? = nil, by person: Responsibility) throws -> RecordChange {
        try turn(number, isUndone: false, by: person)
    }

    /// Redoes a change that was undone.
    ///
    /// - Parameters:
    ///   - number: The number of the change; nil for the one that this person undid last.
    ///   - person: The person who redoes it, with the reason.
    /// - Returns: The redone change.
    /// - Throws: The same errors as ``undo(_:by:)``.
    public func redo(_ number: Int64? = nil, by person: Responsibility) throws -> RecordChange {
        try turn(number, isUndone: true, by: person)
    }

    private func turn(
        _ number: Int64?,
        isUndone: Bool,
        by person: Responsibility
    ) throws -> RecordChange {
        try container.transaction { context in
            let fact = try fact(number, isUndone: isUndone, of: person.author, in: context)
            let change = try fact.turned(by: person, at: now(), in: context)
            try context.save()
            return change
        }
    }

    /// The change with a number, or the last one of an author.
    private func fact(
        _ number: Int64?,
        isUndone: Bool,
        of author: String,
        in context: ManagedObjectContext
    ) throws -> ChangedFact {
        let found =
            try number.map { try ChangedFact.find($0, in: context) }
            ?? ChangedFact.last(1, areUndone: isUndone, of: author, in: context).first
        guard let fact = found else {
            throw CorrectionError(
                .nothing,
                isUndone
                    ? "\(author) has taken nothing back"
                    : "\(author) has made no change that could be taken back"
            )
        }
        if fact.isUndone != isUndone {
            throw CorrectionError(
                .alreadyDone,
                isUndone
                    ? "change \(fact.number) counts already"
                    : "change \(fact.number) is taken back already"
            )
        }
        return fact
    }
}
