#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import FoundationEssentials
#endif

/// Encodes values of `Encodable` types as MessagePack.
///
/// - Integers, lengths and timestamps take the fewest bytes. A 128-bit integer must fit into 64
///   bits, signed or unsigned: the format has no longer ones.
/// - `Float` is a 32-bit number and `Double` a 64-bit one, for every value.
/// - `Data` is binary data, `Date` a timestamp and `UUID` 16 bytes, unless a strategy says otherwise.
/// - `URL` is text, and `Decimal` is text in decimal digits, so that none is rounded.
/// - Keys are text, or integers if the coding key has an `intValue`: the keys of `[Int: Value]`,
///   and those of an enumeration `CodingKeys: Int, CodingKey`.
/// - A dictionary with other keys is an array of alternating keys and values, as Codable defines it.
/// - ``MessagePackExtension``, ``MessagePackTimestamp`` and ``MessagePackValue`` are written as
///   they are.
///
/// If a key is encoded twice, the second value is kept.
public struct MessagePackEncoder: Sendable {
    /// How dates are written.
    public var dateEncodingStrategy = DateEncodingStrategy.timestamp

    /// How data is written.
    public var dataEncodingStrategy = DataEncodingStrategy.binary

    /// How a `UUID` is written.
    public var uuidEncodingStrategy = UUIDEncodingStrategy.binary

    /// How keys are written.
    public var keyEncodingStrategy = KeyEncodingStrategy.useDefaultKeys

    /// The greatest nesting of arrays and maps, at most `MessagePackLimits.greatestDepth`.
    ///
    /// A value that contains itself is an error.
    public var maximumDepth = MessagePackLimits().depth {
        didSet { maximumDepth = MessagePackLimits.depth(maximumDepth) }
    }

    /// Values for `encode(to:)` of the encoded types.
    public var userInfo: [CodingUserInfoKey: any Sendable] = [:]

    /// Makes an encoder with the default strategies.
    public init() {}

    /// Encodes a value.
    ///
    /// - Parameter value: The value: any type, also `nil` and plain numbers.
    /// - Returns: One message.
    /// - Throws: `EncodingError.invalidValue` if it cannot be written, and the errors of its
    ///   `encode(to:)`.
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
