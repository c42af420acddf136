public import Foundation
public import ObjectStore

/// One reading of one tag in one picture, or one picture that gave none.
///
/// It is never changed afterwards, but for the mark that it was taken back.
public final class Scan: ManagedObject {
    /// The bag, where the tag was one.
    @ToOne public var luggage: Luggage?

    /// Where on its way the bag was.
    @Attribute public var point: Point

    /// The name of the station that filed the picture.
    @Attribute public var station: String

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

    /// When somebody has taken back what the scan did; nil where it counts.
    @Attribute public var undoneAt: Date?

    /// What stands in place of the picture's name where a tag was typed by hand.
    public static let handName = "(by hand)"

    /// Whether the tag was typed by hand, and no reader has read it.
    public var isTyped: Bool { imageDigest == nil && imageName == Self.handName }

    /// The entity in the model, in which a scan that is filed twice stays as it was filed first.
    static let entity = EntityDescription(
        Scan.self,
        name: "Scan",
        properties: [
            .toOne(\.luggage, "luggage", inverse: \.scans),
            .attribute(\.point, "point", combining: .first),
            .attribute(\.station, "station", combining: .first),
            .attribute(\.scannedAt, "scannedAt", combining: .first, indexed: true),
            .attribute(\.imageName, "imageName", combining: .first),
            .attribute(\.imageDigest, "imageDigest", combining: .first),
            .attribute(\.payload, "payload", combining: .first),
            .attribute(\.outcome, "outcome", combining: .first),
            .attribute(\.reason, "reason", combining: .first),
            .attribute(\.undoneAt, "undoneAt"),
        ],
        // The point belongs to it: at a station where bags both depart and arrive, the same picture
        // may be filed once as each. So does the reason: what a later version of the program can
        // make something of is another scan than the failure before.
        uniquenessConstraints: [[\.imageDigest, \.station, \.point, \.payload, \.reason]],
        // What a station has scanned, and when.
        compoundIndices: [[\.station, \.scannedAt]]
    )
}

extension FetchRequest<Scan> {
    /// Those of tags that were typed by hand.
    var ofTypedTags: Self {
        self.where(\.imageDigest, is: nil).where(\.imageName, is: Scan.handName)
    }
}
