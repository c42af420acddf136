internal import Foundation
public import ObjectStore

/// Whose bags are asked for, as somebody names a passenger: `D/ZMU`, `zmu/d`, or the family name alone.
///
/// Case does not count, nor do accents: `mul` finds `MÜL`. A name that is longer than what tags have of
/// it is taken by its beginning, so that `Zmuda` finds `ZMU`. Several passengers may be meant.
public struct OwnerQuestion: Hashable, Sendable, CustomStringConvertible {
    /// What was written.
    public let description: String
    /// The ways in which it can be taken; without a given name, any will do.
    private let readings: [Reading]

    fileprivate struct Reading: Hashable {
        var given: String?
        var family: String
    }

    /// Understands a text; there is no question where it names nobody.
    ///
    /// - Parameter text: An initial and a family name in any order, with a slash between them, or a
    ///   family name.
    public init?(_ text: String) {
        let letters = Array(text)
        var readings: [Reading] = []
        for slash in letters.indices where letters[slash] == "/" {
            let (left, right) = (letters[..<slash], letters[(slash + 1)...])
            if left.isEmpty || right.isEmpty { continue }
            // Of an initial and a name, it is known which is which.
            if left.count == 1 || right.count > 1 { readings.append(Reading(left, right)) }
            if right.count == 1 || left.count > 1 { readings.append(Reading(right, left)) }
        }
        if !letters.contains("/") { readings = [Reading(family: Self.family(letters[...]))] }
        readings.removeAll { $0.family.allSatisfy(\.isWhitespace) }
        if readings.isEmpty { return nil }
        description = text
        self.readings = readings
    }

    /// Whether a passenger is meant.
    public func isAbout(_ name: PassengerName) -> Bool {
        let family = Self.family(Array(name.familyName)[...])
        return readings.contains { reading in
            reading.family == family
                && (reading.given.map { $0 == Self.key(name.givenName) } ?? true)
        }
    }

    /// The passengers on record who are meant.
    ///
    /// - Throws: `StoreError`.
    public func passengers(in context: ManagedObjectContext) throws -> [ObjectID] {
        var found: [ObjectID] = []
        try context.forEachBatch(ofSnapshots: FetchRequest(Passenger.self)) {
            found += ids(of: $0, context.model)
        }
        return found
    }

    /// Those of some bags whose owners are meant.
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
        let givenName = model.property(\Passenger.givenName)
        let familyName = model.property(\Passenger.familyName)
        return passengers.filter {
            isAbout(PassengerName(givenName: $0[givenName], familyName: $0[familyName]))
        }.map(\.id)
    }

    /// As much of a family name as can be compared: what tags have of it.
    fileprivate static func family(_ name: ArraySlice<Character>) -> String {
        String(key(String(name.prefix(3))).prefix(3))
    }

    /// A text without what does not count.
    fileprivate static func key(_ text: String) -> String {
        if text.utf8.allSatisfy({ $0 < 0x80 }) { return text.lowercased() }
        // Some letters are several in upper case, as ß.
        return text.uppercased().folding(
            options: [.caseInsensitive, .diacriticInsensitive, .widthInsensitive],
            locale: nil
        )
    }
}

extension OwnerQuestion.Reading {
    fileprivate init(_ given: ArraySlice<Character>, _ family: ArraySlice<Character>) {
        self.given = OwnerQuestion.key(String(given.prefix(1)))
        self.family = OwnerQuestion.family(family)
    }
}
