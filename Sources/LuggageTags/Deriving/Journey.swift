public import Foundation

/// One journey of a bag: it departs, is seen under way, and arrives.
public struct Journey: Hashable, Sendable {
    /// When the bag was last seen where it departs; nil where nobody has seen it there.
    public var departedAt: Date?
    /// When the bag was last seen where it arrives; nil as long as it is under way.
    public var arrivedAt: Date?

    /// Whether it has departed and not arrived.
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
struct Journeys {
    /// All of them, the last one last.
    private(set) var all: [Journey] = []
    /// The arrivals of the last one.
    private var arrivals: [Date] = []

    /// How long before its departure an arrival may seem to be.
    static let skew: TimeInterval = 15 * 60

    /// Takes down a sighting.
    ///
    /// - Parameters:
    ///   - point: Where the bag was.
    ///   - date: When; not before any sighting so far.
    mutating func add(_ point: Point, _ date: Date) {
        switch point {
        case .origin: depart(date)
        case .destination: arrive(date)
        }
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

extension Journey {
    /// The journey that a bag is on after one more sighting.
    ///
    /// - Parameters:
    ///   - point: Where the bag was.
    ///   - date: When; not before any sighting so far.
    /// - Returns: The journey; nil where all sightings have to be asked.
    func followed(by point: Point, _ date: Date) -> Journey? {
        switch point {
        case .destination: return Journey(departedAt: departedAt, arrivedAt: date)
        case .origin:
            if let arrivedAt, arrivedAt + Journeys.skew >= date { return nil }
            return Journey(departedAt: date)
        }
    }
}
