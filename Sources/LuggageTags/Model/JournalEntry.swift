public import FoundationEssentials
public import ObjectStore

/// A picture from a watched folder whose tags are on record, and its file.
///
/// It is saved together with the scans of the picture. A service that later finds the file where it was
/// dropped knows that only the move to the filed pictures is left to do. Another file with the same
/// content is a duplicate. The entry is for this machine alone and is never exported.
public final class JournalEntry: ManagedObject {
    /// The SHA-256 of the picture's file, in hexadecimal.
    @Attribute public var imageDigest: String

    /// The name of the station that filed the picture.
    @Attribute public var station: String

    /// The point at which the bag was.
    @Attribute public var point: Point

    /// The number of the file in its file system, which a move does not change.
    @Attribute public var fileNumber: UInt64

    /// When the file was last modified, in seconds since 1970; a move does not change it.
    @Attribute public var modifiedAt: Double

    /// When the picture was filed.
    @Attribute public var filedAt: Date

    /// The entity in the model.
    static let entity = EntityDescription(
        JournalEntry.self,
        name: "JournalEntry",
        uniquenessConstraints: [[\.imageDigest, \.station, \.point]]
    )
}
