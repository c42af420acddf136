/// A correction of a bag's owner or weight.
public struct BagEdit: Hashable, Sendable {
    /// The new owner.
    public enum Owner: Hashable, Sendable {
        /// The bag belongs to a passenger.
        case passenger(PassengerName)
        /// Nobody is known to own the bag.
        case nobody
    }

    /// The new owner; nil to keep the present one.
    public var owner: Owner?
    /// The new weight in pounds; nil to keep the present one.
    public var weight: Float?

    /// Describes a correction.
    public init(owner: Owner? = nil, weight: Float? = nil) {
        self.owner = owner
        self.weight = weight
    }
}
