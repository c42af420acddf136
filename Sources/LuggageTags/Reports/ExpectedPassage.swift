public import FoundationEssentials

/// Where a list expects a bag, as reports show it: at which point, by when, and whether it was seen there.
///
/// In JSON it is an object with stable keys; it leaves out keys without a value.
public struct ExpectedPassage: Sendable, Encodable {
    /// The point that the bag is to pass.
    public var point: Point
    /// The place of that point; nil for any place.
    public var place: String?
    /// The trip, and from where to where; nil if the list does not say it.
    public var route: Route?
    /// The time by which it is to pass.
    public var due: Date
    /// When it was first seen there; nil if it was not.
    public var metAt: Date?

    /// Whether it should have passed at a moment, and was not seen.
    public func isOverdue(at moment: Date) -> Bool { metAt == nil && due < moment }

    /// Makes the report; nil for a fact that expects nothing, or that a later list has replaced.
    init?(_ correction: Correction) {
        guard correction.isCurrent, let expectation = Expectation(correction) else { return nil }
        point = expectation.key.point
        place = correction.place
        route = correction.route
        due = expectation.due
        metAt = correction.metAt
    }
}
