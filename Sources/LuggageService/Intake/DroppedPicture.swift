internal import LuggageTags
internal import TagReading

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
