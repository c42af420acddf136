internal import FoundationEssentials
internal import ObjectStore

/// The facts of the bags in a batch: those on record before, read together, and those that were added.
///
/// For most bags that were seen again later, only their corrections are read: what was derived from the
/// sightings before is enough.
struct FactsMet {
    /// The facts of one bag.
    private struct Facts {
        /// The scans on record before; nil if they were not read.
        var scans: [Scan]?
        var corrections: [Correction] = []
        /// The scans that were added, with what they say.
        var added: [Sighting] = []
        /// Whether corrections were added, or facts on record have changed.
        var isChanged = false
    }

    private var facts: [UUID: Facts] = [:]
    /// The bags of the batch that are not on record, and about which no facts are on record.
    private var unheardOf: Set<UUID>

    /// Reads the facts that are needed to derive the bags in a batch.
    init(_ batch: RecordBatch, _ met: RecordsMet, in context: ManagedObjectContext) throws {
        unheardOf = batch.bagIDs.subtracting(met.bags.keys)
        let scans = try context.fetch(FetchRequest(Scan.self).where(\.bag, isOneOf: unheardOf))
        let corrections = try context.fetch(
            FetchRequest(Correction.self).where(\.identifier, isOneOf: unheardOf)
                .where(\.luggage, is: nil)
        )
        unheardOf.subtract(scans.compactMap(\.bag))
        unheardOf.subtract(corrections.map(\.identifier))
        for bag in unheardOf { facts[bag] = Facts(scans: []) }
        try read(batch, met, in: context)
    }

    private mutating func read(
        _ batch: RecordBatch,
        _ met: RecordsMet,
        in context: ManagedObjectContext
    ) throws {
        let bags = Dictionary(
            uniqueKeysWithValues: met.bags.map { ($0.value.objectID, $0.key) }
        )
        for bag in bags.values { facts[bag] = Facts() }
        func bag(_ luggage: Luggage?) -> UUID? { luggage.flatMap { bags[$0.objectID] } }
        for correction in try context.fetch(
            FetchRequest(Correction.self).where(\.luggage, isOneOf: bags.keys)
        ) {
            if let bag = bag(correction.luggage) { facts[bag]?.corrections.append(correction) }
        }
        let whole = bagsToRead(batch, met)
        for bag in whole.values { facts[bag]?.scans = [] }
        for scan in try context.fetch(
            FetchRequest(Scan.self).where(\.luggage, isOneOf: whole.keys)
        ) {
            if let bag = bag(scan.luggage) { facts[bag]?.scans?.append(scan) }
        }
    }

    /// The bags on record of which all scans are needed.
    private func bagsToRead(_ batch: RecordBatch, _ met: RecordsMet) -> [ObjectID: UUID] {
        var (sightings, others): ([UUID: [Sighting]], Set<UUID>) = ([:], [])
        for entry in batch.entries {
            switch entry.record {
            case .scan(let scan):
                guard let bag = scan.bag else { continue }
                // What is on record changes nothing, unless only its contents tell that it is.
                guard let identifier = scan.identifier, !identifier.isByContents else {
                    others.insert(bag)
                    continue
                }
                if met.known[identifier] == nil {
                    sightings[bag, default: []].append(Sighting(scan, entry.contents))
                }
            case .fact(let fact):
                if met.facts[fact.identifier] == nil || fact.withdrawn != nil {
                    others.insert(fact.subject)
                }
            case .bag(let bag): others.insert(bag.identifier)
            case .passenger, .about, .end: break
            }
        }
        var whole: [ObjectID: UUID] = [:]
        for (bag, luggage) in met.bags {
            let scans = sightings[bag, default: []]
            if scans.isEmpty && !others.contains(bag) { continue }
            let before = BagDeriving.Before(luggage)
            if others.contains(bag) || scans.contains(where: { met.isPictured($0.record) })
                || followed(before, by: scans, bag) == nil
            {
                whole[luggage.objectID] = bag
            }
        }
        return whole
    }

