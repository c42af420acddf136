internal import Foundation
public import ObjectStore

/// A question about scans of all bags, failed ones included.
public struct ScanQuestion: Hashable, Sendable {
    /// Only scans in this period.
    public var period = Period()
    /// Only scans of this station.
    public var station: String?
    /// Only scans at this point.
    public var point: Point?
    /// Only scans of which one of these came; none for any.
    public var outcomes: Set<Outcome> = []
    /// Only scans that failed for this reason, a stable word such as `no-code`.
    public var reason: String?
    /// Only scans that count: none that somebody has taken back, and each sighting once.
    public var leavesOutUndone = false
    /// Whether entries come without the payloads of tags, which take a long list much of its time.
    public var omitsPayloads = false
    /// How many scans at most, at least 1: the newest.
    public var limit: Int?

    /// Asks for all scans.
    public init() {}

    /// Gives the scans batch by batch, the newest last.
    ///
    /// - Parameters:
    ///   - context: Where to read, best in one state: a context of `PersistentContainer.read(_:)`.
    ///     Changes in it that are not saved do not count.
    ///   - body: Takes a batch, which is never empty.
    /// - Throws: `StoreError`, or what `body` throws.
    public func forEachBatch(
        in context: ManagedObjectContext,
        _ body: ([HistoryEntry]) throws -> Void
    ) throws {
        let reading = ScanEntryReading(context)
        func give(_ request: FetchRequest<Scan>) throws {
            try context.forEachBatch(
                ofSnapshots: request,
                omitting: omitsPayloads ? [\.payload] : []
            ) { try body(reading.entries($0)) }
        }
        let ordered = request.sorted(by: \.scannedAt)
        guard let limit, let first = try timeOfFirst(of: limit, in: context) else {
            return try give(ordered)
        }
        // Scans of one picture have one time: of the first ones, only some may be among the newest.
        let later = request.where(\.scannedAt, isGreaterThan: first)
        let equal = request.where(\.scannedAt, is: first)
        let missing = limit - (try context.count(later))
        try give(equal.skipping(context.count(equal) - missing))
        try give(later.sorted(by: \.scannedAt))
    }

    /// The time of the first one of the newest scans; nil where there are not so many.
    private func timeOfFirst(of limit: Int, in context: ManagedObjectContext) throws -> Date? {
        let request = request.sorted(by: \.scannedAt, .descending)
        return try context.fetch(request.skipping(limit - 1).limited(to: 1)).first?.scannedAt
    }

    /// The number of scans, not more than the limit.
    ///
    /// - Throws: `StoreError`.
    public func count(in context: ManagedObjectContext) throws -> Int {
        let count = try context.count(request)
        return min(count, limit ?? count)
    }

    /// The scans in any order.
    var request: FetchRequest<Scan> {
        var request = FetchRequest(Scan.self)
        if let station { request = request.at(station) }
        request = period.applied(to: request, \.scannedAt)
        if let point { request = request.where(\.point, is: point) }
        if let reason { request = request.where(\.reason, is: reason) }
        if leavesOutUndone {
            request = request.where(\.undoneAt, isMissing: true).where(\.isRepeat, is: false)
        }
        if !outcomes.isEmpty { request = request.where(\.outcome, isOneOf: outcomes) }
        return request
    }
}
