internal import FoundationEssentials
internal import ObjectStore

/// Makes history entries from snapshots of scans, and reads their bags a batch at a time.
struct ScanEntryReading {
    let context: ManagedObjectContext

    func entries(_ scans: [Snapshot]) throws -> [HistoryEntry] {
        let model = context.model
        let luggage = model.property(\Scan.luggage)
        let scannedAt = model.property(\Scan.scannedAt)
        let point = model.property(\Scan.point)
        let role = model.property(\Scan.role)
        let station = model.property(\Scan.station)
        let outcome = model.property(\Scan.outcome)
        let place = model.property(\Scan.place)
        let isMisrouted = model.property(\Scan.isMisrouted)
        let reason = model.property(\Scan.reason)
        let imageName = model.property(\Scan.imageName)
        let imageDigest = model.property(\Scan.imageDigest)
        let payload = model.property(\Scan.payload)
        let undoneAt = model.property(\Scan.undoneAt)
        let identifiers = try identifiers(of: scans.compactMap { $0[luggage] })
        let failed = scans.filter { !$0[outcome].isFiled }
        let closings = try closings(of: Set(failed.compactMap { $0[imageDigest] }))
        return scans.map { scan in
            var entry = HistoryEntry(
                bag: scan[luggage].flatMap { identifiers[$0] },
                scannedAt: scan[scannedAt],
                point: scan[point],
                role: scan[role],
                station: scan[station],
                place: scan[place],
                outcome: scan[isMisrouted] ? .misrouted : scan[outcome],
                reason: scan[reason],
                imageName: scan[imageName],
                imageDigest: scan[imageDigest],
                payload: scan[payload],
                undoneAt: scan[undoneAt]
            )
            if !closings.isEmpty && !entry.outcome.isFiled { entry.closed = closings[Sight(entry)] }
            return entry
        }
    }

    /// The identity of a picture at a station and point.
    fileprivate struct Sight: Hashable {
        let digest: String?
        let station: String
        let point: Point?
    }

    /// The corrections that settled failed pictures, in order.
    private func closings(of digests: Set<String>) throws -> [Sight: [HistoryEntry.Closing]] {
        if digests.isEmpty { return [:] }
        let standing = FetchRequest(Correction.self).where(\.imageDigest, isOneOf: digests)
            .where(\.undoneAt, isMissing: true).sorted(by: \.madeAt)
        return try context.fetch(standing).reduce(into: [:]) { closings, correction in
            let sight = Sight(
                digest: correction.imageDigest,
                station: correction.station ?? "",
                point: correction.point
            )
            closings[sight, default: []].append(HistoryEntry.Closing(correction))
        }
    }

    private func identifiers(of bags: [ObjectID]) throws -> [ObjectID: UUID] {
        let identifier = context.model.property(\Luggage.identifier)
        var identifiers: [ObjectID: UUID] = [:]
        identifiers.reserveCapacity(bags.count)
        try context.forEachBatch(
            ofSnapshots: FetchRequest(Luggage.self).whereObject(isOneOf: bags),
            omitting: [\.owner, \.weight, \.departedAt, \.arrivedAt]
        ) { batch in
            for bag in batch { identifiers[bag.id] = bag[identifier] }
        }
        return identifiers
    }
}

extension ScanEntryReading.Sight {
    fileprivate init(_ entry: HistoryEntry) {
        self.init(digest: entry.imageDigest, station: entry.station, point: entry.point)
    }
}