    /// The last journey of a bag after later sightings; nil if it depends on all facts.
    private func followed(
        _ before: BagDeriving.Before,
        by scans: [Sighting],
        _ bag: UUID
    ) -> LastJourney? {
        guard var time = before.derivedUpTo, !before.isHeard, !before.isExpected, !before.isOfPlate,
            facts[bag]?.corrections.allSatisfy({ $0.withdrawn == nil }) ?? true
        else { return nil }
        var last = before.last
        var pictures: Set<String> = []
        for sighting in scans.sorted(by: { $0.record.scannedAt < $1.record.scannedAt }) {
            let scan = sighting.record
            let seen = Journey.Sighting(scan.point, scan.role, scan.scannedAt, place: scan.place)
            guard time < scan.scannedAt, scan.outcome.isFiled, !scan.isTyped,
                scan.imageDigest.map({ pictures.insert($0).inserted }) ?? true,
                let next = last.followed(by: seen, to: sighting.contents?.route)
            else { return nil }
            (last, time) = (next, scan.scannedAt)
            if next.isMisrouted(by: seen) { sighting.scan?.isMisrouted = true }
        }
        return last
    }

    /// A scan of a batch, with what its tag says, and the scan on record once it was added.
    private struct Sighting {
        let scan: Scan?
        let record: ScanRecord
        let contents: TagContents?

        init(_ record: ScanRecord, _ contents: TagContents?, _ scan: Scan? = nil) {
            (self.scan, self.record, self.contents) = (scan, record, contents)
        }
    }

    // MARK: Adding

    /// Whether nothing on record is about a bag.
    func isUnheardOf(_ bag: UUID) -> Bool { unheardOf.contains(bag) }

    /// Notes a scan that was added.
    mutating func add(_ scan: Scan, _ record: ScanRecord, _ contents: TagContents?, to bag: UUID) {
        facts[bag]?.added.append(Sighting(record, contents, scan))
    }

    /// Notes another fact that was added.
    mutating func add(_ correction: Correction, to bag: UUID) {
        facts[bag]?.corrections.append(correction)
        isChanged(bag)
    }

    /// Notes that a fact on record has changed.
    mutating func isChanged(_ bag: UUID) {
        facts[bag]?.isChanged = true
    }

    /// Leaves the facts of a bag to be read when it is derived.
    mutating func forget(_ bag: UUID) {
        facts[bag] = nil
    }

    // MARK: Deriving

    /// The state of a bag after the added scans, if its state before is enough to tell.
    func next(
        of bag: UUID,
        after before: BagDeriving.Before,
        of luggage: Luggage
    ) -> BagDeriving.Next? {
        guard let facts = facts[bag], !facts.isChanged, facts.scans == nil, !facts.added.isEmpty,
            let last = followed(before, by: facts.added, bag)
        else { return nil }
        var values = BagValues(luggage)
        var time = Date.distantPast
        for added in facts.added.sorted(by: { $0.record.scannedAt < $1.record.scannedAt }) {
            if let contents = added.contents { values = BagValues(contents).filled(by: values) }
            time = added.record.scannedAt
        }
        var edits = BagFacts()
        edits.corrections = facts.corrections.filter { $0.kind == .edit }.map { BagFact($0) }
        return .init(
            values: DerivedBag(edits).values.filled(by: values),
            last: last,
            derivedUpTo: time
        )
    }

    /// All facts of a bag; nil if they were not read.
    func all(of bag: UUID) -> RecordedFacts? {
        guard let facts = facts[bag], let scans = facts.scans else { return nil }
        return RecordedFacts(scans + facts.added.compactMap(\.scan), facts.corrections)
    }
}

extension ScanRecord {
    /// Whether a person typed the tag, and no reader read it.
    fileprivate var isTyped: Bool { imageDigest == nil && imageName == Scan.handName }
}

extension BagValues {
    /// What a tag says.
    fileprivate init(_ contents: TagContents) {
        self.init(weight: contents.weight, owner: contents.owner.map { .passenger($0) })
    }
}
