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

    /// The bags whose tags say this trip.
    func applied(to request: FetchRequest<Luggage>) -> FetchRequest<Luggage> {
        let request = request.where(\.tripKey, is: trip.nameKey)
        return date.map { request.where(\.tripDate, is: $0) } ?? request
    }
}
