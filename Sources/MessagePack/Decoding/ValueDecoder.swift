/// The decoder of one value: it reads the value at one position of a message.
final class ValueDecoder: Decoder {
    let message: Message

    /// The position of the value on the tape.
    let index: Int

    /// The key found last: the next one usually follows it.
    var lastKey: Int

    /// The index of the keys, if a search of the keys is not enough.
    var keyIndex: KeyIndex?

    private let parent: ValueDecoder?
    private let step: Step
    private let type: Any.Type?

    var userInfo: [CodingUserInfoKey: Any] { message.userInfo }

    /// The decoder of a whole message.
    init(message: Message) {
        self.message = message
        index = 0
        lastKey = 1
        parent = nil
        step = .here
        type = nil
    }

    /// The decoder of a value inside another.
    ///
    /// - Parameters:
    ///   - parent: The decoder of the enclosing value.
    ///   - step: The step from there.
    ///   - index: Its position on the tape; nil for a missing value, which reads as nil.
    ///   - type: The type to decode, if known.
    init(parent: ValueDecoder, step: Step, index: Int?, type: Any.Type?) {
        message = parent.message
        self.index = index ?? parent.message.missing
        lastKey = self.index + 1
        self.parent = parent
        self.step = step
        self.type = type
    }

    var codingPath: [any CodingKey] {
        (parent?.codingPath ?? []) + step.keys
    }

    func container<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
        let entry = message.tape[index]
        guard entry.kind == .map else { throw mismatch([String: Any].self, at: index, .here) }
        if keyIndex == nil, !entry.keys.isEmpty || message.convertsKeys {
            keyIndex = try KeyIndex(of: self, type: self.type)
        }
        return KeyedDecodingContainer(KeyedReader<Key>(decoder: self))
    }

    func unkeyedContainer() throws -> any UnkeyedDecodingContainer {
        guard message.tape[index].kind == .array else {
            throw mismatch([Any].self, at: index, .here)
        }
        return UnkeyedReader(decoder: self)
    }

    func singleValueContainer() -> any SingleValueDecodingContainer {
        self
    }
}

extension ValueDecoder: SingleValueDecodingContainer {
    func decodeNil() -> Bool { message.tape[index].kind == .null }

    func decode(_ type: Bool.Type) throws -> Bool { try scalar(type) }
    func decode(_ type: String.Type) throws -> String { try scalar(type) }
    func decode(_ type: Double.Type) throws -> Double { try scalar(type) }
    func decode(_ type: Float.Type) throws -> Float { try scalar(type) }
    func decode(_ type: Int.Type) throws -> Int { try scalar(type) }
    func decode(_ type: Int8.Type) throws -> Int8 { try scalar(type) }
    func decode(_ type: Int16.Type) throws -> Int16 { try scalar(type) }
    func decode(_ type: Int32.Type) throws -> Int32 { try scalar(type) }
    func decode(_ type: Int64.Type) throws -> Int64 { try scalar(type) }
    func decode(_ type: UInt.Type) throws -> UInt { try scalar(type) }
    func decode(_ type: UInt8.Type) throws -> UInt8 { try scalar(type) }
    func decode(_ type: UInt16.Type) throws -> UInt16 { try scalar(type) }
    func decode(_ type: UInt32.Type) throws -> UInt32 { try scalar(type) }
    func decode(_ type: UInt64.Type) throws -> UInt64 { try scalar(type) }
    func decode(_ type: Int128.Type) throws -> Int128 { try scalar(type) }
    func decode(_ type: UInt128.Type) throws -> UInt128 { try scalar(type) }

    func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
        try read(type, at: index, step: .here)
    }

    @inline(__always)
    private func scalar<Scalar: WireScalar>(_ type: Scalar.Type) throws -> Scalar {
        try readScalar(type, at: index, step: .here)
    }
}
