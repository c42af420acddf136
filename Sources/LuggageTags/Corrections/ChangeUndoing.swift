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
    /// - Returns: The changes, the last one first; of those that are taken back, the one that was taken
    ///   back last. What each does to its bag is what taking it back, or bringing it back, would undo.
    /// - Throws: `StoreError`.
    public func changes(areUndone isUndone: Bool = false, limit: Int) throws -> [RecordChange] {
        try container.read { context in
            // What each one does is tried out, and nothing of that is kept.
            let changes = try ChangedFact.last(limit, areUndone: isUndone, in: context)
            return try changes.map { fact in
                defer { context.rollback() }
                return try fact.turned(by: nil, at: now(), in: context)
            }
        }
    }

    /// Takes a change back.
    ///
    /// - Parameters:
    ///   - number: The number of the change; without one, the last that is not taken back.
    ///   - person: Who takes it back, and why.
    /// - Returns: What was taken back.
    /// - Throws: ``CorrectionError``, or `StoreError`; nothing is changed then.
    public func undo(_ number: Int64? = nil, by person: Responsibility) throws -> RecordChange {
        try turn(number, isUndone: false, by: person)
    }

    /// Brings back a change that was taken back.
    ///
    /// - Parameters:
    ///   - number: The number of the change; without one, the one that was taken back last.
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
            let found =
                try number.map { try ChangedFact.find($0, in: context) }
                ?? ChangedFact.last(1, areUndone: isUndone, in: context).first
            guard let fact = found else {
                throw CorrectionError(
                    .nothing,
                    isUndone
                        ? "nothing is taken back" : "there is no change that could be taken back"
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
            let change = try fact.turned(by: person, at: now(), in: context)
            try context.save()
            return change
        }
    }
}
