#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import FoundationEssentials
#endif

// The coders of this library read and write these values directly. This code is for other formats.

extension MessagePackValue: Codable {
    /// Decodes any value of another format.
    ///
    /// - Parameter decoder: The decoder.
    /// - Throws: `DecodingError` if a message cannot hold the value.
    public init(from decoder: any Decoder) throws {
        if let container = try? decoder.container(keyedBy: MessagePackKey.self) {
            let pairs = try container.allKeys.map { key in
                let value = try container.decode(MessagePackValue.self, forKey: key)
                return MessagePackMap.Pair(.string(key.stringValue), value)
            }
            self = .map(MessagePackMap(pairs))
        } else if var container = try? decoder.unkeyedContainer() {
            var items: [MessagePackValue] = []
            while !container.isAtEnd {
                items.append(try container.decode(MessagePackValue.self))
            }
            self = .array(items)
        } else {
            self = try Self.scalar(decoder.singleValueContainer())
        }
    }

    private static func scalar(
        _ container: any SingleValueDecodingContainer
    ) throws -> MessagePackValue {
        if container.decodeNil() { return .null }
        if let flag = try? container.decode(Bool.self) { return .bool(flag) }
        if let number = try? container.decode(Int64.self) { return .int(number) }
        if let number = try? container.decode(UInt64.self) { return .uint(number) }
        if let number = try? container.decode(Double.self) { return .double(number) }
        if let text = try? container.decode(String.self) { return .string(text) }
        return .binary(try container.decode(Data.self))
    }

    /// Encodes the value for another format.
    ///
    /// A map with keys that are not all text becomes an array of alternating keys and values, as
    /// dictionaries do.
    ///
    /// - Parameter encoder: The encoder.
    /// - Throws: The errors of the encoder.
    public func encode(to encoder: any Encoder) throws {
        switch self {
        case .map(let map): try map.encode(to: encoder)
        case .array(let items): try items.encode(to: encoder)
        default:
            var container = encoder.singleValueContainer()
            switch self {
            case .bool(let flag): try container.encode(flag)
            case .int(let number): try container.encode(number)
            case .uint(let number): try container.encode(number)
            case .float(let number): try container.encode(number)
            case .double(let number): try container.encode(number)
            case .string(let text): try container.encode(text)
            case .binary(let data): try container.encode(data)
            case .extension(let value): try container.encode(value)
            case .null, .array, .map: try container.encodeNil()
            }
        }
    }
}

extension MessagePackMap {
    fileprivate func encode(to encoder: any Encoder) throws {
        let keys = map { pair in
            if case .string(let text) = pair.key { text } else { String?.none }
        }
        if keys.contains(nil) {
            var container = encoder.unkeyedContainer()
            for pair in self {
                try container.encode(pair.key)
                try container.encode(pair.value)
            }
        } else {
            var container = encoder.container(keyedBy: MessagePackKey.self)
            for (key, pair) in zip(keys.compactMap(\.self), self) {
                try container.encode(pair.value, forKey: MessagePackKey(stringValue: key))
            }
        }
    }
}
