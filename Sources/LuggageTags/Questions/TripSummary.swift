public import FoundationEssentials
public import ObjectStore

/// The numbers of a trip: how many bags it has, and how far they are.
///
/// Its bags are those whose tags say it, and those that lists expect on it. In JSON it is an object with
/// stable keys.
public struct TripSummary: Sendable, Encodable {
    /// A point that lists expect bags of the trip to pass.
    public struct Stop: Sendable, Encodable {
        /// The point.
        public var point: Point
        /// The place of that point; nil for any place.
        public var place: String?
        /// The last time by which a bag is to pass.
        public var due: Date
        /// The number of bags that are to pass.
        public var expected = 0
        /// The number of those that have passed.
        public var passed = 0
        /// Those that have not, by identifier.
        public var awaited: [LuggageReport] = []
    }

    /// The name of the trip.
    public var trip: String
    /// The day of the trip; nil if it is not said.
    public var date: String?
    /// The number of bags.
    public var bags = 0
    /// The number of bags that have departed.
    public var departed = 0
    /// The number of bags that have arrived.
    public var arrived = 0
    /// The number of bags that have departed and not arrived.
    public var missing = 0
    /// The number of bags that were last seen departing or arriving where they should not.
    public var misrouted = 0
    /// The number of bags that lists expect.
    public var expected = 0
    /// The bags that are on no list of the trip, if there is a list, by identifier.
    public var unexpected: [LuggageReport] = []
    /// The points that lists name, in the order of their times.
    public var stops: [Stop] = []

    /// The number of bags that lists expect where they were not seen.
    public var awaited: Int { Set(stops.flatMap { $0.awaited.map(\.id) }).count }

    /// What tells a trip from others.
    fileprivate struct Key: Hashable {
        let trip: String
        let date: String?
    }

    /// Counts the bags of trips.
    ///
    /// - Parameters:
    ///   - question: Which trip; nil for all.
    ///   - context: The context to read in, best a context of `PersistentContainer.read(_:)`, which reads
    ///     one state.
    /// - Returns: The trips, by day and name.
    /// - Throws: `StoreError`.
    public static func trips(
        _ question: TripQuestion? = nil,
        in context: ManagedObjectContext
    ) throws -> [TripSummary] {
        var counting = TripCounting(context)
        try counting.addTags(question)
        try counting.addLists(question)
        return counting.summaries.sorted {
            ($0.date ?? "", $0.trip) < ($1.date ?? "", $1.trip)
        }
    }

    fileprivate mutating func count(_ bag: LuggageReport, isStillToDepart: Bool) {
        bags += 1
        // The journey before says nothing of this trip.
        if isStillToDepart { return }
        if bag.departedAt != nil { departed += 1 }
        if bag.arrivedAt != nil { arrived += 1 }
        if bag.departedAt != nil && bag.arrivedAt == nil { missing += 1 }
        if bag.misroutedAt != nil { misrouted += 1 }
    }
}

/// Counts the bags of trips.
private struct TripCounting {
    private struct Trip {
        var summary: TripSummary
        var bags: [ObjectID: LuggageReport] = [:]
        /// The bags that a list expects, each with where it is to pass first.
        var listed: [ObjectID: Expectation] = [:]
        var stops: [Expectation.Key: TripSummary.Stop] = [:]
    }

    private let context: ManagedObjectContext
    private var reading: LuggageReportReading
    private var trips: [TripSummary.Key: Trip] = [:]

    init(_ context: ManagedObjectContext) {
        self.context = context
        reading = LuggageReportReading(context)
    }

    var summaries: [TripSummary] {
        trips.values.map { trip in
            var summary = trip.summary
            for (id, bag) in trip.bags {
                let first = trip.listed[id]
                let isNext = first?.isOfNextJourney(after: bag.departedAt, bag.arrivedAt)
                summary.count(bag, isStillToDepart: isNext ?? false)
            }
            summary.expected = trip.listed.count
            if !trip.listed.isEmpty {
                summary.unexpected =
                    trip.bags.filter { trip.listed[$0.key] == nil }
                    .map(\.value).inOrder
            }
            summary.stops = trip.stops.values.map { stop in
                var stop = stop
                stop.awaited = stop.awaited.inOrder
                return stop
            }.sorted {
                ($0.due, $0.point.rawValue, $0.place ?? "")
                    < ($1.due, $1.point.rawValue, $1.place ?? "")
            }
            return summary
        }
    }

    /// Adds the bags whose tags say a trip.
    mutating func addTags(_ question: TripQuestion?) throws {
        let request = FetchRequest(Luggage.self)
        let model = context.model
        let (name, key) = (model.property(\Luggage.trip), model.property(\Luggage.tripKey))
        let date = model.property(\Luggage.tripDate)
        try context.forEachBatch(
            ofSnapshots: question?.tagged(request) ?? request.where(\.tripKey, isMissing: false)
        ) { bags in
            for (bag, report) in zip(bags, try reading.reports(bags)) {
                guard let key = bag[key] else { continue }
                let trip = TripSummary.Key(trip: key, date: bag[date])
                begin(trip, bag[name] ?? key)
                trips[trip]?.bags[bag.id] = report
            }
        }
    }

    private mutating func begin(_ key: TripSummary.Key, _ name: String) {
        guard let known = trips[key]?.summary.trip else {
            trips[key] = Trip(summary: TripSummary(trip: name, date: key.date))
            return
        }
        // The same spelling in every record.
        if name < known { trips[key]?.summary.trip = name }
    }

    /// Adds what lists expect.
    mutating func addLists(_ question: TripQuestion?) throws {
        let all = FetchRequest(Correction.self).where(\.isCurrent, is: true)
            .where(\.tripKey, isMissing: false)
        let corrections = try context.fetch(question?.expectations ?? all)
        let bags = Set(corrections.compactMap { $0.luggage?.objectID })
        let snapshots = try context.snapshots(of: Luggage.self, bags)
        let reports = Dictionary(
            zip(snapshots.map(\.id), try reading.reports(snapshots)),
            uniquingKeysWith: { first, _ in first }
        )
        for correction in corrections.sorted(by: { $0.factIdentifier < $1.factIdentifier }) {
            guard let bag = correction.luggage?.objectID, let report = reports[bag],
                let key = correction.tripKey, let list = Expectation(correction)
            else { continue }
            let trip = TripSummary.Key(trip: key, date: correction.tripDate)
            begin(trip, correction.trip ?? key)
            trips[trip]?.bags[bag] = report
            if trips[trip]?.listed[bag].map({ list.due < $0.due }) ?? true {
                trips[trip]?.listed[bag] = list
            }
            var stop =
                trips[trip]?.stops[list.key]
                ?? TripSummary.Stop(
                    point: list.key.point,
                    place: correction.place,
                    due: list.due
                )
            stop.due = max(stop.due, list.due)
            stop.expected += 1
            if correction.metAt == nil { stop.awaited.append(report) } else { stop.passed += 1 }
            trips[trip]?.stops[list.key] = stop
        }
    }
}

extension [LuggageReport] {
    fileprivate var inOrder: Self { sorted { $0.id.uuidString < $1.id.uuidString } }
}
