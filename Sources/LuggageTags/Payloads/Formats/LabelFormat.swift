internal import FoundationEssentials

/// The format of labels that others print, which say less than a tag: it can only be read.
protocol LabelFormat: PayloadFormat {
    /// Reads a recognised payload.
    ///
    /// - Parameter payload: The payload, byte for byte.
    /// - Returns: What it says.
    /// - Throws: ``PayloadFlaw`` if it is malformed.
    func contents(of payload: [UInt8]) throws(PayloadFlaw) -> LabelContents
}

extension LabelFormat {
    /// Checks everything.
    public func check(_ payload: [UInt8]) throws(PayloadFlaw) {
        _ = try contents(of: payload)
    }

    /// Decodes what a tag with the same members would say.
    public func decode<Value: Decodable>(
        _ type: Value.Type,
        from payload: [UInt8],
        userInfo: [CodingUserInfoKey: any Sendable]
    ) throws -> Value {
        let tag = try contents(of: payload).tag
        return try JSONFormat().decode(type, from: tag, userInfo: userInfo)
    }

    /// Refuses.
    public func encode(
        _ value: some Encodable,
        userInfo: [CodingUserInfoKey: any Sendable]
    ) throws -> [UInt8] {
        throw EncodingError.invalidValue(
            value,
            .init(codingPath: [], debugDescription: "\(name) can be read and not written")
        )
    }
}

/// What a label says about a bag, with the names that tags have for it.
struct LabelContents: Hashable, Encodable {
    var id: UUID
    var owner: PassengerName?
    /// The weight in pounds.
    var weight: Float?
    /// The place where the bag departs.
    var from: String?
    /// The place where it is to arrive.
    var to: String?
    /// The flight.
    var trip: String?
    /// The day of the flight, as `2026-07-01`.
    var date: String?

    /// The payload of a tag that says the same.
    var tag: [UInt8] {
        get throws { try JSONFormat().encode(self, userInfo: [:]) }
    }
}
