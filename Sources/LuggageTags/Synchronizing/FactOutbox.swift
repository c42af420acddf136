package import ObjectStore

/// Finds in the history of a record the facts that other records have not heard from it.
///
/// The history is in the same transactions as the facts, so no fact is lost and none is made up. Facts
/// that came from the hub do not go back to it.
package struct FactOutbox: Sendable {
    /// Facts that go out together.
    package struct Batch: Sendable {
        /// The facts, in the order of their first news.
        package var facts: [OutgoingFact] = []
        /// The last save that was looked at, after which to go on.
        ///
        /// Without facts nobody needs to keep it.
        package var token: HistoryToken
        /// Whether there was nothing after it.
        package var isLast = true
    }

    private let container: PersistentContainer

    /// Prepares to look for facts.
    ///
    /// - Parameter container: The record, with the model of ``LuggageModel``.
    package init(_ container: PersistentContainer) {
        self.container = container
    }

    /// The facts that were added or changed after a save, as they are now.
    ///
    /// - Parameters:
    ///   - token: The last save whose facts have gone out; nil if nobody knows.
    ///   - limit: How many facts are enough, at least 1. The facts of one save come together, so there
    ///     may be more: one save has at most some 10,000.
    /// - Returns: The facts.
    /// - Throws: `StoreError`, with the code `historyExpired` if the history does not tell what was added
    ///   since, as without a token: a record may be older than its history. Then compare ``FactDays``, and
    ///   go on after the last save of the state that was compared.
    package func next(after token: HistoryToken?, limit: Int) throws -> Batch {
        guard let token else {
            throw StoreError(
                .historyExpired,
                "nothing tells which facts the hub has; compare the facts of all days"
            )
        }
        return try container.read { context in
            var batch = Batch(token: token)
            var news = FactNews(context.model)
            while news.ids.count < limit {
                let saves = try context.completeHistory(
                    after: batch.token,
                    limit: FactNews.pageOfSaves
                )
                for save in saves where news.ids.count < limit {
                    news.add(save)
                    batch.token = save.token
                }
                if saves.count < FactNews.pageOfSaves || batch.token != saves.last?.token { break }
            }
            batch.isLast = try context.lastHistoryToken() == batch.token
            for page in news.ids.pages(of: 500) {
                batch.facts += try context.outgoingFacts(page)
                context.reset()
            }
            return batch
        }
    }

    /// How many facts were added or changed after a save.
    ///
    /// - Parameter token: The last save whose facts have gone out; nil if none have.
    /// - Returns: The number.
    /// - Throws: `StoreError`, with the code `historyExpired` if the history does not tell.
    package func waiting(after token: HistoryToken?) throws -> Int {
        try container.read { context in
            guard var token else { return try context.numberOfFacts(among: nil) }
            var news = FactNews(context.model)
            while true {
                let saves = try context.completeHistory(after: token, limit: FactNews.pageOfSaves)
                for save in saves { news.add(save) }
                guard let last = saves.last else { break }
                token = last.token
            }
            return try news.ids.pages(of: 500).reduce(0) { sum, page in
                try sum + context.numberOfFacts(among: page)
            }
        }
    }
}

/// The objects whose facts are news in some saves.
private struct FactNews {
    /// How many saves are in memory at a time.
    static let pageOfSaves = 200

    /// The objects, in the order of their first news.
    private(set) var ids: [ObjectID] = []
    private var known: Set<ObjectID> = []
    private let scans: Int?
    private let corrections: Int?

    init(_ model: ManagedObjectModel) {
        scans = model.entities.firstIndex { $0.name == Scan.entity.name }
        corrections = model.entities.firstIndex { $0.name == Correction.entity.name }
    }

    mutating func add(_ save: HistoryTransaction) {
        if save.author == FactIntake.author { return }
        for change in save.changes where tells(change) {
            if known.insert(change.id).inserted { ids.append(change.id) }
        }
    }

    /// Whether a change tells other records anything.
    private func tells(_ change: HistoryChange) -> Bool {
        let own: Set<String>
        switch change.id.entity {
        case scans: own = Scan.ownProperties
        case corrections: own = Correction.ownProperties
        default: return false
        }
        switch change.kind {
        case .inserted: return true
        case .updated: return !change.properties.allSatisfy { own.contains($0.name) }
        case .deleted: return false
        }
    }
}

extension Scan {
    /// The properties that a record derives or keeps for itself.
    fileprivate static let ownProperties: Set<String> = [
        "luggage", "bag", "importedBy", "isRepeat", "undoneAt",
    ]
}

extension Correction {
    /// The properties that a record derives or keeps for itself.
    fileprivate static let ownProperties: Set<String> = [
        "luggage", "importedBy", "undoneAt", "change", "weightBefore", "givenNameBefore",
        "familyNameBefore",
    ]
}

extension ManagedObjectContext {
    /// How many of some objects, or of all, are facts that other records may hear.
    fileprivate func numberOfFacts(among ids: ArraySlice<ObjectID>?) throws -> Int {
        var (scans, corrections) = (FetchRequest(Scan.self), FetchRequest(Correction.self))
        if let ids {
            scans = scans.whereObject(isOneOf: ids)
            corrections = corrections.whereObject(isOneOf: ids)
        }
        return try count(scans) + count(corrections)
            - count(corrections.where(\.kind, isOneOf: Correction.Kind.local))
    }

    /// The facts of scans and corrections that other records may hear.
    ///
    /// It leaves out objects that are gone, and facts of an older version of the program that have no
    /// identifier yet: they go out once they have one.
    func outgoingFacts(_ ids: some Sequence<ObjectID>) throws -> [OutgoingFact] {
        let scans = try fetch(
            FetchRequest(Scan.self).whereObject(isOneOf: ids).where(\.identifier, isMissing: false)
                .prefetching(\.luggage)
        )
        let corrections = try fetch(
            FetchRequest(Correction.self).whereObject(isOneOf: ids).where(\.fact, isMissing: false)
        ).filter { !Correction.Kind.local.contains($0.kind) }
        let byContents = Set(corrections.compactMap(\.withdrawn).filter(\.isByContents))
        let withdrawn = Dictionary(
            try fetch(FetchRequest(Correction.self).where(\.fact, isOneOf: byContents))
                .map { ($0.factIdentifier, $0) },
            uniquingKeysWith: { first, _ in first }
        )
        var facts: [ObjectID: OutgoingFact] = [:]
        for scan in scans { facts[scan.objectID] = try OutgoingFact(scan) }
        for correction in corrections {
            facts[correction.objectID] = try OutgoingFact(
                correction,
                withdrawing: correction.withdrawn.flatMap { withdrawn[$0] }
            )
        }
        return ids.compactMap { facts[$0] }
    }
}
