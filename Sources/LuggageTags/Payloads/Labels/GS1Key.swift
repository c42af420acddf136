internal import FoundationEssentials

/// A number of GS1's that identifies one thing, whatever symbol or link it stands in.
struct GS1Key: Hashable {
    /// The kind of a key, by its application identifier.
    enum Kind: String, CaseIterable {
        /// A serial shipping container code: 18 digits.
        case sscc = "00"
        /// A global returnable asset identifier: a zero, 13 digits, and a serial number.
        case grai = "8003"
        /// A global individual asset identifier.
        case giai = "8004"

        /// The name of the kind.
        var name: String {
            switch self {
            case .sscc: "SSCC"
            case .grai: "GRAI"
            case .giai: "GIAI"
            }
        }
    }

    let kind: Kind
    let value: String

    /// Checks a key.
    ///
    /// - Parameters:
    ///   - kind: The kind.
    ///   - value: What follows the application identifier.
    /// - Throws: ``PayloadFlaw`` if no thing can have it.
    init(_ kind: Kind, _ value: some Collection<UInt8>) throws(PayloadFlaw) {
        let bytes = Array(value)
        guard let text = String(validating: bytes, as: UTF8.self),
            bytes.allSatisfy(Self.isAllowed)
        else { throw PayloadFlaw("the \(kind.name) has characters that GS1 does not allow") }
        switch kind {
        case .sscc:
            try Self.check(bytes, 18, "the SSCC")
        case .grai:
            guard bytes.first == UInt8(ascii: "0") else {
                throw PayloadFlaw("the GRAI does not begin with a zero")
            }
            try Self.check(bytes.prefix(14), 14, "the GRAI")
            if bytes.count == 14 {
                throw PayloadFlaw("the GRAI has no serial number, so it names a kind of things")
            }
            if bytes.count > 30 { throw PayloadFlaw("the GRAI has more than 30 characters") }
        case .giai:
            // The beginning is the prefix of a company, which has four digits or more.
            guard bytes.prefix(while: DecimalNumber.isDigit).count >= 4 else {
                throw PayloadFlaw("the GIAI does not begin with the digits of a company")
            }
            if bytes.count > 30 { throw PayloadFlaw("the GIAI has more than 30 characters") }
        }
        (self.kind, self.value) = (kind, text)
    }

    /// The identifier of what has the key; the same from every symbol and link.
    var identifier: UUID { .fact(telling: ["GS1", kind.rawValue, value]) }

    /// Refuses anything but a number of digits whose last one is the check digit of the others.
    private static func check(
        _ digits: some Collection<UInt8>,
        _ count: Int,
        _ name: String
    ) throws(PayloadFlaw) {
        guard digits.count == count, digits.allSatisfy(DecimalNumber.isDigit) else {
            throw PayloadFlaw("\(name) must have \(count) digits")
        }
        guard hasCheckDigit(digits) else {
            throw PayloadFlaw("the check digit of \(name) is wrong")
        }
    }

    /// Whether the sum of digits, from the end with the weights 1 and 3 by turns, is a multiple of ten.
    static func hasCheckDigit(_ digits: some Collection<UInt8>) -> Bool {
        let sum = Array(digits).reversed().enumerated().reduce(0) { sum, digit in
            sum + Int(digit.element &- 0x30) * (digit.offset.isMultiple(of: 2) ? 1 : 3)
        }
        return sum.isMultiple(of: 10)
    }

    /// Whether a key can have a character (the set 82 of GS1, which is a part of ISO 646).
    private static func isAllowed(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "a")...UInt8(ascii: "z"):
            true
        default: "!\"%&'()*+,-./:;<=>?_".utf8.contains(byte)
        }
    }
}
