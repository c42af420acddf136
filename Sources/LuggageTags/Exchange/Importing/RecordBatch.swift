internal import FoundationEssentials
internal import ObjectStore

/// Records that are merged in one save.
struct RecordBatch {
    /// A record that was decoded and checked.
    struct Entry {
        let place: RecordPlace
        let record: ExchangeRecord
        /// The values in the payload of a scan.
        var contents: TagContents?
    }

    /// The number of records in a batch.
    static let size = 250

    var entries: [Entry] = []

    /// The identifiers of all bags in it.
    var bagIDs: Set<UUID> {
        Set(
            entries.compactMap { entry in
                switch entry.record {
                case .bag(let bag): bag.identifier
                case .scan(let scan): scan.bag
                case .fact(let fact): fact.subject
                case .passenger, .about, .end: nil
                }
            }
        )
    }

    /// The names of all passengers in it.
    var passengerNames: Set<PassengerName> {
        Set(
            entries.compactMap { entry in
                switch entry.record {
                case .bag(let bag): bag.owner
                case .passenger(let name): name
                case .scan, .fact, .about, .end: nil
                }
            }
        )
    }

    /// The owners that only tags name.
    var ownersOnTags: Set<PassengerName> {
        Set(entries.compactMap { $0.contents?.owner }).subtracting(passengerNames)
    }

    /// The failed scans that facts in it withdraw.
    var withdrawnFailures: [UUID] {
        entries.compactMap { entry in
            if case .fact(let fact) = entry.record { fact.withdrawnFailure } else { nil }
        }
    }

    var scans: [ScanRecord] {
        entries.compactMap { entry in
            if case .scan(let scan) = entry.record { scan } else { nil }
        }
    }

    /// The identifiers of the other facts.
    var factIDs: [UUID] {
        entries.compactMap { entry in
            if case .fact(let fact) = entry.record { fact.identifier } else { nil }
        }
    }
}

/// The objects on record that concern a batch, fetched before anything is changed.
struct RecordsMet {
    var bags: [UUID: Luggage] = [:]
    var passengers: [PassengerName: Passenger] = [:]
    /// The scans of the same tags in the same pictures at the same places.
    var scans: [ScanRecord.Key: [Scan]] = [:]
    /// The number of scans on record that equal a record without a digest.
    var copies: [ScanRecord: Int] = [:]
    /// The records without a digest for which all equal scans on record are undone.
    var undone: Set<ScanRecord> = []
    /// The scans with the same identifiers as records.
    var known: [UUID: Scan] = [:]
    /// The other facts on record with the same identifiers as records.
    var facts: [UUID: Correction] = [:]
    /// The owners that the tags in the batch name.
    private(set) var owners: PassengersMet
    /// The digests of pictures in the batch of which scans are on record, with their bags.
    private var pictures: Set<Picture> = []
    /// The statements of purges about bags.
    private(set) var forgettings: [UUID: [Forgetting]] = [:]
    /// The statements of purges about facts of no bag.
    private(set) var failureForgettings: [Forgetting] = []

