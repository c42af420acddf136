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
