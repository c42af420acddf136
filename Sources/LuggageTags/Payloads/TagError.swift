internal import TagReading

/// Why a picture or a tag in it did not become a record.
public struct TagError: Error, Hashable, Sendable, CustomStringConvertible {
    /// How far the way from picture to record was gone.
    public enum Stage: String, Codable, Sendable {
        /// The file: not an image, damaged, too large, or not examinable.
        case bytes
        /// The picture: no code, or one that cannot be used by itself.
        case symbol
        /// The payload's form: not a known format.
        case structured
        /// The payload's parts: something missing, or of another type.
        case typed
        /// The payload's values: outside of what a bag can have.
        case domain
        /// The record: the tag contradicts it in a way that cannot be merged.
        case graph
    }

    /// The kind of failure; stable, and open to new kinds.
    ///
    /// Failures to read a picture have the codes of `ReadError`.
    public struct Code: Hashable, Sendable, CustomStringConvertible {
        /// The stable word for this kind, as reports give it.
        public let description: String

        private init(_ description: String) {
            self.description = description
        }

        init(_ code: ReadError.Code) {
            description = code.description
        }

        /// No symbol was found in the picture.
        public static let noCode = Code("no-code")
        /// The symbol is one part of several.
        public static let partialCode = Code("partial-code")
        /// The payload is of no known format.
        public static let notJSON = Code("not-json")
        /// Something that must be there is not.
        public static let keyMissing = Code("key-missing")
        /// Something is there, and has no value.
        public static let valueMissing = Code("value-missing")
        /// Something has a value of another type.
        public static let typeMismatch = Code("type-mismatch")
        /// A value cannot be understood.
        public static let notDecodable = Code("not-decodable")
        /// A value is outside of what a bag can have.
        public static let outOfRange = Code("out-of-range")
        /// The tag contradicts the record in a way that cannot be merged.
        public static let conflict = Code("conflict")
    }

    /// How far it came.
    public var stage: Stage

    /// The kind of failure.
    public var code: Code

    /// Where in the payload, from the outside in, list items by their numbers from 0.
    ///
    /// Empty for the payload as a whole.
    public var codingPath: [String]

    /// What is wrong, for a person, with the place in front.
    public var message: String

    /// What is wrong, for a person.
    public var description: String { message }

    init(_ stage: Stage, _ code: Code, at path: [String] = [], _ message: String) {
        self.stage = stage
        self.code = code
        codingPath = path
        let place = path.map { Int($0).map { "item \($0 + 1)" } ?? $0 }.joined(separator: ", ")
        self.message = place.isEmpty ? message : "\(place): \(message)"
    }

    /// A picture in which no symbol was found.
    public static let noCode = TagError(.symbol, .noCode, "no QR code was found in the picture")

    /// A symbol that holds one part of a payload.
    static let partialCode = TagError(
        .symbol,
        .partialCode,
        "the QR code is one part of several; the others are needed too"
    )

    /// What came of the picture.
    public var outcome: Outcome {
        switch stage {
        case .bytes:
            let isBroken = [Code(.notAnImage), Code(.damaged)].contains(code)
            return isBroken ? .damaged : .unreadable
        case .symbol: return code == .noCode ? .noCode : .unreadable
        case .structured, .typed, .domain, .graph: return .invalid
        }
    }
}
