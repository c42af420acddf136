/// Decodes a sequence of messages from bytes that arrive in parts of any size.
///
/// ```swift
/// var stream = MessagePackStreamDecoder()
/// for try await part in connection {
///     stream.append(part)
///     while let bag = try stream.next(Bag.self) { … }
/// }
/// try stream.finish()
/// ```
///
/// An incomplete message is no error: ``next(_:)`` returns nil, and continues with it when more
/// bytes have arrived. Each byte is scanned once, even if the parts are small.
///
/// A complete message of another type is an error, and the stream continues after it. Invalid bytes
/// are a permanent error, because the start of the next message is then unknown.
public struct MessagePackStreamDecoder {
    /// The decoder of the messages, with the limits for each.
    ///
    /// Its setting for trailing bytes is ignored.
    public let decoder: MessagePackDecoder

    private var bytes: [UInt8] = []
    private var scanner: MessageScanner
    private var failure: DecodingError?

    /// Makes a decoder of a stream.
    ///
    /// - Parameter decoder: The decoder of the messages. Its `limits.byteCount` limits the bytes
    ///   kept of a message that never ends.
    public init(decoder: MessagePackDecoder = MessagePackDecoder()) {
        self.decoder = decoder
        scanner = MessageScanner(from: 0, rules: decoder.scanningRules)
    }

    /// The number of bytes that belong to no returned message.
    public var pendingByteCount: Int { bytes.count - scanner.start }

    /// Adds bytes.
    ///
    /// - Parameter part: The bytes; a message may begin and end anywhere in them.
    public mutating func append(_ part: some Collection<UInt8>) {
        bytes.append(contentsOf: part)
    }

    /// Decodes the next message.
    ///
    /// - Parameter type: The type of the value.
    /// - Returns: The value, or nil if the message is not complete yet.
    /// - Throws: `DecodingError` if the message is invalid or not of the type, and the errors of
    ///   the type's `init(from:)`.
    public mutating func next<Value: Decodable>(_ type: Value.Type) throws -> Value? {
        if let failure { throw failure }
        dropDecoded()
        do throws(MessagePackError) {
            guard try scanner.scan(bytes, more: true) else { return nil }
        } catch {
            throw fail(error)
        }
        let message = Message(bytes: bytes, scanner: scanner, options: decoder)
        startMessage(at: scanner.position)
        return try decoder.decode(type, from: message)
    }

    /// Checks that the stream ends with a complete message.
    ///
    /// - Throws: `DecodingError.dataCorrupted` if bytes of a message are left; its
    ///   `underlyingError` has the code `truncated` if the message is only incomplete.
    public mutating func finish() throws {
        if let failure { throw failure }
        if pendingByteCount > 0 {
            throw fail(MessagePackError(.truncated, byteOffset: pendingByteCount))
        }
    }

    /// Drops the bytes of earlier messages if they are the greater part.
    ///
    /// So bytes are rarely moved. It also drops them if later positions would not fit into 32 bits.
    private mutating func dropDecoded() {
        let decoded = scanner.start
        guard scanner.position == decoded, decoded > 0 else { return }
        if decoded >= bytes.count - decoded || decoded > MessagePackLimits.greatestByteCount {
            bytes.removeSubrange(..<decoded)
            startMessage(at: 0)
        }
    }

    private mutating func fail(_ error: MessagePackError) -> DecodingError {
        let made = DecodingError.corrupted(error, at: scanner.codingPath(bytes))
        failure = made
        return made
    }

    private mutating func startMessage(at position: Int) {
        scanner = MessageScanner(from: position, rules: decoder.scanningRules)
    }
}
