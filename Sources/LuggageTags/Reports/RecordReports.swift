public import FoundationEssentials

/// A bag on record, as reports show it.
public struct LuggageReport: Sendable, Codable, Hashable {
    /// The identifier.
    public var id: UUID
    /// The owner, if a tag or a correction names one.
    public var owner: PassengerReport?
    /// The weight in pounds, if a tag or a correction gives one.
    public var weight: Float?
    /// When the bag was last scanned departing.
    public var departedAt: Date?
    /// When the bag was last scanned arriving.
    public var arrivedAt: Date?
    /// Where the bag is to go, if its tag says it, or else a list.
    public var route: Route?
    /// Since when the bag is where it should not depart or arrive; nil if it has since done so where it should.
    public var misroutedAt: Date?
    /// The place where it is.
    public var misroutedTo: String?

    /// Describes a bag.
    package init(
        id: UUID,
        owner: PassengerReport? = nil,
        weight: Float?,
        departedAt: Date?,
        arrivedAt: Date?
    ) {
        self.id = id
        self.owner = owner
        self.weight = weight
        self.departedAt = departedAt
        self.arrivedAt = arrivedAt
    }

    /// Makes the report about a bag.
    public init(_ luggage: Luggage) {
        id = luggage.identifier
        owner = luggage.owner.map(PassengerReport.init)
        weight = luggage.weight
        departedAt = luggage.departedAt
        arrivedAt = luggage.arrivedAt
        route = luggage.route
        misroutedAt = luggage.misroutedAt
        misroutedTo = luggage.misroutedTo
    }

    /// What is wrong about where a bag was seen; nil if nothing is.
    package var misroutedWords: String? {
        guard misroutedAt != nil, let misroutedTo else { return nil }
        let (from, to) = (route?.from ?? "-", route?.to ?? "-")
        return "its tag says \(from) to \(to), and it was seen in \(misroutedTo)"
    }
}

/// A passenger on record, as reports show it.
public struct PassengerReport: Sendable, Codable, Hashable {
    /// The initial of the given name.
    public var givenName: String
    /// The beginning of the family name.
    public var familyName: String

    /// Makes the report about a passenger.
    public init(_ passenger: Passenger) {
        self.init(passenger.name)
    }

    /// Makes the report about a name.
    public init(_ name: PassengerName) {
        givenName = name.givenName
        familyName = name.familyName
    }

    /// Both names.
    public var name: PassengerName {
        PassengerName(givenName: givenName, familyName: familyName)
    }
}
