public import Foundation
public import ObjectStore

/// What happened in a period, in figures.
///
/// As JSON it is an object with stable keys.
public struct RecordSummary: Sendable, Encodable {
    /// The scans at one point of one station.
    public struct Place: Sendable, Encodable {
        /// The station.
        public var station: String
        /// The point.
        public var point: Point
        /// How many tags were read and are on record.
        public var filed: Int
        /// How many were not, or pictures gave none.
        public var failed: Int

        /// All scans.
        public var scans: Int { filed + failed }
    }

    /// How often scans failed for one reason.
    public struct Failures: Sendable, Encodable {
        /// The stable word for the reason.
        public var reason: String
        /// How often.
        public var count: Int
    }

    /// The first moment that is counted; nil for the beginning of the record.
    public var since: Date?
    /// The first moment that is no longer counted; nil for no end.
    public var until: Date?
    /// The places where something was scanned, by station and point.
    public var places: [Place] = []
    /// Why scans failed, the most frequent reason first.
    public var failures: [Failures] = []
    /// How many scans there were; those that were taken back do not count.
    public var scans: Int = 0
    /// How many of them are on record as a bag's.
    public var filed: Int = 0
    /// Which part of the scans is on record as a bag's, from 0 to 1; nil where there were none.
    public var readRate: Double?
    /// How many bags are missing now, whenever they departed.
    public var missing: Int = 0
    /// The bags that have been missing longest, the oldest first.
    public var oldestMissing: [LuggageReport] = []

    /// Counts what is on record.
    ///
    /// - Parameters:
    ///   - period: The period in which scans are counted.
    ///   - oldest: How many missing bags are named.
    ///   - context: Where to read, best in one state: a context of `PersistentContainer.read(_:)`.
    /// - Throws: `StoreError`.
    public init(of period: Period, oldest: Int = 5, in context: ManagedObjectContext) throws {
        since = period.since
        until = period.until
        var question = ScanQuestion()
        question.period = period
        let groups = try context.counts(
            of: question.request.where(\.undoneAt, isMissing: true),
            by: \.station,
            \.point,
            \.outcome,
            \.reason
        )
        var reasons: [String: Int] = [:]
        for (key, count) in groups {
            let (station, point, outcome, reason) = key
            let isFiled = outcome.isFiled
            scans += count
            if isFiled { filed += count } else { reasons[reason, default: 0] += count }
            let place = Place(
                station: station,
                point: point,
                filed: isFiled ? count : 0,
                failed: isFiled ? 0 : count
            )
            if let known = places.firstIndex(where: { $0.station == station && $0.point == point })
            {
                places[known].filed += place.filed
                places[known].failed += place.failed
            } else {
                places.append(place)
            }
        }
        failures = reasons.map { Failures(reason: $0.key, count: $0.value) }
            .sorted { $0.count != $1.count ? $0.count > $1.count : $0.reason < $1.reason }
        readRate = scans == 0 ? nil : Double(filed) / Double(scans)
        var missingBags = LuggageQuestion()
        missingBags.isMissing = true
        missing = try missingBags.count(in: context)
        missingBags.limit = oldest
        try missingBags.forEachBatch(in: context) { oldestMissing += $0 }
    }
}
