internal import ObjectStore

/// Makes reports from snapshots of bags, and reads their owners a batch at a time.
struct LuggageReportReading {
    /// How many owners are cached; the bags of a passenger are seldom far apart.
    private static let remembered = 50_000

    private let context: ManagedObjectContext
    private var owners: [ObjectID: PassengerReport] = [:]

    init(_ context: ManagedObjectContext) {
        self.context = context
    }

    mutating func reports(_ bags: [Snapshot]) throws -> [LuggageReport] {
        let model = context.model
        let identifier = model.property(\Luggage.identifier)
        let weight = model.property(\Luggage.weight)
        let departedAt = model.property(\Luggage.departedAt)
        let arrivedAt = model.property(\Luggage.arrivedAt)
        let owner = model.property(\Luggage.owner)
        let (from, to) = (model.property(\Luggage.from), model.property(\Luggage.to))
        let (trip, tripDate) = (model.property(\Luggage.trip), model.property(\Luggage.tripDate))
        let misroutedAt = model.property(\Luggage.misroutedAt)
        let misroutedTo = model.property(\Luggage.misroutedTo)
        try read(bags.compactMap { $0[owner] })
        return bags.map { bag in
            var report = LuggageReport(
                id: bag[identifier],
                owner: bag[owner].flatMap { owners[$0] },
                weight: bag[weight],
                departedAt: bag[departedAt],
                arrivedAt: bag[arrivedAt]
            )
            report.route = Route(
                from: bag[from],
                to: bag[to],
                trip: bag[trip],
                date: bag[tripDate]
            )
            report.misroutedAt = bag[misroutedAt]
            report.misroutedTo = bag[misroutedTo]
            return report
        }
    }

    private mutating func read(_ passengers: [ObjectID]) throws {
        if owners.count > Self.remembered { owners = [:] }
        let unknown = passengers.filter { owners[$0] == nil }
        if unknown.isEmpty { return }
        let name = context.model.passengerName
        for passenger in try context.snapshots(of: Passenger.self, unknown) {
            owners[passenger.id] = PassengerReport(name(passenger))
        }
    }
}
