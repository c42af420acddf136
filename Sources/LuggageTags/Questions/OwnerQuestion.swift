internal import FoundationEssentials
public import ObjectStore
internal import SystemSupport

/// A query for the owner of bags, as a person types it: `D/ZMU`, `zmu/d`, or the family name alone.
///
/// Case and accents do not count: `mul` finds `MÜL`. Only the beginning of a long name counts, so
/// `Zmuda` finds `ZMU`, because tags have no more of it. Several passengers may match.
public struct OwnerQuestion: Hashable, Sendable, CustomStringConvertible {
    /// The text that was typed.
    public let description: String
    /// The possible meanings of the text; without a given name, any given name matches.
    private let readings: [Reading]

    fileprivate struct Reading: Hashable {
        var given: String?
        var family: String
    }

    /// Parses a text; nil if it names nobody.
    ///
    /// - Parameter text: An initial and a family name in any order, with a slash between them, or only a
    ///   family name.
    public init?(_ text: String) {
        let letters = Array(text)
        var readings: [Reading] = []
        for slash in letters.indices where letters[slash] == "/" {
            let (left, right) = (letters[..<slash], letters[(slash + 1)...])
            if left.isEmpty || right.isEmpty { continue }
            // If one side is a single letter and the other is not, the order is clear.
            if left.count == 1 || right.count > 1 { readings.append(Reading(left, right)) }
            if right.count == 1 || left.count > 1 { readings.append(Reading(right, left)) }
        }
        if !letters.contains("/") { readings = [Reading(family: Self.family(letters[...]))] }
        readings.removeAll { $0.family.allSatisfy(\.isWhitespace) }
        if readings.isEmpty { return nil }
        description = text
        self.readings = readings
    }

    /// Whether a passenger matches.
    public func isAbout(_ name: PassengerName) -> Bool {
        let family = Self.family(name.familyName)
        return readings.contains { reading in
            reading.family == family
                && (reading.given.map { $0 == Self.key(name.givenName) } ?? true)
        }
    }

    /// The matching passengers on record.
    ///
    /// - Throws: `StoreError`.
    public func passengers(in context: ManagedObjectContext) throws -> [ObjectID] {
        var found: [ObjectID] = []
        try context.forEachBatch(ofSnapshots: FetchRequest(Passenger.self)) {
            found += ids(of: $0, context.model)
        }
        return found
    }

    /// Those of some bags whose owners match.
    func bags(among ids: [ObjectID], in context: ManagedObjectContext) throws -> [ObjectID] {
        let property = context.model.property(\Luggage.owner)
        let owners = Dictionary(
            try context.snapshots(of: Luggage.self, ids).map { ($0.id, $0[property]) },
            uniquingKeysWith: { first, _ in first }
        )
        let passengers = try context.snapshots(
            of: Passenger.self,
            Set(owners.values.compactMap(\.self))
        )
        let meant = Set(self.ids(of: passengers, context.model))
        return ids.filter { owners[$0].flatMap(\.self).map(meant.contains) ?? false }
    }

    private func ids(of passengers: [Snapshot], _ model: ManagedObjectModel) -> [ObjectID] {
        let name = model.passengerName
        return passengers.filter { isAbout(name($0)) }.map(\.id)
    }

    private static func family(_ name: String) -> String {
        // A search compares all names, of which most are plain.
        if name.utf8.prefix(4).allSatisfy({ $0 < 0x80 && $0 >= 0x20 }) {
            return String(decoding: name.utf8.prefix(3), as: UTF8.self).lowercased()
        }
        return family(Array(name)[...])
    }

    /// The part of a family name that is compared, which is as much as tags have of it.
    fileprivate static func family(_ name: ArraySlice<Character>) -> String {
        String(key(String(name.prefix(3))).prefix(3))
    }

    /// A text without case, accents and width.
    fileprivate static func key(_ text: String) -> String {
        // Some letters have several in upper case, such as ß, of which there is a capital one too.
        text.lowercased().uppercased().withoutAccents.lowercased()
    }
}

extension OwnerQuestion.Reading {
    fileprivate init(_ given: ArraySlice<Character>, _ family: ArraySlice<Character>) {
        self.given = OwnerQuestion.key(String(given.prefix(1)))
        self.family = OwnerQuestion.family(family)
    }
}
