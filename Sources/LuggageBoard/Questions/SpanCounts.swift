internal import FoundationEssentials
internal import LuggageTags
internal import ObjectStore
internal import Synchronization

/// What was counted of the scans in spans of time that have one length.
///
/// Each span is counted once, and again when the history says that a scan in it was saved. So it costs
/// little, however much is on record, and is exact.
final class SpanCounts<Counts: Sendable>: Sendable {
    private struct Kept {
        /// The last save that the counts take into account.
        var token: HistoryToken?
        var spans: [Date: Counts] = [:]
    }

    /// How long a span is.
    let length: TimeInterval
    /// How many spans are kept; of more, those that were asked for last.
    private let most: Int
    private let count: @Sendable (Period, ManagedObjectContext) throws -> Counts
    private let kept = Mutex(Kept())

    /// How many saves are looked through; after more, everything is counted again.
    private static var mostSaves: Int { 2000 }

    /// Begins with nothing counted.
    init(
        length: TimeInterval,
        keeping most: Int,
        count: @escaping @Sendable (Period, ManagedObjectContext) throws -> Counts
    ) {
        (self.length, self.most, self.count) = (length, most, count)
    }

    /// When the span around a moment began.
    func beginning(of date: Date) -> Date {
        let number = (date.timeIntervalSinceReferenceDate / length).rounded(.down)
        return Date(timeIntervalSinceReferenceDate: number * length)
    }

    /// The span that began at a moment.
    func period(from beginning: Date) -> Period {
        Period(since: beginning, until: beginning + length)
    }

    /// What is in some spans, by when they began.
    ///
    /// - Throws: `StoreError`.
    func counts(of wanted: [Date], in context: ManagedObjectContext) throws -> [Date: Counts] {
        var known = try known(in: context)
        if known.spans.count > most {
            let wanted = Set(wanted)
            known.spans = known.spans.filter { wanted.contains($0.key) }
        }
        for beginning in wanted where known.spans[beginning] == nil {
            known.spans[beginning] = try count(period(from: beginning), context)
        }
        keep(known)
        return known.spans
    }

    private func keep(_ found: Kept) {
        kept.withLock { kept in
            // Another thread may have looked at a later state.
            if kept.token ?? HistoryToken(rawValue: -1) <= found.token ?? HistoryToken(rawValue: 0)
            {
                kept = found
            }
        }
    }

    /// Those of some spans that have to be counted.
    ///
    /// - Throws: `StoreError`.
    func unknown(of wanted: [Date], in context: ManagedObjectContext) throws -> [Date] {
        let known = try known(in: context)
        // So that the history is not read again to count them.
        keep(known)
        return wanted.filter { known.spans[$0] == nil }
    }

    /// What was counted before, without the spans in which something was saved since.
    private func known(in context: ManagedObjectContext) throws -> Kept {
        var known = kept.withLock { $0 }
        let last = try context.lastHistoryToken()
        if known.token == last { return known }
        guard let token = known.token,
            let saves = try? context.completeHistory(after: token, limit: Self.mostSaves),
            saves.last?.token == last,
            !saves.contains(where: { $0.changes.contains { $0.kind == .deleted } })
        else { return Kept(token: last) }
        let scannedAt = context.model.property(\Scan.scannedAt)
        let changed = Set(saves.flatMap(\.changes).map(\.id))
        for scan in try context.snapshots(of: Scan.self, changed) {
            known.spans[beginning(of: scan[scannedAt])] = nil
        }
        known.token = last
        return known
    }
}
