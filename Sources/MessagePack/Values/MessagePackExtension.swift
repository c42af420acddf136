#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// An extension value as it stands in a message: a type and its bytes.
///
/// Types 0 to 127 belong to applications, -128 to -1 to the specification. A type of one's own is
/// written by encoding one of these through a single value container, and read likewise.
public struct MessagePackExtension: Hashable, Sendable, Codable {
    /// Which extension it is.
    public var type: Int8

    /// Its bytes, without type and length.
    public var data: Data

    /// Makes an extension value.
    ///
    /// - Parameters:
    ///   - type: Which extension it is.
    ///   - data: Its bytes.
    public init(type: Int8, data: Data) {
        self.type = type
        self.data = data
    }
}

extension MessagePackExtension {
    /// Makes the extension value of a timestamp: 4, 8 or 12 bytes, as few as hold it.
    ///
    /// - Parameter timestamp: The moment.
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

    /// The timestamp, or nil if this is none.
    public var timestamp: MessagePackTimestamp? {
        guard type == MessagePackTimestamp.extensionType else { return nil }
        return MessagePackTimestamp(0..<data.count, in: [UInt8](data))
    }
}
