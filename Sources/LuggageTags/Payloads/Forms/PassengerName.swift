internal import SystemSupport

/// How an owner is written.
public enum OwnerForm: CaseIterable, Hashable, Sendable {
    /// A list of given and family name: `["D", "ZMU"]`.
    case list
    /// An object: `{ "givenName": "D", "familyName": "ZMU" }`.
    case object
    /// A text with the family name first, as airlines write it: `ZMU/D`.
    ///
    /// If a name contains a slash, it is written as a list.
    case text
}

/// The name of a passenger as far as a tag gives it.
///
/// Canonically equivalent spellings are one name, kept in composed form. So a printer that spells `É`
/// as a letter and an accent names the same passenger as one that spells it as one code point.
public struct PassengerName: Hashable, Sendable {
    /// The initial of the given name.
    public let givenName: String
    /// The beginning of the family name.
    public let familyName: String

    /// Names a passenger, in any spelling.
    ///
    /// - Parameters:
    ///   - givenName: The initial of the given name.
    ///   - familyName: The beginning of the family name.
    public init(givenName: String, familyName: String) {
        self.givenName = givenName.composed
        self.familyName = familyName.composed
    }
}

extension PassengerName {
    /// Takes from whole names what tags have of them, in capital letters: the first letter of the given name, and
    /// the first three of the family name.
    ///
    /// What is no letter does not count: `de la Cruz` is `DEL`, as on a boarding pass. Who has only one name is
    /// known by that. It is nil if neither has a letter.
    ///
    /// - Parameters:
    ///   - given: The given names.
    ///   - family: The family names.
    public init?(given: String, family: String) {
        func letters(_ name: String, or other: String) -> String {
            // Of `ß`, capital letters are two.
            let own = name.uppercased().filter(\.isLetter)
            return own.isEmpty ? other.uppercased().filter(\.isLetter) : own
        }
        let (given, family) = (letters(given, or: family), letters(family, or: given))
        if given.isEmpty { return nil }
        self.init(givenName: String(given.prefix(1)), familyName: String(family.prefix(3)))
    }

    /// Whether it is an ASCII letter, and one to three of them, as most names are.
    var isPlain: Bool {
        func areLetters(_ text: String) -> Bool {
            text.utf8.allSatisfy { (0x41...0x5A).contains($0) || (0x61...0x7A).contains($0) }
        }
        return givenName.utf8.count == 1 && (1...3).contains(familyName.utf8.count)
            && areLetters(givenName) && areLetters(familyName)
    }
}

extension PassengerName: Comparable {
    /// Orders names by code points, family name first, independently of any language.
    public static func < (first: Self, second: Self) -> Bool {
        (first.familyName, first.givenName) < (second.familyName, second.givenName)
    }
}

extension PassengerName: CustomStringConvertible {
    /// Both names as they are printed: `D/ZMU`.
    public var description: String { "\(givenName)/\(familyName)" }
}

extension PassengerName: Form {
    static let expectation = "a list of given and family name"

    /// Decodes a name in any ``OwnerForm``.
    public init(from decoder: any Decoder) throws {
        if var list = try decoder.attempt({ try decoder.unkeyedContainer() }) {
            try self.init(&list)
        } else if let text = try decoder.attempt({ try String(from: decoder) }) {
            try self.init(text: text, at: decoder.codingPath)
        } else if let object = try decoder.attempt({
            try decoder.container(keyedBy: FormKey.self)
        }) {
            self.init(
                givenName: try object.decodeStated(String.self, "givenName"),
                familyName: try object.decodeStated(String.self, "familyName")
            )
        } else {
            throw decoder.noForm(of: Self.self)
        }
    }

    private init(_ list: inout any UnkeyedDecodingContainer) throws {
        func next() throws -> String {
            let path = list.codingPath + [ListKey(list.currentIndex)]
            guard !list.isAtEnd, let name = try list.decodeIfPresent(String.self) else {
                throw DecodingError.valueNotFound(String.self, .init(path, "the list is too short"))
            }
            return name
        }
        self.init(givenName: try next(), familyName: try next())
        guard list.isAtEnd else {
            let path = list.codingPath + [ListKey(list.currentIndex)]
            throw Refusal(.notDecodable, "expected two names, given and family, and found more")
                .error(at: path)
        }
    }

    private init(text: String, at path: [any CodingKey]) throws {
        let names = text.split(separator: "/", omittingEmptySubsequences: false)
        guard names.count == 2 else {
            let reason = names.count < 2 ? "has no slash" : "has more than one slash"
            throw Refusal(
                names.count < 2 ? .notDecodable : .ambiguous,
                "the text \(text.quoted) \(reason); write the family name first, like \"ZMU/D\""
            ).error(at: path)
        }
        self.init(givenName: String(names[1]), familyName: String(names[0]))
    }

    /// Encodes a name in the ``OwnerForm`` in the encoder's `userInfo`, or as a list.
    public func encode(to encoder: any Encoder) throws {
        let hasSlash = givenName.contains("/") || familyName.contains("/")
        switch encoder.userInfo[.ownerForm] as? OwnerForm ?? .list {
        case .text where !hasSlash:
            var container = encoder.singleValueContainer()
            try container.encode("\(familyName)/\(givenName)")
        case .list, .text:
            var container = encoder.unkeyedContainer()
            try container.encode(givenName)
            try container.encode(familyName)
        case .object:
            var container = encoder.container(keyedBy: FormKey.self)
            try container.encode(givenName, forKey: FormKey("givenName"))
            try container.encode(familyName, forKey: FormKey("familyName"))
        }
    }
}

/// An index in a list.
private struct ListKey: CodingKey {
    let intValue: Int?

    init(_ index: Int) { intValue = index }

    init?(intValue: Int) { self.init(intValue) }

    init?(stringValue: String) { nil }

    var stringValue: String { intValue.map { "Index \($0)" } ?? "" }
}

// Parses what people type in queries.

extension PassengerName {
    /// Parses a name as it is printed, `D/ZMU`, or as airlines write it, `ZMU/D`.
    ///
    /// If the text can be both, the printed form counts; if it is neither, the result is nil.
    ///
    /// - Parameter text: The text.
    public init?(printed text: String) {
        guard text.count >= 3, let first = text.first, let last = text.last else { return nil }
        if text.dropFirst().first == "/" {
            self.init(givenName: String(first), familyName: String(text.dropFirst(2)))
        } else if text.dropLast().last == "/" {
            self.init(givenName: String(last), familyName: String(text.dropLast(2)))
        } else {
            return nil
        }
    }
}
