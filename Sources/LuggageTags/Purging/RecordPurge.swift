public import Foundation
public import ObjectStore

/// Takes away what is on record about people, or whole bags, that nobody has seen for long.
///
/// That it was forgotten is a fact, which other records hear of. The history up to then goes as well, since
/// it has what was there before every change; what is left on record can still be taken back. What SQLite leaves in its files goes when the store is
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
    let now: @Sendable () -> Date

    /// Prepares to purge.
    ///
    /// - Parameters:
    ///   - container: The record, with the model of ``LuggageModel``.
    ///   - scope: What is taken away.
    ///   - cutoff: Bags count of which nothing was heard since.
    ///   - now: Gives the present moment.
    public init(
        container: PersistentContainer,
        scope: Scope,
        before cutoff: Date,
        now: @escaping @Sendable () -> Date = { Date() }
    ) {
        self.now = now
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
            var purge = try PurgeRun(.rehearsal(context), scope, before: cutoff)
            try purge.run()
            return purge.outcome
        }
    }

    /// Takes it away, in transactions that are short, so that nobody waits long who files.
    ///
    /// Each of them leaves a whole record behind. Where it is interrupted, purging again takes away the
    /// rest.
    ///
    /// - Parameter picturesAreGone: Whether the pictures are removed too, so that the journal is not
    ///   to know them any more.
    /// - Returns: What was taken away.
    /// - Throws: ``PurgeInterruption`` with what was taken away before a `StoreError`; that error where
    ///   nothing was.
    public func run(picturesAreGone: Bool = false) throws -> PurgeReport {
        var purge = try PurgeRun(
            .record(container),
            scope,
            before: cutoff,
            picturesAreGone: picturesAreGone,
            now: now
        )
        do {
            try purge.run()
        } catch let error as StoreError where !purge.outcome.isEmpty {
            throw PurgeInterruption(report: purge.outcome, underlying: error)
        }
        return purge.outcome
    }
}

/// A purge that has not taken everything away.
public struct PurgeInterruption: Error, CustomStringConvertible {
    /// What was taken away.
    public let report: PurgeReport
    /// What has interrupted it.
    public let underlying: StoreError

    /// The reason, with how far it came and what to do.
    public var description: String {
        "\(underlying.message); what was taken away of \(report.bags) bags before that is gone; purge "
            + "again to take away the rest"
    }
}
