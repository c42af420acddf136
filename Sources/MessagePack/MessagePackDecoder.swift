#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import FoundationEssentials
#endif

/// Decodes values of `Decodable` types from MessagePack.
///
/// It first checks the whole message: lengths, nesting, text and keys. Then any number decodes as
/// any numeric type that holds it exactly: the integer 42 and the float 42.0 as `Int`, `Double` and
/// `Float`. A `Float` accepts other 64-bit numbers if ``floatNarrowing`` allows.
///
/// `UUID` is read from 16 bytes and from text, `URL` from text, `Decimal` from text and numbers.
/// Integer keys match coding keys by their `intValue` or their text.
///
/// Every error is a `DecodingError` with a coding path. If its `underlyingError` is a
/// ``MessagePackError``, the bytes are invalid; otherwise they are not what was expected. Time and
/// memory are proportional to the length of the message.
public struct MessagePackDecoder: Sendable {
    /// How dates are read.
    public var dateDecodingStrategy = DateDecodingStrategy.timestamp

    /// How data is read.
    public var dataDecodingStrategy = DataDecodingStrategy.binary

    /// How keys are read.
    public var keyDecodingStrategy = KeyDecodingStrategy.useDefaultKeys

    /// Which 64-bit numbers a `Float` accepts.
    public var floatNarrowing = FloatNarrowing.exact

    /// How a map with a repeated key is handled.
    public var duplicateKeys = DuplicateKeys.refuse

    /// How text that is not UTF-8 is handled.
    public var invalidText = InvalidText.refuse

    /// How bytes after the message are handled.
    public var trailingBytes = TrailingBytes.refuse

    /// The limits for a message.
    public var limits = MessagePackLimits()

    /// Values for `init(from:)` of the decoded types.
    public var userInfo: [CodingUserInfoKey: any Sendable] = [:]

    /// Makes a decoder with the default strategies.
    public init() {}

    /// Decodes a value from a message.
    ///
    /// - Parameters:
    ///   - type: The type of the value.
    ///   - data: One message.
    /// - Returns: The value.
    /// - Throws: `DecodingError` if the message is invalid or not of the type, and the errors of
    ///   the type's `init(from:)`.
    public func decode<Value: Decodable>(_ type: Value.Type, from data: Data) throws -> Value {
        try decode(type, from: [UInt8](data))
    }

    /// Decodes a value from the bytes of a message.
    ///
    /// - Parameters:
    ///   - type: The type of the value.
    ///   - bytes: One message.
    /// - Returns: The value.
    /// - Throws: `DecodingError` if the message is invalid or not of the type, and the errors of
    ///   the type's `init(from:)`.
    public func decode<Value: Decodable>(_ type: Value.Type, from bytes: [UInt8]) throws -> Value {
        var scanner = MessageScanner(from: 0, rules: scanningRules)
        do throws(MessagePackError) {
            _ = try scanner.scan(bytes, more: false)
            if scanner.position < bytes.count, case .refuse = trailingBytes {
                throw MessagePackError(.trailingBytes, byteOffset: scanner.position)
            }
        } catch {
            throw DecodingError.corrupted(error, at: scanner.codingPath(bytes))
        }
        return try decode(type, from: Message(bytes: bytes, scanner: scanner, options: self))
    }

    /// Decodes a value from a scanned message.
    func decode<Value: Decodable>(_ type: Value.Type, from message: Message) throws -> Value {
        try ValueDecoder(message: message).read(type, at: 0, step: .here)
    }

    var scanningRules: ScanningRules {
        ScanningRules(
            limits: limits,
            refusesTrailingBytes: trailingBytes == .refuse,
            refusesDuplicateKeys: duplicateKeys == .refuse,
            refusesInvalidText: invalidText == .refuse
        )
    }
}
