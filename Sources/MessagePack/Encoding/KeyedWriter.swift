/// Writes the pairs of a map for a type.
struct KeyedWriter<Key: CodingKey>: KeyedEncodingContainerProtocol {
    let encoder: ValueEncoder

    var codingPath: [any CodingKey] { encoder.codingPath }

    func encodeNil(forKey key: Key) throws {
        try encoder.writePair(key, Any?.none as Any) { encoder.output.writer.append(null: ()) }
    }

    func encode(_ value: Bool, forKey key: Key) throws { try scalar(value, key) }
    func encode(_ value: String, forKey key: Key) throws { try scalar(value, key) }
    func encode(_ value: Double, forKey key: Key) throws { try scalar(value, key) }
    func encode(_ value: Float, forKey key: Key) throws { try scalar(value, key) }
    func encode(_ value: Int, forKey key: Key) throws { try scalar(value, key) }
    func encode(_ value: Int8, forKey key: Key) throws { try scalar(value, key) }
    func encode(_ value: Int16, forKey key: Key) throws { try scalar(value, key) }
    func encode(_ value: Int32, forKey key: Key) throws { try scalar(value, key) }
    func encode(_ value: Int64, forKey key: Key) throws { try scalar(value, key) }
    func encode(_ value: UInt, forKey key: Key) throws { try scalar(value, key) }
    func encode(_ value: UInt8, forKey key: Key) throws { try scalar(value, key) }
    func encode(_ value: UInt16, forKey key: Key) throws { try scalar(value, key) }
    func encode(_ value: UInt32, forKey key: Key) throws { try scalar(value, key) }
    func encode(_ value: UInt64, forKey key: Key) throws { try scalar(value, key) }
    func encode(_ value: Int128, forKey key: Key) throws { try scalar(value, key) }
    func encode(_ value: UInt128, forKey key: Key) throws { try scalar(value, key) }

    func encode<Value: Encodable>(_ value: Value, forKey key: Key) throws {
        try encoder.writePair(key, value) { try encoder.write(value, step: .key(key)) }
    }

    @inline(__always)
    private func scalar(_ value: some WireScalar, _ key: Key) throws {
        try encoder.writePair(key, value) { try value.write(to: encoder.output.writer) }
    }

    func nestedContainer<NestedKey: CodingKey>(
        keyedBy keyType: NestedKey.Type,
        forKey key: Key
    ) -> KeyedEncodingContainer<NestedKey> {
        encoder.laterPair(key, form: .map).container(keyedBy: keyType)
    }

    func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer {
        encoder.laterPair(key, form: .array).unkeyedContainer()
    }

    func superEncoder() -> any Encoder {
        encoder.laterPair(MessagePackKey.super, form: .nothing)
    }

    func superEncoder(forKey key: Key) -> any Encoder {
        encoder.laterPair(key, form: .nothing)
    }
}
