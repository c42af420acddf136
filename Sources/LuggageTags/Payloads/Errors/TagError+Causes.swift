internal import FoundationEssentials
internal import ObjectStore
internal import SystemSupport
public import TagReading

// Turns errors of other layers into tag errors.

extension TagError {
    /// Describes a picture that could not be examined to its end.
    public init(_ error: ReadError) {
        self.init(.bytes, Code(error.code), error.message)
    }

    /// Describes a picture in which no symbol was read.
    ///
    /// - Parameter reading: What was found in it.
    /// - Returns: ``noCode``; if something looks like a symbol, in words that say so.
    public static func noCode(in reading: Reading) -> TagError {
        if reading.unread.isEmpty { return .noCode }
        return TagError(
            .symbol,
            .noCode,
            "no QR code was read, but something in the picture looks like one; look at the bag"
        )
    }

    /// Describes a symbol whose text is not told.
    public init(_ refusal: TextRefusal) {
        self.init(
            .symbol,
            .characterSet,
            "the QR code was read, but \(refusal); print the tag in UTF-8"
        )
    }

    /// Describes a malformed payload.
    init(_ flaw: PayloadFlaw, in format: any PayloadFormat) {
        let place = flaw.position.map { "at byte \($0 + 1), " } ?? ""
        self.init(
            .structured,
            format.malformed,
            "the payload is not \(format.name): \(place)\(flaw.reason)"
        )
    }

    /// Describes a payload with missing or unexpected values.
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
            // A value that cannot be decoded at all looks like nothing, but is something.
            if finding != .nothing { found = finding?.words }
        @unknown default:
            self.init(.typed, .notDecodable, "\(error)")
        }
    }

    /// Describes objects that break rules; the path leads to the first of their properties.
    init(_ failures: [ValidationFailure], in source: PayloadSource? = nil) {
        let places = failures.map { $0.place(in: source) }
        let details = zip(failures, places).map { failure, place in
            // If the value was computed from a text, the message shows the text too.
            let text = place.isOfText ? place.finding.map { " (from \($0.words))" } ?? "" : ""
            return "\(place.words): \(failure.reason)\(text)"
        }
        self.init(.domain, .outOfRange, details.joined(separator: "; "))
        codingPath = places.first?.path ?? []
        found = places.first?.finding?.words
    }

    /// Describes a readable weight that no bag here has.
    init(weight pounds: Float, above bound: Float, in source: PayloadSource?) {
        let place = TagPlace(of: "weight", nil, "weight", property: "weight", in: source)
        let text = place.isOfText ? place.finding.map { " (from \($0.words))" } ?? "" : ""
        self.init(weight: "\(place.words): \(pounds.digits) lb\(text)", above: bound)
        codingPath = place.path
        found = place.finding?.words
    }

    /// Describes a typed weight, in double precision, that no bag here has.
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

    /// Describes two objects that both should be the one on record.
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

    /// The reason and its cause, without full stop and capital letter, to follow the place.
    fileprivate var sentence: String {
        let cause = underlyingError.flatMap { error in
            // The descriptions of other errors are for programmers.
            unsafe (error as? CocoaError)?.userInfo["NSDebugDescription"] as? String
        }
        let sentences = [debugDescription, cause ?? ""].filter { !$0.isEmpty }.map { text in
            let end = text.hasSuffix(".") ? text.dropLast() : text[...]
            return text.prefix(1).lowercased() + end.dropFirst()
        }
        return sentences.joined(separator: ": ")
    }
}

/// The place of a property on a tag, for programs and people, with its value there.
private struct TagPlace {
    var path: [String]
    var words: String
    var finding: Finding?
    /// Whether the tag has it as a text, or as a part of a text.
    var isOfText = false
}

extension Float {
    /// The number, without a point if it is whole.
    fileprivate var digits: String { (Double("\(self)") ?? Double(self)).text(digits: 9) }
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
    /// Finds the place of a property in the form of the member that the payload has.
    ///
    /// - Parameters:
    ///   - member: The member's name.
    ///   - item: The index in the list, if the member is a list.
    ///   - words: The place as words for a person.
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
