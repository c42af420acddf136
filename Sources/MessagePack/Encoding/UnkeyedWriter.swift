/// Writes the items of an array for a type.
struct UnkeyedWriter: UnkeyedEncodingContainer, ScalarContainer {
    let encoder: ValueEncoder

    var codingPath: [any CodingKey] { encoder.codingPath }
    var count: Int { encoder.count }

    func encodeNil() throws {
        try encoder.writeItem(Any?.none as Any) { encoder.output.writer.append(null: ()) }
    }

    func encode(_ value: Int128) throws { try scalar(value) }
    func encode(_ value: UInt128) throws { try scalar(value) }

    func encode<Value: Encodable>(_ value: Value) throws {
        try encoder.writeItem(value) { try encoder.write(value, step: .item(encoder.count)) }
    }

    @inline(__always)
    func scalar(_ value: some WireScalar) throws {
        try encoder.writeItem(value) { try value.write(to: encoder.output.writer) }
    }

    func nestedContainer<NestedKey: CodingKey>(
        keyedBy keyType: NestedKey.Type
    ) -> KeyedEncodingContainer<NestedKey> {
        encoder.laterItem().container(keyedBy: keyType)
    }

    func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer {
        encoder.laterItem().unkeyedContainer()
    }

    func superEncoder() -> any Encoder {
        encoder.laterItem()
    }
}

/// A container for values without keys, which writes every scalar in the same way.
///
/// Codable has one method for each type. Methods for 128-bit types are not here, because the
/// standard library has its own defaults for them, which only a container's own methods override.
protocol ScalarContainer {
    func scalar(_ value: some WireScalar) throws
}

extension ScalarContainer {
    func encode(_ value: Bool) throws { try scalar(value) }
    func encode(_ value: String) throws { try scalar(value) }
    func encode(_ value: Double) throws { try scalar(value) }
    func encode(_ value: Float) throws { try scalar(value) }
    func encode(_ value: Int) throws { try scalar(value) }
    func encode(_ value: Int8) throws { try scalar(value) }
    func encode(_ value: Int16) throws { try scalar(value) }
    func encode(_ value: Int32) throws { try scalar(value) }
    func encode(_ value: Int64) throws { try scalar(value) }
    func encode(_ value: UInt) throws { try scalar(value) }
    func encode(_ value: UInt8) throws { try scalar(value) }
    func encode(_ value: UInt16) throws { try scalar(value) }
    func encode(_ value: UInt32) throws { try scalar(value) }
    func encode(_ value: UInt64) throws { try scalar(value) }
}
