/// Encodes bags as payloads of tags.
public struct TagEncoder: Sendable {
    /// The format of the payloads.
    public var format: any PayloadFormat
    /// How owners are written.
    public var ownerForm = OwnerForm.list
    /// How weights are written.
    public var weightForm = WeightForm.number
    /// How departure and arrival are written; nil leaves these times out, as tags do.
    public var dateForm: DateForm?

    /// Makes an encoder.
    ///
    /// - Parameters:
    ///   - format: The format of the payloads.
    ///   - ownerForm: How owners are written.
    ///   - weightForm: How weights are written.
    ///   - dateForm: How departure and arrival are written; nil leaves these times out, as tags do.
    public init(
        format: any PayloadFormat = .json,
        ownerForm: OwnerForm = .list,
        weightForm: WeightForm = .number,
        dateForm: DateForm? = nil
    ) {
        self.format = format
        self.ownerForm = ownerForm
        self.weightForm = weightForm
        self.dateForm = dateForm
    }

    /// Encodes a bag.
    ///
    /// - Parameter luggage: The bag.
    /// - Returns: A payload from which a ``TagDecoder`` makes the same bag.
    /// - Throws: `EncodingError` if the format cannot express a value.
    public func encode(_ luggage: Luggage) throws -> [UInt8] {
        try encode(TagContents(luggage))
    }

    /// Encodes what a tag says about a bag.
    ///
    /// - Parameter contents: The values.
    /// - Returns: A payload from which a ``TagDecoder`` makes the same values.
    /// - Throws: `EncodingError` if the format cannot express a value.
    public func encode(_ contents: TagContents) throws -> [UInt8] {
        var userInfo: [CodingUserInfoKey: any Sendable] = [
            .ownerForm: ownerForm, .weightForm: weightForm,
        ]
        userInfo[.dateForm] = dateForm
        return try format.encode(contents, userInfo: userInfo)
    }
}
