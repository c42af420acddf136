package import FoundationEssentials
internal import LuggageTags
internal import ObjectStore

/// How much one station has read, quarter of an hour by quarter of an hour.
package struct StationRate: Sendable, Hashable {
    /// One quarter of an hour.
    package struct Quarter: Sendable, Hashable {
        /// When it began.
        package var beginning: Date
        /// How many tags were filed.
        package var filed = 0
        /// How many were not, and pictures without one.
        package var failed = 0

        /// All scans.
        package var scans: Int { filed + failed }
    }

    /// The station.
    package var station: String
    /// The quarters, the oldest first; those without a scan too.
    package var quarters: [Quarter]

    /// All scans.
    package var scans: Int { quarters.reduce(0) { $0 + $1.scans } }
    /// All that were filed.
    package var filed: Int { quarters.reduce(0) { $0 + $1.filed } }
}

/// Counts the scans of the last hours and of today.
package final class QuarterCounts: Sendable {
    /// How many quarters of an hour are shown.
    static let shown = 32

    private let spans = SpanCounts(length: 15 * 60, keeping: 0) { period, context in
        var question = ScanQuestion()
        question.period = period
        question.leavesOutUndone = true
        var counts: [String: StationRate.Quarter] = [:]
        for (station, outcome, count) in try question.counts(in: context) {
            var quarter =
                counts[station] ?? StationRate.Quarter(beginning: period.since ?? .distantPast)
            if outcome.isFiled { quarter.filed += count } else { quarter.failed += count }
            counts[station] = quarter
        }
        return counts
    }

    /// Begins with nothing counted.
    package init() {}

    /// The stations that have read anything, by name.
    ///
    /// - Parameters:
    ///   - now: The present moment.
    ///   - midnight: When today began, at the first whole quarter.
    ///   - context: The context to read in.
    /// - Returns: The stations' last hours, and all scans of today.
    /// - Throws: `StoreError`.
    func count(
        at now: Date,
        since midnight: Date,
        in context: ManagedObjectContext
    ) throws -> (stations: [StationRate], today: StationRate.Quarter) {
        let last = spans.beginning(of: now)
        let shown = (0..<Self.shown).reversed().map { last - Double($0) * spans.length }
        let first = spans.beginning(of: midnight)
        let day = Array(stride(from: first, through: last, by: spans.length))
        let quarters = try spans.counts(of: shown + day, in: context)
        let stations = Set(shown.flatMap { quarters[$0].map { Array($0.keys) } ?? [] })
        let rates = stations.sorted().map { station in
            StationRate(
                station: station,
                quarters: shown.map {
                    quarters[$0]?[station] ?? StationRate.Quarter(beginning: $0)
                }
            )
        }
        var today = StationRate.Quarter(beginning: midnight)
        for quarter in day.compactMap({ quarters[$0] }).flatMap(\.values) {
            today.filed += quarter.filed
            today.failed += quarter.failed
        }
        return (rates, today)
    }
}
