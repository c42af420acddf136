internal import LuggageTags
internal import SystemSupport

/// Where a bag departs or arrives, or the trip that it is on: an airport, a pier, a hotel, a flight.
public struct PlaceName: Hashable, Sendable, CustomStringConvertible {
    /// The name as it is printed.
    public let description: String

    /// The most characters of a name, as in the symbol.
    private static let most = 64

    /// Checks a name; three letters, as airports have, become capital letters.
    ///
    /// - Parameter name: 1 to 64 visible characters; spaces around them are dropped.
    /// - Throws: ``TagPrintingError`` if it is anything else.
    public init(_ name: String) throws {
        let words = name.composed.split(whereSeparator: { $0 == " " || $0 == "\u{A0}" })
        let text = words.joined(separator: " ")
        func refuse(_ reason: String) -> TagPrintingError {
            TagPrintingError(.tag, "\(name.quoted) \(reason)")
        }
        if text.isEmpty { throw refuse("is no place; write an airport like ZRH, or a name") }
        guard name.hiddenCharacters.isEmpty else {
            throw refuse("has invisible characters; type it again without them")
        }
        // What a scan of the tag would accept.
        guard text.isRouteName else {
            throw refuse("is no name; write at most \(Self.most) characters on one line")
        }
        let isAirport = text.utf8.count == 3 && text.utf8.allSatisfy { 0x41...0x5A ~= $0 & ~0x20 }
        description = isAirport ? text.uppercased() : text
    }

    /// Whether it is the same place, perhaps written with other capital letters.
    func isSame(as other: PlaceName) -> Bool {
        description.nameKey == other.description.nameKey
    }
}
