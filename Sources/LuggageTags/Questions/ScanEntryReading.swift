internal import Foundation
internal import ObjectStore

/// Makes history entries from snapshots of scans, and reads their bags a batch at a time.
struct ScanEntryReading {
    private let context: ManagedObjectContext
    private let identifier: SnapshotProperty<UUID>
    private let luggage: SnapshotProperty<ObjectID?>
    private let scannedAt: SnapshotProperty<Date>
    private let point: SnapshotProperty<Point>
    private let role: SnapshotProperty<Point.Role?>
    private let station: SnapshotProperty<String>
    private let outcome: SnapshotProperty<Outcome>
    private let reason: SnapshotProperty<String>
    private let imageName: SnapshotProperty<String>
    private let imageDigest: SnapshotProperty<String?>
    private let payload: SnapshotProperty<Data>
    private let undoneAt: SnapshotProperty<Date?>

    init(_ context: ManagedObjectContext) {
        self.context = context
        let model = context.model
        identifier = model.property(\Luggage.identifier)
        luggage = model.property(\Scan.luggage)
        scannedAt = model.property(\Scan.scannedAt)
        point = model.property(\Scan.point)
        role = model.property(\Scan.role)
        station = model.property(\Scan.station)
        outcome = model.property(\Scan.outcome)
        reason = model.property(\Scan.reason)
        imageName = model.property(\Scan.imageName)
        imageDigest = model.property(\Scan.imageDigest)
        payload = model.property(\Scan.payload)
        undoneAt = model.property(\Scan.undoneAt)
    }

    func entries(_ scans: [Snapshot]) throws -> [HistoryEntry] {
        let identifiers = try identifiers(of: scans.compactMap { $0[luggage] })
        let closings = try closings(of: scans.filter { !$0[outcome].isFiled })
        return scans.map { scan in
            var entry = HistoryEntry(
                bag: scan[luggage].flatMap { identifiers[$0] },
                scannedAt: scan[scannedAt],
                point: scan[point],
                role: scan[role],
                station: scan[station],
                outcome: scan[outcome],
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
    private func closings(of failed: [Snapshot]) throws -> [Sight: [HistoryEntry.Closing]] {
        let digests = Set(failed.compactMap { $0[imageDigest] })
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
