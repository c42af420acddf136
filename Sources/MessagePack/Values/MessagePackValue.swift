#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import FoundationEssentials
#endif

/// Any value of a message, for data of unknown form.
///
/// Decode it with ``MessagePackDecoder`` and encode it with ``MessagePackEncoder`` like any other
/// type. A decoded value encodes to a message of the same values, with integers and lengths in
/// their shortest form.
public enum MessagePackValue: Sendable {
    /// The value nil.
    case null
    /// True or false.
    case bool(Bool)
    /// An integer.
    case int(Int64)
    /// An integer; one that fits into `Int64` equals ``int(_:)``.
    case uint(UInt64)
    /// A 32-bit number.
    case float(Float)
    /// A 64-bit number.
    case double(Double)
    /// Text.
    case string(String)
    /// Bytes.
    case binary(Data)
    case array([MessagePackValue])
    /// A map of keys and values.
    case map(MessagePackMap)
    /// An extension; a timestamp has type -1.
    case `extension`(MessagePackExtension)

    /// A timestamp.
    ///
    /// - Parameter timestamp: The timestamp.
    /// - Returns: Its extension value.
    public static func timestamp(_ timestamp: MessagePackTimestamp) -> MessagePackValue {
        .extension(MessagePackExtension(timestamp))
    }
}

// MARK: Looking inside

extension MessagePackValue {
    /// The value of a map's key, or nil if this is not a map or has no such key.
    ///
    /// - Parameter key: The key.
    public subscript(key: MessagePackValue) -> MessagePackValue? {
        guard case .map(let map) = self else { return nil }
        return map[key]
    }

    /// An item of an array, or nil if this is not an array or has no such item.
    ///
    /// - Parameter index: The position, counted from 0.
    public subscript(item index: Int) -> MessagePackValue? {
        guard case .array(let items) = self, items.indices.contains(index) else { return nil }
        return items[index]
    }

    /// The integer as another type, or nil if this is not an integer or does not fit.
    ///
    /// - Parameter type: The type.
    /// - Returns: The same number.
    public func integer<Number: FixedWidthInteger>(as type: Number.Type = Int.self) -> Number? {
        switch self {
        case .int(let number): Number(exactly: number)
        case .uint(let number): Number(exactly: number)
        default: nil
        }
    }

    /// The timestamp, or nil if this is not one.
    public var timestamp: MessagePackTimestamp? {
        guard case .extension(let value) = self else { return nil }
        return value.timestamp
    }
}

// MARK: Comparing

extension MessagePackValue: Hashable {
    /// Whether two values are equal.
    ///
    /// Integers are equal if they are the same number, in either case. All other values are equal
    /// if they have the same case and equal contents, so the integer 1 does not equal the float
    /// 1.0.
    ///
    /// - Parameters:
    ///   - left: One value.
    ///   - right: The other value.
    /// - Returns: Whether they are equal.
    public static func == (left: MessagePackValue, right: MessagePackValue) -> Bool {
        switch (left, right) {
        case (.null, .null): true
        case (.bool(let left), .bool(let right)): left == right
        case (.int(let left), .int(let right)): left == right
        case (.uint(let left), .uint(let right)): left == right
        case (.int(let left), .uint(let right)), (.uint(let right), .int(let left)): left == right
        case (.float(let left), .float(let right)): left == right
        case (.double(let left), .double(let right)): left == right
        case (.string(let left), .string(let right)): left == right
        case (.binary(let left), .binary(let right)): left == right
        case (.array(let left), .array(let right)): left == right
        case (.map(let left), .map(let right)): left == right
        case (.extension(let left), .extension(let right)): left == right
        default: false
        }
    }

    /// Adds the value to a hash.
    ///
    /// - Parameter hasher: The hash.
    public func hash(into hasher: inout Hasher) {
        switch self {
        case .null: hasher.combine(ValueKind.null)
        case .bool(let flag): hasher.combine(flag)
        case .int(let number): hasher.combine(WireInteger.signed(number))
        case .uint(let number): hasher.combine(WireInteger(number))
        case .float(let number): hasher.combine(number)
        case .double(let number): hasher.combine(number)
        case .string(let text): hasher.combine(text)
        case .binary(let data): hasher.combine(data)
        case .array(let items): hasher.combine(items)
        case .map(let map): hasher.combine(map)
        case .extension(let value): hasher.combine(value)
        }
    }
}
