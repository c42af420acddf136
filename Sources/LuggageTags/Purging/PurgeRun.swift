internal import Foundation
internal import ObjectStore

/// One purge, or its rehearsal, page by page.
struct PurgeRun {
    private let context: ManagedObjectContext
    private let scope: RecordPurge.Scope
    private let cutoff: Date
    private let isRehearsal: Bool
    private var outcome: PurgeReport
    /// How many bags of each passenger are taken away or lose their owner.
    private var lostBags: [ObjectID: Int] = [:]
    /// Those who had none before, and are not as old.
    private var young: YoungPassengers
    /// How many scans of each picture are so old, by the digests.
    private var oldScans: [String: Int] = [:]
    /// The scans of pictures that have several, of the page at hand.
    private var companions: [String: [Scan]] = [:]
    private var counts = ScanCounting()

    /// How many objects are in memory at a time.
    private static let size = 500

    init(
        _ context: ManagedObjectContext,
        _ scope: RecordPurge.Scope,
        before cutoff: Date,
        isRehearsal: Bool
    ) throws {
        self.context = context
        self.scope = scope
        self.cutoff = cutoff
        self.isRehearsal = isRehearsal
        outcome = PurgeReport(scope: scope, before: cutoff)
        young = try YoungPassengers(since: cutoff, in: context)
    }

    /// Takes away, or only counts, and says what.
    mutating func run(picturesAreGone: Bool = false) throws -> PurgeReport {
        try purgeBags()
        try purgeScansWithoutBag()
        try purgeCorrectionsWithoutBag()
        try findPictures()
        try purgePassengers()
        if scope == .bags || picturesAreGone { try purgeJournal(picturesAreGone) }
        if !isRehearsal { try counts.save(in: context) }
        return outcome
    }

    // MARK: Bags

    private mutating func purgeBags() throws {
        let request = oldBags.sorted(by: \.identifier).limited(to: Self.size)
        var page = try context.fetch(request)
        while let last = page.last?.identifier {
            try findCompanions(of: page.flatMap(\.scans))
            for luggage in page { try purge(luggage) }
            try endPage()
            page = try context.fetch(request.where(\.identifier, isGreaterThan: last))
        }
    }

    private func endPage() throws {
        if !isRehearsal { try context.save() }
        context.reset()
    }

