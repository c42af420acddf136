/// The keys of a map by their text, after a key strategy has converted them.
///
/// It is made for maps with many keys, with keys that are not text, or with repeated keys, and if a
/// strategy converts keys.
struct KeyIndex {
    /// The keys in order, as coding keys see them.
    private(set) var keys: [MessagePackKey] = []

    private var values: [KeyText: Int] = [:]
    private var valuesByInteger: [Int: Int] = [:]

    /// Makes an index of a map whose keys are all text and different.
    init(ofTextKeysIn map: Int, message: Message) {
        let end = Int(message.tape[map].end)
        var key = map + 1
        while key < end {
            let text = message.tape[key].text(in: message.bytes)
            keys.append(MessagePackKey(stringValue: text))
            values[KeyText(text: text)] = key + 1
            key = message.tape.keyAfter(key)
        }
    }

    /// Makes an index of any map.
    ///
    /// - Parameters:
    ///   - decoder: The decoder of the map.
    ///   - type: The type to decode, if known.
    /// - Throws: `DecodingError` if two keys are equal as coding keys, or if a dictionary would
    ///   lose a pair because its key is neither text nor an integer.
    init(of decoder: ValueDecoder, type: Any.Type?) throws {
        let message = decoder.message
        let isDictionary = type is any KeyedDictionary.Type
        let path = decoder.codingPath
        let end = Int(message.tape[decoder.index].end)
        var index = decoder.index + 1
        while index < end {
            let key = MessagePackKey(message.tape[index], in: message.bytes)
            let value = Int(message.tape[index].end)
            if let key {
                let name =
                    isDictionary ? key : message.options.keyDecodingStrategy.convert(key, path)
                try add(name, value, decoder)
            } else if isDictionary {
                let kind = message.tape[index].kind.phrase
                throw decoder.corrupted("A key is \(kind), which a dictionary cannot have.", .here)
            }
            index = Int(message.tape[value].end)
        }
    }

    private mutating func add(_ key: MessagePackKey, _ value: Int, _ decoder: ValueDecoder) throws {
        let text = KeyText(text: key.stringValue)
        if values[text] == nil {
            keys.append(key)
        } else {
            switch decoder.message.options.duplicateKeys {
            case .useFirst: return
            case .useLast: break
            case .refuse:
                throw decoder.corrupted(
                    "Two keys of a map are both \(text.text.debugDescription).",
                    .here
                )
            }
        }
        values[text] = value
        if let number = key.intValue { valuesByInteger[number] = value }
    }

    /// The position of a key's value on the tape.
    func value(of key: some CodingKey) -> Int? {
        if let value = values[KeyText(text: key.stringValue)] { return value }
        return key.intValue.flatMap { valuesByInteger[$0] }
    }
}

extension MessagePackDecoder.KeyDecodingStrategy {
    fileprivate func convert(_ key: MessagePackKey, _ path: [any CodingKey]) -> MessagePackKey {
        switch self {
        case .useDefaultKeys:
            return key
        case .convertFromSnakeCase:
            if key.intValue != nil { return key }
            return MessagePackKey(stringValue: SnakeCase.toCamelCase(key.stringValue))
        case .custom(let convert):
            let converted = convert(path + [key])
            return MessagePackKey(
                stringValue: converted.stringValue,
                intValue: converted.intValue
            )
        }
    }
}

extension Message {
    /// Whether a strategy converts keys.
    var convertsKeys: Bool {
        if case .useDefaultKeys = options.keyDecodingStrategy { false } else { true }
    }
}

/// The text of a key, compared byte for byte as the keys of messages are.
///
/// Swift strings are equal if they look the same: "é" as one scalar and as two.
struct KeyText: Hashable {
    let text: String

    static func == (left: KeyText, right: KeyText) -> Bool {
        left.text.utf8.elementsEqual(right.text.utf8)
    }

    func hash(into hasher: inout Hasher) {
        var text = text
        // The pointer stays in this closure.
        text.withUTF8 { unsafe hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
    }
}
