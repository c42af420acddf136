internal import ObjectStore
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

    /// How far it came.
    public var stage: Stage

    /// The stable code of the reason, as `type-mismatch`.
    public var reason: String

    /// Where in the payload, from the outside in; empty for the payload as a whole.
    public var codingPath: [String]

    /// What is wrong, for a person, with the place in front.
    public var message: String

    /// What is wrong, for a person.
    public var description: String { message }

    init(_ stage: Stage, _ reason: String, at path: [String] = [], _ message: String) {
        self.stage = stage
        self.reason = reason
        codingPath = path
        self.message = path.isEmpty ? message : "\(path.joined(separator: ", ")): \(message)"
    }

    /// A picture in which no symbol was found.
    static let noCode = TagError(.symbol, "no-code", "no QR code was found in the picture")

    /// A symbol that holds one part of a payload.
    static let partial = TagError(
        .symbol,
        "partial-code",
        "the QR code is one part of several; the others are needed too"
    )

    /// A payload of no known format.
    static let notJSON = TagError(.structured, "not-json", "the payload is not JSON")

    /// What came of the picture.
    public var outcome: Outcome {
        switch (stage, reason) {
        case (.bytes, ReadError.Code.notAnImage.description),
            (.bytes, ReadError.Code.damaged.description):
            .damaged
        case (.bytes, _): .unreadable
        case (.symbol, "no-code"): .noCode
        case (.symbol, _): .unreadable
        case (.structured, _), (.typed, _), (.domain, _), (.graph, _): .invalid
        }
    }
}

extension TagError {
    /// A picture that could not be examined to its end.
    init(_ error: ReadError) {
        self.init(.bytes, error.code.description, error.message)
    }

    /// An object that breaks a rule.
    init(_ error: ValidationError) {
        let details = error.failures.map { "\($0.tagPath): \($0.reason)" }
        self.init(.domain, "out-of-range", details.joined(separator: "; "))
        codingPath = error.failures.first.map { [$0.tagPath] } ?? []
    }

    /// Two values that both claim to be on record.
    init(_ error: MergeConflictError) {
        self.init(.graph, "conflict", error.description)
    }

    /// A payload that is of another form.
    init(_ error: DecodingError) {
        switch error {
        case .keyNotFound(let key, let context):
            self.init(.typed, "key-missing", at: context.path + [key.place], "is missing")
        case .valueNotFound(let type, let context):
            let what = Self.name(of: type)
            self.init(.typed, "value-missing", at: context.path, "expected \(what), found nothing")
        case .typeMismatch(let type, let context):
            let what = Self.name(of: type)
            self.init(.typed, "type-mismatch", at: context.path, "expected \(what)")
        case .dataCorrupted(let context):
            self.init(.typed, "not-decodable", at: context.path, context.sentence)
        @unknown default:
            self.init(.typed, "not-decodable", "\(error)")
        }
    }

    private static func name(of type: any Any.Type) -> String {
        switch type {
        case is any BinaryFloatingPoint.Type, is any BinaryInteger.Type: "a number"
        case is String.Type: "a text"
        case is [Any].Type: "a list"
        case is any ExpressibleByDictionaryLiteral.Type: "an object"
        default: "\(type)"
        }
    }
}

extension DecodingError.Context {
    fileprivate var path: [String] { codingPath.map(\.place) }

    /// The reason without its full stop and capital, to follow the place.
    fileprivate var sentence: String {
        let text =
            debugDescription.hasSuffix(".") ? String(debugDescription.dropLast()) : debugDescription
        return text.prefix(1).lowercased() + text.dropFirst()
    }
}

extension CodingKey {
    /// The key, or the place in a list counted from 1 the way people do.
    fileprivate var place: String {
        intValue.map { "item \($0 + 1)" } ?? stringValue
    }
}

extension ValidationFailure {
    /// The name of the property on a tag.
    fileprivate var tagPath: String {
        switch (entity, property) {
        case ("Passenger", "givenName"): "owner, given name"
        case ("Passenger", "familyName"): "owner, family name"
        case ("Luggage", "identifier"): "id"
        default: property
        }
    }
}
