public import Foundation
public import ObjectStore

/// A bag: what its tag says, and when it was last seen where.
///
/// What the programs file is derived from the scans and corrections of the bag, and from nothing else.
public final class Luggage: ManagedObject {
    /// The identifier that was made when the tag was printed; no other bag has it.
    @Attribute public var identifier: UUID

    /// The weight in pounds, at least 0; nil where nothing that counts tells it.
    @Attribute public var weight: Float?

    /// When the bag departed on its last journey; nil where nobody has seen it depart.
    @Attribute public var departedAt: Date?

    /// When the bag arrived on its last journey; nil as long as it is under way.
    @Attribute public var arrivedAt: Date?

    /// When the bag was first seen where its last journey arrives; nil where that is not known.
    @Attribute var firstArrivedAt: Date?

    /// Up to which time its facts have made it what it is; nil where that is not known to be so.
    @Attribute var derivedUpTo: Date?

    /// Whether another record has told where it was, and not by which scans.
    @Attribute var isHeard: Bool

    /// The passenger to whom the bag belongs, where a tag has said so.
    @ToOne public var owner: Passenger?

    /// Every scan of this bag: its chain of custody.
    @ToMany public var scans: [Scan]

    /// What people have corrected about this bag.
    @ToMany public var corrections: [Correction]

    /// Takes down when the bag was seen last where it departs or arrives; seen under way, it does
    /// neither.
    ///
    /// - Parameters:
    ///   - role: What the point is.
    ///   - date: When.
    func see(_ role: Point.Role, _ date: Date) {
        switch role {
        case .departing: departedAt = date
        case .underWay: break
        case .arriving: arrivedAt = date
        }
    }

    /// The entity in the model.
    static let entity = EntityDescription(
        Luggage.self,
        name: "Luggage",
        properties: [
            .attribute(\.identifier, "identifier"),
            .attribute(\.weight, "weight", .finite, .minimum(0)),
            // The latest scan counts, in whatever order scans come in.
            .attribute(\.departedAt, "departedAt", combining: .maximum, indexed: true),
            .attribute(\.arrivedAt, "arrivedAt", combining: .maximum),
            .attribute(\.firstArrivedAt, "firstArrivedAt"),
            .attribute(\.derivedUpTo, "derivedUpTo"),
            .attribute(\.isHeard, "isHeard", default: false),
            .toOne(\.owner, "owner", inverse: \.luggage),
            .toMany(\.scans, "scans", inverse: \.luggage),
            .toMany(\.corrections, "corrections", inverse: \.luggage),
        ],
        uniquenessConstraints: [[\.identifier]],
        // Bags that have not arrived, those that departed first in front.
        compoundIndices: [[\.arrivedAt, \.departedAt]]
    )
}

extension ManagedObjectContext {
    /// The bag with an identifier; nil where none is on record.
    func luggage(_ identifier: UUID) throws -> Luggage? {
        try fetch(FetchRequest(Luggage.self).where(\.identifier, is: identifier)).first
    }
}

extension Luggage: Codable {
    /// Inserts a bag as a tag describes it into the context that the decoder carries.
    ///
    /// The next save merges it with the bag on record. A tag without an owner or a weight leaves the
    /// one on record.
    ///
    /// - Parameter decoder: A decoder with a context in `userInfo[.context]`.
    /// - Throws: `DecodingError`; nothing is inserted then.
    public convenience init(from decoder: any Decoder) throws {
        let context = try decoder.managedObjectContext()
        let contents = try TagContents(from: decoder)
        self.init(context: context)
        identifier = contents.identifier
        if let name = contents.owner { owner = Passenger(name, context: context) }
        // Assigning nothing would say that there is nothing.
        if let pounds = contents.weight { weight = pounds }
        if let date = contents.departedAt { departedAt = date }
        if let date = contents.arrivedAt { arrivedAt = date }
    }

    /// Encodes the bag as a tag describes it, in the forms that the encoder carries.
    ///
    /// An encoder with a ``DateForm`` in `userInfo[.dateForm]` writes when it departed and arrived too.
    ///
    /// - Parameter encoder: Any encoder.
    /// - Throws: `EncodingError` where the format cannot express a value.
    public func encode(to encoder: any Encoder) throws {
        try TagContents(self).encode(to: encoder)
    }
}
