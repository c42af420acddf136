internal import FoundationEssentials
internal import ObjectStore

/// Merges a batch of records with what is on record.
///
/// The contents of the file become facts: scans, and statements about bags. Then bags are derived from
/// all facts about them. So the order of the records, and importing them again, do not change the result.
struct RecordMerging {
    /// The properties of the file that its records come from.
    struct Source {
        /// Decides which side counts for a bag that differs, if no facts tell.
        var policy: ImportPolicy
        /// Whether the file has all that a store knows, and not only single statements.
        var isExchange = false
        /// Whether the file has every fact about its bags.
        var isComplete = false
        /// The identifier of the import.
        let identifier: UUID
    }

    let context: ManagedObjectContext
    let source: Source
    /// When the contents of the file become known here.
    let now: Date
    var met: RecordsMet
    /// Whether anything was added.
    var hasAdded = false
    /// The bags with new facts, and their states before; nil if they are new.
    var touched: [UUID: BagDeriving.Before?] = [:]
    /// What was removed because of purges elsewhere.
    var purged = ImportReport.Purged()
    /// The bags about which new statements of purges came.
    private(set) var forgotten: Set<UUID> = []
    /// The new statements of purges about facts of no bag.
    private(set) var forgottenFailures: [Forgetting] = []
    /// The facts of the bags: those on record before, and those that were added.
    var facts: FactsMet
    /// The next numbers of equal scans, by the identifiers of the first ones.
    private var copies: [UUID: Int] = [:]
    /// The new identifiers of facts whose identifiers in the file would reveal purged names.
    private(set) var renamed: [UUID: UUID]
    /// The failed scans that were added or withdrawn.
    private(set) var failures: [Scan] = []
    let deriving: BagDeriving

    init(
        _ batch: RecordBatch,
        of source: Source,
        renamed: [UUID: UUID] = [:],
        into context: ManagedObjectContext,
        now: Date
    ) throws {
        self.context = context
        self.source = source
        self.renamed = renamed
        self.now = now
        met = try RecordsMet(batch, in: context)
        facts = try FactsMet(batch, met, in: context)
        deriving = BagDeriving(context: context, passengers: met.owners)
    }

    var policy: ImportPolicy { source.policy }

    mutating func merge(_ entry: RecordBatch.Entry) throws -> ImportOutcome {
        switch entry.record {
        case .bag(let bag) where source.isComplete: compare(bag)
        case .bag(let bag): try merge(bag)
        case .passenger(let name): passenger(name)
        case .scan(let scan): try merge(scan, entry.contents)
        case .fact(let fact): try merge(fact)
        case .about, .end: .repeated
        }
    }

    private mutating func passenger(_ name: PassengerName) -> ImportOutcome {
        if met.passengers[name] != nil { return .repeated }
        met.passengers[name] = Passenger(name, context: context)
        hasAdded = true
        return .new
    }

    /// The bag to which a fact will be added.
    mutating func touch(_ identifier: UUID) throws -> Luggage {
        if let luggage = met.bags[identifier] {
            if touched[identifier] == nil {
                let before = BagDeriving.Before(luggage)
                try deriving.adopt(luggage, before)
                // Then there may be a fact more, which was made of its state.
                if before.derivedUpTo == nil { facts.forget(identifier) }
                touched[identifier] = .some(before)
            }
            return luggage
        }
        let luggage: Luggage
        if facts.isUnheardOf(identifier) {
            luggage = Luggage(context: context)
            luggage.identifier = identifier
        } else {
            luggage = try deriving.bag(identifier).luggage
        }
        met.bags[identifier] = luggage
        touched[identifier] = .some(nil)
        return luggage
    }

    // MARK: Scans

    private mutating func merge(
        _ record: ScanRecord,
        _ contents: TagContents?
    ) throws -> ImportOutcome {
        var contents = contents
        if let same = try known(record) { return try join(record, into: same) }
        let filings = met.scans[record.key, default: []]
        if record.identifier == nil {
            // A sighting that was undone here stays undone, even if it counts elsewhere.
            if !filings.isEmpty && filings.allSatisfy({ $0.undoneAt != nil }) { return .repeated }
            if record.imageDigest == nil {
                if met.undone.contains(record.single) { return .repeated }
                guard met.copies[record.single, default: 0] < record.copy else { return .repeated }
            }
        }
        var record = record
        switch met.forgottenScope(of: record) {
        case .bags: return .repeated
        case .names:
            record.payload = PurgedPayload.of(Array(record.payload), outcome: record.outcome)
            record.others = nil
            contents?.owner = nil
        case nil: break
        }
        let luggage = try bag(of: record, contents)
        hasAdded = true
        let scan = Scan(context: context)
        scan.identifier = try record.identifier ?? freeIdentifier(for: record)
        scan.filedAt = record.filedAt
        scan.author = record.author
        scan.importedBy = source.identifier
        scan.point = record.point
        scan.role = record.role
        scan.station = record.station
        scan.place = record.place
        scan.scannedAt = record.scannedAt
        scan.imageName = record.imageName
        scan.imageDigest = record.imageDigest
        scan.payload = record.payload
        scan.outcome = record.outcome
        scan.reason = record.reason
        scan.others = try record.others?.stored
        scan.luggage = luggage
        if let identifier = scan.identifier { met.known[identifier] = scan }
        if let bag = record.bag, luggage != nil {
            facts.add(scan, record, contents, to: bag)
        } else {
            failures.append(scan)
        }
        if record.imageDigest == nil {
            met.copies[record.single, default: 0] += 1
        } else {
            met.scans[record.key, default: []].append(scan)
        }
        return filings.isEmpty ? .new : .updated
    }