    /// Bags of which nothing was heard since.
    private var oldBags: FetchRequest<Luggage> {
        let date = cutoff
        let unheard = FetchRequest<Luggage>(
            predicate: #Predicate {
                !$0.scans.contains { $0.scannedAt >= date }
                    && !$0.corrections.contains { $0.madeAt >= date }
            }
        )
        // Nobody knows how old a bag is that was never anywhere.
        return
            unheard
            .whereEither({ $0.old(\.departedAt, date) }, { $0.old(\.arrivedAt, date) })
            .whereEither(
                { $0.old(\.departedAt, date) },
                { $0.where(\.departedAt, isMissing: true) }
            )
            .whereEither({ $0.old(\.arrivedAt, date) }, { $0.where(\.arrivedAt, isMissing: true) })
    }

    private mutating func purge(_ luggage: Luggage) throws {
        let owner = luggage.owner
        let scans = luggage.scans
        let corrections = luggage.corrections
        let before = outcome
        for scan in scans { try purge(scan) }
        for correction in corrections { try purge(correction) }
        let hasNames =
            owner != nil || outcome.scans > before.scans
            || outcome.corrections > before.corrections
        guard scope == .bags || hasNames else { return }
        outcome.bags += 1
        if luggage.departedAt != nil && luggage.arrivedAt == nil { outcome.missing += 1 }
        if let owner { lostBags[owner.objectID, default: 0] += 1 }
        if isRehearsal { return }
        switch scope {
        case .names: luggage.owner = nil
        case .bags: try context.delete(luggage)
        }
    }

    private mutating func purge(_ scan: Scan) throws {
        young.remove(namedIn: scan)
        if let digest = scan.imageDigest { oldScans[digest, default: 0] += 1 }
        switch scope {
        case .names:
            let payload = PurgedPayload.of(Array(scan.payload), outcome: scan.outcome)
            if PurgedPayload.isPurged(scan.payload, to: payload) { return }
            outcome.scans += 1
            if !isRehearsal { scan.payload = freePayload(payload, of: scan) }
        case .bags:
            outcome.scans += 1
            if scan.undoneAt == nil { counts.count(scan) }
            if !isRehearsal { try context.delete(scan) }
        }
    }

    /// Reads the scans of the pictures that have several, so that no two of one picture become the same.
    private mutating func findCompanions(of scans: [Scan]) throws {
        companions = [:]
        if isRehearsal || scope == .bags { return }
        let all = FetchRequest(Scan.self)
        let digests = scans.compactMap(\.imageDigest)
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

    private mutating func purge(_ correction: Correction) throws {
        if scope == .names && correction.isPurged { return }
        outcome.corrections += 1
        young.remove(correction.owner)
        young.remove(correction.ownerBefore)
        if isRehearsal { return }
        switch scope {
        case .names:
            correction.givenName = nil
            correction.familyName = nil
            correction.givenNameBefore = nil
            correction.familyNameBefore = nil
            correction.reason = ""
        case .bags: try context.delete(correction)
        }
    }

    // MARK: What belongs to no bag

    private mutating func purgeScansWithoutBag() throws {
        let request = FetchRequest(Scan.self).where(\.luggage, is: nil)
            .where(\.scannedAt, isLessThan: cutoff)
        for ids in try context.fetchIDs(request.asFaults()).pages(of: Self.size) {
            let page = try context.fetch(FetchRequest(Scan.self).whereObject(isOneOf: ids))
            try findCompanions(of: page)
            for scan in page { try purge(scan) }
            try endPage()
        }
    }

    private mutating func purgeCorrectionsWithoutBag() throws {
        let date = cutoff
        let request = FetchRequest(Correction.self, predicate: #Predicate { $0.madeAt < date })
        for correction in try context.fetch(request.where(\.luggage, is: nil)) {
            try purge(correction)
        }
        if !isRehearsal { try context.save() }
        context.reset()
    }

    /// Finds the pictures that show nothing else.
    private mutating func findPictures() throws {
        // What was deleted is not counted any more.
        let isDeleted = !isRehearsal && scope == .bags
        for digests in oldScans.keys.sorted().pages(of: Self.size) {
            let numbers = try context.counts(
                by: \Scan.imageDigest,
                FetchRequest(Scan.self).where(\.imageDigest, isOneOf: digests)
            )
            outcome.pictures.formUnion(
                digests.filter { numbers[$0, default: 0] == (isDeleted ? 0 : oldScans[$0]) }
            )
        }
    }

    /// Takes away passengers who own no bags any more, and those who are as old and own none.
    private mutating func purgePassengers() throws {
        let young = young.ids
        let idle = try context.fetchIDs(.withoutBags.asFaults()).filter { !young.contains($0) }
        context.reset()
        if isRehearsal {
            let owned = try context.counts(by: \Luggage.owner)
            outcome.passengers = idle.count + lostBags.count { owned[$0.key] == $0.value }
            return
        }
        for ids in idle.pages(of: Self.size) {
            let page = try context.fetch(FetchRequest(Passenger.self).whereObject(isOneOf: ids))
            for passenger in page { try context.delete(passenger) }
            outcome.passengers += page.count
            try endPage()
        }
    }

    private mutating func purgeJournal(_ picturesAreGone: Bool) throws {
        for digests in outcome.pictures.sorted().pages(of: Self.size) {
            let request = FetchRequest(JournalEntry.self).where(\.imageDigest, isOneOf: digests)
            if isRehearsal {
                outcome.journalEntries += try context.count(request)
                continue
            }
            let entries = try context.fetch(request)
            for entry in entries { try context.delete(entry) }
            outcome.journalEntries += entries.count
            try endPage()
        }
    }
}

extension FetchRequest<Luggage> {
    /// Those with a time that is before a moment.
    fileprivate func old(_ time: KeyPath<Luggage, Date?>, _ date: Date) -> Self {
        self.where(time, isLessThan: date)
    }
}

extension Correction {
    /// Whether it tells nothing about people but who has made it.
    fileprivate var isPurged: Bool {
        [givenName, familyName, givenNameBefore, familyNameBefore].allSatisfy { $0 == nil }
            && reason.isEmpty
    }
}
