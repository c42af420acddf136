public import Foundation
public import ObjectStore

/// One reading of one tag in one picture, or one picture that gave none: a fact.
///
/// It is never changed afterwards, but for the mark that it was taken back. A sighting that was taken
/// back may be filed anew: each filing is a scan of its own, and the bag was seen once.
public final class Scan: ManagedObject {
    /// Its own identifier; nil of what older versions of the program have filed.
    @Attribute public var identifier: UUID?

    /// The bag on record, where the tag was one; nil where nothing counts that is said about it.
    @ToOne public var luggage: Luggage?

    /// The identifier of the bag where it is not on record any more.
    @Attribute public var bag: UUID?

    /// Where on its way the bag was.
    @Attribute public var point: Point

    /// What that point is, where it is not built in; nil of one that is, and of one of which nobody knows
    /// it.
    @Attribute public var role: Point.Role?

    /// The name of the station that filed the picture.
    @Attribute public var station: String

    /// Who has scanned or typed it; nil of what a service has filed, or an import, or an older version of
    /// the program.
    @Attribute public var author: String?

    /// When the bag was there.
    @Attribute public var scannedAt: Date

    /// The name of the picture's file, without its folder.
    @Attribute public var imageName: String

    /// The SHA-256 of the picture's file, in hexadecimal; nil where there is no picture.
    ///
    /// Of a file that was too long to be read, it is that of its beginning and its length.
    @Attribute public var imageDigest: String?

    /// The symbol's payload, byte for byte; empty where no symbol was read.
    @Attribute public var payload: Data

    /// What came of it.
    @Attribute public var outcome: Outcome

    /// The stable code of what was wrong; empty where nothing was.
    @Attribute public var reason: String

    /// When it was filed here, by a clock that never runs back; nil of what older versions of the program
    /// have filed.
    @Attribute public var filedAt: Date?

    /// The identifier of the import by which it has come here; nil where it was filed here.
    ///
    /// It is of this record alone.
    @Attribute var importedBy: UUID?

    /// What a newer version of the program has said besides, in MessagePack.
    @Attribute var others: Data?

    /// Whether the sighting was filed otherwise too, and counts there.
    @Attribute public var isRepeat: Bool

    /// When somebody has taken it back; nil where it counts.
    @Attribute public var undoneAt: Date?

    /// What stands in place of the picture's name where a tag was typed by hand.
    public static let handName = "(by hand)"

    /// Whether the tag was typed by hand, and no reader has read it.
    public var isTyped: Bool { imageDigest == nil && imageName == Self.handName }

    /// The entity in the model.
    static let entity = EntityDescription(
        Scan.self,
        name: "Scan",
        properties: [
            .attribute(\.identifier, "identifier"),
            .toOne(\.luggage, "luggage", inverse: \.scans),
            .attribute(\.bag, "bag", indexed: true),
            .attribute(\.point, "point"),
            .attribute(\.role, "role"),
            .attribute(\.station, "station"),
            .attribute(\.author, "author"),
            .attribute(\.scannedAt, "scannedAt", indexed: true),
            .attribute(\.imageName, "imageName"),
            .attribute(\.imageDigest, "imageDigest", indexed: true),
            .attribute(\.payload, "payload"),
            .attribute(\.outcome, "outcome"),
            .attribute(\.reason, "reason"),
            .attribute(\.filedAt, "filedAt", indexed: true),
            .attribute(\.importedBy, "importedBy"),
            .attribute(\.others, "others"),
            .attribute(\.isRepeat, "isRepeat", default: false),
            .attribute(\.undoneAt, "undoneAt"),
        ],
        uniquenessConstraints: [[\.identifier]],
        // What a station has scanned, and when; what somebody has scanned last; what an import has brought.
        compoundIndices: [
            [\.station, \.scannedAt], [\.author, \.filedAt], [\.importedBy, \.filedAt],
        ]
    )
}

extension FetchRequest<Scan> {
    /// Those of a station, in whatever spelling it is named.
    package func at(_ station: String) -> Self { self.where(\.station, is: station.composed) }

    /// Those of tags that were typed by hand.
    var ofTypedTags: Self {
        self.where(\.imageDigest, is: nil).where(\.imageName, is: Scan.handName)
    }
}