    /// Computes an identifier for a scan without one, with a number that is free.
    ///
    /// Several tags of a picture may differ only in their payloads, which the identifier does not tell.
    private mutating func freeIdentifier(for record: ScanRecord) throws -> UUID {
        var record = record.single
        let first = record.contentIdentifier
        record.copy = copies[first, default: 1]
        while try context.exists(
            FetchRequest(Scan.self).where(\.identifier, is: record.contentIdentifier)
        ) { record.copy += 1 }
        copies[first] = record.copy + 1
        return record.contentIdentifier
    }

    /// The same filing of the same sighting, if it is on record.
    private func known(_ record: ScanRecord) throws -> Scan? {
        if let identifier = record.identifier { return met.known[identifier] }
        if record.imageDigest == nil { return nil }
        return met.scans[record.key, default: []].first {
            $0.undoneAt == nil && $0.scannedAt == record.scannedAt
        }
    }

    /// Copies values in which two equal filings may differ if they are known only by their contents.
    private mutating func join(_ record: ScanRecord, into scan: Scan) throws -> ImportOutcome {
        guard scan.identifier?.isByContents ?? true, scan.isPreceded(by: record) else {
            return .repeated
        }
        scan.imageName = record.imageName
        scan.outcome = record.outcome
        scan.role = record.role
        scan.place = scan.place ?? record.place
        hasAdded = true
        return .updated
    }

    /// The bag of a scan; if it is not on record, a new one.
    private mutating func bag(
        of record: ScanRecord,
        _ contents: TagContents?
    ) throws -> Luggage? {
        guard let id = record.bag ?? contents?.identifier else { return nil }
        if met.bags[id] != nil || contents != nil || record.identifier != nil {
            return try touch(id)
        }
        throw TagError(
            .graph,
            .keyMissing,
            at: ["bag"],
            "\(id.uuidString) is neither on record nor in the file before this scan"
        )
    }

    // MARK: Other facts

    private mutating func merge(_ fact: FactRecord) throws -> ImportOutcome {
        var fact = fact
        fact.withdrawn = fact.withdrawn.map { renamed[$0] ?? $0 }
        if let same = met.facts[fact.identifier] { return try join(fact, into: same) }
        var isWithoutNames = false
        switch met.forgottenScope(of: fact) {
        case .bags: return .repeated
        case .names: (fact, isWithoutNames) = (fact.withoutNames, true)
        case nil: break
        }
        let correction = Correction(context: context)
        try fact.fill(correction)
        if isWithoutNames, correction.isNamedByContents {
            guard try rename(correction) else { return .repeated }
        }
        met.facts[fact.identifier] = correction
        hasAdded = true
        correction.importedBy = source.identifier
        switch fact.kind {
        case .forgottenFailures, .forgottenFailureNames:
            forgottenFailures += [correction.forgetting].compactMap(\.self)
            return .new
        case .forgottenBag, .forgottenNames: forgotten.insert(fact.subject)
        default: break
        }
        if let failed = fact.withdrawnFailure.flatMap({ met.known[$0] }), !failed.outcome.isFiled {
            failures.append(failed)
        }
        correction.luggage = try touch(fact.subject)
        facts.add(correction, to: fact.subject)
        return .new
    }

    /// Gives a fact known by its contents the identifier that it has without names.
    ///
    /// - Returns: Whether the fact is new here.
    private mutating func rename(_ correction: Correction) throws -> Bool {
        let (old, new) = (correction.factIdentifier, correction.contentIdentifier)
        renamed[old] = new
        let withdrawals = try context.fetch(
            FetchRequest(Correction.self).where(\.withdrawn, is: old)
        )
        for withdrawal in withdrawals {
            hasAdded = true
            _ = try touch(withdrawal.identifier)
            facts.isChanged(withdrawal.identifier)
        }
        let same = try context.fetch(FetchRequest(Correction.self).where(\.fact, is: new))
        return try correction.takeContentIdentifier(among: withdrawals + same, in: context)
    }

    /// Copies the identifier of the fact that it withdraws, if a purge has changed that identifier.
    private mutating func join(
        _ fact: FactRecord,
        into correction: Correction
    ) throws -> ImportOutcome {
        guard let old = correction.withdrawn, let new = fact.withdrawn, old != new,
            old.isByContents, new.isByContents,
            correction.identifier == fact.subject
        else { return .repeated }
        func isKnown(_ fact: UUID) throws -> Bool {
            try context.exists(FetchRequest(Correction.self).where(\.fact, is: fact))
        }
        guard try (isKnown(new) ? 0 : 1, new) < (isKnown(old) ? 0 : 1, old) else {
            return .repeated
        }
        correction.withdrawn = new
        hasAdded = true
        _ = try touch(fact.subject)
        facts.isChanged(fact.subject)
        return .updated
    }
}

extension Scan {
    /// Whether the record of the same filing is the one to keep, by name, outcome and role.
    fileprivate func isPreceded(by record: ScanRecord) -> Bool {
        let (name, other) = (Array(imageName.utf8), Array(record.imageName.utf8))
        if name != other { return name.lexicographicallyPrecedes(other) }
        if outcome != record.outcome { return outcome.rawValue < record.outcome.rawValue }
        return role?.rawValue ?? "" < record.role?.rawValue ?? ""
    }
}
