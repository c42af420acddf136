public import Foundation
public import ObjectStore

/// What happened in a period, in figures.
///
/// What was taken back does not count.
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
    /// How many scans there were.
    public var scans: Int = 0
    /// How many of them were purged, so that only their number is known.
    ///
    /// They are those of whole days in UTC that the period holds. Of failed ones, the outcome stands for
    /// the reason.
    public var purged: Int = 0
    /// How many of all are on record as a bag's.
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
        question.leavesOutUndone = true
        var tally = Tally()
        for (key, count) in try context.counts(
            of: question.request,
            by: \.station,
            \.point,
            \.outcome,
            \.reason
        ) {
            let (station, point, outcome, reason) = key
            tally.add(count, at: station, point, outcome, reason)
        }
        purged = try tally.addPurged(in: period, context)
        (places, scans, filed) = (tally.places, tally.scans, tally.filed)
        failures = tally.reasons.map { Failures(reason: $0.key, count: $0.value) }
            .sorted { $0.count != $1.count ? $0.count > $1.count : $0.reason < $1.reason }
        readRate = scans == 0 ? nil : Double(filed) / Double(scans)
        var missingBags = LuggageQuestion()
        missingBags.isMissing = true
        missing = try missingBags.count(in: context)
        missingBags.limit = oldest
        try missingBags.forEachBatch(in: context) { oldestMissing += $0 }
    }
}

/// Adds scans up.
private struct Tally {
    private(set) var places: [RecordSummary.Place] = []
    private(set) var reasons: [String: Int] = [:]
    private(set) var scans = 0
    private(set) var filed = 0

    mutating func add(
        _ count: Int,
        at station: String,
        _ point: Point,
        _ outcome: Outcome,
        _ reason: String
    ) {
        let isFiled = outcome.isFiled
        scans += count
        if isFiled { filed += count } else { reasons[reason, default: 0] += count }
        let known = places.firstIndex { $0.station == station && $0.point == point }
        let place = known ?? places.endIndex
        if known == nil {
            places.append(.init(station: station, point: point, filed: 0, failed: 0))
        }
        if isFiled { places[place].filed += count } else { places[place].failed += count }
    }

    /// Adds the scans of which only numbers are left, and tells how many these are.
    mutating func addPurged(in period: Period, _ context: ManagedObjectContext) throws -> Int {
        var request = FetchRequest(ScanCount.self)
            .sorted(by: \.station).sorted(by: \.point)
        if let since = period.since {
            request = request.where(\.day, isAtLeast: ScanCount.firstDay(from: since))
        }
        if let until = period.until {
            request = request.where(\.day, isLessThan: ScanCount.day(of: until))
        }
        let before = scans
        try context.forEachBatch(ofSnapshots: request) { counts in
            let model = context.model
            for count in counts {
                let outcome = count[model.property(\ScanCount.outcome)]
                add(
                    count[model.property(\ScanCount.scans)],
                    at: count[model.property(\ScanCount.station)],
                    count[model.property(\ScanCount.point)],
                    outcome,
                    outcome.rawValue
                )
            }
        }
        places.sort { ($0.station, $0.point.rawValue) < ($1.station, $1.point.rawValue) }
        return scans - before
    }
}
