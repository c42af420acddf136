internal import Glibc
internal import LuggageTags
internal import ObjectStore
internal import ProgramSupport
internal import SystemSupport

/// A list that goes on with changes until the user interrupts it.
struct LuggageFollowing {
    let container: PersistentContainer
    let question: LuggageQuestion
    let filters: LuggageFilters
    let format: ListFormat
    let columns: LuggageColumns
    let columnNames: [String]

    /// Writes the list, then its changes.
    ///
    /// - Throws: `StoreError` or ``Failure``; not if it is interrupted, or nobody reads any more.
    func run() async throws {
        // Listens before the first read, so that it misses no save.
        let saves = container.changes
        let signals = await AsyncStream.signals([SIGINT, SIGTERM])
        let (events, feed) = AsyncStream.makeStream(of: SaveResult.self)
        let threads = TaskThreads.ofCurrentTask
        let listening = Task(executorPreference: threads) {
            for await save in saves { feed.yield(save) }
        }
        let interruption = Task(executorPreference: threads) {
            for await _ in signals { break }
            feed.finish()
        }
        // A reader may go while nothing changes; without a write, no error would tell.
        StandardOutput.whenUnread { feed.finish() }
        defer {
            listening.cancel()
            interruption.cancel()
        }
        do {
            var follower = LuggageFollower(self)
            try container.read { try filters.check(in: $0) }
            try follower.begin()
            for await save in events { try follower.tell(save) }
        } catch is OutputClosed {
            // The reader has seen enough.
        }
    }
}

/// A bag in a list that goes on, and why it is listed.
struct LuggageNews: Encodable {
    enum Change: String, Encodable {
        /// It was in the list from the beginning.
        case listed
        /// It has entered the list.
        case new
        /// It is in the list, and has other values.
        case changed
        /// It has left the list.
        case left
    }

    var change: Change
    var luggage: LuggageReport
}

/// Tells programs that the list begins anew, and that earlier entries no longer count.
private struct ListCleared: Encodable {
    var change = "cleared"
}

/// Writes a list that goes on, and remembers the bags in it.
private struct LuggageFollower {
    private let plan: LuggageFollowing
    private var listing: Listing<LuggageNews>
    /// The bags in the list; nil if it contains every bag.
    private var listed: Set<ObjectID>?

    init(_ plan: LuggageFollowing) {
        self.plan = plan
        let change = ListColumn<LuggageNews>("change", usualWidth: 7, value: \.change.rawValue) {
            .init($0.change.rawValue, $0.change == .left ? .faint : nil)
        }
        let columns = plan.columns.columns(plan.columnNames).map { $0.lifted(\LuggageNews.luggage) }
        listing = Listing(
            plan.format,
            [change] + columns,
            isOpen: true,
            prepare: { plan.columns.identifiers.prepare($0.map(\.luggage.id)) }
        )
    }

    /// Writes the current list.
    mutating func begin() throws {
        try plan.container.read { context in
            listed = plan.question.isForAll ? nil : Set(try plan.question.ids(in: context))
            try plan.question.forEachBatch(in: context) { bags in
                try listing.write(
                    bags.map { LuggageNews(change: .listed, luggage: $0) }
                )
            }
        }
        try listing.flush()
    }

    /// Writes what a save has changed in the list.
    mutating func tell(_ save: SaveResult) throws {
        guard save.isComplete else {
            StandardError.complain(
                "luggage",
                "too much has changed to show each change; the list begins anew"
            )
            if plan.format == .jsonl { try StandardOutput.jsonLine(ListCleared()) }
            return try begin()
        }
        let touched = TouchedBags(save, plan.container.model)
        if touched.ids.isEmpty { return }
        let told = try plan.container.read { context in
            let matching = try plan.question.ids(among: touched.ids, in: context)
            return try news(of: touched, among: matching, context)
        }
        try listing.write(told)
        try listing.flush()
    }

    private mutating func news(
        of touched: TouchedBags,
        among matching: [ObjectID],
        _ context: ManagedObjectContext
    ) throws -> [LuggageNews] {
        let matching = Set(matching)
        return try touched.ids.compactMap { id in
            let isListed = matching.contains(id)
            let wasListed = listed.map { $0.contains(id) } ?? !touched.inserted.contains(id)
            if isListed { listed?.insert(id) } else { listed?.remove(id) }
            let change: LuggageNews.Change
            switch (wasListed, isListed) {
            case (false, false): return nil
            case (true, true) where !touched.reports.keys.contains(id): return nil
            case (true, true): change = .changed
            case (false, true): change = .new
            case (true, false): change = .left
            }
            let report = try context.existingObject(Luggage.self, id: id).map(LuggageReport.init)
            guard let report = report ?? touched.reports[id] else { return nil }
            return LuggageNews(change: change, luggage: report)
        }
    }
}

/// The bags that a save concerns.
private struct TouchedBags {
    /// All of them in order, including those with only new scans.
    let ids: [ObjectID]
    /// The new bags.
    let inserted: Set<ObjectID>
    /// The changed bags, with their values after the save, or before it if deleted.
    let reports: [ObjectID: LuggageReport]

    init(_ save: SaveResult, _ model: ManagedObjectModel) {
        var ids: Set<ObjectID> = []
        var inserted: Set<ObjectID> = []
        var reports: [ObjectID: LuggageReport] = [:]
        for (id, change) in save.changes where change.kind != .unchanged {
            guard let snapshot = change.after ?? change.before else { continue }
            if let report = LuggageReport(snapshot, model) {
                ids.insert(id)
                reports[id] = report
                if change.kind == .inserted { inserted.insert(id) }
            } else if let bag = model.target(\Scan.luggage, in: snapshot) {
                ids.insert(bag)
            }
        }
        self.ids = ids.sorted()
        self.inserted = inserted
        self.reports = reports
    }
}

extension LuggageReport {
    /// Reads a bag from a snapshot; nil if the snapshot is of another entity.
    fileprivate init?(_ snapshot: Snapshot, _ model: ManagedObjectModel) {
        guard let id = model.value(\Luggage.identifier, in: snapshot) else { return nil }
        self.init(
            id: id,
            weight: model.value(\Luggage.weight, in: snapshot) ?? nil,
            departedAt: model.value(\Luggage.departedAt, in: snapshot) ?? nil,
            arrivedAt: model.value(\Luggage.arrivedAt, in: snapshot) ?? nil
        )
        misroutedAt = model.value(\Luggage.misroutedAt, in: snapshot) ?? nil
        misroutedTo = model.value(\Luggage.misroutedTo, in: snapshot) ?? nil
    }
}
