internal import FoundationEssentials
public import ObjectStore

/// A query for scans of all bags, including failed ones.
public struct ScanQuestion: Hashable, Sendable {
    /// Only scans in this period.
    public var period = Period()
    /// Only scans of this station.
    public var station: String?
    /// Only scans at this point.
    public var point: Point?
    /// Only scans with one of these outcomes; empty for any outcome.
    public var outcomes: Set<Outcome> = []
    /// Only scans that failed with this error code, such as `no-code`.
    public var reason: String?
    /// Only scans that count: no undone ones, and each sighting once.
    public var leavesOutUndone = false
    /// Whether to leave out the payloads of tags, which take much of the time for a long list.
    public var omitsPayloads = false
    /// The greatest number of scans, at least 1; the newest are returned.
    public var limit: Int?

    /// Makes a query for all scans.
    public init() {}

    /// Passes the scans to a closure batch by batch, the newest last.
    ///
    /// - Parameters:
    ///   - context: The context to read in, best a context of `PersistentContainer.read(_:)`, which reads
    ///     one state. Its unsaved changes do not count.
    ///   - body: Receives a batch, which is never empty.
    /// - Throws: `StoreError`, or the error of `body`.
    public func forEachBatch(
        in context: ManagedObjectContext,
        _ body: ([HistoryEntry]) throws -> Void
    ) throws {
        let reading = ScanEntryReading(context: context)
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
        // Scans of one picture have the same time: perhaps only some of the first ones are among the newest.
        let later = request.where(\.scannedAt, isGreaterThan: first)
        let equal = request.where(\.scannedAt, is: first)
        let missing = limit - (try context.count(later))
        try give(equal.skipping(context.count(equal) - missing))
        try give(later.sorted(by: \.scannedAt))
    }

    /// The numbers of scans by station and outcome, without the limit.
    ///
    /// - Throws: `StoreError`.
    package func counts(
        in context: ManagedObjectContext
    ) throws -> [(station: String, outcome: Outcome, count: Int)] {
        try context.counts(of: request, by: \.station, \.outcome).map { key, count in
            (station: key.0, outcome: key.1, count: count)
        }
    }

    /// The time of the oldest among the newest scans; nil if there are fewer.
    private func timeOfFirst(of limit: Int, in context: ManagedObjectContext) throws -> Date? {
        let request = request.sorted(by: \.scannedAt, .descending)
        return try context.fetch(request.skipping(limit - 1).limited(to: 1)).first?.scannedAt
    }

    /// The matching scans in any order.
    var request: FetchRequest<Scan> {
        var request = FetchRequest(Scan.self)
        if let station { request = request.at(station) }
        request = period.applied(to: request, \.scannedAt)
        if let point { request = request.where(\.point, is: point) }
        if let reason { request = request.where(\.reason, is: reason) }
        if leavesOutUndone {
            request = request.notUndone.where(\.isRepeat, is: false)
        }
        if outcomes.isEmpty { return request }
        let others = outcomes.subtracting([.misrouted])
        if others == outcomes {
            return request.where(\.outcome, isOneOf: others).where(\.isMisrouted, is: false)
        }
        return request.whereEither(
            { $0.where(\.isMisrouted, is: true) },
            { $0.where(\.outcome, isOneOf: others).where(\.isMisrouted, is: false) }
        )
    }
}
