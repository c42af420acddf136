public import FoundationEssentials
public import ObjectStore

/// A query for bags: which ones, in which order, and how many at most.
///
/// The store evaluates it, and reads only the bags that it returns.
///
/// ```swift
/// var question = LuggageQuestion()
/// question.isMissing = true
/// question.departedBefore = Date() - 6 * 3600
/// try container.read { context in
///     try question.forEachBatch(in: context) { reports in … }
/// }
/// ```
public struct LuggageQuestion: Hashable, Sendable {
    /// The property by which bags are sorted.
    public enum Key: String, CaseIterable, Sendable {
        /// The time of departure; bags that have not departed come last.
        case departed
        /// The time of arrival; bags that have not arrived come last.
        case arrived
        /// The weight; bags without a known weight come last.
        case weight
        /// The identifier.
        case id
    }

    /// Only bags that have departed, whether or not they have arrived since.
    public var hasDeparted = false
    /// Only bags that have arrived.
    public var hasArrived = false
    /// Only bags that have departed and not arrived.
    public var isMissing = false
    /// Only bags that were last seen departing or arriving where they should not.
    public var isMisrouted = false
    /// Only bags of this trip: by their tags, or by a list.
    public var trip: TripQuestion?
    /// Only bags that a list expects, or only those that none does; nil for both.
    public var isExpected: Bool?
    /// Only bags that a list expects where they were not seen yet.
    public var isAwaited = false
    /// Only bags that nobody has seen departing on their last journey, or, of those that
    /// lists expect or of a trip, since a list expects them again.
    public var hasNotDeparted = false
    /// Only bags that departed before a moment.
    public var departedBefore: Date?
    /// Only bags of these passengers.
    public var owner: OwnerQuestion?
    /// Only bags that weigh more than this, in pounds.
    public var heavierThan: Float?
    /// Only bags that were scanned at this station; undone scans do not count.
    public var station: String?
    /// Only bags that were scanned at this point; undone scans do not count.
    public var point: Point?
    /// Only bags with a time in this period.
    ///
    /// If ``station`` or ``point`` is set, it is the time of such a scan. Otherwise it is the arrival with
    /// ``hasArrived``, the departure with ``hasDeparted`` or ``isMissing``, or else either of them.
    public var period = Period()
    /// The property by which they are sorted; bags with equal values come in the order of filing.
    public var key = Key.departed
    /// Whether the greatest come first.
    public var isDescending = false
    /// The greatest number of bags.
    public var limit: Int?

    /// Makes a query for all bags.
    public init() {}

    /// Passes reports on the bags to a closure batch by batch, so that a long list needs little memory.
    ///
    /// - Parameters:
    ///   - context: The context to read in, best a context of `PersistentContainer.read(_:)`, which reads
    ///     one state. Its unsaved changes do not count.
    ///   - body: Receives a batch, which is never empty.
    /// - Throws: `StoreError`, or the error of `body`.
    public func forEachBatch(
        in context: ManagedObjectContext,
        _ body: ([LuggageReport]) throws -> Void
    ) throws {
        var reading = LuggageReportReading(context)
        var left = limit
        for request in try requests(in: context) {
            let limited = left.map { request.limited(to: $0) } ?? request
            try context.forEachBatch(ofSnapshots: limited) { bags in
                left = left.map { $0 - bags.count }
                try body(reading.reports(bags))
            }
            if left == 0 { return }
        }
    }

    /// The number of bags, at most the limit.
    ///
    /// - Throws: `StoreError`.
    public func count(in context: ManagedObjectContext) throws -> Int {
        let count = try requests(in: context).reduce(0) { try $0 + context.count($1) }
        return min(count, limit ?? count)
    }

    /// The identifiers of all matching objects, in any order and without the limit.
    ///
    /// - Throws: `StoreError`.
    public func ids(in context: ManagedObjectContext) throws -> [ObjectID] {
        guard let request = try selection(in: context) else { return [] }
        return try context.fetchIDs(request.asFaults())
    }

    /// The identifiers of the matching objects among some bags, in any order.
    ///
    /// - Throws: `StoreError`.
    public func ids(
        among ids: some Sequence<ObjectID>,
        in context: ManagedObjectContext
    ) throws -> [ObjectID] {
        // Checking the owners of a few bags is cheaper than reading all passengers.
        var question = self
        question.owner = nil
        guard let request = try question.selection(in: context) else { return [] }
        let found = try context.fetchIDs(request.whereObject(isOneOf: ids).asFaults())
        return try owner?.bags(among: found, in: context) ?? found
    }

