internal import Foundation

/// Which expectations of a bag a message ends, because it changes or deletes what was said before.
struct EndedExpectations {
    /// The flight that a deletion names, from the airport that says so.
    let route: Route?
    /// About when it is.
    let near: Date
    /// What is expected instead; nil for a deletion.
    let replacement: ExpectedBag?

    /// Whether it ends this expectation.
    ///
    /// An airport speaks for the bags that leave it, and for one use of a licence plate. A deletion ends what
    /// is expected of the bag on its flight; a change what it has said of another flight, and of this one
    /// at the same point.
    func contains(_ bag: ExpectedBag) -> Bool {
        if abs(bag.due.timeIntervalSince(near)) > LicencePlate.mostSilence { return false }
        let from = bag.route?.from ?? bag.place
        if let from, let own = route?.from, from.nameKey != own.nameKey { return false }
        guard let replacement else { return isOfTrip(bag.route) }
        return bag != replacement && (bag.point == replacement.point || !isOfTrip(bag.route))
    }

    /// Whether a bag is on the flight, as far as both tell one.
    private func isOfTrip(_ other: Route?) -> Bool {
        func areAlike(_ one: String?, _ other: String?) -> Bool {
            guard let one, let other else { return true }
            return one.nameKey == other.nameKey
        }
        return areAlike(other?.trip, route?.trip) && areAlike(other?.date, route?.date)
    }
}
