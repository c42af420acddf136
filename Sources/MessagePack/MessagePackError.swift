/// An error in the bytes of a message, with its position.
///
/// It is the `underlyingError` of the `DecodingError.dataCorrupted` that describes the same error.
public struct MessagePackError: Error, Hashable, Sendable {
    /// The kind of error.
    public var code: Code

    /// The position, in bytes from the first byte of the message.
    public var byteOffset: Int

    /// Makes an error.
    ///
    /// - Parameters:
    ///   - code: The kind of error.
    ///   - byteOffset: The position, in bytes from the first byte of the message.
    public init(_ code: Code, byteOffset: Int) {
        self.code = code
        self.byteOffset = byteOffset
    }

    /// The kinds of errors; more may be added.
    public struct Code: Hashable, Sendable {
        /// A name that stays the same between versions.
        public let name: String

        private init(_ name: String) {
            self.name = name
        }

        /// The message ends before everything that it declares.
        public static let truncated = Code("truncated")
        /// The byte 0xC1, which the format never uses.
        public static let reservedByte = Code("reserved-byte")
        /// Text that is not UTF-8.
        public static let invalidText = Code("invalid-text")
        /// A map with a repeated key.
        public static let duplicateKey = Code("duplicate-key")
        /// Bytes after the end of the message.
        public static let trailingBytes = Code("trailing-bytes")
        /// An extension of type -1 that is not a timestamp.
        public static let invalidTimestamp = Code("invalid-timestamp")
        /// Arrays and maps nested beyond `MessagePackLimits.depth`.
        public static let tooDeep = Code("too-deep")
        /// More values than `MessagePackLimits.elementCount`.
        public static let tooManyElements = Code("too-many-elements")
        /// A message longer than `MessagePackLimits.byteCount`.
        public static let tooLong = Code("too-long")
    }
}

extension MessagePackError: CustomStringConvertible {
    /// A sentence with the error, its position and a remedy.
    public var description: String {
        "\(sentence) (byte \(byteOffset))"
    }

    private var sentence: String {
        switch code {
        case .truncated: "The message ends before all that it declares; send it whole"
        case .reservedByte: "The byte 0xC1 begins no value; this is not MessagePack, or is damaged"
        case .invalidText: "A text is not UTF-8; send such bytes as binary data"
        case .duplicateKey: "A map has the same key twice; keep one of them"
        case .trailingBytes: "More bytes follow the message; decode them as a stream"
        case .invalidTimestamp:
            "A timestamp needs 4, 8 or 12 bytes and less than a second of nanoseconds"
        case .tooDeep: "Arrays and maps are nested too deeply; raise the limit for trusted data"
        case .tooManyElements: "The message has too many values; raise the limit for trusted data"
        case .tooLong: "The message is too long; raise the limit for trusted data, or split it"
        default: "The message is wrong: \(code.name)"
        }
    }
}
