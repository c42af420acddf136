public import Foundation

/// A tag that no reader could read and a person typed.
public struct TypedTag: Hashable, Sendable {
    /// The identifier of the bag.
    public var identifier: UUID
    /// The point at which the bag is.
    public var point: Point
    /// The role of the point if the point is not built in.
    public var role: Point.Role?
    /// The name of the station; if nil, the name of the point.
    public var station: String?
    /// The time at which the bag was there; a future time counts as the present.
    public var date: Date
    /// The owner, if the tag names one and a person can read it.
    public var owner: PassengerName?
    /// The weight in pounds, if the tag gives one and a person can read it.
    public var weight: Float?
    /// The failed picture that shows the tag, if there is one.
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
