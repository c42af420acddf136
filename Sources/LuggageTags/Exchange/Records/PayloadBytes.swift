internal import Foundation
internal import System

/// The bytes of a payload: data where the format has it, else a text, which stands for its UTF-8.
struct PayloadBytes: Form {
    static let expectation = "data or a text"

    /// The most bytes that a tag can hold: 16 codes in a sequence, of 2953 bytes each.
    static let longest = 16 * 2953

    let data: Data

    init(_ data: Data) {
        self.data = data
    }

    init(from decoder: any Decoder) throws {
        // Of a text, some decoders would make data by rules of their own.
        if let text = try decoder.attempt({ try String(from: decoder) }) {
            data = Data(text.utf8)
        } else if let data = try decoder.attempt({
            try decoder.singleValueContainer().decode(Data.self)
        }) {
            self.data = data
        } else {
            throw decoder.noForm(of: Self.self)
        }
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(data)
    }
}

/// Bytes as base64.
struct Base64Bytes: Form {
    static let expectation = "base64"

    let data: Data

    init(_ data: Data) {
        self.data = data
    }

    init(from decoder: any Decoder) throws {
        let text = try String(from: decoder)
        guard let data = Data(base64Encoded: text) else {
            throw Refusal.expected(Self.expectation, found: "the text \(text.quoted)")
                .error(at: decoder.codingPath)
        }
        self.data = data
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(data.base64EncodedString())
    }
}

extension KeyedDecodingContainer where Key == FormKey {
    /// The payload of a scan, as `payload` or as `base64`; no bytes where neither is there.
    ///
    /// More than a tag can hold is refused.
    func decodePayload() throws -> Data {
        let payload = try decodeIfStated(PayloadBytes.self, "payload")?.data
        let base64 = try decodeIfStated(Base64Bytes.self, "base64")?.data
        if let payload, let base64, payload != base64 {
            throw Refusal(.ambiguous, "contradicts \"payload\", which is there too")
                .error(at: codingPath + [FormKey("base64")])
        }
        let data = payload ?? base64 ?? Data()
        if data.count > PayloadBytes.longest {
            throw Refusal(
                .outOfRange,
                "has \(data.count) bytes, and a tag holds at most \(PayloadBytes.longest)"
            )
            .error(at: codingPath + [FormKey(payload == nil ? "base64" : "payload")])
        }
        return data
    }
}

extension KeyedEncodingContainer where Key == FormKey {
    /// Writes the payload of a scan in the way that a person can read best.
    mutating func encodePayload(_ payload: Data, isNative: Bool) throws {
        if payload.isEmpty { return }
        if isNative {
            try encode(PayloadBytes(payload), forKey: FormKey("payload"))
        } else if let text = String(validating: payload, as: UTF8.self) {
            try encode(text, forKey: FormKey("payload"))
        } else {
            try encode(Base64Bytes(payload), forKey: FormKey("base64"))
        }
    }
}