    /// Whether it matches every bag, apart from the limit.
    public var isForAll: Bool {
        var other = Self()
        other.key = key
        other.isDescending = isDescending
        other.limit = limit
        return self == other
    }
}

extension LuggageQuestion {
    /// The requests whose results, one after the other, are the answer without the limit.
    func requests(in context: ManagedObjectContext) throws -> [FetchRequest<Luggage>] {
        guard let selection = try selection(in: context) else { return [] }
        let direction: FetchRequest<Luggage>.Direction = isDescending ? .descending : .ascending
        switch key {
        case .departed:
            return ordered(selection, \.departedAt, direction, isPresent: needsDeparture)
        case .arrived: return ordered(selection, \.arrivedAt, direction, isPresent: hasArrived)
        case .weight:
            return ordered(selection, \.weight, direction, isPresent: heavierThan != nil)
        case .id: return [selection.sorted(by: \.identifier, direction)]
        }
    }

    private var needsDeparture: Bool { hasDeparted || isMissing || departedBefore != nil }

    /// Bags without the value come last in both directions.
    private func ordered<Value: AttributeType>(
        _ selection: FetchRequest<Luggage>,
        _ value: KeyPath<Luggage, Value?>,
        _ direction: FetchRequest<Luggage>.Direction,
        isPresent: Bool
    ) -> [FetchRequest<Luggage>] {
        if isPresent { return [selection.sorted(by: value, direction)] }
        // Each of the two requests can use the order of an index; one request for both could not.
        return [
            selection.where(value, isMissing: false).sorted(by: value, direction),
            selection.where(value, isMissing: true),
        ]
    }

    /// The matching bags in any order; nil if there can be none.
    private func selection(in context: ManagedObjectContext) throws -> FetchRequest<Luggage>? {
        var request = FetchRequest(Luggage.self)
        // The conditions for which an index helps most come first.
        if isMissing { request = request.missing }
        if hasArrived { request = request.where(\.arrivedAt, isMissing: false) }
        if let departedBefore {
            request = request.where(\.departedAt, isLessThan: departedBefore)
        } else if hasDeparted {
            request = request.where(\.departedAt, isMissing: false)
        }
        if isMisrouted { request = request.where(\.misroutedAt, isMissing: false) }
        if isAwaited {
            request =
                trip.map { request.where(\.corrections, contains: $0.awaited) }
                ?? request.where(\.dueAt, isMissing: false)
        }
        if let trip { request = trip.applied(to: request) }
        if let isExpected {
            if let trip {
                request = try trip.listed(request, isExpected, in: context)
            } else {
                request = request.where(\.isExpected, is: isExpected)
            }
        }
        if hasNotDeparted {
            // For what lists ask; a bag that is asked for as arrived has departed, or nobody saw it.
            let isOfLists = (isExpected == true || trip != nil) && !hasArrived
            let late = isOfLists ? try context.bagsStillToDepart(on: trip) : []
            request = request.whereEither(
                { $0.where(\.departedAt, isMissing: true) },
                { $0.whereObject(isOneOf: late) }
            )
        }
        if let owner {
            let passengers = try owner.passengers(in: context)
            if passengers.isEmpty { return nil }
            request = request.where(\.owner, isOneOf: passengers)
        }
        if let heavierThan { request = request.where(\.weight, isGreaterThan: heavierThan) }
        if station != nil || point != nil {
            var scans = FetchRequest(Scan.self).notUndone
            if let station { scans = scans.at(station) }
            if let point { scans = scans.where(\.point, is: point) }
            return request.where(\.scans, contains: period.applied(to: scans, \.scannedAt))
        }
        if period.isUnbounded { return request }
        if hasArrived { return period.applied(to: request, \.arrivedAt) }
        if hasDeparted || isMissing { return period.applied(to: request, \.departedAt) }
        return request.whereEither(
            { period.applied(to: $0, \.departedAt) },
            { period.applied(to: $0, \.arrivedAt) }
        )
    }
}

extension FetchRequest<Luggage> {
    /// The bags that have departed and not arrived.
    package var missing: Self {
        self.where(\.arrivedAt, isMissing: true).where(\.departedAt, isMissing: false)
    }
}
