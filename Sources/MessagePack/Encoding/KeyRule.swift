/// How the keys of one map are written.
struct KeyRule {
    /// Whether the keys are those of a dictionary: data, which no strategy changes.
    let isDictionary: Bool

    /// Whether keys are written as integers if they have one.
    let takesIntegers: Bool

    /// The type of the coding keys; one map may be written through several.
    let keyType: any CodingKey.Type

    /// - Parameters:
    ///   - type: The type to encode, if known.
    ///   - keyType: The type of the coding keys.
    init(type: Any.Type?, keyType: any CodingKey.Type) {
        self.keyType = keyType
        if let dictionary = type as? any KeyedDictionary.Type {
            isDictionary = true
            takesIntegers = !dictionary.hasTextKeys
        } else {
            // A type may encode a dictionary in its own place. The dictionary's keys then have an
            // integer whenever their text looks like one, so text is the safe form; it decodes as
            // either.
            isDictionary = keyType == KeyRule.dictionaryKey
            takesIntegers = !isDictionary
        }
    }

    /// The type of the coding keys of dictionaries, which has no public name.
    private static let dictionaryKey: (any CodingKey.Type)? = {
        let probe = KeyTypeProbe()
        _ = try? ["": 0].encode(to: probe)
        return probe.keyType
    }()

    /// The integer that is written for a key; nil if its text is written.
    func integer(_ key: some CodingKey) -> Int? {
        guard let number = key.intValue, takesIntegers else { return nil }
        // "007" would come back as "7".
        let text = key.stringValue
        return text == String(number) || Int(text) == nil ? number : nil
    }
}

/// An encoder that only records the type of the requested keys.
private final class KeyTypeProbe: Encoder {
    private(set) var keyType: (any CodingKey.Type)?
    let codingPath: [any CodingKey] = []
    let userInfo: [CodingUserInfoKey: Any] = [:]
    private let unused = ValueEncoder(session: EncodingSession(options: MessagePackEncoder()))

    func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
        keyType = type
        return unused.container(keyedBy: type)
    }

    func unkeyedContainer() -> any UnkeyedEncodingContainer { unused.unkeyedContainer() }

    func singleValueContainer() -> any SingleValueEncodingContainer { unused }
}

/// A dictionary that Codable encodes as a keyed container, not as an array.
///
/// Its keys are data, so no key strategy changes them.
protocol KeyedDictionary {
    /// Whether keys are text even if they look like numbers.
    static var hasTextKeys: Bool { get }
}

extension Dictionary: KeyedDictionary where Key: CodingKeyRepresentable {
    static var hasTextKeys: Bool { Key.self == String.self }
}
