package import FoundationEssentials
package import LuggageTags
internal import ObjectStore

/// What is to be seen at this moment: the answers behind the first page.
package struct Now: Sendable {
    /// How many bags are missing.
    package var missing: Int
    /// How many of them are overdue.
    package var overdue: Int
    /// Those that have been missing longest.
    package var oldest: [LuggageReport]
    /// What was scanned today.
    package var today: StationRate.Quarter
    /// The last scans, the newest first.
    package var scans: [HistoryEntry]
    /// The owners of the bags in them.
    package var owners: [UUID: PassengerReport]
    /// How much each station has read in the last hours.
    package var stations: [StationRate]
    /// The alarms that nobody has taken note of, as they began.
    package var alarms: [Alarm]

    /// How many missing bags are listed.
    static let mostMissing = 8
    /// How many scans are listed.
    static let mostScans = 10

    /// Asks the record.
    ///
    /// - Parameters:
    ///   - date: The present moment.
    ///   - patience: After how many seconds a missing bag is overdue.
    ///   - bounds: From when on something is an alarm.
    ///   - rates: What is known of the last hours.
    ///   - context: The context to read in.
    /// - Throws: `StoreError`.
    init(
        at date: Date,
        patience: TimeInterval,
        bounds: AlarmBounds,
        rates: QuarterCounts,
        in context: ManagedObjectContext
    ) throws {
        let midnight = LocalClock.beginning(ofDay: LocalClock.day(at: date))
        (stations, today) = try rates.count(at: date, since: midnight, in: context)
        var missing = LuggageQuestion()
        missing.isMissing = true
        self.missing = try missing.count(in: context)
        missing.limit = Self.mostMissing
        var oldest: [LuggageReport] = []
        try missing.forEachBatch(in: context) { oldest += $0 }
        self.oldest = oldest
        var late = LuggageQuestion()
        late.isMissing = true
        late.departedBefore = date - patience
        // Nothing is overdue if not even the oldest is.
        let isAnyLate = oldest.first?.departedAt.map { $0 < date - patience } ?? false
        overdue = isAnyLate ? try late.count(in: context) : 0
        var question = ScanQuestion()
        question.leavesOutUndone = true
        question.omitsPayloads = true
        question.limit = Self.mostScans
        var scans: [HistoryEntry] = []
        try question.forEachBatch(in: context) { scans += $0 }
        self.scans = scans.reversed()
        owners = try context.owners(of: Set(scans.compactMap(\.bag)))
        alarms = try Alarm.open(at: date, within: bounds, in: context).filter { $0.note == nil }
    }
}

extension ManagedObjectContext {
    func owners(of bags: Set<UUID>) throws -> [UUID: PassengerReport] {
        let found = FetchRequest(Luggage.self).where(\.identifier, isOneOf: bags)
        return try fetch(found).reduce(into: [:]) { owners, bag in
            owners[bag.identifier] = bag.owner.map(PassengerReport.init)
        }
    }
}
