public import Foundation
public import ObjectStore

/// Takes changes of the record back, and brings them back, whichever process has made them.
///
/// Either is a new change, and nothing is erased: the scan whose doing is taken back stays on record,
/// marked, and says nothing any more about its bag.
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
    ///   back last.
    /// - Throws: `StoreError`.
    public func changes(areUndone isUndone: Bool = false, limit: Int) throws -> [RecordChange] {
        try container.read { try last(limit, areUndone: isUndone, in: $0) }
    }

    private func last(
        _ limit: Int,
        areUndone isUndone: Bool,
        in context: ManagedObjectContext
    ) throws -> [RecordChange] {
        guard let end = try context.lastHistoryToken()?.rawValue else { return [] }
        var width: Int64 = 256
        while true {
            let log = try ChangeLog(from: end - width, in: context)
            let words = ChangeWords(log, in: context)
            let entries = log.entries.filter {
                $0.isUndoable && log.standings[$0.number]?.isUndone == isUndone
            }.sorted { a, b in
                guard isUndone else { return a.number > b.number }
                let ends = [a, b].map { log.standings[$0.number]?.last.number ?? 0 }
                return ends[0] > ends[1]
            }
            // The first entry may lack its beginning, and what was taken back lately may be old.
            let whole = entries.filter { log.isWhole || $0.number > end - width }
            let first = log.standings.filter { $0.value.isUndone }.keys.min() ?? end
            let hasAll = !isUndone || first > end - width
            if whole.count >= limit && hasAll || log.isWhole {
                return try whole.prefix(limit).compactMap {
                    try words.change($0, isUndone: isUndone)
                }
            }
            width *= 4
        }
    }

    /// Takes a change back.
    ///
    /// - Parameters:
    ///   - number: The number of the change; without one, the last that is not taken back.
    ///   - person: Who takes it back, and why.
    /// - Returns: What was taken back.
    /// - Throws: ``CorrectionError``, of the code `conflict` where later changes depend on it, or
    ///   `StoreError`; nothing is changed then.
    public func undo(_ number: Int64? = nil, by person: Responsibility) throws -> RecordChange {
        try turn(number, to: .undo, by: person)
    }

    /// Brings back a change that was taken back.
    ///
    /// - Parameters:
    ///   - number: The number of the change; without one, the one that was taken back last.
    ///   - person: Who brings it back, and why.
    /// - Returns: What was brought back.
    /// - Throws: As ``undo(_:by:)``.
    public func redo(_ number: Int64? = nil, by person: Responsibility) throws -> RecordChange {
        try turn(number, to: .redo, by: person)
    }

    private func turn(
        _ number: Int64?,
        to kind: Correction.Kind,
        by person: Responsibility
    ) throws -> RecordChange {
        try container.transaction { context in
            let last =
                try number == nil ? last(1, areUndone: kind == .redo, in: context).first : nil
            guard let number = number ?? last?.number else {
                throw CorrectionError(
                    .nothing,
                    kind == .undo
                        ? "there is no change that could be taken back" : "nothing is taken back"
                )
            }
            let log = try ChangeLog(from: number, in: context)
            let turning = ChangeTurning(log: log, context: context, kind: kind, date: now())
            return try turning.run(number, by: person)
        }
    }
}
