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
        /// How many tags are on record as a bag's, read or typed.
        public var filed: Int
        /// How many of these were typed by hand.
        public var typed = 0
        /// How many were not, or pictures gave none.
        public var failed: Int

        /// All scans.
        public var scans: Int { filed + failed }

        /// Which part of what readers were given they have read, from 0 to 1; nil where that was
        /// nothing.
        public var readRate: Double? {
            scans == typed ? nil : Double(filed - typed) / Double(scans - typed)
        }
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
    /// They are those of whole quarters of an hour that the period holds; what an older version of the
    /// program has purged, of whole days in UTC. Of failed ones, the outcome stands for the reason.
    public var purged: Int = 0
    /// How many of all are on record as a bag's.
    public var filed: Int = 0
    /// How many of these were typed by hand: no reader has read them.
    public var typed: Int = 0
    /// Which part of what readers were given is on record as a bag's, from 0 to 1; nil where that was
    /// nothing.
    ///
    /// Typed tags do not count.
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
        for (key, count) in try context.counts(
            of: question.request.ofTypedTags,
            by: \.station,
            \.point
        ) {
            let (station, point) = key
            tally.addTyped(count, at: station, point)
        }
        purged = try tally.addPurged(in: period, context)
        (places, scans, filed, typed) = (tally.places, tally.scans, tally.filed, tally.typed)
        failures = tally.reasons.map { Failures(reason: $0.key, count: $0.value) }
            .sorted { $0.count != $1.count ? $0.count > $1.count : $0.reason < $1.reason }
        readRate = scans == typed ? nil : Double(filed - typed) / Double(scans - typed)
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
    private(set) var typed = 0

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
        let place = place(station, point)
        if isFiled { places[place].filed += count } else { places[place].failed += count }
    }

    /// Takes note that some of the scans that were added are of typed tags.
    mutating func addTyped(_ count: Int, at station: String, _ point: Point) {
        if count == 0 { return }
        typed += count
        places[place(station, point)].typed += count
    }

    private mutating func place(_ station: String, _ point: Point) -> Int {
        let known = places.firstIndex { $0.station == station && $0.point == point }
        if let known { return known }
        places.append(.init(station: station, point: point, filed: 0, failed: 0))
        return places.endIndex - 1
    }

    /// Adds the scans of which only numbers are left, and tells how many these are.
    mutating func addPurged(in period: Period, _ context: ManagedObjectContext) throws -> Int {
        let request = ScanCount.request(in: period)
        let before = scans
        try context.forEachBatch(ofSnapshots: request) { counts in
            let model = context.model
            for count in counts {
                let outcome = count[model.property(\ScanCount.outcome)]
                let station = count[model.property(\ScanCount.station)]
                let point = count[model.property(\ScanCount.point)]
                let scans = count[model.property(\ScanCount.scans)]
                add(scans, at: station, point, outcome, outcome.rawValue)
                addTyped(count[model.property(\ScanCount.typed)], at: station, point)
            }
        }
        places.sort { ($0.station, $0.point.rawValue) < ($1.station, $1.point.rawValue) }
        return scans - before
    }
}
