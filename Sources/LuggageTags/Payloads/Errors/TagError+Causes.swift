internal import Foundation
internal import ObjectStore
public import TagReading

// What other layers throw, in the words of a tag.

extension TagError {
    /// A picture that could not be examined to its end.
    public init(_ error: ReadError) {
        self.init(.bytes, Code(error.code), error.message)
    }

    /// A payload that is malformed.
    init(_ flaw: PayloadFlaw, in format: any PayloadFormat) {
        let place = flaw.position.map { "at byte \($0 + 1), " } ?? ""
        self.init(
            .structured,
            format.malformed,
            "the payload is not \(format.name): \(place)\(flaw.reason)"
        )
    }

    /// A payload that is of another form.
    init(_ error: DecodingError, in source: PayloadSource) {
        switch error {
        case .keyNotFound(let key, let context):
            self.init(.typed, .keyMissing, at: context.path + [key.stringValue], "missing")
        case .valueNotFound(let type, let context):
            let expected = Self.name(of: type)
            let isMissing = source.finding(at: context.path) == .nothing
            let message = isMissing ? "missing" : "expected \(expected), found nothing"
            self.init(.typed, .valueMissing, at: context.path, message)
            self.expected = expected
        case .typeMismatch(let type, let context):
            self.init(
                .typeMismatch,
                at: context.path,
                expected: Self.name(of: type),
                found: source.finding(at: context.path)?.words
            )
        case .dataCorrupted(let context):
            let refusal = context.underlyingError as? Refusal
            let code = refusal?.code ?? .notDecodable
            self.init(.typed, code, at: context.path, refusal?.description ?? context.sentence)
            let finding = codingPath.isEmpty ? nil : source.finding(at: codingPath)
            // What no reading makes sense of is not nothing.
            if finding != .nothing { found = finding?.words }
        @unknown default:
            self.init(.typed, .notDecodable, "\(error)")
        }
    }

    /// Objects that break rules; the path leads to the first of the properties that do.
    init(_ failures: [ValidationFailure], in source: PayloadSource? = nil) {
        let places = failures.map { $0.place(in: source) }
        let details = zip(failures, places).map { failure, place in
            // What was reckoned from a text is given as the tag has it, too.
            let text = place.isOfText ? place.finding.map { " (from \($0.words))" } ?? "" : ""
            return "\(place.words): \(failure.reason)\(text)"
        }
        self.init(.domain, .outOfRange, details.joined(separator: "; "))
        codingPath = places.first?.path ?? []
        found = places.first?.finding?.words
    }

    /// A weight that can be understood, and that no bag here has.
    init(weight pounds: Float, above bound: Float, in source: PayloadSource?) {
        let place = TagPlace(of: "weight", nil, "weight", property: "weight", in: source)
        let text = place.isOfText ? place.finding.map { " (from \($0.words))" } ?? "" : ""
        self.init(weight: "\(place.words): \(pounds.digits) lb\(text)", above: bound)
        codingPath = place.path
        found = place.finding?.words
    }

    /// A weight that somebody has typed with more digits than are kept, and that no bag here has.
    init(weight pounds: Double, above bound: Float) {
        self.init(weight: "weight: \(pounds) lb", above: bound)
        codingPath = ["weight"]
    }

    private init(weight words: String, above bound: Float) {
        self.init(
            .domain,
            .tooHeavy,
            "\(words), and no bag here weighs more than \(bound.digits) lb"
        )
    }

    /// Two objects that both claim to be the one on record.
    init(_ error: MergeConflictError) {
        self.init(.graph, .conflict, error.description)
    }

    private static func name(of type: any Any.Type) -> String {
        switch type {
        case let form as any Form.Type: form.expectation
        case is any BinaryFloatingPoint.Type, is any BinaryInteger.Type: "a number"
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

    /// The reason without its full stop and capital, to follow the place, and what is beneath it.
    fileprivate var sentence: String {
        let cause = underlyingError.flatMap { error in
            // Other causes have no words for it, only names for those who wrote them.
            (error as NSError).userInfo[NSDebugDescriptionErrorKey] as? String
        }
        let sentences = [debugDescription, cause ?? ""].filter { !$0.isEmpty }.map { text in
            let end = text.hasSuffix(".") ? text.dropLast() : text[...]
            return text.prefix(1).lowercased() + end.dropFirst()
        }
        return sentences.joined(separator: ": ")
    }
}

/// Where on a tag a property is, for a program and for a person, and what the tag has there.
private struct TagPlace {
    var path: [String]
    var words: String
    var finding: Finding?
    /// Whether the tag has it as a part of a text, or as a text from which it was reckoned.
    var isOfText = false
}

extension Float {
    /// The number without a point where it is whole.
    fileprivate var digits: String { String(format: "%.9g", Double("\(self)") ?? Double(self)) }
}

extension ValidationFailure {
    fileprivate func place(in source: PayloadSource?) -> TagPlace {
        func place(_ member: String, _ item: String?, _ words: String) -> TagPlace {
            TagPlace(of: member, item, words, property: property, in: source)
        }
        return switch (entity, property) {
        case ("Passenger", "givenName"): place("owner", "0", "owner, given name")
        case ("Passenger", "familyName"): place("owner", "1", "owner, family name")
        case ("Luggage", "weight"): place("weight", nil, "weight")
        case ("Luggage", "identifier"): TagPlace(path: ["id"], words: "id")
        default: TagPlace(path: [property], words: property)
        }
    }
}

extension TagPlace {
    /// The place of a property in the form in which the payload has the member.
    ///
    /// - Parameters:
    ///   - member: The member's name.
    ///   - item: Where it is in the list that is one form of the member.
    ///   - words: The place for a person.
    ///   - property: The name of the property.
    ///   - source: The payload.
    fileprivate init(
        of member: String,
        _ item: String?,
        _ words: String,
        property: String,
        in source: PayloadSource?
    ) {
        let whole = source?.place(at: [member])
        var path = whole?.path ?? [member]
        switch whole?.finding {
        case .text(let text):
            self.init(path: path, words: words, finding: .text(text), isOfText: true)
            return
        case .object: path.append(member == "weight" ? "value" : property)
        default: path += item.map { [$0] } ?? []
        }
        let exact = source?.place(at: path)
        self.init(path: exact?.path ?? path, words: words, finding: exact?.finding)
    }
}
