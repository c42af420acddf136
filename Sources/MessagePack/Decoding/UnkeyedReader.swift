/// Reads the items of an array for a type.
struct UnkeyedReader: UnkeyedDecodingContainer {
    // Three words, so that the existential that Codable passes around holds it inline.
    private let decoder: ValueDecoder
    private var next: Int
    private(set) var currentIndex = 0

    init(decoder: ValueDecoder) {
        self.decoder = decoder
        next = decoder.index + 1
    }

    var codingPath: [any CodingKey] { decoder.codingPath }
    var count: Int? { Int(decoder.message.tape[decoder.index].count) }
    var isAtEnd: Bool { currentIndex >= Int(decoder.message.tape[decoder.index].count) }

    mutating func decodeNil() throws -> Bool {
        try requireItem(Any?.self)
        guard decoder.message.tape[next].kind == .null else { return false }
        advance()
        return true
    }

    mutating func decode(_ type: Bool.Type) throws -> Bool { try scalar(type) }
    mutating func decode(_ type: String.Type) throws -> String { try scalar(type) }
    mutating func decode(_ type: Double.Type) throws -> Double { try scalar(type) }
    mutating func decode(_ type: Float.Type) throws -> Float { try scalar(type) }
    mutating func decode(_ type: Int.Type) throws -> Int { try scalar(type) }
    mutating func decode(_ type: Int8.Type) throws -> Int8 { try scalar(type) }
    mutating func decode(_ type: Int16.Type) throws -> Int16 { try scalar(type) }
    mutating func decode(_ type: Int32.Type) throws -> Int32 { try scalar(type) }
    mutating func decode(_ type: Int64.Type) throws -> Int64 { try scalar(type) }
    mutating func decode(_ type: UInt.Type) throws -> UInt { try scalar(type) }
    mutating func decode(_ type: UInt8.Type) throws -> UInt8 { try scalar(type) }
    mutating func decode(_ type: UInt16.Type) throws -> UInt16 { try scalar(type) }
    mutating func decode(_ type: UInt32.Type) throws -> UInt32 { try scalar(type) }
    mutating func decode(_ type: UInt64.Type) throws -> UInt64 { try scalar(type) }
    mutating func decode(_ type: Int128.Type) throws -> Int128 { try scalar(type) }
    mutating func decode(_ type: UInt128.Type) throws -> UInt128 { try scalar(type) }

    mutating func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
        try requireItem(type)
        let value = try decoder.read(type, at: next, step: .item(currentIndex))
        advance()
        return value
    }

    @inline(__always)
    private mutating func scalar<Scalar: WireScalar>(_ type: Scalar.Type) throws -> Scalar {
        try requireItem(type)
        let value = try decoder.readScalar(type, at: next, step: .item(currentIndex))
        advance()
        return value
    }

    mutating func nestedContainer<NestedKey: CodingKey>(
        keyedBy type: NestedKey.Type
    ) throws -> KeyedDecodingContainer<NestedKey> {
        let container = try inside([String: Any].self).container(keyedBy: type)
        advance()
        return container
    }

    mutating func nestedUnkeyedContainer() throws -> any UnkeyedDecodingContainer {
        let container = try inside([Any].self).unkeyedContainer()
        advance()
        return container
    }

    mutating func superDecoder() throws -> any Decoder {
        let inside = try inside((any Decoder).self)
        advance()
        return inside
    }

    private func inside(_ type: Any.Type) throws -> ValueDecoder {
        try requireItem(type)
        return ValueDecoder(parent: decoder, step: .item(currentIndex), index: next, type: nil)
    }

    private func requireItem(_ type: Any.Type) throws {
        if isAtEnd {
            let sentence = "The array ends before index \(currentIndex)."
            throw DecodingError.valueNotFound(
                type,
                decoder.context(sentence, .item(currentIndex))
            )
        }
    }

    private mutating func advance() {
        next = Int(decoder.message.tape[next].end)
        currentIndex += 1
    }
}
