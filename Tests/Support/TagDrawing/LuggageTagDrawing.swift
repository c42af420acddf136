public import TagPrinting

/// What is printed on a luggage tag.
public struct LuggageTagDrawing: Sendable {
    /// The identifier of the bag as it is to be printed, right or wrong.
    public var identifier: String
    /// The initial of the owner's given name.
    public var givenName: String
    /// The first letters of the owner's family name.
    public var familyName: String
    /// The weight in pounds.
    public var pounds: Double
    /// The airport of departure, by its three letters.
    public var origin: String
    /// The airport of destination, by its three letters.
    public var destination: String
    /// The bytes in the symbol.
    public var payload: [UInt8]
    /// The error correction of the symbol.
    public var correction: QRSymbol.Correction

    /// Describes a tag.
    ///
    /// - Parameters:
    ///   - identifier: The identifier of the bag.
    ///   - givenName: The initial of the owner's given name.
    ///   - familyName: The first letters of the owner's family name.
    ///   - pounds: The weight in pounds.
    ///   - origin: The airport of departure, by its three letters.
    ///   - destination: The airport of destination, by its three letters.
    ///   - payload: The bytes in the symbol; the canonical JSON of the above if nil.
    ///   - correction: The error correction of the symbol.
    public init(
        identifier: String,
        givenName: String,
        familyName: String,
        pounds: Double,
        origin: String = "MUC",
        destination: String = "LHR",
        payload: [UInt8]? = nil,
        correction: QRSymbol.Correction = .medium
    ) {
        self.identifier = identifier
        self.givenName = givenName
        self.familyName = familyName
        self.pounds = pounds
        self.origin = origin
        self.destination = destination
        self.correction = correction
        self.payload =
            payload
            ?? Self.canonicalPayload(
                identifier: identifier,
                owner: [givenName, familyName],
                weight: "\(pounds)"
            )
    }

    /// The payload in JSON without spaces and with its keys in order.
    ///
    /// - Parameters:
    ///   - identifier: The identifier of the bag; like the names, free of quotes and backslashes.
    ///   - owner: The initial and the first letters of the family name.
    ///   - weight: The weight as JSON, like `42.0`.
    /// - Returns: The bytes for a symbol.
    public static func canonicalPayload(
        identifier: String,
        owner: [String],
        weight: String
    ) -> [UInt8] {
        let names = owner.map { "\"\($0)\"" }.joined(separator: ",")
        return Array(#"{"id":"\#(identifier)","owner":[\#(names)],"weight":\#(weight)}"#.utf8)
    }
}

/// A picture of a tag, and where its symbol is.
public struct DrawnTag: Sendable {
    /// The picture; transparent beside the tag.
    public var image: ColourImage
    /// The corners of the symbol without its quiet zone.
    public var symbolCorners: Quadrilateral
    /// Pixels along one side of a module.
    public var module: Int
}
