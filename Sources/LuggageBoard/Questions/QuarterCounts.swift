package import Foundation
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

/// Counts the scans of the last hours.
///
/// Most scans are filed soon after they happen. So the last hour is counted each time, and what is older
/// is counted again after a minute: it costs little however much is on record.
package final class QuarterCounts: Sendable {
    /// How many quarters of an hour are shown.
    static let shown = 32
    private static let length: TimeInterval = 15 * 60
    private static let fresh = 4
    private static let patience: TimeInterval = 60

    private typealias Counts = [String: StationRate.Quarter]

    private let kept = Mutex<[Date: (countedAt: Date, counts: Counts)]>([:])

    /// Begins with nothing counted.
    package init() {}

    /// The stations that have read anything, by name.
    func stations(at now: Date, in context: ManagedObjectContext) throws -> [StationRate] {
        let last = (now.timeIntervalSince1970 / Self.length).rounded(.down) * Self.length
        let beginnings = (0..<Self.shown).reversed().map {
            Date(timeIntervalSince1970: last - Double($0) * Self.length)
        }
        var quarters: [Date: Counts] = [:]
        for (index, beginning) in beginnings.enumerated() {
            let known = kept.withLock { $0[beginning] }
            let isOld = index < Self.shown - Self.fresh
            if isOld, let known,
                (0...Self.patience).contains(now.timeIntervalSince(known.countedAt))
            {
                quarters[beginning] = known.counts
                continue
            }
            quarters[beginning] = try Self.count(from: beginning, in: context)
        }
        let found = quarters
        kept.withLock { kept in
            kept = found.reduce(into: [:]) { new, quarter in
                let old = kept[quarter.key]
                let isSame = old.map { now.timeIntervalSince($0.countedAt) <= Self.patience }
                new[quarter.key] =
                    isSame == true ? (old ?? (now, quarter.value)) : (now, quarter.value)
            }
        }
        let stations = Set(quarters.values.flatMap(\.keys)).sorted()
        return stations.map { station in
            StationRate(
                station: station,
                quarters: beginnings.map {
                    quarters[$0]?[station] ?? StationRate.Quarter(beginning: $0)
                }
            )
        }
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
