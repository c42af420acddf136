#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import FoundationEssentials
#endif

/// An extension value of a message: a type and its bytes.
///
/// Types 0 to 127 belong to applications, -128 to -1 to the specification. To read or write your
/// own type, decode or encode one of these in a single value container.
public struct MessagePackExtension: Hashable, Sendable, Codable {
    /// The type of the extension.
    public var type: Int8

    /// Its bytes, without type and length.
    public var data: Data

    /// Makes an extension value.
    ///
    /// - Parameters:
    ///   - type: The type of the extension.
    ///   - data: Its bytes.
    public init(type: Int8, data: Data) {
        self.type = type
        self.data = data
    }
}

extension MessagePackExtension {
    /// Makes the extension value of a timestamp: 4, 8 or 12 bytes, the fewest that hold it.
    ///
    /// - Parameter timestamp: The timestamp.
    public init(_ timestamp: MessagePackTimestamp) {
        let payload: [UInt8] =
            switch timestamp.payload {
            case .seconds(let seconds): seconds.bigEndianBytes
            case .both(let both): both.bigEndianBytes
            case .long(let nanoseconds, let seconds):
                nanoseconds.bigEndianBytes + seconds.bigEndianBytes
            }
        self.init(type: MessagePackTimestamp.extensionType, data: Data(payload))
    }

    /// The timestamp, or nil if this is not one.
    public var timestamp: MessagePackTimestamp? {
        guard type == MessagePackTimestamp.extensionType else { return nil }
        return MessagePackTimestamp(0..<data.count, in: [UInt8](data))
    }
}
