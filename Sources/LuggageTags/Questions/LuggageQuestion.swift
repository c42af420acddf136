public import Foundation
public import ObjectStore

/// A question about bags: which of them, in which order, how many at most.
///
/// The store answers it; nothing is read but what is given out.
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
    /// What bags are sorted by.
    public enum Key: String, CaseIterable, Sendable {
        /// When they departed; those that have not come last.
        case departed
        /// When they arrived; those that have not come last.
        case arrived
        /// The weight; those of which none is known come last.
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
    /// Only bags that departed before a moment.
    public var departedBefore: Date?
    /// Only bags of the passengers who are meant.
    public var owner: OwnerQuestion?
    /// Only bags that weigh more than this, in pounds.
    public var heavierThan: Float?
    /// Only bags that were scanned at this station; scans that were taken back do not count.
    public var station: String?
    /// Only bags with a time in this period: that of a scan at ``station`` where one is named, else that
    /// of the arrival with ``hasArrived``, that of the departure with ``hasDeparted`` or ``isMissing``,
    /// else one of both.
    public var period = Period()
    /// What they are sorted by; bags that are equal in it come as they were filed.
    public var key = Key.departed
    /// Whether the greatest come first.
    public var isDescending = false
    /// How many bags at most.
    public var limit: Int?

    /// Asks for all bags.
    public init() {}

    /// Gives reports on the bags batch by batch, so that a long list needs little memory.
    ///
    /// - Parameters:
    ///   - context: Where to read, best in one state: a context of `PersistentContainer.read(_:)`.
    ///     Changes in it that are not saved do not count.
    ///   - body: Takes a batch, which is never empty.
    /// - Throws: `StoreError`, or what `body` throws.
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

    /// The number of bags, not more than the limit.
    ///
    /// - Throws: `StoreError`.
    public func count(in context: ManagedObjectContext) throws -> Int {
        let count = try requests(in: context).reduce(0) { try $0 + context.count($1) }
        return min(count, limit ?? count)
    }

    /// The identities of all bags that the question asks for, in any order and without the limit.
    ///
    /// - Throws: `StoreError`.
    public func ids(in context: ManagedObjectContext) throws -> [ObjectID] {
        guard let request = try selection(in: context) else { return [] }
        return try context.fetchIDs(request.asFaults())
    }

    /// Those of some bags that the question asks for, in any order.
    ///
    /// - Throws: `StoreError`.
    public func ids(
        among ids: some Sequence<ObjectID>,
        in context: ManagedObjectContext
    ) throws -> [ObjectID] {
        // All passengers are more than own a few bags.
        var question = self
        question.owner = nil
        guard let request = try question.selection(in: context) else { return [] }
        let found = try context.fetchIDs(request.whereObject(isOneOf: ids).asFaults())
        return try owner?.bags(among: found, in: context) ?? found
    }

    /// Whether it asks for every bag, but for their number.
    public var isForAll: Bool {
        var other = Self()
        other.key = key
        other.isDescending = isDescending
        other.limit = limit
        return self == other
    }
}

extension LuggageQuestion {
    /// The requests whose results, one after the other, answer the question but for the limit.
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

    /// Bags without the value come last, whatever the direction.
    private func ordered<Value: AttributeType>(
        _ selection: FetchRequest<Luggage>,
        _ value: KeyPath<Luggage, Value?>,
        _ direction: FetchRequest<Luggage>.Direction,
        isPresent: Bool
    ) -> [FetchRequest<Luggage>] {
        if isPresent { return [selection.sorted(by: value, direction)] }
        // One of them alone is in the order of an index.
        return [
            selection.where(value, isMissing: false).sorted(by: value, direction),
            selection.where(value, isMissing: true),
        ]
    }

    /// The bags in any order; nil where there can be none.
    private func selection(in context: ManagedObjectContext) throws -> FetchRequest<Luggage>? {
        var request = FetchRequest(Luggage.self)
        // First what an index answers best.
        if isMissing { request = request.where(\.arrivedAt, isMissing: true) }
        if hasArrived { request = request.where(\.arrivedAt, isMissing: false) }
        if let departedBefore {
            request = request.where(\.departedAt, isLessThan: departedBefore)
        } else if needsDeparture {
            request = request.where(\.departedAt, isMissing: false)
        }
        if let owner {
            let passengers = try owner.passengers(in: context)
            if passengers.isEmpty { return nil }
            request = request.where(\.owner, isOneOf: passengers)
        }
        if let heavierThan { request = request.where(\.weight, isGreaterThan: heavierThan) }
        if let station {
            let scans = FetchRequest(Scan.self).at(station)
                .where(\.undoneAt, isMissing: true)
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
