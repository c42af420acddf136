public import Foundation
public import ObjectStore

/// Takes away what is on record about people, or whole bags, that nobody has seen for long.
///
/// The history up to then goes as well, since it has what was there before every change; nothing that
/// was done before can be taken back afterwards. What SQLite leaves in its files goes when the store is
/// compacted.
public struct RecordPurge: Sendable {
    /// What is taken away.
    public enum Scope: String, CaseIterable, Encodable, Sendable {
        /// Who owns the bags, whatever says so; bags and scans stay.
        case names
        /// Bags with all that belongs to them; of their scans only numbers stay.
        case bags
    }

    let container: PersistentContainer
    let scope: Scope
    let cutoff: Date

    /// Prepares to purge.
    ///
    /// - Parameters:
    ///   - container: The record, with the model of ``LuggageModel``.
    ///   - scope: What is taken away.
    ///   - cutoff: Bags count of which nothing was heard since.
    public init(container: PersistentContainer, scope: Scope, before cutoff: Date) {
        self.container = container
        self.scope = scope
        self.cutoff = cutoff
    }

    /// What would be taken away.
    ///
    /// - Returns: The numbers, and the pictures that show what would be taken away and nothing else.
    /// - Throws: `StoreError`.
    public func plan() throws -> PurgeReport {
        try container.read { context in
            var purge = try PurgeRun(context, scope, before: cutoff, isRehearsal: true)
            return try purge.run()
        }
    }

    /// Takes it away, all in one transaction.
    ///
    /// - Parameter picturesAreGone: Whether the pictures are removed too, so that the journal is not
    ///   to know them any more.
    /// - Returns: What was taken away.
    /// - Throws: `StoreError`; nothing is taken away then.
    public func run(picturesAreGone: Bool = false) throws -> PurgeReport {
        try container.transaction { context in
            var purge = try PurgeRun(context, scope, before: cutoff, isRehearsal: false)
            let report = try purge.run(picturesAreGone: picturesAreGone)
            // What was there before every change is in the history, that of this one included.
            if !report.isEmpty, let last = try context.lastHistoryToken() {
                try context.deleteHistory(before: HistoryToken(rawValue: last.rawValue + 1))
            }
            return report
        }
    }
}
