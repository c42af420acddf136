public import FoundationEssentials

/// The number of ten digits on an airline's bag tag (IATA Resolution 740).
///
/// It is a leading digit, the numeric code of the airline that issued it, and a serial number of six
/// digits. Airlines use a number again after some weeks, so one number is one bag only for a time: see
/// ``mostSilence``.
public struct LicencePlate: Hashable, Sendable {
    /// The ten digits as a number.
    private let number: UInt64

    private init(number: UInt64) {
        self.number = number
    }

    /// Reads a plate; nil if the text is not exactly ten ASCII digits.
    ///
    /// - Parameter digits: The ten digits.
    public init?(_ digits: String) { self.init(digits: digits.utf8) }

    init?(digits: some Collection<UInt8>) {
        guard digits.count == 10, let number = DecimalNumber.value(ofDigits: digits) else {
            return nil
        }
        self.init(number: number)
    }

    /// The plate that scanners send if they see a tag and cannot read it: ten zeros.
    public static let notRead = LicencePlate(number: 0)

    /// What kind of tag it is: 0 for interline bags, 1 for fallback tags, 2 for rush tags; the others are as
    /// the airline likes.
    public var leadingDigit: Int { Int(number / 1_000_000_000) }

    /// The numeric code of the airline that issued it, in three digits.
    public var issuer: String { String(description.dropFirst().prefix(3)) }

    /// The number that the airline has given.
    public var serial: Int { Int(number % 1_000_000) }

    /// Gives this plate and those that follow it.
    ///
    /// - Parameter count: How many plates, this one included.
    /// - Returns: The plates; nil if the serial number has not so many left.
    public func run(of count: Int) -> [LicencePlate]? {
        guard count >= 0, serial + count <= 1_000_000 else { return nil }
        return (0..<UInt64(count)).map { LicencePlate(number: number + $0) }
    }
}

extension LicencePlate: CustomStringConvertible {
    /// The ten digits.
    public var description: String {
        let digits = "\(number)"
        return String(repeating: "0", count: 10 - digits.utf8.count) + digits
    }
}

// The identifier of the bag is computed from the plate alone, because the plate is all that a scanner
// sees. If the date of the flight were a part of it, a boarding pass that tells the date and the tag on
// the belt that does not would be two bags. And if it were computed from the time of the scan, a bag that
// is scanned before and after the end of a period would be two bags, wherever the periods begin. So one
// plate is one bag on record, and `BagFacts.uses` tells which facts are about which of the bags that have
// had the plate.

extension LicencePlate {
    /// For how long, in seconds, nobody sees a bag under way, at the most; after that, the plate is another
    /// bag's.
    ///
    /// A bag that is late is found within days, and no airline gives a number again so soon after its bag
    /// was last seen.
    public static let mostSilence: TimeInterval = 10 * 24 * 3600

    /// What follows the ten digits in the identifier of each plate (RFC 9562, version 8).
    private static let rest = UUID.fact(telling: ["licence plate"]).uuidString.dropFirst(11)

    /// The identifier of the bag; its first ten digits are the plate.
    public var identifier: UUID {
        let digits = description
        let text = "\(digits.prefix(8))-\(digits.suffix(2))\(Self.rest)"
        guard let identifier = UUID(uuidString: text) else {
            preconditionFailure("decimal digits are hexadecimal digits too")
        }
        return identifier
    }

    /// Finds the plate of a bag; nil if the identifier is not of a plate.
    ///
    /// - Parameter identifier: The identifier of the bag.
    public init?(_ identifier: UUID) {
        // Most are not.
        guard identifier.isByContents else { return nil }
        let text = identifier.uuidString
        guard text.dropFirst(11) == Self.rest else { return nil }
        self.init(String(text.prefix(8) + text.dropFirst(9).prefix(2)))
    }
}
