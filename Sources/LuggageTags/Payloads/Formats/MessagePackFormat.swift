internal import MessagePack

/// MessagePack; a tag is a map in it.
public struct MessagePackFormat: PayloadFormat {
    /// Makes the format.
    public init() {}

    /// `MessagePack`.
    public var name: String { "MessagePack" }

    /// `not-messagepack`.
    public var malformed: TagError.Code { .notMessagePack }

    /// Whether the payload begins like a map.
    ///
    /// Every byte begins some MessagePack value, but no text begins like a map.
    public func recognises(_ payload: [UInt8]) -> Bool {
        payload.first.map { 0x80...0x8F ~= $0 || $0 == 0xDE || $0 == 0xDF } ?? false
    }

    /// Checks that the payload is one message, without two members of the same name.
    public func check(_ payload: [UInt8]) throws(PayloadFlaw) {
        var decoder = MessagePackDecoder()
        decoder.limits.depth = PayloadFlaw.mostDepth + 1
        do {
            // `Nothing` takes no value, but the decoder checks the whole message first.
            _ = try decoder.decode(Nothing.self, from: payload)
        } catch DecodingError.dataCorrupted(let context) {
            guard let error = context.underlyingError as? MessagePackError else {
                throw PayloadFlaw(context.debugDescription)
            }
            throw PayloadFlaw(error)
        } catch {
            throw PayloadFlaw("\(error)")
        }
    }

    /// Decodes with `MessagePackDecoder`.
    public func decode<Value: Decodable>(
        _ type: Value.Type,
        from payload: [UInt8],
        userInfo: [CodingUserInfoKey: any Sendable]
    ) throws -> Value {
        var decoder = MessagePackDecoder()
        decoder.userInfo = userInfo
        // The other formats round numbers in the same way.
        decoder.floatNarrowing = .nearest
        return try decoder.decode(type, from: payload)
    }

    /// Encodes with `MessagePackEncoder`.
    public func encode(
        _ value: some Encodable,
        userInfo: [CodingUserInfoKey: any Sendable]
    ) throws -> [UInt8] {
        var encoder = MessagePackEncoder()
        encoder.userInfo = userInfo
        encoder.userInfo[.hasNativeDates] = true
        return Array(try encoder.encode(value))
    }

    private struct Nothing: Decodable {
        init(from decoder: any Decoder) {}
    }
}

extension PayloadFormat where Self == MessagePackFormat {
    /// MessagePack; a tag is a map in it.
    public static var messagePack: MessagePackFormat { MessagePackFormat() }
}

extension PayloadFlaw {
    fileprivate init(_ error: MessagePackError) {
        let reason =
            switch error.code {
            case .truncated: "it ends early"
            case .reservedByte: "a byte begins no value"
            case .invalidText: "a text is not UTF-8"
            case .duplicateKey: "two members have the same name"
            case .trailingBytes: "something follows its end"
            case .invalidTimestamp: "a timestamp is malformed"
            case .tooDeep: "it is nested too deeply"
            default: error.code.name
            }
        self.init(reason, at: error.byteOffset)
    }
}
