extension MessagePackValue: CustomStringConvertible {
    /// A readable form of the value, like JSON.
    ///
    /// Bytes are written as `h'0102'`, extensions as `extension(5, h'00')` and timestamps as
    /// `timestamp(seconds, nanoseconds)`.
    public var description: String {
        switch self {
        case .null: "nil"
        case .bool(let flag): String(flag)
        case .int(let number): String(number)
        case .uint(let number): String(number)
        case .float(let number): String(describing: number)
        case .double(let number): String(describing: number)
        case .string(let text): text.debugDescription
        case .binary(let data): Self.hexadecimal(data)
        case .array(let items): "[" + items.map(\.description).joined(separator: ", ") + "]"
        case .map(let map): map.description
        case .extension(let value): Self.describe(value, timestamp: timestamp)
        }
    }

    private static func describe(
        _ value: MessagePackExtension,
        timestamp: MessagePackTimestamp?
    ) -> String {
        if let timestamp { return "timestamp(\(timestamp.seconds), \(timestamp.nanoseconds))" }
        return "extension(\(value.type), \(hexadecimal(value.data)))"
    }

    private static func hexadecimal(_ bytes: some Sequence<UInt8>) -> String {
        let digits = bytes.map { byte in
            (byte < 0x10 ? "0" : "") + String(byte, radix: 16)
        }
        return "h'" + digits.joined() + "'"
    }
}

extension MessagePackMap: CustomStringConvertible {
    /// A readable form of the pairs.
    public var description: String {
        "{" + map { "\($0.key): \($0.value)" }.joined(separator: ", ") + "}"
    }
}
