public import FoundationEssentials
public import ObjectStore
internal import SystemSupport

/// One reading of one tag in one picture or by a hand scanner, or of a picture without tags.
///
/// It never changes later, except for the mark that it was undone. An undone sighting may be filed
/// again. Then each filing is a scan of its own, but the bag was seen once.
public final class Scan: ManagedObject {
    /// Its own identifier; nil if an older version of the program has filed it.
    @Attribute public var identifier: UUID?

    /// The bag on record; nil if no tag was read, or if no fact that counts tells of the bag.
    @ToOne public var luggage: Luggage?

    /// The identifier of the bag if the bag is no longer on record.
    @Attribute public var bag: UUID?

    /// The point at which the bag was.
    @Attribute public var point: Point

    /// The role of the point; nil if the point is built in or its role is unknown.
    @Attribute public var role: Point.Role?

    /// The name of the station that filed the picture.
    @Attribute public var station: String

    /// The place of that station, such as `JFK` or `Pier 3`; nil if it has none.
    @Attribute public var place: String?

    /// The person who scanned or typed it; nil if a service, an import or an older version filed it.
    @Attribute public var author: String?

    /// The time at which the bag was there.
    @Attribute public var scannedAt: Date

    /// The name of the picture's file, without its folder.
    @Attribute public var imageName: String

    /// The SHA-256 of the picture's file, in hexadecimal; nil if there is no picture.
    ///
    /// For a file that was too long to be read, it is the SHA-256 of its beginning and its length.
    @Attribute public var imageDigest: String?

    /// The symbol's payload, byte for byte; empty if no symbol was read.
    @Attribute public var payload: Data

    /// The outcome of the scan, as it was filed; ``told`` is the one to tell.
    @Attribute public var outcome: Outcome

    /// Whether the bag departs or arrives here by mistake, by all that is known of it.
    @Attribute public internal(set) var isMisrouted = false

    /// The stable error code; empty if there was no error.
    @Attribute public var reason: String

    /// When it was filed here, by a clock that never runs back; nil if an older version filed it.
    @Attribute public var filedAt: Date?

    /// The identifier of the import that brought it; nil if it was filed here.
    ///
    /// It is for this record alone.
    @Attribute var importedBy: UUID?

    /// Members that a newer version of the program has written, in MessagePack.
    @Attribute var others: Data?

    /// Whether another scan of the same sighting counts instead of this one.
    @Attribute public var isRepeat = false

    /// When it was undone; nil if it counts.
    @Attribute public var undoneAt: Date?

    /// The value of `imageName` for a tag that was typed by hand.
    public static let handName = "(by hand)"

    /// The value of `imageName` for a tag that a hand scanner read.
    public static let scannerName = "(hand scanner)"

    /// Whether a person typed the tag, and no reader read it.
    public var isTyped: Bool { imageDigest == nil && imageName == Self.handName }

    /// The outcome of the scan, by all that is known of the bag now.
    public var told: Outcome { isMisrouted ? .misrouted : outcome }

    /// The entity in the model.
    static let entity = EntityDescription(
        Scan.self,
        name: "Scan",
        properties: [
            .toOne(\.luggage, inverse: \.scans),
            .attribute(\.bag, indexed: true),
            .attribute(\.scannedAt, indexed: true),
            .attribute(\.imageDigest, indexed: true),
            .attribute(\.filedAt, indexed: true),
        ],
        uniquenessConstraints: [[\.identifier]],
        // For the scans of a station in a period, the last scans of a person, and the scans of an import.
        compoundIndices: [
            [\.station, \.scannedAt], [\.author, \.filedAt], [\.importedBy, \.filedAt],
        ]
    )
}

extension FetchRequest<Scan> {
    /// The scans of a station, in any spelling of its name.
    package func at(_ station: String) -> Self { self.where(\.station, is: station.composed) }

    /// The scans of one picture at one place; without a digest, all scans there that have none.
    static func of(_ digest: String?, at station: String, _ point: Point) -> Self {
        FetchRequest(Scan.self).where(\.imageDigest, is: digest).where(\.station, is: station)
            .where(\.point, is: point)
    }

    /// The scans that nobody has undone.
    var notUndone: Self { self.where(\.undoneAt, isMissing: true) }

    /// The scans of what a reader has read.
    var notTyped: Self {
        whereEither(
            { $0.where(\.imageDigest, isMissing: false) },
            { $0.where(\.imageName, isLessThan: Scan.handName) },
            { $0.where(\.imageName, isGreaterThan: Scan.handName) }
        )
    }

    /// The scans of tags that were typed by hand.
    var ofTypedTags: Self {
        self.where(\.imageDigest, is: nil).where(\.imageName, is: Scan.handName)
    }
}
