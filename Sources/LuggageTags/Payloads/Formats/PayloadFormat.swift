/// A format of payloads: how it is known, checked, decoded and encoded.
///
/// The types that are decoded do not know the format. To add one, conform a type in a file of its own
/// and put it into ``PayloadFormats/all``.
public protocol PayloadFormat: Sendable {
    /// What a payload of this format is, to follow "the payload is not": `JSON`.
    var name: String { get }

    /// The reason code of payloads that look like this format and are malformed.
    var malformed: TagError.Code { get }

    /// Whether a payload can be of this format and of no other, by how it begins.
    func recognises(_ payload: [UInt8]) -> Bool

    /// Checks a payload that was recognised, before anything is decoded.
    ///
    /// Two members of one name, or anything else that another reader could take for another bag, is a
    /// flaw, and so is what the decoder could not bear. Time and memory are in proportion to the
    /// payload.
    ///
    /// - Parameter payload: The payload, byte for byte.
    /// - Throws: ``PayloadFlaw`` with what is wrong.
    func check(_ payload: [UInt8]) throws(PayloadFlaw)

    /// Decodes a payload that was checked.
    ///
    /// - Parameters:
    ///   - type: What to decode.
    ///   - payload: The payload, byte for byte.
    ///   - userInfo: What the decoder carries.
    /// - Returns: The value.
    /// - Throws: `DecodingError`.
    func decode<Value: Decodable>(
        _ type: Value.Type,
        from payload: [UInt8],
        userInfo: [CodingUserInfoKey: any Sendable]
    ) throws -> Value

    /// Encodes a value.
    ///
    /// - Parameters:
    ///   - value: What to encode.
    ///   - userInfo: What the encoder carries.
    /// - Returns: The payload, the same one for equal values.
    /// - Throws: `EncodingError`.
    func encode(
        _ value: some Encodable,
        userInfo: [CodingUserInfoKey: any Sendable]
    ) throws -> [UInt8]
}

/// The formats that tags come in.
public enum PayloadFormats {
    /// Every known format; no payload is recognised by two of them.
    public static let all: [any PayloadFormat] = [
        .json, .xmlPropertyList, .binaryPropertyList, .messagePack,
    ]
}
