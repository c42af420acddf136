public import FoundationEssentials
public import ObjectStore

/// The numbers of a period.
///
/// They leave out undone scans. In JSON it is an object with stable keys.
public struct RecordSummary: Sendable, Encodable {
    /// The scans at one point of one station.
    public struct Place: Sendable, Encodable {
        /// The station.
        public var station: String
        /// The point.
        public var point: Point
        /// The number of tags on record as a bag's, read or typed.
        public var filed: Int
        /// How many of these were typed by hand.
        public var typed = 0
        /// The number of tags that were not filed, and of pictures without tags.
        public var failed: Int

        /// The number of all scans.
        public var scans: Int { filed + failed }
    }

    /// The number of failed scans with one error code.
    public struct Failures: Sendable, Encodable {
        /// The stable error code.
        public var reason: String
        /// The number of scans.
        public var count: Int
    }

    /// The first moment of the period; nil for the beginning of the record.
    public var since: Date?
    /// The first moment after the period; nil for no end.
    public var until: Date?
    /// The places of scans, by station and point.
    public var places: [Place] = []
    /// The error codes of failed scans, the most frequent one first.
    public var failures: [Failures] = []
    /// The number of scans.
    public var scans: Int = 0
    /// The number of scans that were purged, of which the record keeps only counts.
    ///
    /// They are from whole quarters of an hour within the period; an older version of the program kept
    /// counts of whole days in UTC. For a purged failure, the outcome replaces the error code.
    public var purged: Int = 0
    /// The number of scans on record as a bag's.
    public var filed: Int = 0
    /// The number of these that a person typed and no reader has read.
    public var typed: Int = 0
    /// The share of tags and pictures that readers have read, from 0 to 1; nil if there were none.
    ///
    /// It leaves out typed tags.
    public var readRate: Double?
    /// The number of bags that are missing now, whenever they departed.
    public var missing: Int = 0
    /// The bags that have been missing longest, the earliest departure first.
    public var oldestMissing: [LuggageReport] = []

    /// Counts the scans on record.
    ///
    /// - Parameters:
    ///   - period: The period of the scans.
    ///   - oldest: The greatest number of missing bags to list.
    ///   - context: The context to read in, best a context of `PersistentContainer.read(_:)`, which reads
    ///     one state.
    /// - Throws: `StoreError`.
    public init(of period: Period, oldest: Int = 5, in context: ManagedObjectContext) throws {
        try self.init(of: period, ScanTally(of: period, in: context), oldest: oldest, in: context)
    }

    /// Takes what was counted of the scans on record.
    package init(
        of period: Period,
        _ scansOnRecord: ScanTally,
        oldest: Int,
        in context: ManagedObjectContext
    ) throws {
        (since, until) = (period.since, period.until)
        var tally = scansOnRecord
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

/// Adds up scans.
package struct ScanTally: Sendable {
    fileprivate var places: [RecordSummary.Place] = []
    fileprivate var reasons: [String: Int] = [:]
    fileprivate var scans = 0
    fileprivate var filed = 0
    fileprivate var typed = 0

    /// Begins with none.
    package init() {}

    /// Counts the scans on record.
    ///
    /// - Throws: `StoreError`.
    package init(of period: Period, in context: ManagedObjectContext) throws {
        var question = ScanQuestion()
        question.period = period
        question.leavesOutUndone = true
        for (key, count) in try context.counts(
            of: question.request,
            by: \.station,
            \.point,
            \.outcome,
            \.reason
        ) {
            let (station, point, outcome, reason) = key
            add(count, at: station, point, outcome, reason)
        }
        for (key, count) in try context.counts(
            of: question.request.ofTypedTags,
            by: \.station,
            \.point
        ) {
            let (station, point) = key
            addTyped(count, at: station, point)
        }
    }

    /// Adds the scans of another period.
    package mutating func add(_ other: ScanTally) {
        for place in other.places {
            let here = self.place(place.station, place.point)
            places[here].filed += place.filed
            places[here].typed += place.typed
            places[here].failed += place.failed
        }
        reasons.merge(other.reasons, uniquingKeysWith: +)
        scans += other.scans
        filed += other.filed
        typed += other.typed
    }

    private mutating func add(
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

    /// Notes that some of the added scans are of typed tags.
    private mutating func addTyped(_ count: Int, at station: String, _ point: Point) {
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

    /// Adds the purged scans, and returns how many there are.
    fileprivate mutating func addPurged(in period: Period, _ context: ManagedObjectContext) throws
        -> Int
    {
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
