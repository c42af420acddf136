public import ObjectStore
internal import System

/// Somebody who owns bags, as far as a tag tells: an initial and the beginning of a family name.
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
            .attribute(\.givenName, "givenName", .length(1...1), .printable, .brief),
            .attribute(\.familyName, "familyName", .length(1...3), .printable, .brief),
            .toMany(\.luggage, "luggage", inverse: \.owner),
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
}

extension Passenger {
    /// Whether the name is spelt as names are kept; older versions of the program kept other spellings.
    var hasKeptSpelling: Bool { givenName.isComposed && familyName.isComposed }
}

extension ManagedObjectContext {
    /// The passenger of a name; nil where none is on record.
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
    /// - Throws: `DecodingError`; nothing is inserted then.
    public convenience init(from decoder: any Decoder) throws {
        let context = try decoder.managedObjectContext()
        self.init(try PassengerName(from: decoder), context: context)
    }
}

extension ValidationRule where Value == String {
    /// Something that can be seen, and nothing that cannot.
    fileprivate static var printable: Self {
        ValidationRule { text in
            if text.unicodeScalars.allSatisfy(\.properties.isWhitespace) {
                // The rule for the length has found that there is nothing.
                return text.isEmpty ? nil : "must not be blank"
            }
            if text.hiddenCharacters.isEmpty { return nil }
            return "must not contain characters that cannot be seen (\(text.quoted))"
        }
    }

    /// One character can be made of any number of marks; a name on a tag is not.
    fileprivate static var brief: Self {
        ValidationRule { $0.utf8.count <= 96 ? nil : "is too long: \($0.utf8.count) bytes" }
    }
}
