internal import FoundationEssentials
internal import SystemSupport

/// The bytes of a payload: data if the format has data, otherwise a text, which means its UTF-8.
struct PayloadBytes: Form {
    static let expectation = "data or a text"

    /// The most bytes that a record holds: 16 codes in a sequence have 47,248, and scanners may send more.
    static let longest = PayloadFraming.longest

    let data: Data

    init(_ data: Data) {
        self.data = data
    }

    init(from decoder: any Decoder) throws {
        // The text comes first, because some decoders would turn a text into data by rules of their own.
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
        try data.base64EncodedString().encode(to: encoder)
    }
}

extension KeyedDecodingContainer where Key == FormKey {
    /// Decodes the payload of a scan, from `payload` or `base64`; no bytes if neither is there.
    ///
    /// It refuses more bytes than a tag can have.
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
                "has \(data.count) bytes, and a record holds at most \(PayloadBytes.longest)"
            )
            .error(at: codingPath + [FormKey(payload == nil ? "base64" : "payload")])
        }
        return data
    }
}

extension KeyedEncodingContainer where Key == FormKey {
    /// Encodes the payload of a scan in the form that people can read best.
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
