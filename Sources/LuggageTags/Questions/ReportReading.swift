internal import Foundation
internal import ObjectStore

/// Makes reports of snapshots, whose bags and owners it reads a batch at a time.
struct LuggageReportReading {
    /// How many owners are remembered: a passenger's bags are seldom far from one another.
    private static let remembered = 50_000

    private let context: ManagedObjectContext
    private let identifier: SnapshotProperty<UUID>
    private let weight: SnapshotProperty<Float>
    private let departedAt: SnapshotProperty<Date?>
    private let arrivedAt: SnapshotProperty<Date?>
    private let owner: SnapshotProperty<ObjectID?>
    private let givenName: SnapshotProperty<String>
    private let familyName: SnapshotProperty<String>
    private var owners: [ObjectID: PassengerReport] = [:]

    init(_ context: ManagedObjectContext) {
        self.context = context
        let model = context.model
        identifier = model.property(\Luggage.identifier)
        weight = model.property(\Luggage.weight)
        departedAt = model.property(\Luggage.departedAt)
        arrivedAt = model.property(\Luggage.arrivedAt)
        owner = model.property(\Luggage.owner)
        givenName = model.property(\Passenger.givenName)
        familyName = model.property(\Passenger.familyName)
    }

    mutating func reports(_ bags: [Snapshot]) throws -> [LuggageReport] {
        try readOwners(of: bags)
        return bags.map { bag in
            LuggageReport(
                id: bag[identifier],
                owner: bag[owner].flatMap { owners[$0] },
                weight: bag[weight],
                departedAt: bag[departedAt],
                arrivedAt: bag[arrivedAt]
            )
        }
    }

    private mutating func readOwners(of bags: [Snapshot]) throws {
        if owners.count > Self.remembered { owners = [:] }
        let unknown = bags.compactMap { $0[owner] }.filter { owners[$0] == nil }
        if unknown.isEmpty { return }
        for passenger in try context.snapshots(of: Passenger.self, unknown) {
            owners[passenger.id] = PassengerReport(
                PassengerName(
                    givenName: passenger[givenName],
                    familyName: passenger[familyName]
                )
            )
        }
    }
}

/// Makes entries of a history of snapshots.
struct HistoryReading {
    private let context: ManagedObjectContext
    private let identifier: SnapshotProperty<UUID>
    private let luggage: SnapshotProperty<ObjectID?>
    private let scannedAt: SnapshotProperty<Date>
    private let point: SnapshotProperty<Point>
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
        station = model.property(\Scan.station)
        outcome = model.property(\Scan.outcome)
        reason = model.property(\Scan.reason)
        imageName = model.property(\Scan.imageName)
        imageDigest = model.property(\Scan.imageDigest)
        payload = model.property(\Scan.payload)
        undoneAt = model.property(\Scan.undoneAt)
    }

    func entries(_ scans: [Snapshot]) throws -> [HistoryEntry] {
        let bags = try context.snapshots(of: Luggage.self, scans.compactMap { $0[luggage] })
        let identifiers = Dictionary(
            bags.map { ($0.id, $0[identifier]) },
            uniquingKeysWith: { first, _ in first }
        )
        return scans.map { scan in
            HistoryEntry(
                bag: scan[luggage].flatMap { identifiers[$0] },
                scannedAt: scan[scannedAt],
                point: scan[point],
                station: scan[station],
                outcome: scan[outcome],
                reason: scan[reason],
                imageName: scan[imageName],
                imageDigest: scan[imageDigest],
                payload: scan[payload],
                undoneAt: scan[undoneAt]
            )
        }
    }
}
