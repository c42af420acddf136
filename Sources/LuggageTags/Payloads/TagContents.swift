public import FoundationEssentials

/// What a tag says about a bag, as plain values.
public struct TagContents: Hashable, Sendable {
    /// The identifier of the bag.
    public var identifier: UUID
    /// The owner; nil if the tag names none, which does not mean that there is none.
    public var owner: PassengerName?
    /// The weight in pounds; nil if the tag gives none.
    public var weight: Float?
    /// Where the bag is to go; nil if the tag does not say.
    public var route: Route?
    /// When the bag was last scanned departing; tags do not tell this.
    public var departedAt: Date?
    /// When the bag was last scanned arriving; tags do not tell this.
    public var arrivedAt: Date?

    /// Describes a bag.
    ///
    /// - Parameters:
    ///   - identifier: The identifier of the bag.
    ///   - owner: The owner.
    ///   - weight: The weight in pounds.
    ///   - route: Where the bag is to go.
    ///   - departedAt: When the bag was last scanned departing.
    ///   - arrivedAt: When the bag was last scanned arriving.
    public init(
        identifier: UUID,
        owner: PassengerName?,
        weight: Float?,
        route: Route? = nil,
        departedAt: Date? = nil,
        arrivedAt: Date? = nil
    ) {
        self.identifier = identifier
        self.owner = owner
        self.weight = weight
        self.route = route
        self.departedAt = departedAt
        self.arrivedAt = arrivedAt
    }

    /// Copies what is on record about a bag.
    public init(_ luggage: Luggage) {
        identifier = luggage.identifier
        owner = luggage.owner?.name
        weight = luggage.weight
        route = luggage.route
        departedAt = luggage.departedAt
        arrivedAt = luggage.arrivedAt
    }
}

extension TagContents {
    /// Reads a plain object without times; nil if a decoder must read it.
    init?(plain payload: [UInt8]) {
        guard let members = PlainJSON.members(of: payload) else { return nil }
        var (identifier, owner): (UUID?, PassengerName?)
        var weight: Float?
        var route: [String: String] = [:]
        for (name, value) in members {
            switch (name, value) {
            case ("id", .text(let text)): identifier = UUID(strictly: text)
            case ("owner", .texts(let names)) where names.count == 2:
                owner = PassengerName(givenName: names[0], familyName: names[1])
            case ("weight", .number(let pounds)): weight = Weight(exactPounds: pounds).pounds
            case (_, .text(let text)) where Route.members.contains(name): route[name] = text
            default: return nil
            }
        }
        guard let identifier, let route = Route.plain(route) else { return nil }
        self.init(identifier: identifier, owner: owner, weight: weight, route: route)
    }

    /// Reads the payload of a fact on record; nil if it cannot be decoded any more, or was purged.
    init?(onRecord payload: some Collection<UInt8>) {
        guard let contents = try? TagDecoder().contents(onRecord: Array(payload)) else {
            return nil
        }
        self = contents
    }
}

extension TagContents: Codable {
    /// Decodes an object with `id` and optional `owner`, `weight`, `from`, `to`, `trip` and `date`, each in
    /// any of its forms.
    ///
    /// If the decoder's `userInfo` has a ``DateForm``, it also decodes `departedAt` and `arrivedAt`.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: FormKey.self)
        identifier = try container.decodeStated(Identifier.self, "id").uuid
        owner = try container.decodeIfStated(PassengerName.self, "owner")
        weight = try container.decodeIfStated(Weight.self, "weight")?.pounds
        route = try container.decodeRoute(isOnRecord: decoder.userInfo[.isOnRecord] != nil)
        if decoder.userInfo[.dateForm] != nil {
            departedAt = try container.decodeIfStated(Moment.self, "departedAt")?.date
            arrivedAt = try container.decodeIfStated(Moment.self, "arrivedAt")?.date
        }
    }

    /// Encodes an object in the forms in the encoder's `userInfo`.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: FormKey.self)
        try container.encode(Identifier(identifier), forKey: FormKey("id"))
        try container.encodeIfPresent(owner, forKey: FormKey("owner"))
        try container.encodeIfPresent(weight.map(Weight.init), forKey: FormKey("weight"))
        try container.encode(route)
        if encoder.userInfo[.dateForm] != nil {
            let (departure, arrival) = (departedAt.map(Moment.init), arrivedAt.map(Moment.init))
            try container.encodeIfPresent(departure, forKey: FormKey("departedAt"))
            try container.encodeIfPresent(arrival, forKey: FormKey("arrivedAt"))
        }
    }
}
