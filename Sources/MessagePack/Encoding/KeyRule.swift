/// How the keys of one map are written.
struct KeyRule {
    /// Whether they are the keys of a dictionary: data, which no strategy changes.
    let isDictionary: Bool

    /// Whether they are integers where they have one.
    let takesIntegers: Bool

    /// The type of the coding keys: a map may be written through several.
    let keyType: any CodingKey.Type

    /// - Parameters:
    ///   - type: What is encoded, if that is known.
    ///   - keyType: The type of the coding keys.
    init(type: Any.Type?, keyType: any CodingKey.Type) {
        self.keyType = keyType
        if let dictionary = type as? any KeyedDictionary.Type {
            isDictionary = true
            takesIntegers = !dictionary.hasTextKeys
        } else {
            // A type may encode a dictionary in its own place. Its keys look like integers then
            // wherever their text does, so text is the safe form; it decodes as either.
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

    /// The integer that is written for a key; nil if its text is.
    func integer(_ key: some CodingKey) -> Int? {
        guard let number = key.intValue, takesIntegers else { return nil }
        // "007" would come back as "7".
        let text = key.stringValue
        return text == String(number) || Int(text) == nil ? number : nil
    }
}

/// An encoder that only notes the type of the keys it is asked for.
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
