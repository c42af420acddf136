public import FoundationEssentials
public import ObjectStore

/// A bag: what its tag says, and when it last departed and arrived.
///
/// The programs derive it from the scans and corrections of the bag, and from nothing else.
public final class Luggage: ManagedObject {
    /// The identifier that was made when the tag was printed; no other bag has it.
    @Attribute public var identifier: UUID

    /// The weight in pounds, at least 0; nil if no fact that counts tells it.
    @Attribute public var weight: Float?

    /// When the bag departed on its last journey; nil if nobody saw it depart.
    @Attribute public var departedAt: Date?

    /// When the bag arrived on its last journey; nil while it is under way.
    @Attribute public var arrivedAt: Date?

    /// Where the bag is to go on its last journey, as its tag says: the place of departure.
    @Attribute var from: String?
    /// The place where it is to arrive.
    @Attribute var to: String?
    /// The name of its trip.
    @Attribute var trip: String?
    /// The day of that trip.
    @Attribute var tripDate: String?
    /// The key by which the name of the trip is compared.
    @Attribute var tripKey: String?

    /// Since when the bag is where it should not depart or arrive; nil if it has since done so where it should.
    @Attribute public var misroutedAt: Date?
    /// The place where it was then.
    @Attribute public var misroutedTo: String?

    /// Whether a list expects the bag anywhere.
    @Attribute public internal(set) var isExpected = false

    /// The earliest time by which a list expects the bag where it was not seen yet; nil if there is none.
    @Attribute public internal(set) var dueAt: Date?

    /// When the bag was first seen at the end of its last journey; nil if unknown.
    @Attribute var firstArrivedAt: Date?

    /// The time of the latest fact that this state is derived from; nil if it was not derived.
    @Attribute var derivedUpTo: Date?

    /// Whether another record has told times of the bag without the scans they come from.
    @Attribute var isHeard = false

    /// The passenger who owns the bag, if a tag or a correction names one.
    @ToOne public var owner: Passenger?

    /// Every scan of this bag: its chain of custody.
    @ToMany public var scans: [Scan]

    /// The corrections of this bag.
    @ToMany public var corrections: [Correction]

    /// Keeps when the bag was last seen departing or arriving; under way it does neither.
    func see(_ point: Point, _ told: Point.Role?, _ date: Date) {
        switch point.role(told: told) {
        case .departing: departedAt = date
        case .underWay: break
        case .arriving: arrivedAt = date
        }
    }

    /// Where the bag is to go on its last journey, as its tag says; nil if it does not.
    public internal(set) var route: Route? {
        get { Route(from: from, to: to, trip: trip, date: tripDate) }
        set {
            (from, to) = (newValue?.from, newValue?.to)
            (trip, tripDate) = (newValue?.trip, newValue?.date)
            tripKey = newValue?.trip?.nameKey
        }
    }

    /// The entity in the model.
    static let entity = EntityDescription(
        Luggage.self,
        name: "Luggage",
        properties: [
            .attribute(\.weight, .finite, .minimum(0)),
            // The latest scan counts, in any order of filing.
            .attribute(\.departedAt, combining: .maximum, indexed: true),
            .attribute(\.arrivedAt, combining: .maximum),
            .attribute(\.from, named: "fromPlace"),
            .attribute(\.to, named: "toPlace"),
            .attribute(\.tripKey, indexed: true),
            .attribute(\.misroutedAt, indexed: true),
            .attribute(\.dueAt, indexed: true),
            .toOne(\.owner, inverse: \.luggage),
            .toMany(\.scans, inverse: \.luggage),
            .toMany(\.corrections, inverse: \.luggage),
        ],
        uniquenessConstraints: [[\.identifier]],
        // For bags that have not arrived, in the order of their departures.
        compoundIndices: [[\.arrivedAt, \.departedAt]]
    )
}

extension ManagedObjectContext {
    /// The bag with an identifier; nil if none is on record.
    func luggage(_ identifier: UUID) throws -> Luggage? {
        try fetch(FetchRequest(Luggage.self).where(\.identifier, is: identifier)).first
    }
}

extension Luggage: Codable {
    /// Inserts the bag that a tag describes into the context in the decoder's `userInfo`.
    ///
    /// The next save merges it with the bag on record. If the tag has no owner or no weight, the one on
    /// record stays.
    ///
    /// - Parameter decoder: A decoder with a context in `userInfo[.context]`.
    /// - Throws: `DecodingError`; then this bag is not inserted. Bags that were decoded before it, as of an
    ///   array, stay in the context, unless they are decoded in its `transaction(_:)`.
    public convenience init(from decoder: any Decoder) throws {
        let context = try decoder.managedObjectContext()
        let contents = try TagContents(from: decoder)
        self.init(context: context)
        identifier = contents.identifier
        if let name = contents.owner { owner = Passenger(name, context: context) }
        // Assigning nil would say that there is no weight.
        if let pounds = contents.weight { weight = pounds }
        if let told = contents.route { route = told }
        if let date = contents.departedAt { departedAt = date }
        if let date = contents.arrivedAt { arrivedAt = date }
    }

    /// Encodes the bag as a tag describes it, in the forms in the encoder's `userInfo`.
    ///
    /// With a ``DateForm`` in `userInfo[.dateForm]`, the encoder also writes when it departed and arrived.
    ///
    /// - Parameter encoder: Any encoder.
    /// - Throws: `EncodingError` if the format cannot express a value.
    public func encode(to encoder: any Encoder) throws {
        try TagContents(self).encode(to: encoder)
    }
}
