public import LuggageTags
internal import TagReading

/// What became of a dropped picture.
public struct FiledPicture: Sendable {
    /// The name that it was dropped with, as the system knows it.
    public var name: [UInt8]
    /// What became of it.
    public var destination: FolderLayout.Destination
    /// Where it is now; nil where somebody has taken it away.
    public var path: [UInt8]?
    /// Where its bags are.
    public var point: Point
    /// What that point is, where it is not built in.
    public var role: Point.Role?
    /// The station that filed it.
    public var station: String
    /// The SHA-256 of its file, in hexadecimal.
    public var digest: String?
    /// What came of each tag in it; none where its content was filed before, and that was told then.
    public var reports: [ScanReport]
    /// Whether the record alone says what came of them, as it was filed by an earlier run of the
    /// service, which may have told of it.
    public var isFromRecord: Bool
    /// How often reading it was tried.
    public var attempts: Int
}

/// What came of trying to file a picture.
enum FilingResult: Sendable {
    case filed(FiledPicture)
    /// It is on record, but not where it belongs yet; the same may succeed later.
    case notMoved(FilingError)
    /// Somebody has written to it since it was read: it is to be read again.
    case changed
    /// The record is another one than that which knew it: it is to be looked at again.
    case outdated
    /// The service is being stopped: nothing of it is on record.
    case abandoned
}

/// A picture that was read and is to be filed, or was filed before and is to be moved.
struct ReadPicture: Sendable {
    let file: DroppedFile
    /// The open file, by which it is known when it is moved.
    let image: TagImage
    let picture: DroppedPicture
    /// What the journal said of it; nil where it is to be filed.
    let known: KnownPicture?
    let attempts: Int
}

/// What the journal said of a picture before it was read.
struct KnownPicture: Sendable {
    /// That it was filed before, or is a duplicate.
    let answer: JournalAnswer
    /// Which opening of the record said so; see ``ServiceStore/openingNumber``.
    let opening: Int
}
