public import Foundation
public import ObjectStore

/// Takes changes of the record back, and brings them back, whichever process has made them.
///
/// Either is a new fact, and nothing is erased: what is taken back stays on record, marked, and says
/// nothing any more about its bag, which is derived from what is left. So whatever came later, any
/// change can be taken back.
public struct ChangeUndoing: Sendable {
    let container: PersistentContainer
    let now: @Sendable () -> Date

    /// Prepares to take changes back.
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

    /// The last changes that count, or that are taken back.
    ///
    /// - Parameters:
    ///   - isUndone: Whether to give those that are taken back.
    ///   - limit: The greatest number of changes.
    ///   - author: Who has made them, or has taken them back; nil for everybody, and for what services
    ///     have filed.
    /// - Returns: The changes, the last one first; of those that are taken back, the one that was taken
    ///   back last. What each does to its bag is what taking it back, or bringing it back, would undo.
    /// - Throws: `StoreError`.
    public func changes(
        areUndone isUndone: Bool = false,
        limit: Int,
        of author: String? = nil
    ) throws -> [RecordChange] {
        try container.read { context in
            try ChangedFact.last(limit, areUndone: isUndone, of: author, in: context).map {
                try tried($0, in: context)
            }
        }
    }

    /// The change that taking back, or bringing back, would be about, and what it does to its bag.
    ///
    /// - Parameters:
    ///   - number: The number of the change; without one, the last of the author.
    ///   - isUndone: Whether it is to be brought back.
    ///   - author: Who asks.
    /// - Returns: The change.
    /// - Throws: As ``undo(_:by:)``.
    public func change(
        _ number: Int64? = nil,
        isUndone: Bool = false,
        of author: String
    ) throws -> RecordChange {
        try container.read { context in
            try tried(fact(number, isUndone: isUndone, of: author, in: context), in: context)
        }
    }

    /// What a change does is tried out, and nothing of that is kept.
    private func tried(
        _ fact: ChangedFact,
        in context: ManagedObjectContext
    ) throws -> RecordChange {
        defer { context.rollback() }
        return try fact.turned(by: nil, at: now(), in: context)
    }

    /// Takes a change back.
    ///
    /// - Parameters:
    ///   - number: The number of the change; without one, the last of this person that is not taken back.
    ///   - person: Who takes it back, and why.
    /// - Returns: What was taken back.
    /// - Throws: ``CorrectionError``, with ``CorrectionError/Code/nothing`` where there is none of this
    ///   person, or `StoreError`; nothing is changed then.
    public func undo(_ number: Int64? = nil, by person: Responsibility) throws -> RecordChange {
        try turn(number, isUndone: false, by: person)
    }

    /// Brings back a change that was taken back.
    ///
    /// - Parameters:
    ///   - number: The number of the change; without one, the one that this person has taken back last.
    ///   - person: Who brings it back, and why.
    /// - Returns: What was brought back.
    /// - Throws: As ``undo(_:by:)``.
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
