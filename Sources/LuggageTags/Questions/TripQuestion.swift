internal import ObjectStore

/// A query for the bags of a trip: by its name, without case, and perhaps by its day.
public struct TripQuestion: Hashable, Sendable {
    /// The name of the trip, as it was asked.
    public var trip: String
    /// Only on this day: `2026-07-01`.
    public var date: String?

    /// Asks for a trip; on any day unless one is named.
    public init(_ trip: String, date: String? = nil) {
        self.trip = trip
        self.date = date
    }

    /// The bags whose tags say this trip, and those that a list expects on it.
    func applied(to request: FetchRequest<Luggage>) -> FetchRequest<Luggage> {
        request.whereEither(
            { tagged($0) },
            { $0.where(\.corrections, contains: expectations) }
        )
    }

    /// Of the bags of this trip, those that a list expects on it, or those that only tags name.
    func listed(
        _ request: FetchRequest<Luggage>,
        _ isExpected: Bool,
        in context: ManagedObjectContext
    ) throws -> FetchRequest<Luggage> {
        let all = FetchRequest(Luggage.self)
        let listed = all.where(\.corrections, contains: expectations)
        if isExpected { return request.where(\.corrections, contains: expectations) }
        let others = Set(try context.fetchIDs(tagged(all).asFaults()))
            .subtracting(try context.fetchIDs(listed.asFaults()))
        return request.whereObject(isOneOf: others)
    }

    /// The bags whose tags say this trip, or lists where tags say none.
    func tagged(_ request: FetchRequest<Luggage>) -> FetchRequest<Luggage> {
        let request = request.where(\.tripKey, is: trip.nameKey)
        return date.map { request.where(\.tripDate, is: $0) } ?? request
    }

    /// What lists expect on this trip and nobody has seen.
    var awaited: FetchRequest<Correction> { expectations.where(\.metAt, isMissing: true) }

    /// What lists expect on this trip.
    var expectations: FetchRequest<Correction> {
        let request = FetchRequest(Correction.self).where(\.tripKey, is: trip.nameKey)
            .where(\.isCurrent, is: true)
        return date.map { request.where(\.tripDate, is: $0) } ?? request
    }
}

extension ManagedObjectContext {
    /// The bags that have departed before, and that lists expect again where nobody has seen them.
    ///
    /// - Parameter trip: Only lists of this trip; nil for all.
    /// - Returns: The bags, in any order.
    /// - Throws: `StoreError`.
    func bagsStillToDepart(on trip: TripQuestion?) throws -> [ObjectID] {
        let all = FetchRequest(Correction.self).where(\.isCurrent, is: true)
            .where(\.metAt, isMissing: true)
        var found: Set<ObjectID> = []
        for correction in try fetch(trip?.awaited ?? all) {
            guard let luggage = correction.luggage, let list = Expectation(correction),
                list.isOfNextJourney(after: luggage.departedAt, luggage.arrivedAt)
            else { continue }
            found.insert(luggage.objectID)
        }
        return Array(found)
    }
}
