/// The licence plate on an airline's tag: ten digits, and nothing else.
public struct LicencePlateFormat: LabelFormat {
    /// Makes the format.
    public init() {}

    /// `a licence plate that was read`.
    public var name: String { "a licence plate that was read" }

    /// `plate-not-read`.
    public var malformed: TagError.Code { .plateNotRead }

    /// Whether the payload is ten digits.
    public func recognises(_ payload: [UInt8]) -> Bool { LicencePlate(digits: payload) != nil }

    func contents(of payload: [UInt8]) throws(PayloadFlaw) -> LabelContents {
        guard let plate = LicencePlate(digits: payload) else {
            throw PayloadFlaw("it must have ten digits")
        }
        if plate == .notRead {
            throw PayloadFlaw(
                "ten zeros are what a scanner sends for a tag that it cannot read; scan the bag again"
            )
        }
        return LabelContents(id: plate.identifier)
    }
}

extension PayloadFormat where Self == LicencePlateFormat {
    /// The licence plate on an airline's tag.
    public static var licencePlate: LicencePlateFormat { LicencePlateFormat() }
}
