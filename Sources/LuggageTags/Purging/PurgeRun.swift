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
    private var counts = ScanCounting()

    /// How many objects are in memory at a time.
    private static let size = 500

    init(
        _ context: ManagedObjectContext,
        _ scope: RecordPurge.Scope,
        before cutoff: Date,
        isRehearsal: Bool
    ) {
        self.context = context
        self.scope = scope
        self.cutoff = cutoff
        self.isRehearsal = isRehearsal
        outcome = PurgeReport(scope: scope, before: cutoff)
    }

    mutating func report(picturesAreGone: Bool = false) throws -> PurgeReport {
        try findPictures()
        try purgeBags()
        try purgeScansWithoutBag()
        try purgeCorrectionsWithoutBag()
        try purgePassengers()
        if scope == .bags || picturesAreGone { try purgeJournal(picturesAreGone) }
        if !isRehearsal { try counts.save(in: context) }
        return outcome
    }

    // MARK: Pages

    /// Gives each page of bags of which nothing was heard since.
    private func forEachPage(_ body: ([Luggage]) throws -> Void) throws {
        var last: UUID?
        while true {
            let page = try context.fetch(
                old(after: last).sorted(by: \.identifier).limited(to: Self.size)
            )
            guard let end = page.last?.identifier else { return }
            try body(try page.filter(isOld))
            last = end
            context.reset()
        }
    }

    /// Bags that may be old, by the times that they have themselves.
    private func old(after last: UUID?) -> FetchRequest<Luggage> {
        let date = cutoff
        let never = Date.distantPast
        guard let last else {
            return FetchRequest(
                predicate: #Predicate {
                    ($0.departedAt ?? never) < date && ($0.arrivedAt ?? never) < date
                }
            )
        }
        return FetchRequest(
            predicate: #Predicate {
                $0.identifier > last && ($0.departedAt ?? never) < date
                    && ($0.arrivedAt ?? never) < date
            }
        )
    }

    private func isOld(_ luggage: Luggage) throws -> Bool {
        let times = [luggage.departedAt, luggage.arrivedAt].compactMap(\.self)
        // Nobody knows how old a bag is that was never anywhere.
        if times.isEmpty { return false }
        let date = cutoff
        let scans = FetchRequest(Scan.self, predicate: #Predicate { $0.scannedAt >= date })
        let corrections = FetchRequest(
            Correction.self,
            predicate: #Predicate { $0.madeAt >= date }
        )
        return try context.count(scans.where(\.luggage, is: luggage)) == 0
            && context.count(corrections.where(\.luggage, is: luggage)) == 0
    }

    /// Finds the pictures that show nothing else.
    private mutating func findPictures() throws {
        var bags: Set<UUID> = []
        var digests: Set<String> = []
        try forEachPage { page in
            for luggage in page {
                bags.insert(luggage.identifier)
                digests.formUnion(luggage.scans.compactMap(\.imageDigest))
            }
        }
        try forEachScanWithoutBag { page in digests.formUnion(page.compactMap(\.imageDigest)) }
        let date = cutoff
        outcome.pictures = try digests.filter { digest in
            defer { context.reset() }
            let scans = try context.fetch(
                FetchRequest(Scan.self).where(\.imageDigest, is: digest)
            )
            return scans.allSatisfy { scan in
                scan.luggage.map { bags.contains($0.identifier) } ?? (scan.scannedAt < date)
            }
        }
    }

    // MARK: Bags

    private mutating func purgeBags() throws {
        var run = self
        try forEachPage { page in
            for luggage in page { try run.purge(luggage) }
            if !run.isRehearsal { try run.context.save() }
        }
        self = run
    }

    private mutating func purge(_ luggage: Luggage) throws {
        let owner = luggage.owner
        let scans = luggage.scans
        let corrections = luggage.corrections
        let hasNames =
            try owner != nil || scans.contains { try !$0.isPurged }
            || corrections.contains { !$0.isPurged }
        guard scope == .bags || hasNames else { return }
        outcome.bags += 1
        if luggage.departedAt != nil && luggage.arrivedAt == nil { outcome.missing += 1 }
        if let owner { lostBags[owner.objectID, default: 0] += 1 }
        for scan in scans { try purge(scan) }
        for correction in corrections { try purge(correction) }
        if isRehearsal { return }
        switch scope {
        case .names: luggage.owner = nil
        case .bags: try context.delete(luggage)
        }
    }

    private mutating func purge(_ scan: Scan) throws {
        switch scope {
        case .names:
            if try scan.isPurged { return }
            outcome.scans += 1
            if !isRehearsal { scan.payload = try freePayload(of: scan) }
        case .bags:
            outcome.scans += 1
            if scan.undoneAt == nil { counts.count(scan) }
            if !isRehearsal { try context.delete(scan) }
        }
    }

    /// A payload without names, which no other scan of the picture has.
    private func freePayload(of scan: Scan) throws -> Data {
        var payload = try scan.purgedPayload
        guard let digest = scan.imageDigest else { return payload }
        let others = try context.fetch(
            FetchRequest(Scan.self)
                .where(\.imageDigest, is: digest)
                .where(\.station, is: scan.station)
                .where(\.point, is: scan.point)
                .where(\.reason, is: scan.reason)
        ).filter { $0 != scan }.map(\.payload)
        // Spaces behind it mean nothing.
        while others.contains(payload) { payload.append(UInt8(ascii: " ")) }
        return payload
    }

    private mutating func purge(_ correction: Correction) throws {
        if scope == .names && correction.isPurged { return }
        outcome.corrections += 1
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

    private func forEachScanWithoutBag(_ body: ([Scan]) throws -> Void) throws {
        let date = cutoff
        var done = 0
        while true {
            let request = FetchRequest(Scan.self, predicate: #Predicate { $0.scannedAt < date })
                .where(\.luggage, is: nil).sorted(by: \.scannedAt).sorted(by: \.imageDigest)
            let page = try context.fetch(request.skipping(done).limited(to: Self.size))
            if page.isEmpty { return }
            let before = try context.count(request)
            try body(page)
            context.reset()
            // Those that were deleted are not to be skipped.
            done += page.count - (before - (try context.count(request)))
        }
    }

    private mutating func purgeScansWithoutBag() throws {
        var run = self
        try forEachScanWithoutBag { page in
            for scan in page { try run.purge(scan) }
            if !run.isRehearsal { try run.context.save() }
        }
        self = run
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

    /// Takes away passengers who own no bags, or none any more.
    private mutating func purgePassengers() throws {
        let idle = FetchRequest(Passenger.self, predicate: #Predicate { $0.luggage.isEmpty })
        if isRehearsal {
            outcome.passengers = try context.count(idle)
            for (id, count) in lostBags {
                let passenger = try context.existingObject(Passenger.self, id: id)
                if passenger?.luggage.count == count { outcome.passengers += 1 }
            }
            return
        }
        while true {
            let page = try context.fetch(idle.limited(to: Self.size))
            if page.isEmpty { return }
            for passenger in page { try context.delete(passenger) }
            outcome.passengers += page.count
            try context.save()
            context.reset()
        }
    }

    private mutating func purgeJournal(_ picturesAreGone: Bool) throws {
        for digest in outcome.pictures {
            let request = FetchRequest(JournalEntry.self).where(\.imageDigest, is: digest)
            let entries = try context.fetch(request)
            outcome.journalEntries += entries.count
            if isRehearsal { continue }
            for entry in entries { try context.delete(entry) }
            try context.save()
            context.reset()
        }
    }
}

extension Scan {
    /// What is left of the payload when nothing in it may tell about people: identifier and weight of
    /// a bag, and of anything else nothing.
    fileprivate var purgedPayload: Data {
        get throws {
            guard outcome.isFiled, var contents = try? TagDecoder().contents(of: Array(payload))
            else { return Data() }
            contents.owner = nil
            return Data(try TagEncoder().encode(contents))
        }
    }

    /// Whether the payload tells nothing about people.
    fileprivate var isPurged: Bool {
        get throws {
            let spaces = payload.reversed().prefix { $0 == UInt8(ascii: " ") }.count
            return try payload.dropLast(spaces) == purgedPayload
        }
    }
}

extension Correction {
    /// Whether it tells nothing about people but who has made it.
    fileprivate var isPurged: Bool {
        [givenName, familyName, givenNameBefore, familyNameBefore].allSatisfy { $0 == nil }
            && reason.isEmpty
    }
}
