public import Foundation

/// A tag that no reader could read, as somebody has typed it.
public struct TypedTag: Hashable, Sendable {
    /// The identifier of the bag.
    public var identifier: UUID
    /// Where the bag is.
    public var point: Point
    /// What that point is, where it is not built in.
    public var role: Point.Role?
    /// The name of the station; without one, the name of the point.
    public var station: String?
    /// When the bag was there; a time to come is taken for the present.
    public var date: Date
    /// The owner, where the tag names one that can be read.
    public var owner: PassengerName?
    /// The weight in pounds, where the tag names one that can be read.
    public var weight: Float?
    /// The failed picture that shows the tag, where there is one.
    public var picture: FailedSight?

    /// Describes a tag.
    public init(
        identifier: UUID,
        point: Point,
        role: Point.Role? = nil,
        station: String? = nil,
        date: Date,
        owner: PassengerName? = nil,
        weight: Float? = nil
    ) {
        self.identifier = identifier
        self.point = point
        self.role = role
        self.station = station
        self.date = date
        self.owner = owner
        self.weight = weight
    }
}
