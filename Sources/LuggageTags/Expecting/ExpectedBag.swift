public import FoundationEssentials
internal import SystemSupport

/// A bag that a list expects: it is to pass a point by a time.
public struct ExpectedBag: Hashable, Sendable {
    /// The identifier of the bag.
    public var identifier: UUID
    /// The owner; nil if the list names none.
    public var owner: PassengerName?
    /// The weight in pounds; nil if the list gives none.
    public var weight: Float?
    /// The point that it is to pass.
    public var point: Point
    /// The place of that point; nil for any place.
    public var place: String?
    /// The time by which it is to pass.
    public var due: Date
    /// The trip, and the places between which it goes.
    public var route: Route?

    /// Describes an expected bag.
    ///
    /// - Parameters:
    ///   - identifier: The identifier of the bag.
    ///   - owner: The owner.
    ///   - weight: The weight in pounds.
    ///   - point: The point that it is to pass.
    ///   - place: The place of that point; nil for any place.
    ///   - due: The time by which it is to pass.
    ///   - route: The trip, and the places between which it goes.
    public init(
        identifier: UUID,
        owner: PassengerName? = nil,
        weight: Float? = nil,
        point: Point,
        place: String? = nil,
        due: Date,
        route: Route? = nil
    ) {
        self.identifier = identifier
        self.owner = owner
        self.weight = weight
        self.point = point
        self.place = place?.composed
        self.due = due.ofFacts
        self.route = route
    }
}

/// What holds for the bags of a list that do not say it themselves.
public struct ExpectationDefaults: Hashable, Sendable {
    /// The point.
    public var point: Point?
    /// The place of that point.
    public var place: String?
    /// The time by which they are to pass.
    public var due: Date?
    /// The trip, and the places between which they go.
    public var route: Route?

    /// Says nothing for them.
    public init() {}
}

/// A bag as a list has it, as far as the list says it.
struct ListedBag: Decodable {
    private let identifier: UUID
    private let owner: PassengerName?
    private let weight: Float?
    private let point: Point?
    private let place: String?
    private let due: Date?
    private let route: Route?
    /// Whether the list takes it back.
    private let isCancelled: Bool

    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: FormKey.self)
        identifier = try container.decodeStated(Identifier.self, "id").uuid
        owner = try container.decodeIfStated(PassengerName.self, "owner")
        weight = try container.decodeIfStated(Weight.self, "weight")?.pounds
        point = try container.decodeIfStated(Choice<Point>.self, "point")?.value
        place = try container.decodeIfStated(RouteName.self, "place")?.text
        due = try container.decodeIfStated(Moment.self, "due")?.date
        route = try container.decodeRoute(isOnRecord: false)
        isCancelled = try container.decodeIfStated(Bool.self, "cancelled") ?? false
    }

    /// What the list says of the bag.
    ///
    /// - Parameters:
    ///   - effect: What it does to what was said before.
    ///   - defaults: What holds for bags that do not say it themselves.
    ///   - date: When the list is read.
    /// - Returns: The statement.
    /// - Throws: ``TagError`` if a bag is to be expected, and neither the list nor the defaults say where and
    ///   when.
    func statement(
        _ effect: ListedEntry.Effect,
        _ defaults: ExpectationDefaults,
        date: Date
    ) throws(TagError) -> ListedStatement {
        let takesBack = effect == .takeBack || effect == .takeAllBack
        let expected = takesBack ? nil : try bag(defaults)
        let route = route(defaults)
        func all(_ reach: EndedExpectations.Reach) -> EndedExpectations {
            // What a list takes back is said as it was, and only a trip of a day tells a passing from the next.
            let isAnyTime = effect != .list || route?.trip != nil && route?.date != nil
            return EndedExpectations(
                reach: reach,
                point: point ?? defaults.point,
                place: place ?? defaults.place,
                route: route,
                near: expected?.due ?? due ?? defaults.due ?? date,
                within: isAnyTime ? LicencePlate.mostSilence : Expectation.halfDay
            )
        }
        var statement = ListedStatement(identifier: identifier, expected: expected)
        switch effect {
        case .list where isCancelled: (statement.expected, statement.ended) = (nil, all(.flight))
        case .list: break
        case .add: statement.rivals = all(.all)
        case .replace: statement.ended = expected.map { all(.others($0)) }
        case .takeBack: statement.ended = all(.flight)
        case .takeAllBack: statement.ended = all(.all)
        }
        return statement
    }

    private func route(_ defaults: ExpectationDefaults) -> Route? {
        let other = defaults.route
        return Route(
            from: route?.from ?? other?.from,
            to: route?.to ?? other?.to,
            trip: route?.trip ?? other?.trip,
            date: route?.date ?? other?.date
        )
    }

    private func bag(_ defaults: ExpectationDefaults) throws(TagError) -> ExpectedBag {
        guard let point = point ?? defaults.point else {
            throw .missing("point")
        }
        guard let due = due ?? defaults.due else {
            throw .missing("due")
        }
        return ExpectedBag(
            identifier: identifier,
            owner: owner,
            weight: weight,
            point: point,
            place: place ?? defaults.place,
            due: due,
            route: route(defaults)
        )
    }
}

extension TagError {
    /// That neither a bag of a list nor who files it says something.
    fileprivate static func missing(_ member: String) -> Self {
        TagError(
            .domain,
            .keyMissing,
            at: [member],
            "missing; say it in the list, or for all of it"
        )
    }
}
