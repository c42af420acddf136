/// The encoder that a value gets: it writes the value at the end of an output.
final class ValueEncoder: Encoder {
    /// What the value has turned out to be.
    enum Form {
        case nothing, single, array, map
    }

    let session: EncodingSession
    let output: EncodingOutput
    var form = Form.nothing

    /// How many items or pairs the container has.
    var count = 0

    /// Which of the output's keys is the first of this map.
    private(set) var firstKey = 0

    /// Which of the output's keys is the latest of each hash, in a map with many keys.
    var keysByHash: [Int: Int] = [:]

    /// How the keys written last are written, once that is known.
    var keyRule: KeyRule?

    /// What is encoded, if that is known.
    let type: Any.Type?

    private let parent: ValueEncoder?
    private let step: Step

    /// How many arrays and maps are around this value.
    private let depth: Int

    /// How many values are around this one, those that are no array or map included.
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
    ///   - parent: The encoder of the one around it.
    ///   - step: The way from there.
    ///   - output: Where it is written; nil if it is written later.
    ///   - type: What it is, if that is known.
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

    /// Begins an array or map, or goes on with it if it has begun.
    ///
    /// - Returns: This encoder, or if there is something else already, one whose output is lost.
    func opened(_ wanted: Form) -> ValueEncoder {
        if form == wanted { return self }
        guard form == .nothing, isActive else {
            session.fail(invalid(type as Any, "A value is one of array, map or single value."))
            return ValueEncoder(session: session).opened(wanted)
        }
        if depth >= session.options.maximumDepth {
            session.fail(tooDeep(type as Any))
            // Nothing may be nested further: an encoder is freed only after those inside it, by calls
            // inside one another.
            return ValueEncoder(session: session).opened(wanted)
        }
        form = wanted
        headerPosition = output.writer.bytes.count
        firstKey = output.keyPositions.count
        output.writer.bytes.append(wanted == .map ? Marker.fixedMap : Marker.fixedArray)
        return self
    }

    /// Writes the number of items, now that all are there.
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

    /// Whether this stands for the whole message, and not yet for its value.
    var isRoot: Bool { parent == nil }

    /// Whether this is the value that is being written.
    var isActive: Bool { output.active == ObjectIdentifier(self) }

    /// How many arrays and maps are around an item of this value.
    var depthInside: Int { form == .array || form == .map ? depth + 1 : depth }

    func tooDeep(_ value: Any, at step: Step = .here) -> EncodingError {
        let depth = session.options.maximumDepth
        return invalid(
            value,
            "Arrays and maps are nested beyond \(depth); raise maximumDepth.",
            at: step
        )
    }

    /// The error that a value inside this one cannot be encoded, or this one itself.
    func invalid(_ value: Any, _ sentence: String, at step: Step = .here) -> EncodingError {
        let path = codingPath + step.keys
        return .invalidValue(value, .init(codingPath: path, debugDescription: sentence))
    }
}
