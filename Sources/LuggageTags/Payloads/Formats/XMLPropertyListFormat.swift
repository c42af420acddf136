internal import Foundation

/// A property list in XML 1.0 and UTF-8.
public struct XMLPropertyListFormat: PayloadFormat {
    /// Makes the format.
    public init() {}

    /// `an XML property list`.
    public var name: String { "an XML property list" }

    /// `not-property-list`.
    public var malformed: TagError.Code { .notPropertyList }

    /// Whether the payload begins like XML, in whatever encoding.
    public func recognises(_ payload: [UInt8]) -> Bool {
        // UTF-16 is refused later, with a better reason than that nothing is known.
        if XMLReader.isUTF16(payload) { return true }
        var rest = payload[...]
        if rest.starts(with: [0xEF, 0xBB, 0xBF]) { rest = rest.dropFirst(3) }
        return rest.first { ![0x20, 0x09, 0x0A, 0x0D].contains($0) } == UInt8(ascii: "<")
    }

    /// Checks that the payload is a property list, with no two members of one name and no entities of
    /// its own.
    public func check(_ payload: [UInt8]) throws(PayloadFlaw) {
        try StrictXMLPropertyList.check(payload)
    }

    /// Decodes with `PropertyListDecoder`.
    public func decode<Value: Decodable>(
        _ type: Value.Type,
        from payload: [UInt8],
        userInfo: [CodingUserInfoKey: any Sendable]
    ) throws -> Value {
        try PropertyListDecoder.decode(type, from: payload, format: .xml, userInfo: userInfo)
    }

    /// Encodes with `PropertyListEncoder`.
    public func encode(
        _ value: some Encodable,
        userInfo: [CodingUserInfoKey: any Sendable]
    ) throws -> [UInt8] {
        try PropertyListEncoder.encode(value, format: .xml, userInfo: userInfo)
    }
}

extension PayloadFormat where Self == XMLPropertyListFormat {
    /// A property list in XML 1.0 and UTF-8.
    public static var xmlPropertyList: XMLPropertyListFormat { XMLPropertyListFormat() }
}

extension PropertyListDecoder {
    /// Decodes a property list of one format and of no other.
    static func decode<Value: Decodable>(
        _ type: Value.Type,
        from payload: [UInt8],
        format: PropertyListSerialization.PropertyListFormat,
        userInfo: [CodingUserInfoKey: any Sendable]
    ) throws -> Value {
        let decoder = PropertyListDecoder()
        decoder.userInfo = userInfo
        var found = format
        let value = try decoder.decode(type, from: Data(payload), format: &found)
        guard found == format else {
            throw DecodingError.dataCorrupted(
                DecodingError.Context(
                    codingPath: [],
                    debugDescription: "the property list is of another format than it looks like"
                )
            )
        }
        return value
    }
}

extension PropertyListEncoder {
    /// Encodes a property list of a format.
    static func encode(
        _ value: some Encodable,
        format: PropertyListSerialization.PropertyListFormat,
        userInfo: [CodingUserInfoKey: any Sendable]
    ) throws -> [UInt8] {
        let encoder = PropertyListEncoder()
        encoder.outputFormat = format
        encoder.userInfo = userInfo
        encoder.userInfo[.hasNativeDates] = true
        return Array(try encoder.encode(value))
    }
}
