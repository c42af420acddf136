public import FoundationEssentials
public import LuggageTags
internal import SystemSupport

/// The data printed on a tag.
public struct PrintedTag: Hashable, Sendable {
    /// The identifier of the bag.
    public let identifier: UUID
    /// The owner of the bag: an initial, and the first letters of the family name.
    public let owner: PassengerName
    /// The weight in pounds; nil if the bag was not weighed.
    public let pounds: Float?
    /// The place of departure, if the tag says one.
    public let origin: PlaceName?
    /// The place of arrival, if the tag says one.
    public let destination: PlaceName?
    /// The trip, if the tag says one: a flight, a voyage, an event.
    public let trip: PlaceName?
    /// The day of the trip, if the tag says one: `2026-07-01`.
    public let date: String?

    /// Makes a tag, checked by the rules of the record.
    ///
    /// - Parameters:
    ///   - identifier: The identifier of the bag; by default a random one.
    ///   - owner: The owner of the bag: one letter, and one to three letters.
    ///   - pounds: The weight in pounds; finite, and at least 0.
    ///   - origin: The place of departure.
    ///   - destination: The place of arrival.
    ///   - trip: The trip.
    ///   - date: The day of the trip, as `2026-07-01`.
    /// - Throws: ``TagPrintingError`` if a scan of the tag would be rejected.
    public init(
        identifier: UUID = UUID(),
        owner: PassengerName,
        pounds: Float? = nil,
        origin: PlaceName? = nil,
        destination: PlaceName? = nil,
        trip: PlaceName? = nil,
        date: String? = nil
    ) throws {
        if let origin, let destination, origin.isSame(as: destination) {
            throw TagPrintingError(
                .tag,
                "the bag departs from \(origin) and arrives there; one of the places is wrong"
            )
        }
        self.identifier = identifier
        self.owner = try Self.checked(owner)
        self.pounds = try pounds.map(Self.checked(pounds:))
        self.origin = origin
        self.destination = destination
        self.trip = trip
        self.date = try date.map(Self.checked(date:))
    }

    /// The contents of the symbol.
    public var contents: TagContents {
        TagContents(
            identifier: identifier,
            owner: owner,
            weight: pounds,
            route: Route(
                from: origin?.description,
                to: destination?.description,
                trip: trip?.description,
                date: date
            )
        )
    }

    /// The start of the identifier, by which people tell bags apart: `F432BDB8`.
    public var shortIdentifier: String { String(identifier.uuidString.prefix(8)) }

    private static func checked(date: String) throws -> String {
        guard date.isCalendarDay else {
            throw TagPrintingError(
                .tag,
                "\(date.quoted) is no day of the calendar; write it like 2026-07-01"
            )
        }
        return date
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
