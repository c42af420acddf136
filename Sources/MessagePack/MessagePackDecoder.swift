#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// Decodes values of `Decodable` types from MessagePack.
///
/// The message is checked as a whole first: lengths, nesting, text, keys. After that any number is
/// decoded as any numeric type that holds it exactly: the integer 42 and the float 42.0 as `Int`,
/// `Double` and `Float`. A `Float` takes other numbers of 64 bits if ``floatNarrowing`` allows.
///
/// `UUID` is read from 16 bytes and from text, `URL` from text, `Decimal` from text and numbers.
/// Keys that are integers match coding keys by their `intValue` or their text.
///
/// Whatever is wrong is a `DecodingError` with a coding path. One whose `underlyingError` is a
/// ``MessagePackError`` tells that the bytes are wrong, all others that they are not what was
/// expected. Time and memory are proportional to the length of the message.
public struct MessagePackDecoder: Sendable {
    /// How dates are read.
    public var dateDecodingStrategy = DateDecodingStrategy.timestamp

    /// How data is read.
    public var dataDecodingStrategy = DataDecodingStrategy.binary

    /// How keys are read.
    public var keyDecodingStrategy = KeyDecodingStrategy.useDefaultKeys

    /// What numbers of 64 bits a `Float` takes.
    public var floatNarrowing = FloatNarrowing.exact

    /// What becomes of a map that has a key twice.
    public var duplicateKeys = DuplicateKeys.refuse

    /// What becomes of text that is not UTF-8.
    public var invalidText = InvalidText.refuse

    /// What becomes of bytes after the message.
    public var trailingBytes = TrailingBytes.refuse

    /// How large a message may be.
    public var limits = MessagePackLimits()

    /// What the values' `init(from:)` may want to know.
    public var userInfo: [CodingUserInfoKey: any Sendable] = [:]

    /// Makes a decoder with the default strategies.
    public init() {}

    /// Decodes a value from a message.
    ///
    /// - Parameters:
    ///   - type: The type of the value.
    ///   - data: One message.
    /// - Returns: The value.
    /// - Throws: `DecodingError` if the message is wrong or is not of the type, and what the type's
    ///   `init(from:)` throws.
    public func decode<Value: Decodable>(_ type: Value.Type, from data: Data) throws -> Value {
        try decode(type, from: [UInt8](data))
    }

    /// Decodes a value from the bytes of a message.
    ///
    /// - Parameters:
    ///   - type: The type of the value.
    ///   - bytes: One message.
    /// - Returns: The value.
    /// - Throws: `DecodingError` if the message is wrong or is not of the type, and what the type's
    ///   `init(from:)` throws.
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

    /// Decodes a value from a message that has been scanned.
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
