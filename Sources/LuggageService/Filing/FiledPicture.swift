package import LuggageTags
internal import TagReading

/// A dropped picture that has been dealt with: where it went, and what was read.
package struct FiledPicture: Sendable {
    /// The name that it was dropped with, as the system knows it.
    package var name: [UInt8]
    /// The kind of folder that it went to.
    package var destination: FolderLayout.Destination
    /// Where it is now; nil if someone has taken it away.
    package var path: [UInt8]?
    /// Where its bags are.
    package var point: Point
    /// The role of that point, if it is not built in.
    package var role: Point.Role?
    /// The station that filed it.
    package var station: String
    /// The SHA-256 of its file, in hexadecimal.
    package var digest: String?
    /// The result of each tag in it; none if its content was filed before, and reported then.
    package var reports: [ScanReport]
    /// Whether the results are known only from the record.
    ///
    /// An earlier run of the service has then filed it, and may have reported it.
    package var isFromRecord: Bool
    /// How often the service tried to read it.
    package var attempts: Int
}

/// The result of trying to file a picture.
enum FilingResult: Sendable {
    case filed(FiledPicture)
    /// It is on record, but not yet in its folder; a retry may succeed.
    case notMoved(FilingError)
    /// Someone has written to it since it was read: the service must read it again.
    case changed
    /// Another record is open than the one that knew it: the service must look at it again.
    case outdated
    /// The service is stopping: nothing of the picture is on record.
    case abandoned
}

/// A dropped picture that was read: to be filed, or filed before and still to be moved.
struct DroppedPicture: Sendable {
    let file: DroppedFile
    /// The open file, which identifies it when it is moved.
    let image: TagImage
    let picture: ReadPicture
    /// What the journal said of it; nil if it is new.
    let known: KnownPicture?
}

/// The answer of the journal about a picture, before it was read.
struct KnownPicture: Sendable {
    /// That it was filed before, or is a duplicate.
    let answer: JournalAnswer
    /// The ``ServiceStore/openingNumber`` of the record that gave the answer.
    let opening: Int
}
