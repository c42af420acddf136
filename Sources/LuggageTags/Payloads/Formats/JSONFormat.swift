internal import FoundationEssentials

/// JSON in UTF-8, exactly as in RFC 8259.
public struct JSONFormat: PayloadFormat {
    /// Makes the format.
    public init() {}

    /// `JSON`.
    public var name: String { "JSON" }

    /// `not-json`.
    public var malformed: TagError.Code { .notJSON }

    /// Whether the payload begins like a JSON value, in any encoding.
    public func recognises(_ payload: [UInt8]) -> Bool {
        // UTF-16 is refused later, with a better reason than an unknown format.
        if payload.isUTF16(beginningWith: "{[") { return true }
        let space: [UInt8] = [0x20, 0x09, 0x0A, 0x0D]
        let mark = payload.starts(with: StrictJSON.byteOrderMark) ? 3 : 0
        guard let first = payload.dropFirst(mark).first(where: { !space.contains($0) }) else {
            return false
        }
        // A number alone is JSON too, but may be a label.
        if DecimalNumber.isDigit(first) {
            return !PayloadFormats.labels.contains { $0.recognises(payload) }
        }
        return "{[\"-tfn".utf8.contains(first)
    }

    /// Checks that the payload is JSON, without two members of the same name.
    public func check(_ payload: [UInt8]) throws(PayloadFlaw) {
        try StrictJSON.check(payload)
    }

    /// Decodes with `JSONDecoder`.
    public func decode<Value: Decodable>(
        _ type: Value.Type,
        from payload: [UInt8],
        userInfo: [CodingUserInfoKey: any Sendable]
    ) throws -> Value {
        let decoder = JSONDecoder()
        decoder.userInfo = userInfo
        return try decoder.decode(type, from: Data(payload))
    }

    /// Encodes with `JSONEncoder`, without spaces and with the keys in order.
    public func encode(
        _ value: some Encodable,
        userInfo: [CodingUserInfoKey: any Sendable]
    ) throws -> [UInt8] {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        encoder.userInfo = userInfo
        return Array(try encoder.encode(value))
    }
}

extension PayloadFormat where Self == JSONFormat {
    /// JSON in UTF-8, exactly as in RFC 8259.
    public static var json: JSONFormat { JSONFormat() }
}
