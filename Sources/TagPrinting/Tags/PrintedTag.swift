public import Foundation
public import LuggageTags
internal import SystemSupport

/// The data printed on a tag.
public struct PrintedTag: Hashable, Sendable {
    /// The identifier of the bag.
    public let identifier: UUID
    /// The owner of the bag: an initial, and the first letters of the family name.
    public let owner: PassengerName
    /// The weight in pounds.
    public let pounds: Float
    /// The airport of departure.
    public let origin: Airport
    /// The airport of destination.
    public let destination: Airport
    /// The name of the trip; nil if the tag has none.
    public let trip: String?
    /// The day of the trip, as `2026-07-01`; nil if the tag has none.
    public let date: String?

    /// Makes a tag, checked by the rules of the record.
    ///
    /// - Parameters:
    ///   - identifier: The identifier of the bag; by default a random one.
    ///   - owner: The owner of the bag: one letter, and one to three letters.
    ///   - pounds: The weight in pounds; finite, and at least 0.
    ///   - origin: The airport of departure.
    ///   - destination: The airport of destination.
    ///   - trip: The name of the trip.
    ///   - date: The day of the trip, as `2026-07-01`.
    /// - Throws: ``TagPrintingError`` if a scan of the tag would be rejected.
    public init(
        identifier: UUID = UUID(),
        owner: PassengerName,
        pounds: Float,
        origin: Airport,
        destination: Airport,
        trip: String? = nil,
        date: String? = nil
    ) throws {
        if origin == destination {
            throw TagPrintingError(
                .tag,
                "the bag departs from \(origin) and arrives there; one of the airports is wrong"
            )
        }
        self.identifier = identifier
        self.owner = try Self.checked(owner)
        self.pounds = try Self.checked(pounds: pounds)
        self.origin = origin
        self.destination = destination
        if let trip, !trip.isRouteName {
            throw TagPrintingError(
                .tag,
                "the trip \(trip.quoted) is no name; write 1 to 64 characters on one line"
            )
        }
        if let date, !date.isCalendarDay {
            throw TagPrintingError(
                .tag,
                "\(date.quoted) is no day of the calendar; write it like 2026-07-01"
            )
        }
        self.trip = trip
        self.date = date
    }

    /// The contents of the symbol.
    public var contents: TagContents {
        TagContents(
            identifier: identifier,
            owner: owner,
            weight: pounds,
            route: Route(
                from: origin.description,
                to: destination.description,
                trip: trip,
                date: date
            )
        )
    }

    private static func checked(_ owner: PassengerName) throws -> PassengerName {
        PassengerName(
            givenName: try checked(owner.givenName, 1, "given name", "its initial"),
            familyName: try checked(owner.familyName, 3, "family name", "its first three letters")
        )
    }

    private static func checked(
        _ name: String,
        _ most: Int,
        _ what: String,
        _ part: String
    ) throws -> String {
        func refuse(_ reason: String) -> TagPrintingError {
            TagPrintingError(.tag, "the \(what) \(name.quoted) \(reason)")
        }
        if name.unicodeScalars.allSatisfy(\.properties.isWhitespace) {
            throw TagPrintingError(.tag, "there is no \(what); a tag has \(part)")
        }
        guard name.hiddenCharacters.isEmpty else {
            throw refuse("has invisible characters; type it again without them")
        }
        if name.count > most {
            throw refuse("is too long; a tag has \(part): \(String(name.prefix(most)).quoted)")
        }
        // The record has the same limit, because a character may have any number of marks.
        if name.utf8.count > 96 {
            throw refuse("has too many marks on its letters; write it with fewer")
        }
        return name
    }

    private static func checked(pounds: Float) throws -> Float {
        guard pounds.isFinite, pounds >= 0 else {
            throw TagPrintingError(
                .tag,
                "\(pounds) lb is not a possible weight; weigh the bag again"
            )
        }
        if pounds > MassUnit.mostPounds {
            throw TagPrintingError(
                .tag,
                "\(pounds) lb is more than any bag weighs; check the number and its unit, like "
                    + "\"42 lb\" or \"19 kg\""
            )
        }
        // Adding 0 turns minus zero into zero.
        return pounds + 0
    }
}

/// An airport by its three-letter IATA code: `ZRH`.
public struct Airport: Hashable, Sendable, CustomStringConvertible {
    /// Three capital letters.
    public let description: String

    /// Parses a code; lower case becomes upper case.
    ///
    /// - Parameter code: The letters.
    /// - Throws: ``TagPrintingError`` if it is anything else.
    public init(_ code: String) throws {
        let letters = code.utf8.map { (0x61...0x7A).contains($0) ? $0 & ~0x20 : $0 }
        guard letters.count == 3, letters.allSatisfy({ 0x41...0x5A ~= $0 }) else {
            throw TagPrintingError(
                .tag,
                "\(code.quoted) is not an airport; write its three letters, like ZRH"
            )
        }
        description = String(decoding: letters, as: UTF8.self)
    }
}
