internal import SystemSupport

/// Where a bag is to go, as its tag says: from where, to where, and on which trip.
///
/// Places and trips are free texts: an airport, a pier or a hotel; a flight, a voyage, a coach or an event.
/// They are compared without case and in composed form: ``Swift/String/nameKey``.
public struct Route: Hashable, Codable, Sendable {
    /// The place where the bag departs.
    public var from: String?
    /// The place where the bag is to arrive.
    public var to: String?
    /// The name of the trip: a flight, a voyage, a coach, an event.
    public var trip: String?
    /// The day of the trip: `2026-07-01`.
    public var date: String?

    /// Describes a route; nil if nothing is known of it.
    ///
    /// - Parameters:
    ///   - from: The place where the bag departs.
    ///   - to: The place where the bag is to arrive.
    ///   - trip: The name of the trip.
    ///   - date: The day of the trip.
    public init?(
        from: String? = nil,
        to: String? = nil,
        trip: String? = nil,
        date: String? = nil
    ) {
        if [from, to, trip, date].allSatisfy({ $0 == nil }) { return nil }
        self.from = from?.composed
        self.to = to?.composed
        self.trip = trip?.composed
        self.date = date
    }

    /// The route in words: `LX14 on 2026-07-01, ZRH to JFK`.
    package var words: String {
        let trip = [self.trip, date.map { "on \($0)" }].compactMap(\.self).joined(separator: " ")
        let start = to == nil ? from.map { "from \($0)" } : from
        let way = [start, to.map { "to \($0)" }].compactMap(\.self).joined(separator: " ")
        return [trip, way].filter { !$0.isEmpty }.joined(separator: ", ")
    }

    /// Whether a bag that departs or arrives at a place is there by mistake.
    ///
    /// Nobody can tell if the place or the end of the route is unknown.
    func isMissed(at place: String?, as role: Point.Role) -> Bool {
        let right: String? =
            switch role {
            case .departing: from
            case .underWay: nil
            case .arriving: to
            }
        guard let place, let right else { return false }
        return place.nameKey != right.nameKey
    }
}

extension String {
    /// The key by which names of places and trips are compared: without case, in composed form, and without
    /// blanks at the ends.
    ///
    /// Capital letters come first, because `ß` and `SS` are one text in capital letters only.
    package var nameKey: String {
        let trimmed = drop(while: \.isWhitespace)
        let end = trimmed.lastIndex { !$0.isWhitespace }
        let name = end.map { String(trimmed[...$0]) } ?? ""
        return name.uppercased().lowercased().composed
    }

    /// Whether a place or a trip can have this name: 1 to 64 characters, not blanks alone, none hidden.
    package var isRouteName: Bool {
        (1...64).contains(count) && utf8.count <= 256 && onOneLine == self && !isBlank
    }

    /// Whether it is a day of the calendar, as `2026-07-01`.
    package var isCalendarDay: Bool {
        let parts = split(separator: "-", omittingEmptySubsequences: false)
        guard utf8.count == 10, parts.map(\.utf8.count) == [4, 2, 2],
            utf8.allSatisfy({ (0x30...0x39).contains($0) || $0 == UInt8(ascii: "-") }),
            let year = Int(parts[0]), let month = Int(parts[1]), let day = Int(parts[2])
        else { return false }
        return CalendarDay(year: year, month: month, day: day) != nil
    }
}
