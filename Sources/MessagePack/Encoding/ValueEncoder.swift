/// The encoder of one value: it writes the value at the end of an output.
final class ValueEncoder: Encoder {
    /// The form of the value, as far as known.
    enum Form {
        case nothing, single, array, map
    }

    let session: EncodingSession
    let output: EncodingOutput
    var form = Form.nothing

    /// The number of items or pairs in the container.
    var count = 0

    /// The index of this map's first key among the output's keys.
    private(set) var firstKey = 0

    /// The index of the latest key for each hash, in a map with many keys.
    var keysByHash: [Int: Int] = [:]

    /// The rule for the keys written last, if known.
    var keyRule: KeyRule?

    /// The type to encode, if known.
    let type: Any.Type?

    private let parent: ValueEncoder?
    private let step: Step

    /// The number of arrays and maps around this value.
    private let depth: Int

    /// The number of values around this one, including those that are not arrays or maps.
    let level: Int
    private var headerPosition = 0

    var userInfo: [CodingUserInfoKey: Any] { session.userInfo }

    /// The encoder of a whole message.
    init(session: EncodingSession) {
        self.session = session
        output = session.makeOutput()
        parent = nil
        step = .here
        type = nil
        depth = 0
        level = 0
        output.active = ObjectIdentifier(self)
    }

    /// The encoder of a value inside another.
    ///
    /// - Parameters:
    ///   - parent: The encoder of the enclosing value.
    ///   - step: The step from there.
    ///   - output: The output; nil if the value is written later.
    ///   - type: The type to encode, if known.
    init(parent: ValueEncoder, step: Step, output: EncodingOutput?, type: Any.Type?) {
        session = parent.session
        self.output = output ?? parent.session.makeOutput()
        self.parent = parent
        self.step = step
        self.type = type
        depth = parent.depthInside
        level = parent.level + 1
        self.output.active = ObjectIdentifier(self)
    }

    var codingPath: [any CodingKey] {
        (parent?.codingPath ?? []) + step.keys
    }

    func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
        KeyedEncodingContainer(KeyedWriter<Key>(encoder: opened(.map)))
    }

    func unkeyedContainer() -> any UnkeyedEncodingContainer {
        UnkeyedWriter(encoder: opened(.array))
    }

    func singleValueContainer() -> any SingleValueEncodingContainer {
        self
    }

    /// Begins an array or map, or continues one that has begun.
    ///
    /// - Returns: This encoder, or one whose output is discarded if the value already has another form.
    func opened(_ wanted: Form) -> ValueEncoder {
        if form == wanted { return self }
        guard form == .nothing, isActive else {
            session.fail(invalid(type as Any, "A value is one of array, map or single value."))
            return ValueEncoder(session: session).opened(wanted)
        }
        if depth >= session.options.maximumDepth {
            session.fail(tooDeep(type as Any))
            // Nothing may be nested further: an encoder is freed only after those inside it, by nested
            // calls.
            return ValueEncoder(session: session).opened(wanted)
        }
        form = wanted
        headerPosition = output.writer.bytes.count
        firstKey = output.keyPositions.count
        output.writer.bytes.append(wanted == .map ? Marker.fixedMap : Marker.fixedArray)
        return self
    }

    /// Writes the number of items, which is now known.
    func close() {
        switch form {
        case .single: return
        case .nothing: output.writer.bytes.append(Marker.fixedMap)
        case .array, .map:
            if count < 0x10 {
                let bits = UInt8(truncatingIfNeeded: count)
                output.writer.bytes[headerPosition] |= bits
            } else {
                output.addHeader(isMap: form == .map, count: count, at: headerPosition)
            }
            output.keyPositions.truncate(to: firstKey)
        }
    }

    /// Whether this stands for the whole message.
    var isRoot: Bool { parent == nil }

    /// Whether this value is being written.
    var isActive: Bool { output.active == ObjectIdentifier(self) }

    /// The number of arrays and maps around an item of this value.
    var depthInside: Int { form == .array || form == .map ? depth + 1 : depth }

    func tooDeep(_ value: Any, at step: Step = .here) -> EncodingError {
        let depth = session.options.maximumDepth
        return invalid(
            value,
            "Arrays and maps are nested beyond \(depth); raise maximumDepth.",
            at: step
        )
    }

    /// The error for a value that cannot be encoded: this one, or one inside it.
    func invalid(_ value: Any, _ sentence: String, at step: Step = .here) -> EncodingError {
        let path = codingPath + step.keys
        return .invalidValue(value, .init(codingPath: path, debugDescription: sentence))
    }
}

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
