internal import ObjectStore
public import TagReading

// What other layers throw, in the words of a tag.

extension TagError {
    /// A picture that could not be examined to its end.
    public init(_ error: ReadError) {
        self.init(.bytes, Code(error.code), error.message)
    }

    /// A payload that is of another form.
    init(_ error: DecodingError) {
        switch error {
        case .keyNotFound(let key, let context):
            self.init(.typed, .keyMissing, at: context.path + [key.stringValue], "is missing")
        case .valueNotFound(let type, let context):
            let what = Self.name(of: type)
            self.init(.typed, .valueMissing, at: context.path, "expected \(what), found nothing")
        case .typeMismatch(let type, let context):
            self.init(.typed, .typeMismatch, at: context.path, "expected \(Self.name(of: type))")
        case .dataCorrupted(let context):
            self.init(.typed, .notDecodable, at: context.path, context.sentence)
        @unknown default:
            self.init(.typed, .notDecodable, "\(error)")
        }
    }

    /// Objects that break rules; the path leads to the first of the properties that do.
    init(_ failures: [ValidationFailure]) {
        let details = failures.map { "\($0.tagPath.words): \($0.reason)" }
        self.init(.domain, .outOfRange, details.joined(separator: "; "))
        codingPath = failures.first?.tagPath.path ?? []
    }

    /// Two objects that both claim to be the one on record.
    init(_ error: MergeConflictError) {
        self.init(.graph, .conflict, error.description)
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
    fileprivate var path: [String] {
        codingPath.map { $0.intValue.map(String.init) ?? $0.stringValue }
    }

    /// The reason without its full stop and capital, to follow the place.
    fileprivate var sentence: String {
        let isSentence = debugDescription.hasSuffix(".")
        let text = isSentence ? String(debugDescription.dropLast()) : debugDescription
        return text.prefix(1).lowercased() + text.dropFirst()
    }
}

extension ValidationFailure {
    /// Where the property is on a tag, for a program and for a person.
    fileprivate var tagPath: (path: [String], words: String) {
        switch (entity, property) {
        case ("Passenger", "givenName"): (["owner", "0"], "owner, given name")
        case ("Passenger", "familyName"): (["owner", "1"], "owner, family name")
        case ("Luggage", "identifier"): (["id"], "id")
        default: ([property], property)
        }
    }
}
