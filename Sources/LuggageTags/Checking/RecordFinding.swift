/// Something that is wrong with a record or with what belongs to it, and what to do about it.
public struct RecordFinding: Encodable, Hashable, Sendable {
    /// What kind of thing is wrong; stable, and open to new kinds.
    public struct Code: RawRepresentable, Encodable, Hashable, Sendable {
        /// The stable word for this kind.
        public let rawValue: String

        /// Makes a code of a word.
        public init(rawValue: String) {
            self.rawValue = rawValue
        }

        /// The file is damaged, or rows contradict one another.
        public static let damaged = Code(rawValue: "damaged")
        /// The history tells other than the rows.
        public static let history = Code(rawValue: "history")
        /// A value is none that may be on record.
        public static let invalid = Code(rawValue: "invalid")
        /// The times of a bag are not those of its scans.
        public static let times = Code(rawValue: "times")
        /// A scan or an entry of the journal lacks something that belongs to it.
        public static let incomplete = Code(rawValue: "incomplete")
        /// What was saved last is not on it.
        public static let savesLost = Code(rawValue: "saves-lost")
        /// A picture is in a folder, and not on record.
        public static let notOnRecord = Code(rawValue: "not-on-record")
        /// A picture is on record as filed, and in no folder.
        public static let notOnDisk = Code(rawValue: "not-on-disk")
        /// A picture is among those that were filed, and nothing of it counts.
        public static let withdrawn = Code(rawValue: "withdrawn")
        /// A picture was changed since it was filed.
        public static let changed = Code(rawValue: "changed")
        /// A picture is in a folder where it does not belong.
        public static let misplaced = Code(rawValue: "misplaced")
        /// A folder or a picture cannot be read.
        public static let unreadable = Code(rawValue: "unreadable")
    }

    /// What kind of thing is wrong.
    public var code: Code
    /// What is wrong, as a sentence.
    public var message: String
    /// What to do about it.
    public var remedy: Remedy

    /// Describes something that is wrong.
    public init(_ code: Code, _ message: String, remedy: Remedy) {
        self.code = code
        self.message = message
        self.remedy = remedy
    }
}
