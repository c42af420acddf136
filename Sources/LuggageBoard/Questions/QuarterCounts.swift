package import FoundationEssentials
internal import LuggageTags
internal import ObjectStore
internal import Synchronization

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
///
/// Each quarter of an hour is counted once, and again when the history says that a scan in it was saved. So
/// it costs little, however much is on record, and is exact.
package final class QuarterCounts: Sendable {
    /// How many quarters of an hour are shown.
    static let shown = 32
    private static let length: TimeInterval = 15 * 60
    /// How many saves are looked through; after more, everything is counted again.
    private static let mostSaves = 200

    private typealias Counts = [String: StationRate.Quarter]

    private struct Kept {
        /// The last save that the counts take into account.
        var token: HistoryToken?
        var quarters: [Date: Counts] = [:]
    }

    private let kept = Mutex(Kept())

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
        let last = Self.quarter(of: now)
        let shown = (0..<Self.shown).reversed().map { last - Double($0) * Self.length }
        let day = stride(from: Self.quarter(of: midnight), through: last, by: Self.length)
        let wanted = Set(shown).union(day)
        var known = try known(in: context)
        known.quarters = known.quarters.filter { wanted.contains($0.key) }
        for beginning in wanted where known.quarters[beginning] == nil {
            known.quarters[beginning] = try Self.count(from: beginning, in: context)
        }
        let found = known
        kept.withLock { kept in
            // Another thread may have looked at a later state.
            if kept.token ?? HistoryToken(rawValue: -1) <= found.token ?? HistoryToken(rawValue: 0)
            {
                kept = found
            }
        }
        let stations = Set(shown.flatMap { found.quarters[$0].map { Array($0.keys) } ?? [] })
        let rates = stations.sorted().map { station in
            StationRate(
                station: station,
                quarters: shown.map {
                    found.quarters[$0]?[station] ?? StationRate.Quarter(beginning: $0)
                }
            )
        }
        var today = StationRate.Quarter(beginning: midnight)
        for quarter in day.compactMap({ found.quarters[$0] }).flatMap(\.values) {
            today.filed += quarter.filed
            today.failed += quarter.failed
        }
        return (rates, today)
    }

    private static func quarter(of date: Date) -> Date {
        Date(
            timeIntervalSinceReferenceDate: (date.timeIntervalSinceReferenceDate / length).rounded(
                .down
            ) * length
        )
    }

    /// What was counted before, without the quarters in which something was saved since.
    private func known(in context: ManagedObjectContext) throws -> Kept {
        var known = kept.withLock { $0 }
        let last = try context.lastHistoryToken()
        if known.token == last { return known }
        guard let token = known.token,
            let saves = try? context.history(after: token, limit: Self.mostSaves),
            saves.last?.token == last,
            !saves.contains(where: { $0.changes.contains { $0.kind == .deleted } })
        else { return Kept(token: last) }
        let scannedAt = context.model.property(\Scan.scannedAt)
        let changed = Set(saves.flatMap(\.changes).map(\.id))
        for scan in try context.snapshots(of: Scan.self, changed) {
            known.quarters[Self.quarter(of: scan[scannedAt])] = nil
        }
        known.token = last
        return known
    }

    private static func count(
        from beginning: Date,
        in context: ManagedObjectContext
    ) throws -> Counts {
        var question = ScanQuestion()
        question.period = Period(since: beginning, until: beginning + length)
        question.leavesOutUndone = true
        return try question.counts(in: context).reduce(into: [:]) { counts, group in
            let (station, outcome, count) = group
            var quarter = counts[station] ?? StationRate.Quarter(beginning: beginning)
            if outcome.isFiled { quarter.filed += count } else { quarter.failed += count }
            counts[station] = quarter
        }
    }
}
