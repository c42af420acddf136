extension ValueEncoder: SingleValueEncodingContainer, ScalarContainer {
    func encodeNil() throws {
        try writeSingle(Any?.none as Any) { output.writer.append(null: ()) }
    }

    func encode(_ value: Int128) throws { try scalar(value) }
    func encode(_ value: UInt128) throws { try scalar(value) }

    func encode<Value: Encodable>(_ value: Value) throws {
        try writeSingle(value) { try write(value, step: .here) }
    }

    @inline(__always)
    func scalar(_ value: some WireScalar) throws {
        try writeSingle(value) { try value.write(to: output.writer) }
    }
}
