internal import Foundation
public import ObjectStore

/// Somebody who owns bags, as far as a tag tells: an initial and the beginning of a family name.
public final class Passenger: ManagedObject {
    /// The initial of the given name: one character as a person sees it.
    @Attribute public var givenName: String

    /// The family name as printed: its first one to three characters.
    @Attribute public var familyName: String

    /// The passenger's bags.
    @ToMany public var luggage: [Luggage]

    /// Both names the way they are printed, as `D/ZMU`.
    public var name: String { "\(givenName)/\(familyName)" }

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

extension Passenger: Decodable {
    /// Inserts a passenger, from a list of given and family name, into the decoder's context.
    ///
    /// Names are kept in Unicode's composed form (NFC): printers that spell `É` as one code point
    /// and printers that spell it as two mean the same passenger.
    ///
    /// - Parameter decoder: A decoder with a context in `userInfo[.context]`.
    /// - Throws: `DecodingError`; nothing is inserted then.
    public convenience init(from decoder: any Decoder) throws {
        let context = try decoder.managedObjectContext()
        var container = try decoder.unkeyedContainer()
        let givenName = try container.decode(String.self)
        let familyName = try container.decode(String.self)
        guard container.isAtEnd else {
            throw DecodingError.dataCorruptedError(
                in: container,
                debugDescription: "expected two names, given and family, and found more"
            )
        }
        self.init(context: context)
        self.givenName = givenName.precomposedStringWithCanonicalMapping
        self.familyName = familyName.precomposedStringWithCanonicalMapping
    }
}

extension ValidationRule where Value == String {
    /// Something that can be seen, and nothing that changes how the text around it is shown.
    fileprivate static var printable: Self {
        ValidationRule { text in
            if text.unicodeScalars.contains(where: \.changesDisplay) {
                return "must not contain control characters"
            }
            return text.allSatisfy(\.isWhitespace) ? "must not be blank" : nil
        }
    }

    /// One character can be made of any number of marks; a name on a tag is not.
    fileprivate static var brief: Self {
        ValidationRule { $0.utf8.count <= 96 ? nil : "is too long: \($0.utf8.count) bytes" }
    }
}

extension Unicode.Scalar {
    fileprivate var changesDisplay: Bool {
        switch properties.generalCategory {
        case .control, .lineSeparator, .paragraphSeparator: true
        // The marks that reverse the direction of what follows.
        default: (0x202A...0x202E).contains(value) || (0x2066...0x2069).contains(value)
        }
    }
}
