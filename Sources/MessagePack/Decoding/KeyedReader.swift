/// Reads the pairs of a map for a type.
struct KeyedReader<Key: CodingKey>: KeyedDecodingContainerProtocol {
    let decoder: ValueDecoder

    var codingPath: [any CodingKey] { decoder.codingPath }

    var allKeys: [Key] { decoder.keys() }

    func contains(_ key: Key) -> Bool { decoder.value(of: key) != nil }

    func decodeNil(forKey key: Key) throws -> Bool {
        decoder.message.tape[try index(key)].kind == .null
    }

    func decode(_ type: Bool.Type, forKey key: Key) throws -> Bool { try scalar(type, key) }
    func decode(_ type: String.Type, forKey key: Key) throws -> String { try scalar(type, key) }
    func decode(_ type: Double.Type, forKey key: Key) throws -> Double { try scalar(type, key) }
    func decode(_ type: Float.Type, forKey key: Key) throws -> Float { try scalar(type, key) }
    func decode(_ type: Int.Type, forKey key: Key) throws -> Int { try scalar(type, key) }
    func decode(_ type: Int8.Type, forKey key: Key) throws -> Int8 { try scalar(type, key) }
    func decode(_ type: Int16.Type, forKey key: Key) throws -> Int16 { try scalar(type, key) }
    func decode(_ type: Int32.Type, forKey key: Key) throws -> Int32 { try scalar(type, key) }
    func decode(_ type: Int64.Type, forKey key: Key) throws -> Int64 { try scalar(type, key) }
    func decode(_ type: UInt.Type, forKey key: Key) throws -> UInt { try scalar(type, key) }
    func decode(_ type: UInt8.Type, forKey key: Key) throws -> UInt8 { try scalar(type, key) }
    func decode(_ type: UInt16.Type, forKey key: Key) throws -> UInt16 { try scalar(type, key) }
    func decode(_ type: UInt32.Type, forKey key: Key) throws -> UInt32 { try scalar(type, key) }
    func decode(_ type: UInt64.Type, forKey key: Key) throws -> UInt64 { try scalar(type, key) }
    func decode(_ type: Int128.Type, forKey key: Key) throws -> Int128 { try scalar(type, key) }
    func decode(_ type: UInt128.Type, forKey key: Key) throws -> UInt128 { try scalar(type, key) }

    func decode<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value {
        try decoder.read(type, at: index(key), step: .key(key))
    }

    // One look-up; the protocol's default takes three.
    func decodeIfPresent<Value: Decodable>(
        _ type: Value.Type,
        forKey key: Key
    ) throws -> Value? {
        guard let index = decoder.value(of: key), decoder.message.tape[index].kind != .null else {
            return nil
        }
        return try decoder.read(type, at: index, step: .key(key))
    }

    @inline(__always)
    private func scalar<Scalar: WireScalar>(_ type: Scalar.Type, _ key: Key) throws -> Scalar {
        try decoder.readScalar(type, at: index(key), step: .key(key))
    }

    /// The position of a key's value on the tape.
    @inline(__always)
    private func index(_ key: Key) throws -> Int {
        if let index = decoder.value(of: key) { return index }
        throw DecodingError.keyNotFound(
            key,
            decoder.context("The map has no key \(key.stringValue.debugDescription).")
        )
    }

    func nestedContainer<NestedKey: CodingKey>(
        keyedBy type: NestedKey.Type,
        forKey key: Key
    ) throws -> KeyedDecodingContainer<NestedKey> {
        try inside(key).container(keyedBy: type)
    }

    func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
        try inside(key).unkeyedContainer()
    }

    private func inside(_ key: Key) throws -> ValueDecoder {
        ValueDecoder(parent: decoder, step: .key(key), index: try index(key), type: nil)
    }

    func superDecoder() -> any Decoder {
        superDecoder(at: MessagePackKey.super)
    }

    func superDecoder(forKey key: Key) -> any Decoder {
        superDecoder(at: key)
    }

    /// A missing superclass is nil, because it may need no value.
    private func superDecoder(at key: some CodingKey) -> any Decoder {
        ValueDecoder(parent: decoder, step: .key(key), index: decoder.value(of: key), type: nil)
    }
}

extension ValueDecoder {
    /// The keys of the map that are keys of a type.
    fileprivate func keys<Key: CodingKey>() -> [Key] {
        if let keyIndex {
            return keyIndex.keys.compactMap { key in
                key.intValue.flatMap(Key.init(intValue:)) ?? Key(stringValue: key.stringValue)
            }
        }
        // All keys are text; otherwise there would be an index.
        var keys: [Key] = []
        keys.reserveCapacity(Int(message.tape[index].count))
        var key = index + 1
        while key < Int(message.tape[index].end) {
            if let own = Key(stringValue: message.tape[key].text(in: message.bytes)) {
                keys.append(own)
            }
            key = message.tape.keyAfter(key)
        }
        return keys
    }
}
