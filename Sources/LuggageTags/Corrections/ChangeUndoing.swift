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
        try container.read { context in
            let (log, entries) = try last(limit, areUndone: isUndone, in: context)
            let words = ChangeWords(log, in: context)
            return try entries.compactMap { try words.change($0, isUndone: isUndone) }
        }
    }

    /// The last changes, in a log that reaches far enough back to have them all.
    private func last(
        _ limit: Int,
        areUndone isUndone: Bool,
        in context: ManagedObjectContext
    ) throws -> (log: ChangeLog, entries: [ChangeLog.Entry]) {
        let end = try context.lastHistoryToken()?.rawValue ?? 0
        var width: Int64 = 256
        while true {
            var log = ChangeLog(from: end - width)
            try log.readOn(in: context)
            if let entries = log.last(limit, areUndone: isUndone) { return (log, entries) }
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
        while true {
            do {
                if let change = try attempt(number, kind, person) { return change }
            } catch let error as StoreError where error.code == .historyExpired {
                // Somebody has purged the record meanwhile.
            }
        }
    }

    /// Turns a change.
    ///
    /// The history can be long, and nobody is to wait with filing until it is read: it is read before
    /// the turn to write comes, and within the turn only what was saved since.
    ///
    /// - Returns: What was turned; nil where the history has to be read anew, since others have done so
    ///   with the change that was the last.
    private func attempt(
        _ number: Int64?,
        _ kind: Correction.Kind,
        _ person: Responsibility
    ) throws -> RecordChange? {
        let isRedo = kind == .redo
        var past = try container.read { context -> ChangeLog in
            guard let number else { return try last(1, areUndone: isRedo, in: context).log }
            var log = ChangeLog(about: number)
            try log.readOn(in: context)
            return log
        }
        // Much may have been saved while much was read.
        while try container.read({ try past.readOn(in: $0) }) > Self.fewSaves {}
        return try container.transaction { context in
            var log = past
            try log.readOn(in: context)
            log.close()
            var wanted = number
            if number == nil {
                guard let entries = log.last(1, areUndone: isRedo) else { return nil }
                wanted = entries.first?.number
            }
            guard let wanted else {
                throw CorrectionError(
                    .nothing,
                    isRedo ? "nothing is taken back" : "there is no change that could be taken back"
                )
            }
            let turning = ChangeTurning(log: log, context: context, kind: kind, date: now())
            return try turning.run(wanted, by: person)
        }
    }

    /// How many saves may be left to be read within the turn to write.
    private static let fewSaves = 100
}
