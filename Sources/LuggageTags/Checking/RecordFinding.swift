/// An error in a record or in its files, with a remedy.
public struct RecordFinding: Encodable, Hashable, Sendable {
    /// The kind of error; stable, and open to new kinds.
    public struct Code: RawRepresentable, Encodable, Hashable, Sendable {
        /// The stable word for this kind.
        public let rawValue: String

        /// Makes a code from a word.
        public init(rawValue: String) {
            self.rawValue = rawValue
        }

        /// The file is damaged, or rows contradict one another.
        public static let damaged = Code(rawValue: "damaged")
        /// The history and the rows contradict one another.
        public static let history = Code(rawValue: "history")
        /// A value is not allowed on record.
        public static let invalid = Code(rawValue: "invalid")
        /// The state of a bag does not follow from its facts.
        public static let times = Code(rawValue: "times")
        /// A scan or a journal entry lacks something that belongs to it.
        public static let incomplete = Code(rawValue: "incomplete")
        /// The record lacks the last saves.
        public static let savesLost = Code(rawValue: "saves-lost")
        /// A picture is in a folder, but not on record.
        public static let notOnRecord = Code(rawValue: "not-on-record")
        /// A picture is on record as filed, but in no folder.
        public static let notOnDisk = Code(rawValue: "not-on-disk")
        /// A picture is among the filed ones, but nothing of it counts.
        public static let withdrawn = Code(rawValue: "withdrawn")
        /// A picture has changed since it was filed.
        public static let changed = Code(rawValue: "changed")
        /// A picture is in the wrong folder.
        public static let misplaced = Code(rawValue: "misplaced")
        /// A folder or a picture cannot be read.
        public static let unreadable = Code(rawValue: "unreadable")
    }

    /// The kind of error.
    public var code: Code
    /// The error as a sentence.
    public var message: String
    /// What to do about it.
    public var remedy: Remedy

    /// Describes an error.
    public init(_ code: Code, _ message: String, remedy: Remedy) {
        self.code = code
        self.message = message
        self.remedy = remedy
    }
}
