/// A boarding pass that names one bag.
///
/// A pass may name several; then each is filed by itself, and this refuses the pass as a whole.
public struct BoardingPassFormat: LabelFormat {
    /// Makes the format.
    public init() {}

    /// `a boarding pass with one bag`.
    public var name: String { "a boarding pass with one bag" }

    /// `not-boarding-pass`.
    public var malformed: TagError.Code { .notBoardingPass }

    /// Whether the payload begins as a boarding pass does.
    public func recognises(_ payload: [UInt8]) -> Bool { BoardingPass.recognises(payload) }

    func contents(of payload: [UInt8]) throws(PayloadFlaw) -> LabelContents {
        let pass = try BoardingPass(payload)
        guard pass.plates.count == 1, let bag = pass.bags(scannedAt: nil).first else {
            throw PayloadFlaw("it names \(pass.plates.count)")
        }
        return bag
    }
}

extension PayloadFormat where Self == BoardingPassFormat {
    /// A boarding pass that names one bag.
    public static var boardingPass: BoardingPassFormat { BoardingPassFormat() }
}
