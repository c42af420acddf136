internal import FoundationEssentials
package import ObjectStore
internal import SystemSupport

/// Finds what a record derives from its facts, for a database in which people ask for it.
package struct RowPublishing: Sendable {
    /// Rows that are published together.
    package struct Page: Sendable {
        package var rows = PublishedRows()
        /// The last save that was looked at, after which to go on.
        ///
        /// Without rows nobody needs to keep it.
        package var token: HistoryToken
        /// Whether there was nothing after it.
        package var isLast = true
    }

    /// How many objects are in memory at a time.
    private static let size = 500

    private let container: PersistentContainer

    /// Prepares to find rows.
    ///
    /// - Parameter container: The record, with the model of ``LuggageModel``.
    package init(_ container: PersistentContainer) {
        self.container = container
    }

    /// The rows that have changed after a save, as they are now.
    ///
    /// - Parameters:
    ///   - token: The last save whose rows are published.
    ///   - limit: How many changed objects are enough, at least 1; those of one save come together.
    /// - Returns: The rows.
    /// - Throws: `StoreError`, with the code `historyExpired` if the history no longer tells what has
    ///   changed; then publish ``all(_:)`` anew.
    package func next(after token: HistoryToken, limit: Int) throws -> Page {
        try container.read { context in
            var page = Page(token: token)
            var news = RowNews(context.model)
            while news.count < limit {
                let saves = try context.completeHistory(after: page.token, limit: 100)
                for save in saves where news.count < limit {
                    news.add(save)
                    page.token = save.token
                }
                if saves.count < 100 || page.token != saves.last?.token { break }
            }
            page.isLast = try context.lastHistoryToken() == page.token
            page.rows = try news.rows(in: context, Self.size)
            return page
        }
    }

    /// Gives all rows of one state of the record, page by page, without anything that is gone.
    ///
    /// - Parameter body: Takes a page, which is never empty.
    /// - Returns: The last save, after which to go on; nil if nothing was ever saved.
    /// - Throws: `StoreError`, or what `body` throws.
    package func all(_ body: (PublishedRows) throws -> Void) throws -> HistoryToken? {
        try container.read { context in
            let last = try context.lastHistoryToken()
            for ids in try context.fetchIDs(FetchRequest(Luggage.self).asFaults())
                .pages(of: Self.size)
            {
                try body(PublishedRows(bags: context.publishedBags(ids)))
                context.reset()
            }
            for ids in try context.fetchIDs(FetchRequest(Scan.self).asFaults())
                .pages(of: 2 * Self.size)
            {
                let sightings = try context.publishedSightings(ids)
                context.reset()
                if !sightings.isEmpty { try body(PublishedRows(sightings: sightings)) }
            }
            return last
        }
    }
}

/// The objects whose rows have changed in some saves.
private struct RowNews {
    private let bags: Int?
    private let scans: Int?
    private let corrections: Int?
    private let passengers: Int?
    private var changedBags: Set<ObjectID> = []
    private var changedScans: Set<ObjectID> = []
    private var changedCorrections: Set<ObjectID> = []
    private var changedPassengers: Set<ObjectID> = []
    private var goneBags: Set<UUID> = []
    private var goneScans: Set<UUID> = []

    init(_ model: ManagedObjectModel) {
        func index(_ name: String) -> Int? { model.entities.firstIndex { $0.name == name } }
        bags = index(Luggage.entity.name)
        scans = index(Scan.entity.name)
        corrections = index(Correction.entity.name)
        passengers = index(Passenger.entity.name)
    }

    var count: Int { changedBags.count + changedScans.count + changedCorrections.count }

    mutating func add(_ save: HistoryTransaction) {
        for change in save.changes {
            let isGone = change.kind == .deleted
            switch change.id.entity {
            case bags:
                if isGone { goneBags.formUnion(change.identifier(named: "identifier")) }
                changedBags.insert(change.id)
            case scans:
                if isGone { goneScans.formUnion(change.identifier(named: "identifier")) }
                changedScans.insert(change.id)
            case corrections: changedCorrections.insert(change.id)
            case passengers: if change.kind == .updated { changedPassengers.insert(change.id) }
            default: break
            }
        }
    }

    /// The rows as they are now.
    func rows(in context: ManagedObjectContext, _ size: Int) throws -> PublishedRows {
        var rows = PublishedRows()
        var bags = changedBags
        for ids in Array(changedScans).pages(of: 2 * size) {
            let luggage = context.model.property(\Scan.luggage)
            bags.formUnion(try context.snapshots(of: Scan.self, ids).compactMap { $0[luggage] })
            rows.sightings += try context.publishedSightings(ids)
            context.reset()
        }
        for ids in Array(changedCorrections).pages(of: 2 * size) {
            let luggage = context.model.property(\Correction.luggage)
            bags.formUnion(
                try context.snapshots(of: Correction.self, ids).compactMap { $0[luggage] }
            )
        }
        if !changedPassengers.isEmpty {
            let owned = FetchRequest(Luggage.self).where(\.owner, isOneOf: changedPassengers)
            bags.formUnion(try context.fetchIDs(owned.asFaults()))
        }
        for ids in Array(bags).pages(of: size) {
            rows.bags += try context.publishedBags(ids)
            context.reset()
        }
        // A bag that went may have come again.
        rows.goneBags = goneBags.subtracting(rows.bags.map(\.id)).sorted()
        rows.goneSightings = goneScans.subtracting(rows.sightings.map(\.fact)).sorted()
        return rows
    }
}

extension HistoryChange {
    /// The identifier that an object had before.
    fileprivate func identifier(named name: String) -> [UUID] {
        properties.filter { $0.name == name }.compactMap { UUID?(attributeValue: $0.before) }
    }
}

extension ManagedObjectContext {
    fileprivate func publishedBags(_ ids: some Sequence<ObjectID>) throws -> [PublishedRows.Bag] {
        try fetch(
            FetchRequest(Luggage.self).whereObject(isOneOf: ids).prefetching(\.owner)
        ).map { luggage in
            let facts = try RecordedFacts(of: luggage, in: self).facts
            return PublishedRows.Bag(
                id: luggage.identifier,
                givenName: luggage.owner?.givenName,
                familyName: luggage.owner?.familyName,
                weight: luggage.weight,
                departedAt: luggage.departedAt,
                arrivedAt: luggage.arrivedAt,
                journeys: DerivedBag(facts).journeys.enumerated().map { number, journey in
                    PublishedRows.Journey(
                        number: number + 1,
                        departedAt: journey.departedAt,
                        arrivedAt: journey.arrivedAt,
                        points: journey.underWay.map(\.point)
                    )
                }
            )
        }
    }

    fileprivate func publishedSightings(
        _ ids: some Sequence<ObjectID>
    ) throws -> [PublishedRows.Sighting] {
        try fetch(
            FetchRequest(Scan.self).whereObject(isOneOf: ids).where(\.identifier, isMissing: false)
                .prefetching(\.luggage)
        ).map { scan in
            PublishedRows.Sighting(
                fact: scan.factIdentifier,
                bag: scan.bagTold,
                station: scan.station.composed,
                point: scan.point,
                role: scan.point.role(told: scan.role),
                scannedAt: scan.scannedAt,
                outcome: scan.told,
                reason: scan.reason,
                counts: scan.undoneAt == nil && !scan.isRepeat,
                isTyped: scan.isTyped
            )
        }
    }
}
