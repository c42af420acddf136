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

    /// How long before its time a bag may pass, in seconds.
    ///
    /// An earlier sighting of a bag that travels often is of another trip.
    static let earliness: TimeInterval = 24 * 3600

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
            key: Key(point, correction.place, route, due)
        )
    }

    init(identifier: UUID, time: Date, due: Date, key: Key) {
        (self.identifier, self.time, self.due, self.key) = (identifier, time, due, key)
    }

    /// Whether a sighting is what it says.
    func isMet(by sighting: Journey.Sighting) -> Bool {
        sighting.point == key.point && sighting.date >= due - Self.earliness
            && (key.place == nil || sighting.place?.nameKey == key.place)
    }

    /// Those that count: of several with one key, the one that became known last.
    static func current(of all: [Self]) -> [Self] {
        let last = Dictionary(grouping: all, by: \.key).compactMapValues { same in
            same.max { ($0.time, $0.identifier) < ($1.time, $1.identifier) }
        }
        return Array(last.values)
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
