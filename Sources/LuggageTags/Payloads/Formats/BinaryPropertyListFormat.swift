internal import Foundation

/// A binary property list, version 00.
public struct BinaryPropertyListFormat: PayloadFormat {
    /// Makes the format.
    public init() {}

    /// `a binary property list`.
    public var name: String { "a binary property list" }

    /// `not-property-list`.
    public var malformed: TagError.Code { .notPropertyList }

    /// Whether the payload begins with the mark of binary property lists.
    public func recognises(_ payload: [UInt8]) -> Bool {
        payload.starts(with: "bplist".utf8)
    }

    /// Checks that the payload is a property list: a tree, with no two members of one name.
    public func check(_ payload: [UInt8]) throws(PayloadFlaw) {
        try StrictBinaryPropertyList.check(payload)
    }

    /// Decodes with `PropertyListDecoder`.
    public func decode<Value: Decodable>(
        _ type: Value.Type,
        from payload: [UInt8],
        userInfo: [CodingUserInfoKey: any Sendable]
    ) throws -> Value {
        try PropertyListDecoder.decode(type, from: payload, format: .binary, userInfo: userInfo)
    }

    /// Encodes with `PropertyListEncoder`.
    public func encode(
        _ value: some Encodable,
        userInfo: [CodingUserInfoKey: any Sendable]
    ) throws -> [UInt8] {
        try PropertyListEncoder.encode(value, format: .binary, userInfo: userInfo)
    }
}

extension PayloadFormat where Self == BinaryPropertyListFormat {
    /// A binary property list, version 00.
    public static var binaryPropertyList: BinaryPropertyListFormat { BinaryPropertyListFormat() }
}
