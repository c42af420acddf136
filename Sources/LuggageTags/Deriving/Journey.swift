public import Foundation

/// One journey of a bag: it departs, is seen under way, and arrives.
public struct Journey: Hashable, Sendable, Encodable {
    /// Where and when a bag was seen.
    public struct Sighting: Hashable, Sendable, Encodable {
        /// The point.
        public var point: Point
        /// What that point is.
        public var role: Point.Role
        /// When.
        public var date: Date

        /// Describes a sighting.
        ///
        /// - Parameters:
        ///   - point: The point.
        ///   - told: The role that it was given, where it is not built in.
        ///   - date: When.
        public init(_ point: Point, _ told: Point.Role?, _ date: Date) {
            self.point = point
            role = point.role(told: told)
            self.date = date
        }
    }

    /// When the bag was last seen where it departs; nil where nobody has seen it there.
    public var departedAt: Date?
    /// When the bag was last seen where it arrives; nil as long as it is under way.
    public var arrivedAt: Date?
    /// Where the bag was seen under way, the first time first.
    public var underWay: [Sighting] = []

    /// Where the bag was last seen under way.
    public var lastSeen: Sighting? { underWay.last }

    /// Whether it has departed and not arrived.
    ///
    /// A bag that nobody has seen depart is somewhere, and not missed anywhere.
    public var isMissing: Bool { departedAt != nil && arrivedAt == nil }

    /// Describes a journey.
    public init(departedAt: Date? = nil, arrivedAt: Date? = nil) {
        self.departedAt = departedAt
        self.arrivedAt = arrivedAt
    }
}

/// The journeys of a bag, sighting by sighting in their order.
///
/// Seen where it departs, a bag begins a journey, unless it is still under way: then the departure
/// moves on. Seen where it arrives, it ends the journey it is on, and where it is on none, the arrival
/// moves on, as bags are often seen twice where they arrive. Clocks of two stations differ: arrivals
/// shortly before a departure, without which the journey before has arrived too or never begun, are
/// those of the journey that departs.
///
/// What is seen under way is kept with the journey that the bag is on. Seen under way after it has
/// arrived, and not only shortly after, by the difference of two clocks, it is on a journey that nobody
/// has seen depart.
struct Journeys {
    /// All of them, the last one last.
    private(set) var all: [Journey] = []
    /// The arrivals of the last one.
    private var arrivals: [Date] = []

    /// The last one, as far as later sightings ask it.
    var last: LastJourney {
        LastJourney(journey: all.last ?? Journey(), firstArrival: arrivals.first)
    }

    /// How long before its departure an arrival may seem to be, or before what was under way.
    static let skew: TimeInterval = 15 * 60

    /// Takes down a sighting.
    ///
    /// - Parameter sighting: Where the bag was, and when: not before any sighting so far.
    mutating func add(_ sighting: Journey.Sighting) {
        switch sighting.role {
        case .departing: depart(sighting.date)
        case .underWay: see(sighting)
        case .arriving: arrive(sighting.date)
        }
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
            // It departs again before it arrives, or its arrivals seemed to be first.
            last.departedAt = date
            return all.append(last)
        }
        // Where the journey before has no other arrivals, they are its own.
        arrivals = early.isEmpty ? [] : Array(arrivals.dropFirst(early.count))
        last.arrivedAt = early.last ?? last.arrivedAt
        all += [last, Journey(departedAt: date, arrivedAt: arrivals.last)]
    }
}

/// The last journey of a bag, so that one more sighting does not ask for all that were before.
struct LastJourney: Hashable {
    var journey = Journey()
    /// When the bag was first seen where the journey arrives; nil where it was not, or nobody knows it.
    var firstArrival: Date?

    /// The journey that a bag is on after one more sighting.
    ///
    /// - Parameter sighting: Where the bag was, and when: later than any sighting so far.
    /// - Returns: The journey; nil where all sightings have to be asked.
    func followed(by sighting: Journey.Sighting) -> Self? {
        var next = self
        switch sighting.role {
        case .arriving:
            if journey.arrivedAt == nil { next.firstArrival = sighting.date }
            next.journey.arrivedAt = sighting.date
        case .underWay:
            if journey.isOver(at: sighting.date) { next = Self() }
            next.journey.underWay.append(sighting)
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
        return next
    }
}

extension Journey {
    /// Whether the bag has arrived so long ago that it is on another journey if it is under way.
    fileprivate func isOver(at date: Date) -> Bool {
        arrivedAt.map { $0 + Journeys.skew < date } ?? false
    }
}
