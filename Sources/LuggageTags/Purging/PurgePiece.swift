internal import FoundationEssentials
internal import ObjectStore

/// What a purge takes away in one transaction, or would take away in a rehearsal.
struct PurgePiece {
    /// What the piece has taken away.
    private(set) var report: PurgeReport
    /// How many scans of each picture the piece has found, by digest.
    private(set) var scans: [String: Int] = [:]
    /// How many bags of each passenger the piece has found.
    private(set) var owners: [ObjectID: Int] = [:]
    /// The passengers that scans and corrections name; empty if `asksForNames` is false.
    private(set) var named: Set<PassengerName> = []

    private let context: ManagedObjectContext
    private let isRehearsal: Bool
    private let asksForNames: Bool
    /// The bags to delete once their scans are deleted.
    private var bags: [Luggage] = []
    private var forgetter: Forgetter
    /// The bags for which a statement is already made.
    private var forgotten: Set<UUID> = []
    /// When the statements become known.
    private let knownAt: Date
    /// Whether a statement about facts of no bag is already made.
    private(set) var hasForgottenFailures: Bool

    /// Begins a piece.
    ///
    /// - Parameters:
    ///   - context: The context of the transaction or of the rehearsal.
    ///   - report: An empty report.
    ///   - knownAt: When the statements of the purge become known; nil for a rehearsal.
    ///   - asksForNames: Whether to collect ``named``.
    ///   - hasForgottenFailures: Whether a statement about facts of no bag is already on record.
    init(
        _ context: ManagedObjectContext,
        _ report: PurgeReport,
        knownAt: Date?,
        asksForNames: Bool,
        hasForgottenFailures: Bool
    ) {
        self.context = context
        forgetter = Forgetter(report.scope, in: context)
        self.knownAt = knownAt ?? .distantPast
        self.hasForgottenFailures = hasForgottenFailures
        self.report = report
        isRehearsal = knownAt == nil
        self.asksForNames = asksForNames
    }

    private var scope: RecordPurge.Scope { report.scope }

    // MARK: Bags, scans, corrections

    /// Takes away a bag with all that belongs to it, or only the names.
    mutating func purge(_ luggage: Luggage) throws {
        let (owner, scans, corrections) = (luggage.owner, luggage.scans, luggage.corrections)
        for scan in scans { look(at: scan) }
        for correction in corrections { look(at: correction) }
        let meant = (
            scans: scans.filter { forgetter.concerns($0) },
            // A later withdrawal does not make a bag younger; it stays when the bag is forgotten.
            corrections: corrections.filter {
                $0.age.time < report.before && forgetter.concerns($0)
            }
        )
        report.scans += meant.scans.count
        report.corrections += meant.corrections.count
        let hasNames = owner != nil || !(meant.scans.isEmpty && meant.corrections.isEmpty)
        guard scope == .bags || hasNames else { return }
        report.bags += 1
        if luggage.departedAt != nil && luggage.arrivedAt == nil { report.missing += 1 }
        if let owner { owners[owner.objectID, default: 0] += 1 }
        if isRehearsal { return }
        for scan in meant.scans { try forgetter.forget(scan) }
        try forgetter.forget(meant.corrections, among: corrections)
        let fact = try noteForgetting(of: luggage.identifier)
        switch scope {
        case .names:
            luggage.owner = nil
            fact?.luggage = luggage
        case .bags: bags.append(luggage)
        }
    }

    /// Takes away a scan of no bag on record, or only its names.
    mutating func purge(_ scan: Scan) throws {
        look(at: scan)
        guard forgetter.concerns(scan) else { return }
        report.scans += 1
        if isRehearsal { return }
        let bag = scan.bagTold
        try forgetter.forget(scan)
        try noteForgetting(of: bag)
    }

    /// Takes away a correction of no bag on record, or only its names.
    mutating func purge(_ correction: Correction) throws {
        look(at: correction)
        guard forgetter.concerns(correction) else { return }
        report.corrections += 1
        if isRehearsal { return }
        let (kind, bag) = (correction.kind, correction.identifier)
        try forgetter.forget([correction], among: [correction])
        if !Correction.Kind.local.contains(kind) {
            try noteForgetting(of: kind == .dismiss ? nil : bag)
        }
    }

    private mutating func look(at scan: Scan) {
        if asksForNames, let name = TagContents(onRecord: scan.payload)?.owner {
            named.insert(name)
        }
        if let digest = scan.imageDigest { scans[digest, default: 0] += 1 }
    }

    private mutating func look(at correction: Correction) {
        guard asksForNames else { return }
        named.formUnion([correction.owner, correction.ownerBefore].compactMap(\.self))
    }

    /// Makes a statement that facts about a bag, or about none, are forgotten, but only once.
    @discardableResult
    private mutating func noteForgetting(of bag: UUID?) throws -> Correction? {
        if let bag {
            guard forgotten.insert(bag).inserted else { return nil }
        } else {
            if hasForgottenFailures { return nil }
            hasForgottenFailures = true
        }
        return Correction(
            forgetting: scope,
            until: report.before,
            of: bag,
            at: knownAt,
            in: context
        )
    }

    /// Saves, and deletes the bags, so that later fetches do not find them.
    mutating func save() throws {
        if isRehearsal { return }
        try context.save()
        for luggage in bags { try context.delete(luggage) }
        bags = []
        try forgetter.saveCounts()
    }

    // MARK: What nothing refers to any more

    /// Deletes those of some passengers who own no bags.
    mutating func purgePassengers(_ ids: some Sequence<ObjectID>) throws {
        if isRehearsal { return }
        for id in Set(ids).sorted() {
            guard let passenger = try context.existingObject(Passenger.self, id: id) else {
                continue
            }
            let owned = FetchRequest(Luggage.self).where(\.owner, is: passenger)
            if try context.exists(owned) { continue }
            try context.delete(passenger)
            report.passengers += 1
        }
        try context.save()
    }

    /// How many scans on record each of the pictures still has.
    func scansOfPictures() throws -> [String?: Int] {
        try context.counts(
            by: \Scan.imageDigest,
            FetchRequest(Scan.self).where(\.imageDigest, isOneOf: scans.keys)
        )
    }

    /// Notes pictures whose scans are all taken away.
    ///
    /// - Parameters:
    ///   - digests: The digests of the pictures.
    ///   - areForgotten: Whether to delete their journal entries.
    /// - Throws: `StoreError`.
    mutating func notePictures(_ digests: [String], areForgotten: Bool) throws {
        report.pictures.formUnion(digests)
        guard areForgotten, !digests.isEmpty else { return }
        let request = FetchRequest(JournalEntry.self).where(\.imageDigest, isOneOf: digests)
        if isRehearsal {
            report.journalEntries += try context.count(request)
            return
        }
        let entries = try context.fetch(request)
        for entry in entries { try context.delete(entry) }
        report.journalEntries += entries.count
        try context.save()
    }
}
