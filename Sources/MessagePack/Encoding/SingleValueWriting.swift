extension ValueEncoder: SingleValueEncodingContainer {
    func encodeNil() throws {
        try writeSingle(Any?.none as Any) { output.writer.append(null: ()) }
    }

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

    func encode<Value: Encodable>(_ value: Value) throws {
        try writeSingle(value) { try write(value, step: .here) }
    }

    @inline(__always)
    private func scalar(_ value: some WireScalar) throws {
        try writeSingle(value) { try value.write(to: output.writer) }
    }
}
