#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// Encodes values of `Encodable` types as MessagePack.
///
/// - Integers, lengths and timestamps take the fewest bytes. Those of 128 bits must have a value that
///   64 bits hold, signed or not: the format has no others.
/// - `Float` is a number of 32 bits and `Double` one of 64, whatever its value.
/// - `Data` is binary data, `Date` a timestamp and `UUID` 16 bytes, unless a strategy says otherwise.
/// - `URL` is text, and `Decimal` text in decimal digits, so that none is rounded.
/// - Keys are text, or integers where the coding key has an `intValue`: the keys of `[Int: Value]`,
///   and those of an enumeration `CodingKeys: Int, CodingKey`.
/// - A dictionary of other keys is an array of its keys and values in turn, as Codable has it.
/// - ``MessagePackExtension``, ``MessagePackTimestamp`` and ``MessagePackValue`` are written as they
///   are.
///
/// A key that is encoded twice keeps the second value.
public struct MessagePackEncoder: Sendable {
    /// How dates are written.
    public var dateEncodingStrategy = DateEncodingStrategy.timestamp

    /// How data is written.
    public var dataEncodingStrategy = DataEncodingStrategy.binary

    /// How a `UUID` is written.
    public var uuidEncodingStrategy = UUIDEncodingStrategy.binary

    /// How keys are written.
    public var keyEncodingStrategy = KeyEncodingStrategy.useDefaultKeys

    /// How many arrays and maps may stand inside one another, at most
    /// `MessagePackLimits.greatestDepth`: a value that holds itself is an error.
    public var maximumDepth = MessagePackLimits().depth {
        didSet { maximumDepth = MessagePackLimits.depth(maximumDepth) }
    }

    /// What the values' `encode(to:)` may want to know.
    public var userInfo: [CodingUserInfoKey: any Sendable] = [:]

    /// Makes an encoder with the default strategies.
    public init() {}

    /// Encodes a value.
    ///
    /// - Parameter value: The value: anything, `nil` and plain numbers included.
    /// - Returns: One message.
    /// - Throws: `EncodingError.invalidValue` if it cannot be written, and what its `encode(to:)`
    ///   throws.
    public func encode<Value: Encodable>(_ value: Value) throws -> Data {
        let session = EncodingSession(options: self)
        defer { session.end() }
        let root = ValueEncoder(session: session)
        do {
            try root.write(value, step: .here)
            if let failure = session.failure { throw failure }
            // `Data` copies the bytes.
            return try unsafe root.output.withBytes { unsafe Data($0) }
        } catch let error as WritingError {
            throw root.invalid(value, error.sentence)
        }
    }
}
