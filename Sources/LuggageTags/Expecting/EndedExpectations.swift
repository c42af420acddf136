internal import FoundationEssentials

/// Which expectations of a bag a list or a message ends, because it changes or deletes what was said before.
struct EndedExpectations {
    /// What it ends.
    enum Reach {
        /// What is expected on its flight.
        case flight
        /// What is expected on any flight.
        case all
        /// That too, but for what it says itself.
        case others(ExpectedBag)
    }

    let reach: Reach
    /// The point and the place for which the message is filed; nil for any.
    let point: Point?
    let place: String?
    /// The flight, from the airport that sends the message.
    let route: Route?
    /// About when the flight is.
    let near: Date
    /// How far from that at most, in seconds.
    let within: TimeInterval

    /// Whether it ends this expectation.
    ///
    /// A message is filed for each point and place by itself, and speaks for one airport and for one use of a
    /// licence plate.
    func contains(_ bag: ExpectedBag) -> Bool {
        guard abs(bag.due.timeIntervalSince(near)) <= within,
            point == nil || bag.point == point, areAlike(bag.place, place),
            areAlike(bag.route?.from, route?.from)
        else { return false }
        switch reach {
        case .flight:
            return areAlike(bag.route?.trip, route?.trip) && areAlike(bag.route?.date, route?.date)
        case .all: return true
        case .others(let own): return bag != own
        }
    }

    /// Whether two names are the same, as far as both are told.
    private func areAlike(_ one: String?, _ other: String?) -> Bool {
        guard let one, let other else { return true }
        return one.nameKey == other.nameKey
    }
}
