/// A format of payloads: recognises, checks, decodes and encodes them.
///
/// The decoded types do not depend on the format. To add a format, conform a type to this in a file of
/// its own, and add it to ``PayloadFormats/all``.
public protocol PayloadFormat: Sendable {
    /// The name of the format, as words after "the payload is not": `JSON`.
    var name: String { get }

    /// The error code of malformed payloads that look like this format.
    var malformed: TagError.Code { get }

    /// Whether a payload, by its beginning, can be of this format and no other.
    func recognises(_ payload: [UInt8]) -> Bool

    /// Checks a recognised payload before it is decoded.
    ///
    /// It refuses two members of the same name, and anything else that another reader could read as another
    /// bag, and what could exhaust the decoder. Time and memory are proportional to the size of the payload.
    ///
    /// - Parameter payload: The payload, byte for byte.
    /// - Throws: ``PayloadFlaw`` with the reason.
    func check(_ payload: [UInt8]) throws(PayloadFlaw)

    /// Decodes a checked payload.
    ///
    /// - Parameters:
    ///   - type: The type to decode.
    ///   - payload: The payload, byte for byte.
    ///   - userInfo: The decoder's `userInfo`.
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
    ///   - value: The value.
    ///   - userInfo: The encoder's `userInfo`.
    /// - Returns: The payload; equal values have equal payloads.
    /// - Throws: `EncodingError`.
    func encode(
        _ value: some Encodable,
        userInfo: [CodingUserInfoKey: any Sendable]
    ) throws -> [UInt8]
}

/// The formats of tags.
public enum PayloadFormats {
    /// All known formats; at most one of them recognises a payload.
    public static let all: [any PayloadFormat] = writable + labels

    /// The formats of tags, which can say everything that a tag may say.
    public static let writable: [any PayloadFormat] = [
        .json, .xmlPropertyList, .binaryPropertyList, .messagePack,
    ]

    /// The formats of labels that airlines and others print, which can only be read.
    public static let labels: [any PayloadFormat] = [
        .licencePlate, .boardingPass, .gs1Link, .gs1Elements,
    ]
}
