package import FoundationEssentials
package import LuggageTags
package import ObjectStore

/// Counts the scans of reports: the quarters of the days in them once, and the rest each time.
package final class ReportCounts: Sendable {
    /// How many quarters of days are kept; a longer report is counted as a whole.
    private static let most = 1000

    private let spans = SpanCounts(length: 6 * 3600, keeping: most) {
        try ScanTally(of: $0, in: $1)
    }

    /// Begins with nothing counted.
    package init() {}

    /// The numbers of a period.
    ///
    /// - Parameters:
    ///   - since: The first moment.
    ///   - until: The first moment after it.
    ///   - most: How many scans may have to be counted; nil for any number.
    ///   - oldest: The greatest number of missing bags to list.
    ///   - context: The context to read in.
    /// - Returns: The numbers; nil if more scans would have to be counted.
    /// - Throws: `StoreError`.
    package func summary(
        since: Date,
        until: Date,
        counting most: Int?,
        oldest: Int,
        in context: ManagedObjectContext
    ) throws -> RecordSummary? {
        let scans = FetchRequest(Scan.self)
        let first = try context.minimum(of: \Scan.scannedAt)
        let last = try context.maximum(of: \Scan.scannedAt)
        // The whole quarters of days, as far as anything is on record.
        let length = spans.length
        let start = max(since, first ?? until)
        var begin = spans.beginning(of: start)
        if begin < start { begin += length }
        let end = spans.beginning(of: min(until, (last ?? since) + length))
        let isShort = end > begin && end.timeIntervalSince(begin) <= Double(Self.most) * length
        let whole = isShort ? Array(stride(from: begin, to: end, by: length)) : []
        let rest =
            isShort
            ? [Period(since: since, until: begin), Period(since: end, until: until)]
            : [Period(since: since, until: until)]
        if let most {
            var count = 0
            let unknown = try spans.unknown(of: whole, in: context).map(spans.period)
            for part in rest + unknown where count <= most {
                guard let since = part.since, let until = part.until else { continue }
                let request = scans.where(\.scannedAt, isAtLeast: since)
                    .where(\.scannedAt, isLessThan: until)
                count += try context.count(request.limited(to: most + 1 - count))
            }
            if count > most { return nil }
        }
        var tally = ScanTally()
        for part in rest { tally.add(try ScanTally(of: part, in: context)) }
        let known = try spans.counts(of: whole, in: context)
        for beginning in whole { known[beginning].map { tally.add($0) } }
        let period = Period(since: since, until: until)
        return try RecordSummary(of: period, tally, oldest: oldest, in: context)
    }
}
