public import FoundationEssentials
public import ObjectStore

/// Takes away what is on record about people, or whole bags, if nobody has seen the bags for long.
///
/// A statement that it was forgotten stays, as a fact, and exports carry it to other records. The
/// history up to then is deleted too, because it has the values before every change. What is left on
/// record can still be undone. SQLite leaves deleted data in its files until the store is compacted.
public struct RecordPurge: Sendable {
    /// What a purge takes away.
    public enum Scope: String, CaseIterable, Encodable, Sendable {
        /// The owners of the bags, in all facts; bags and scans stay.
        case names
        /// Bags with all that belongs to them; only counts of their scans stay.
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
    ///   - scope: What to take away.
    ///   - cutoff: The purge takes bags that have no news since this moment.
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

    /// Finds what a purge would take away, and changes nothing.
    ///
    /// - Returns: The numbers, and the pictures that show only what would be taken away.
    /// - Throws: `StoreError`.
    public func plan() throws -> PurgeReport {
        try container.read { context in
            var purge = try PurgeRun(.rehearsal(context), scope, before: cutoff)
            try purge.run()
            return purge.outcome
        }
    }

    /// Purges in short transactions, so that nobody who files waits long.
    ///
    /// Each transaction leaves a consistent record. If the purge is interrupted, purging again takes away
    /// the rest.
    ///
    /// - Parameter picturesAreGone: Whether the pictures are removed too, so that the journal shall
    ///   forget them.
    /// - Returns: What was taken away.
    /// - Throws: ``PurgeInterruption`` if a `StoreError` came after something was taken away; otherwise that
    ///   error itself.
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

/// The error of a purge that was interrupted after it had taken something away.
public struct PurgeInterruption: Error, CustomStringConvertible {
    /// What was taken away.
    public let report: PurgeReport
    /// The error that interrupted it.
    public let underlying: StoreError

    /// The reason, with how far the purge came and what to do.
    public var description: String {
        "\(underlying.message); the data of \(report.bags) bags was deleted before that; purge "
            + "again to delete the rest"
    }
}
