internal import FoundationEssentials
public import ObjectStore
internal import SystemSupport

/// A person who owns bags, as tags tell: an initial and the beginning of a family name.
public final class Passenger: ManagedObject {
    /// The initial of the given name: one character as a person sees it.
    @Attribute public var givenName: String

    /// The family name as printed: its first one to three characters.
    @Attribute public var familyName: String

    /// The passenger's bags.
    @ToMany public var luggage: [Luggage]

    /// Both names.
    public var name: PassengerName {
        PassengerName(givenName: givenName, familyName: familyName)
    }

    /// The entity in the model.
    static let entity = EntityDescription(
        Passenger.self,
        name: "Passenger",
        properties: [
            .attribute(\.givenName, .length(1...1), .printable, .brief),
            .attribute(\.familyName, .length(1...3), .printable, .brief),
            .toMany(\.luggage, inverse: \.owner),
        ],
        uniquenessConstraints: [[\.givenName, \.familyName]]
    )
}

extension Passenger {
    /// Inserts a passenger; the next save merges it with the one of that name on record.
    convenience init(_ name: PassengerName, context: ManagedObjectContext) {
        self.init(context: context)
        givenName = name.givenName
        familyName = name.familyName
    }

    /// Whether the name is in the composed form, which older versions of the program did not require.
    var hasKeptSpelling: Bool { givenName.isComposed && familyName.isComposed }
}

extension FetchRequest<Passenger> {
    /// The passengers who have no bags.
    static var withoutBags: Self { Self(predicate: #Predicate { $0.luggage.isEmpty }) }
}

extension ManagedObjectModel {
    /// Reads the names of passengers in snapshots.
    var passengerName: (Snapshot) -> PassengerName {
        let givenName = property(\Passenger.givenName)
        let familyName = property(\Passenger.familyName)
        return { PassengerName(givenName: $0[givenName], familyName: $0[familyName]) }
    }
}

extension ManagedObjectContext {
    /// The passenger with a name; nil if none is on record.
    func passenger(_ name: PassengerName) throws -> Passenger? {
        try fetch(
            FetchRequest(Passenger.self).where(\.familyName, is: name.familyName)
                .where(\.givenName, is: name.givenName)
        ).first
    }
}

extension Passenger: Decodable {
    /// Inserts a passenger, in any ``OwnerForm``, into the decoder's context.
    ///
    /// - Parameter decoder: A decoder with a context in `userInfo[.context]`.
    /// - Throws: `DecodingError`; then nothing is inserted.
    public convenience init(from decoder: any Decoder) throws {
        let context = try decoder.managedObjectContext()
        self.init(try PassengerName(from: decoder), context: context)
    }
}

extension ValidationRule where Value == String {
    /// Requires visible characters and refuses hidden ones.
    fileprivate static var printable: Self {
        ValidationRule { text in
            if text.unicodeScalars.allSatisfy(\.properties.isWhitespace) {
                // The rule for the length has reported the empty text.
                return text.isEmpty ? nil : "must not be blank"
            }
            if text.hiddenCharacters.isEmpty { return nil }
            return "must not contain characters that cannot be seen (\(text.quoted))"
        }
    }

    /// Limits the bytes, because one character may have any number of marks, but not on a tag.
    fileprivate static var brief: Self {
        ValidationRule { $0.utf8.count <= 96 ? nil : "is too long: \($0.utf8.count) bytes" }
    }
}
