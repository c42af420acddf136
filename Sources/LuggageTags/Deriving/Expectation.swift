internal import FoundationEssentials

/// What a list says: a bag is to pass a point by a time.
struct Expectation: Hashable {
    /// What tells it from others: a later list says it anew.
    struct Key: Hashable {
        let point: Point
        let place: String?
        let trip: String?
        let date: String?
        /// The time, if no trip of a day tells this one from those of other days.
        let due: Date?
    }

    /// The identifier of the fact.
    let identifier: UUID
    /// When it became known.
    let time: Date
    let due: Date
    let key: Key
    /// The trip, and from where to where; nil if the list does not say it.
    let route: Route?

    /// How long before its time a bag may pass, in seconds.
    ///
    /// An earlier sighting of a bag that travels often is of another trip.
    static let earliness: TimeInterval = 24 * 3600

    /// How far apart, in seconds, the times are at most that several lists give for the same passing.
    private static let spread: TimeInterval = 4 * 3600

    /// How far apart, in seconds, the times are at most that lists give one after the other for the same trip.
    static let halfDay: TimeInterval = 12 * 3600

    /// Reads a fact; nil if it expects nothing.
    init?(_ correction: Correction) {
        guard correction.kind == .expected, let due = correction.dueAt,
            let point = correction.point
        else { return nil }
        let route = correction.route
        self.init(
            identifier: correction.factIdentifier,
            time: correction.time,
            due: due,
            key: Key(point, correction.place, route, due),
            route: route
        )
    }

    init(identifier: UUID, time: Date, due: Date, key: Key, route: Route? = nil) {
        (self.identifier, self.time, self.due, self.key) = (identifier, time, due, key)
        self.route = route
    }

    /// Whether a sighting may be what it says.
    private func mayBeMet(by sighting: Journey.Sighting, in place: String?) -> Bool {
        sighting.point == key.point && sighting.date >= due - Self.earliness
            && (key.place == nil || place == key.place)
    }

    /// Whether the last journey of the bag was over long before, so that the bag is still to depart.
    ///
    /// - Parameters:
    ///   - departed: When it departed on that journey.
    ///   - arrived: When it arrived.
    /// - Returns: Whether it is.
    func isOfNextJourney(after departed: Date?, _ arrived: Date?) -> Bool {
        guard let last = [departed, arrived].compactMap(\.self).max(),
            last < due - Self.earliness
        else { return false }
        // A bag that is under way may be so for weeks, on a ship; only a departure begins another journey.
        return last == arrived || key.point.builtInRole == .departing
    }

    /// When each was first met; nil for one that was not.
    ///
    /// A sighting is the passing whose time is nearest to its own: a bag that misses its flight, and leaves with
    /// that of the next day, has passed for the second one only. Lists whose times are about the same speak of
    /// one passing.
    ///
    /// - Parameters:
    ///   - expectations: Those that count.
    ///   - sightings: The sightings, in order.
    /// - Returns: The times, by the identifiers of the expectations.
    static func meetings(
        of expectations: [Self],
        by sightings: [Journey.Sighting]
    ) -> [UUID: Date?] {
        var met = expectations.reduce(into: [UUID: Date?]()) { $0[$1.identifier] = .some(nil) }
        for sighting in sightings {
            let place = sighting.place?.nameKey
            let possible = expectations.filter { $0.mayBeMet(by: sighting, in: place) }
            func distance(_ one: Self) -> TimeInterval {
                abs(one.due.timeIntervalSince(sighting.date))
            }
            let nearest = possible.min { (distance($0), $0.due) < (distance($1), $1.due) }
            guard let nearest else { continue }
            for one in possible
            where abs(one.due.timeIntervalSince(nearest.due)) <= spread
                && met[one.identifier] == .some(nil)
            {
                met[one.identifier] = .some(sighting.date)
            }
        }
        return met
    }

    /// What one bag is to pass on one trip, whenever; nil if what it says is replaced only by the same time.
    private struct Turn: Hashable {
        let point: Point
        let place: String?
        let trip: String

        init?(_ key: Key) {
            guard let trip = key.trip, key.date == nil else { return nil }
            (point, place, self.trip) = (key.point, key.place, trip)
        }
    }

    /// Those that count: of several with one key, the one that became known last.
    ///
    /// Of a trip without a day, the last one also replaces those of half a day around its time.
    static func current(of all: [Self]) -> [Self] {
        let last = Dictionary(grouping: all, by: \.key).compactMapValues { same in
            same.max { ($0.time, $0.identifier) < ($1.time, $1.identifier) }
        }
        // The times that were said later, from the first to the last of each half day.
        var later: [Turn: [Int: ClosedRange<Date>]] = [:]
        let latestFirst = last.values.sorted {
            ($0.time, $0.identifier) > ($1.time, $1.identifier)
        }
        return latestFirst.filter { one in
            guard let turn = Turn(one.key) else { return true }
            let place = Int((one.due.timeIntervalSince1970 / halfDay).rounded(.down))
            let times = later[turn, default: [:]]
            let nearest = [
                times[place - 1]?.upperBound, times[place]?.lowerBound,
                times[place + 1]?.lowerBound,
            ]
            let own = times[place]
            later[turn, default: [:]][place] =
                min(own?.lowerBound ?? one.due, one.due)...max(own?.upperBound ?? one.due, one.due)
            return !nearest.contains {
                $0.map { abs($0.timeIntervalSince(one.due)) <= halfDay } ?? false
            }
        }
    }

    /// Where lists say that a bag goes at a time, from the first to the last of the lists that are about that way.
    ///
    /// - Parameters:
    ///   - expectations: Those that count, by their times.
    ///   - date: The time at which it was seen.
    /// - Returns: The way; nil if no list tells it.
    static func route(by expectations: [Self], at date: Date) -> Route? {
        let begun = expectations.prefix { $0.due - earliness <= date }.filter { $0.route != nil }
        guard let last = begun.last else { return nil }
        let first = begun.first { $0.due >= last.due - earliness }
        return Route(
            from: first?.route?.from,
            to: last.route?.to,
            trip: last.route?.trip,
            date: last.route?.date
        )
    }
}

extension Expectation.Key {
    init(_ point: Point, _ place: String?, _ route: Route?, _ due: Date) {
        let isOfTrip = route?.trip != nil && route?.date != nil
        self.init(
            point: point,
            place: place?.nameKey,
            trip: route?.trip?.nameKey,
            date: route?.date,
            due: isOfTrip ? nil : due
        )
    }
}