    init(_ batch: RecordBatch, in context: ManagedObjectContext) throws {
        let ids = Array(batch.bagIDs)
        let bags = try context.fetch(
            FetchRequest(Luggage.self, predicate: #Predicate { ids.contains($0.identifier) })
        )
        self.bags = Dictionary(bags.map { ($0.identifier, $0) }) { first, _ in first }
        for name in batch.passengerNames { passengers[name] = try context.passenger(name) }
        owners = try PassengersMet(batch.ownersOnTags, in: context)
        try findScans(batch, in: context)
        let facts = try context.fetch(
            FetchRequest(Correction.self).where(\.fact, isOneOf: batch.factIDs)
        )
        self.facts = Dictionary(facts.map { ($0.factIdentifier, $0) }) { first, _ in first }
        let forgettings = try context.fetch(
            FetchRequest(Correction.self).where(\.identifier, isOneOf: ids)
                .where(\.kind, isOneOf: [.forgottenNames, .forgottenBag])
        )
        self.forgettings = Dictionary(grouping: forgettings, by: \.identifier)
            .mapValues { $0.compactMap(\.forgetting) }
        failureForgettings = try context.fetch(
            FetchRequest(Correction.self)
                .where(\.kind, isOneOf: [.forgottenFailureNames, .forgottenFailures])
        ).compactMap(\.forgetting)
    }

    /// The bag in a picture.
    private struct Picture: Hashable {
        let digest: String
        let bag: UUID
    }

    /// Whether scans of the same bag in the same picture are on record.
    func isPictured(_ scan: ScanRecord) -> Bool {
        guard let digest = scan.imageDigest, let bag = scan.bag else { return false }
        return pictures.contains(Picture(digest: digest, bag: bag))
    }

    private mutating func findScans(
        _ batch: RecordBatch,
        in context: ManagedObjectContext
    ) throws {
        let records = batch.scans
        let same = try context.fetch(
            FetchRequest(Scan.self)
                .where(\.imageDigest, isOneOf: Set(records.compactMap(\.imageDigest)))
                .prefetching(\.luggage)
        )
        for scan in same {
            guard let digest = scan.imageDigest, let bag = scan.luggage?.identifier else {
                continue
            }
            pictures.insert(Picture(digest: digest, bag: bag))
        }
        let identifiers = records.compactMap(\.identifier) + batch.withdrawnFailures
        let known = try context.fetch(
            FetchRequest(Scan.self).where(\.identifier, isOneOf: identifiers)
        )
        for scan in known { if let id = scan.identifier { self.known[id] = scan } }
        for scan in records where scan.identifier == nil {
            let request = FetchRequest<Scan>.of(scan.imageDigest, at: scan.station, scan.point)
                .where(\.reason, is: scan.reason)
            let purged = PurgedPayload.of(Array(scan.payload), outcome: scan.outcome)
            func saysTheSame(_ other: Scan) -> Bool {
                other.payload == scan.payload || PurgedPayload.isPurged(other.payload, to: purged)
            }
            if scan.imageDigest != nil {
                scans[scan.key] = try context.fetch(request).filter(saysTheSame)
            } else {
                let equal = try context.fetch(
                    request.where(\.role, is: scan.role)
                        .where(\.scannedAt, is: scan.scannedAt)
                        .where(\.imageName, is: scan.imageName)
                        .where(\.outcome, is: scan.outcome)
                ).filter { saysTheSame($0) && $0.bagTold == scan.bag }
                copies[scan.single] = equal.count
                if !equal.isEmpty, equal.allSatisfy({ $0.undoneAt != nil }) {
                    undone.insert(scan.single)
                }
            }
        }
    }

    /// How much of a scan is forgotten; nil if nothing is.
    func forgottenScope(of scan: ScanRecord) -> RecordPurge.Scope? {
        let forgettings = scan.bag.map { self.forgettings[$0, default: []] } ?? failureForgettings
        return forgettings.scope(at: scan.scannedAt, known: scan.filedAt)
    }

    /// How much of another fact is forgotten; nil if nothing is.
    func forgottenScope(of fact: FactRecord) -> RecordPurge.Scope? {
        // The statements of a purge are never forgotten.
        if Correction.Kind.forgettings.contains(fact.kind) { return nil }
        let forgettings =
            fact.kind == .dismiss ? failureForgettings : self.forgettings[fact.subject, default: []]
        return forgettings.scope(at: fact.age.time, known: fact.age.known)
    }

    /// How much of a statement about a bag is forgotten; nil if nothing is.
    func forgottenScope(of bag: TagContents, now: Date) -> RecordPurge.Scope? {
        // A statement without times counts as made now.
        let time = [bag.departedAt, bag.arrivedAt].compactMap(\.self).max()
        return forgettings[bag.identifier, default: []]
            .scope(at: time ?? .distantPast, known: time == nil ? now : nil)
    }
}

extension ScanRecord {
    /// The same record, without its number among equal ones.
    var single: ScanRecord {
        var scan = self
        scan.copy = 1
        return scan
    }
}
