internal import Foundation
internal import ObjectStore

/// Makes reports from snapshots of bags, and reads their owners a batch at a time.
struct LuggageReportReading {
    /// How many owners are cached; the bags of a passenger are seldom far apart.
    private static let remembered = 50_000

    private let context: ManagedObjectContext
    private let identifier: SnapshotProperty<UUID>
    private let weight: SnapshotProperty<Float?>
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
