internal import Foundation
internal import ObjectStore

/// What a purge takes away in one transaction, or would take away: whatever belongs together, as a whole.
struct PurgePiece {
    /// What it is.
    private(set) var report: PurgeReport
    /// How many of the scans each picture has, by the digests.
    private(set) var scans: [String: Int] = [:]
    /// How many of the bags each passenger has.
    private(set) var owners: [ObjectID: Int] = [:]
    /// Who is named by something else; empty where nobody asks.
    private(set) var named: Set<PassengerName> = []

    private let context: ManagedObjectContext
    private let isRehearsal: Bool
    private let asksForNames: Bool
    /// The bags that go when their scans are gone.
    private var bags: [Luggage] = []
    /// The scans of pictures that have several.
    private var companions: [String: [Scan]] = [:]
    private var counts = ScanCounting()

    /// Begins a piece.
    ///
    /// - Parameters:
    ///   - context: That of the transaction, or of the rehearsal.
    ///   - report: A report on nothing.
    ///   - isRehearsal: Whether nothing is done.
    ///   - asksForNames: Whether to tell who is ``named``.
    init(
        _ context: ManagedObjectContext,
        _ report: PurgeReport,
        isRehearsal: Bool,
        asksForNames: Bool
    ) {
        self.context = context
        self.report = report
        self.isRehearsal = isRehearsal
        self.asksForNames = asksForNames
    }

    private var scope: RecordPurge.Scope { report.scope }

    // MARK: Bags, scans, corrections

    /// Takes away a bag, or whose it is, with all that belongs to it.
    mutating func purge(_ luggage: Luggage) throws {
        let owner = luggage.owner
        let before = report
        for scan in luggage.scans { try purge(scan) }
        for correction in luggage.corrections { try purge(correction) }
        let hasNames =
            owner != nil || report.scans > before.scans || report.corrections > before.corrections
        guard scope == .bags || hasNames else { return }
        report.bags += 1
        if luggage.departedAt != nil && luggage.arrivedAt == nil { report.missing += 1 }
        if let owner { owners[owner.objectID, default: 0] += 1 }
        if isRehearsal { return }
        switch scope {
        case .names: luggage.owner = nil
        case .bags: bags.append(luggage)
        }
    }

    /// Takes away a scan, or what it says about people.
    mutating func purge(_ scan: Scan) throws {
        if asksForNames, let name = try? TagDecoder().contents(of: Array(scan.payload)).owner {
            named.insert(name)
        }
        if let digest = scan.imageDigest { scans[digest, default: 0] += 1 }
        switch scope {
        case .names:
            let payload = PurgedPayload.of(Array(scan.payload), outcome: scan.outcome)
            if PurgedPayload.isPurged(scan.payload, to: payload) { return }
            report.scans += 1
            if !isRehearsal { scan.payload = freePayload(payload, of: scan) }
        case .bags:
            report.scans += 1
            if isRehearsal { return }
            if scan.undoneAt == nil { counts.count(scan) }
            try context.delete(scan)
        }
    }

    /// Takes away a correction, or what it says about people.
    mutating func purge(_ correction: Correction) throws {
        if scope == .names && correction.isPurged { return }
        report.corrections += 1
        if asksForNames {
            named.formUnion([correction.owner, correction.ownerBefore].compactMap(\.self))
        }
        if isRehearsal { return }
        switch scope {
        case .names:
            correction.givenName = nil
            correction.familyName = nil
            correction.givenNameBefore = nil
            correction.familyNameBefore = nil
            correction.reason = ""
            // An identifier that tells what was said would tell the names to whoever tries them all.
            if [.statement, .heard].contains(correction.kind) {
                correction.fact = .fact(at: correction.madeAt)
            }
        case .bags: try context.delete(correction)
        }
    }

    /// Reads the scans of the pictures that have several, so that no two of one picture become the same.
    mutating func findCompanions(of scans: [Scan]) throws {
        if isRehearsal || scope == .bags { return }
        let all = FetchRequest(Scan.self)
        let digests = Set(scans.compactMap(\.imageDigest))
        let numbers = try context.counts(
            by: \Scan.imageDigest,
            all.where(\.imageDigest, isOneOf: digests)
        )
        let several = numbers.filter { $0.value > 1 }.compactMap(\.key)
        if several.isEmpty { return }
        for scan in try context.fetch(all.where(\.imageDigest, isOneOf: several)) {
            companions[scan.imageDigest ?? "", default: []].append(scan)
        }
    }

    /// A payload that no other scan of the picture has.
    private func freePayload(_ payload: Data, of scan: Scan) -> Data {
        var payload = payload
        let others = (scan.imageDigest.flatMap { companions[$0] } ?? []).filter {
            $0 != scan && $0.station == scan.station && $0.point == scan.point
                && $0.reason == scan.reason
        }.map(\.payload)
        // Spaces behind it mean nothing.
        while others.contains(payload) { payload.append(UInt8(ascii: " ")) }
        return payload
    }

    /// Saves, and so lets the bags go: what is asked of the record from then on is asked of the rest.
    mutating func save() throws {
        if isRehearsal { return }
        try context.save()
        for luggage in bags { try context.delete(luggage) }
        bags = []
        try counts.save(in: context)
        counts = ScanCounting()
    }

    // MARK: What nothing leads to any more

    /// Takes away those of some passengers who own no bags.
    mutating func purgePassengers(_ ids: some Sequence<ObjectID>) throws {
        if isRehearsal { return }
        for id in Set(ids).sorted() {
            guard let passenger = try context.existingObject(Passenger.self, id: id) else {
                continue
            }
            let owned = FetchRequest(Luggage.self).where(\.owner, is: passenger).limited(to: 1)
            guard try context.fetchIDs(owned.asFaults()).isEmpty else { continue }
            try context.delete(passenger)
            report.passengers += 1
        }
        try context.save()
    }

    /// How many scans each of the pictures has, but for those that are gone.
    func scansOfPictures() throws -> [String?: Int] {
        try context.counts(
            by: \Scan.imageDigest,
            FetchRequest(Scan.self).where(\.imageDigest, isOneOf: scans.keys)
        )
    }

    /// Takes down pictures that show nothing but what is taken away.
    ///
    /// - Parameters:
    ///   - digests: The pictures.
    ///   - areForgotten: Whether the journal is not to know them any more.
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

extension Correction {
    /// Whether it tells nothing about people but who has made it.
    fileprivate var isPurged: Bool {
        [givenName, familyName, givenNameBefore, familyNameBefore].allSatisfy { $0 == nil }
            && reason.isEmpty
    }
}
