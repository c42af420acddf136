internal import FoundationEssentials

/// The symbology identifier that a hand scanner can send in front of a payload, such as `]Q1` (ISO/IEC 15424).
///
/// It tells the kind of the code and is no part of what the code says.
enum SymbologyIdentifier {
    /// A bracket, a letter for the kind of the code, and a digit or letter for its form.
    private static let length = 3

    /// The payload behind the identifier; all of it if there is none.
    ///
    /// Before GS1 elements the identifier stays, because only it tells what they are. A boarding pass or
    /// ten digits that are no GS1 elements are what they are behind any identifier.
    static func removed(from payload: [UInt8]) -> [UInt8] {
        guard payload.count >= length, payload[0] == UInt8(ascii: "]"), isLetter(payload[1]),
            isLetter(payload[2]) || DecimalNumber.isDigit(payload[2])
        else { return payload }
        let rest = Array(payload.dropFirst(length))
        if !GS1ElementFormat.hasSign(payload) || BoardingPass.recognises(rest) { return rest }
        let isPlate = LicencePlate(digits: rest) != nil
        return isPlate && (try? GS1ElementFormat().contents(of: payload)) == nil ? rest : payload
    }

    private static func isLetter(_ byte: UInt8) -> Bool {
        (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte & ~0x20)
    }
}
