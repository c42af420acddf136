public import FoundationEssentials

/// One journey of a bag: it departs, is seen under way, and arrives.
public struct Journey: Hashable, Sendable, Encodable {
    /// A sighting of a bag at a point.
    public struct Sighting: Hashable, Sendable, Encodable {
        /// The point.
        public var point: Point
        /// The role of the point.
        public var role: Point.Role
        /// The time.
        public var date: Date
        /// The place; nil if it is unknown.
        public var place: String?

        /// Describes a sighting.
        ///
        /// - Parameters:
        ///   - point: The point.
        ///   - told: The role that the point was given, if it is not built in.
        ///   - date: The time.
        ///   - place: The place.
        public init(
            _ point: Point,
            _ told: Point.Role?,
            _ date: Date,
            place: String? = nil
        ) {
            self.point = point
            role = point.role(told: told)
            self.date = date
            self.place = place
        }
    }

    /// When the bag was last seen departing; nil if nobody saw it depart.
    public var departedAt: Date?
    /// When the bag was last seen arriving; nil while it is under way.
    public var arrivedAt: Date?
    /// The sightings under way, in order, with those of arrivals at a wrong place.
    public var underWay: [Sighting] = []
    /// Where the bag is to go, as its tags on this journey say; nil if they do not.
    public var route: Route?
    /// Since when the bag is where it should not depart or arrive; nil if it has since done so where it should.
    public var misroutedAt: Date?
    /// The place where it is.
    public var misroutedTo: String?

    /// Describes a journey.
    public init(departedAt: Date? = nil, arrivedAt: Date? = nil) {
        self.departedAt = departedAt
        self.arrivedAt = arrivedAt
    }
}

/// The journeys of a bag, built from its sightings in order.
///
/// A departure begins a journey, but if the bag is still under way it only moves the departure to the
/// later time. An arrival ends the present journey, or moves its arrival to the later time, because bags
/// are often seen twice where they arrive.
///
/// The clocks of two stations differ. Arrivals shortly before a departure belong to the journey that
/// departs, if the journey before has other arrivals or never began.
///
/// An arrival at another place than the tag's destination does not end the journey: the bag is still missing
/// at its destination. But a bag that has arrived may be delivered anywhere.
///
/// A sighting under way belongs to the present journey. If the bag arrived longer ago than the clocks
/// may differ, it begins a new journey that nobody saw depart.
struct Journeys {
    /// All journeys, in order.
    private(set) var all: [Journey] = []
    /// The arrivals of the last journey.
    private var arrivals: [Date] = []

    /// The last journey, as far as later sightings need it.
    var last: LastJourney {
        LastJourney(journey: all.last ?? Journey(), firstArrival: arrivals.first)
    }

    /// How much earlier than its departure, or than a sighting under way, an arrival may seem to be.
    static let skew: TimeInterval = 15 * 60

    /// Adds a sighting, which must not be earlier than those before.
    ///
    /// - Parameters:
    ///   - sighting: The sighting.
    ///   - route: What its tag says of the route; if nil, the tags before it on the journey say it.
    /// - Returns: Whether the bag departs or arrives there by mistake.
    @discardableResult
    mutating func add(_ sighting: Journey.Sighting, to route: Route? = nil) -> Bool {
        switch sighting.role {
        case .departing: depart(sighting.date)
        case .underWay: see(sighting)
        case .arriving:
            let route = route ?? all.last?.route
            guard (all.last ?? Journey()).misses(sighting, to: route) else {
                arrive(sighting.date)
                break
            }
            see(sighting)
            return all[all.count - 1].take(sighting, to: route)
        }
        return all[all.count - 1].take(sighting, to: route)
    }

    private mutating func see(_ sighting: Journey.Sighting) {
        if all.last?.isOver(at: sighting.date) ?? true {
            all.append(Journey())
            arrivals = []
        }
        all[all.count - 1].underWay.append(sighting)
    }

    private mutating func arrive(_ date: Date) {
        if all.isEmpty { all.append(Journey()) }
        arrivals.append(date)
        all[all.count - 1].arrivedAt = date
    }

    private mutating func depart(_ date: Date) {
        guard var last = all.popLast() else { return all.append(Journey(departedAt: date)) }
        let early = arrivals.prefix { $0 + Self.skew < date }
        let hasArrived = last.departedAt.map { $0 < arrivals.last ?? $0 } ?? false
        if early.isEmpty && !hasArrived {
            // It departs again before it arrives, or its arrivals only seemed to be earlier.
            last.departedAt = date
            return all.append(last)
        }
        // If the journey before has no other arrivals, it keeps them.
        arrivals = early.isEmpty ? [] : Array(arrivals.dropFirst(early.count))
        last.arrivedAt = early.last ?? last.arrivedAt
        all += [last, Journey(departedAt: date, arrivedAt: arrivals.last)]
    }
}

/// The last journey of a bag, to which one more sighting can be added without all earlier ones.
struct LastJourney: Hashable {
    var journey = Journey()
    /// When the bag was first seen at the end of the journey; nil if it was not, or this is unknown.
    var firstArrival: Date?

    /// The last journey after one more sighting, which must be later than all before; nil if it depends on
    /// all sightings.
    ///
    /// - Parameters:
    ///   - sighting: The sighting.
    ///   - route: What its tag says of the route.
    /// - Returns: The journey.
    func followed(by sighting: Journey.Sighting, to route: Route? = nil) -> Self? {
        var next = self
        switch sighting.role {
        case .arriving where !journey.misses(sighting, to: route ?? journey.route):
            if journey.arrivedAt == nil { next.firstArrival = sighting.date }
            next.journey.arrivedAt = sighting.date
        case .underWay, .arriving:
            if journey.isOver(at: sighting.date) { next = Self() }
            next.journey.underWay.append(sighting)
            if sighting.role == .arriving {
                next.journey.take(sighting, to: route ?? journey.route)
                return next
            }
        case .departing:
            if journey.isOver(at: sighting.date) {
                next = Self()
            } else if let arrivedAt = journey.arrivedAt {
                // Some of its arrivals may be of the journey that departs, and others not.
                guard let firstArrival, firstArrival + Journeys.skew >= sighting.date else {
                    return nil
                }
                if journey.departedAt.map({ $0 < arrivedAt }) ?? false { next = Self() }
            }
            next.journey.departedAt = sighting.date
        }
        next.journey.take(sighting, to: route)
        return next
    }
}

extension Journey {
    /// Whether the bag is at a sighting by mistake.
    fileprivate func misses(_ sighting: Sighting, to route: Route?) -> Bool {
        // From where it arrived it is brought to its owner, to a hotel for example.
        if sighting.point == .delivery, arrivedAt != nil { return false }
        return route?.isMissed(at: sighting.place, as: sighting.role) ?? false
    }

    /// Takes the route from a sighting on this journey, and whether the bag is there by mistake.
    ///
    /// - Returns: Whether it is.
    @discardableResult
    fileprivate mutating func take(_ sighting: Sighting, to told: Route?) -> Bool {
        if let told { route = told }
        if sighting.role == .underWay { return false }
        let isMissed = misses(sighting, to: route)
        let isThere = misroutedAt != nil && misroutedTo?.nameKey == sighting.place?.nameKey
        misroutedAt = isMissed ? isThere ? misroutedAt : sighting.date : nil
        misroutedTo = isMissed ? sighting.place : nil
        return isMissed
    }

    /// Whether the bag arrived so long ago that a sighting under way is part of another journey.
    fileprivate func isOver(at date: Date) -> Bool {
        arrivedAt.map { $0 + Journeys.skew < date } ?? false
    }
}
