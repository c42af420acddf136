/// Decodes messages that follow one another, from bytes that come in parts of any size.
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
/// A message that is not complete yet is no error: ``next(_:)`` returns nil, and goes on with it when
/// more bytes have come. Each byte is looked at once, however small the parts are.
///
/// A complete message that is not of the type asked for is an error, and the stream goes on behind
/// it. Bytes that are wrong are an error forever: nobody can tell where another message begins.
public struct MessagePackStreamDecoder {
    /// How messages are decoded, and how large each may be.
    ///
    /// What it says of trailing bytes does not count here.
    public let decoder: MessagePackDecoder

    private var bytes: [UInt8] = []
    private var scanner: MessageScanner
    private var failure: DecodingError?

    /// Makes a decoder of a stream.
    ///
    /// - Parameter decoder: How messages are decoded. Its `limits.byteCount` bounds the bytes that
    ///   are kept of a message that never ends.
    public init(decoder: MessagePackDecoder = MessagePackDecoder()) {
        self.decoder = decoder
        scanner = MessageScanner(from: 0, rules: decoder.scanningRules)
    }

    /// How many bytes there are that belong to no message returned so far.
    public var pendingByteCount: Int { bytes.count - scanner.start }

    /// Adds bytes that have come.
    ///
    /// - Parameter part: The bytes; a message may begin and end anywhere in them.
    public mutating func append(_ part: some Collection<UInt8>) {
        bytes.append(contentsOf: part)
    }

    /// Decodes the next message.
    ///
    /// - Parameter type: The type of the value.
    /// - Returns: The value, or nil if the message is not complete yet.
    /// - Throws: `DecodingError` if the message is wrong or not of the type, and what the type's
    ///   `init(from:)` throws.
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

    /// Checks that the stream ends where a message does.
    ///
    /// - Throws: `DecodingError.dataCorrupted` if bytes of a message are left, whose
    ///   `underlyingError` has the code `truncated` if it is only incomplete.
    public mutating func finish() throws {
        if let failure { throw failure }
        if pendingByteCount > 0 {
            throw fail(MessagePackError(.truncated, byteOffset: pendingByteCount))
        }
    }

    /// Drops the bytes of earlier messages once they are the greater part, so that none moves often,
    /// or so many that positions behind them would not fit into 32 bits.
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
