/// What is to be corrected about a bag.
public struct BagEdit: Hashable, Sendable {
    /// What is to become of the owner.
    public enum Owner: Hashable, Sendable {
        /// It belongs to a passenger.
        case passenger(PassengerName)
        /// Nobody is known to own it.
        case nobody
    }

    /// The owner; nil where that is right.
    public var owner: Owner?
    /// The weight in pounds; nil where that is right.
    public var weight: Float?

    /// Describes a correction.
    public init(owner: Owner? = nil, weight: Float? = nil) {
        self.owner = owner
        self.weight = weight
    }
}
