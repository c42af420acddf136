public import Foundation

/// What a tag says about a bag, as plain values.
public struct TagContents: Hashable, Sendable {
    /// The identifier of the bag.
    public var identifier: UUID
    /// The owner; a tag that names none says nothing about who it is.
    public var owner: PassengerName?
    /// The weight in pounds.
    public var weight: Float
}

extension TagContents: Decodable {
    private enum CodingKeys: String, CodingKey {
        case id, owner, weight
    }

    /// Decodes the canonical form, an object with `id`, `owner` and `weight`.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        let id = try container.decode(String.self, forKey: .id)
        guard let identifier = UUID(strictly: id) else {
            throw DecodingError.dataCorruptedError(
                forKey: .id,
                in: container,
                debugDescription: "expected 32 hexadecimal digits in groups of 8-4-4-4-12"
            )
        }
        self.identifier = identifier
        owner = try container.decodeIfPresent(PassengerName.self, forKey: .owner)
        // In double precision, so that a weight too great for single precision is found too great
        // by the rules of the model rather than by the format. Adding 0 makes a zero of minus zero.
        weight = Float(try container.decode(Double.self, forKey: .weight) + 0)
    }
}

extension UUID {
    /// Reads the form in which identifiers are printed, in any case, and nothing like it.
    ///
    /// Foundation's own initializer takes what it can use of malformed ones: another bag's identifier.
    fileprivate init?(strictly text: String) {
        let bytes = Array(text.utf8)
        guard bytes.count == 36 else { return nil }
        for (position, byte) in bytes.enumerated() {
            let isHyphen = byte == UInt8(ascii: "-")
            guard [8, 13, 18, 23].contains(position) == isHyphen else { return nil }
            let isDigit = byte < 0x80 && Character(Unicode.Scalar(byte)).isHexDigit
            guard isHyphen || isDigit else { return nil }
        }
        self.init(uuidString: text)
    }
}

/// The name of a passenger as far as a tag gives it.
public struct PassengerName: Hashable, Sendable {
    /// The initial of the given name.
    public var givenName: String
    /// The beginning of the family name.
    public var familyName: String
}

extension PassengerName: CustomStringConvertible {
    /// Both names the way they are printed, as `D/ZMU`.
    public var description: String { "\(givenName)/\(familyName)" }
}

extension PassengerName: Decodable {
    /// Decodes a list of given and family name.
    public init(from decoder: any Decoder) throws {
        var container = try decoder.unkeyedContainer()
        givenName = try container.decode(String.self).composed
        familyName = try container.decode(String.self).composed
        guard container.isAtEnd else {
            throw DecodingError.dataCorruptedError(
                in: container,
                debugDescription: "expected two names, given and family, and found more"
            )
        }
    }
}

extension String {
    /// The text with characters that are spelt in several code points in their composed form (NFC).
    ///
    /// A printer that spells `É` as a letter and an accent then means the same passenger as one that
    /// spells it as one. Characters of one code point stay as they are: for some of the ideographs in
    /// names, Unicode's composed form is another variant.
    fileprivate var composed: String {
        reduce(into: "") { text, character in
            let spelling = String(character)
            text +=
                spelling.unicodeScalars.count == 1
                ? spelling : spelling.precomposedStringWithCanonicalMapping
        }
    }
}
