internal import SystemSupport
internal import TagReading

/// The reason why a picture or a tag in it was not put on record.
public struct TagError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The stage, from picture to record, at which the error occurred.
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

        /// Makes a code from a word, for formats and causes from other modules.
        public init(_ description: String) {
            self.description = description
        }

        init(_ code: ReadError.Code) {
            description = code.description
        }

        /// No symbol was found in the picture.
        public static let noCode = Code("no-code")
        /// The symbol is one part of several.
        public static let partialCode = Code("partial-code")
        /// The text of the symbol is not told, because its character set is unknown or not kept to.
        public static let characterSet = Code("character-set")
        /// The payload is longer than any code can hold.
        public static let payloadTooLong = Code("payload-too-long")
        /// The payload broke off before its end.
        public static let cutOff = Code("cut-off")
        /// The payload was to be a netstring, and is none.
        public static let notNetstring = Code("not-netstring")
        /// The payload is not JSON, or of no known format at all.
        public static let notJSON = Code("not-json")
        /// The payload begins like a property list, but is not one.
        public static let notPropertyList = Code("not-property-list")
        /// The payload begins like MessagePack, but is not.
        public static let notMessagePack = Code("not-messagepack")
        /// A scanner saw a licence plate, and could not read it.
        public static let plateNotRead = Code("plate-not-read")
        /// The payload begins like a boarding pass, but is not.
        public static let notBoardingPass = Code("not-boarding-pass")
        /// The boarding pass names no bag.
        public static let noBag = Code("no-bag")
        /// The payload begins like a GS1 symbol or link, but has not one key of a thing.
        public static let notGS1 = Code("not-gs1")
        /// A required member is missing.
        public static let keyMissing = Code("key-missing")
        /// A member is there, but has no value.
        public static let valueMissing = Code("value-missing")
        /// A member has a value of another type.
        public static let typeMismatch = Code("type-mismatch")
        /// A value cannot be understood.
        public static let notDecodable = Code("not-decodable")
        /// A value can be understood in more than one way.
        public static let ambiguous = Code("ambiguous")
        /// A value is outside of what a bag can have.
        public static let outOfRange = Code("out-of-range")
        /// A weight is above the bound for bags here.
        public static let tooHeavy = Code("too-heavy")
        /// A time is before the bound for bags here.
        public static let tooEarly = Code("too-early")
        /// The tag contradicts the record in a way that cannot be merged.
        public static let conflict = Code("conflict")
    }

    /// The stage at which the error occurred.
    public var stage: Stage

    /// The kind of failure.
    public var code: Code

    /// The path in the payload, from the outside in; items of lists have numbers from 0.
    ///
    /// Empty for the payload as a whole.
    public var codingPath: [String]

    /// The error as one line for a person, with the place in front.
    public var message: String

    /// The value that should be there, if there is only one kind: `a number`.
    public var expected: String?

    /// The value that is there instead: `the text "heavy"`.
    public var found: String?

    /// The error as one line for a person.
    public var description: String { message }

    init(_ stage: Stage, _ code: Code, at path: [String] = [], _ message: String) {
        self.stage = stage
        self.code = code
        codingPath = path
        let place = path.map { Int($0).map { "item \($0 + 1)" } ?? $0 }.joined(separator: ", ")
        let sentence = place.isEmpty ? message : "\(place): \(message)"
        self.message = sentence.shortened(characters: 500, bytes: 1000).onOneLine
    }

    /// Describes a value of another type than the expected one.
    init(_ code: Code, at path: [String], expected: String, found: String?) {
        let end = found.map { ", found \($0)" } ?? ""
        self.init(.typed, code, at: path, "expected \(expected)\(end)")
        self.expected = expected
        self.found = found
    }

    /// A picture in which no symbol was found.
    public static let noCode = TagError(.symbol, .noCode, "no QR code was found in the picture")

    /// The error of a code with an empty payload.
    static let emptyPayload = TagError(
        .structured,
        .notJSON,
        "the QR code is empty: it has no payload"
    )

    /// The error of a payload that begins like no known format.
    static let unknownFormat = TagError(
        .structured,
        .notJSON,
        "the payload is not JSON, nor a property list, nor MessagePack, nor a label of an airline or of GS1"
    )

    /// The error of a symbol that holds only one part of a payload.
    static let partialCode = TagError(
        .symbol,
        .partialCode,
        "the QR code is one part of several; the others are needed too"
    )

    /// The outcome of the scan.
    public var outcome: Outcome {
        switch stage {
        case .bytes:
            let isBroken = [.notAnImage, .damaged, .incomplete].map(Code.init).contains(code)
            return isBroken ? .damaged : .unreadable
        case .symbol: return code == .noCode ? .noCode : .unreadable
        case .structured where code == .plateNotRead: return .unreadable
        case .structured, .typed, .domain, .graph: return .invalid
        }
    }
}
