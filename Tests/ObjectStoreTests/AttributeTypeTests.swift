import Foundation
import ObjectStore
import StoreTesting
import Testing

/// What a bag is worth, and how large it is.
private final class Declaration: ManagedObject {
    @Attribute var value: Decimal
    @Attribute var page: URL?
    @Attribute var size: Size
    @Attribute var spare: Size?
    @Attribute var kind: Kind
    @Attribute var airport: String?
    @Attribute var stamps: Int

    struct Size: CodableAttribute, Equatable {
        var width: Double
        var height: Double?
        static let absent = Size(width: 0)
    }

    enum Kind: String, AttributeType {
        case suitcase, rucksack
        static var absent: Kind { .suitcase }
    }

    static func entity(pattern: String = "[A-Z]{3}") -> EntityDescription {
        EntityDescription(
            Declaration.self,
            name: "Declaration",
            properties: [
                .attribute(\.value, indexed: true),
                .attribute(\.page),
                .attribute(\.size, default: Size(width: 1)),
                .attribute(\.spare),
                .attribute(\.kind, default: .rucksack),
                .attribute(
                    \.airport,
                    .pattern(pattern, meaning: "an airport's three letters")
                ),
                .attribute(\.stamps, .minimum(0), .maximum(9), default: 0),
            ]
        )
    }
}

@Suite("An attribute")
struct AttributeTypeTests {
    @Test(
        "of any type comes back as it was",
        arguments: [
            "0", "-0.000000000000000000000000000000000001", "1.10",
            "123456789012345678901234567890",
        ]
    )
    func roundTrip(digits: String) throws {
        let model = try ManagedObjectModel(Declaration.entity())
        let container = try PersistentContainer(model: model, store: InMemoryStore())
        let context = container.makeContext()
        let declaration = Declaration(context: context)
        let value = try #require(Decimal(string: digits))
        let page = try #require(URL(string: "https://example.org/bag?id=1#top"))
        declaration.value = value
        declaration.page = page
        declaration.size = Declaration.Size(width: 40.5, height: 55)
        try context.save()

        let reader = container.makeContext()
        let found = try #require(try reader.fetch(FetchRequest(Declaration.self)).first)
        #expect(found.value == value)
        #expect(found.page == page)
        #expect(found.size == Declaration.Size(width: 40.5, height: 55))
        #expect(found.kind == .rucksack)
        let same = FetchRequest(Declaration.self, predicate: #Predicate { $0.value == value })
        #expect(try reader.count(same) == 1)
    }

    @Test("that cannot be encoded is refused by the save, and nothing is stored")
    func notEncodable() throws {
        let model = try ManagedObjectModel(Declaration.entity())
        let container = try PersistentContainer(model: model, store: InMemoryStore())
        let context = container.makeContext()
        let declaration = Declaration(context: context)
        declaration.value = 1
        declaration.size = Declaration.Size(width: .nan)
        declaration.spare = Declaration.Size(width: 1, height: .infinity)
        let error = #expect(throws: ValidationError.self) { try context.save() }
        #expect(error?.failures.map(\.entity) == ["Declaration", "Declaration"])
        #expect(error?.failures.map(\.property) == ["size", "spare"])
        let place = error?.failures.map {
            $0.reason.contains("width") || $0.reason.contains("height")
        }
        #expect(place == [true, true])
        #expect(try container.makeContext().count(FetchRequest(Declaration.self)) == 0)

        declaration.size = Declaration.Size(width: 2)
        declaration.spare = nil
        try context.save()
        let found = try container.makeContext().fetch(FetchRequest(Declaration.self))
        #expect(found.map(\.size) == [Declaration.Size(width: 2)])
        #expect(found.map(\.spare) == [nil])
    }

    @Test("that has no order in a store is not compared, sorted or combined by it")
    func unordered() throws {
        let model = try ManagedObjectModel(Declaration.entity())
        let container = try PersistentContainer(model: model, store: InMemoryStore())
        let context = container.makeContext()
        let limit = Decimal(10)
        #expect(throws: UnsupportedPredicateError.self) {
            try context.fetch(FetchRequest(predicate: #Predicate<Declaration> { $0.value < limit }))
        }
        #expect(throws: UnsupportedPredicateError.self) {
            try context.fetch(FetchRequest(Declaration.self).sorted(by: \.value))
        }
        let error = #expect(throws: ModelError.self) {
            try ManagedObjectModel(
                EntityDescription(
                    Declaration.self,
                    name: "Declaration",
                    properties: [.attribute(\.value, combining: .maximum)],
                    isPartial: true
                )
            )
        }
        #expect(error?.problems.count == 1)
    }

    private struct Amount: RawRepresentable, AttributeType {
        static let absent = Amount(rawValue: 0)
        var rawValue: Decimal
    }

    @Test("with a raw value has an order where the raw value has")
    func rawOrder() {
        #expect(!Amount.isOrdered)
    }

    @Test(
        "must match its pattern as a whole",
        arguments: [
            ("MUC", true), ("MU", false), ("MUCX", false), ("muc", false), ("MUC\n", false),
        ]
    )
    func pattern(text: String, isValid: Bool) throws {
        let model = try ManagedObjectModel(Declaration.entity())
        let context = try PersistentContainer(model: model, store: InMemoryStore()).makeContext()
        let declaration = Declaration(context: context)
        declaration.value = 1
        declaration.airport = text
        let reasons = declaration.validationFailures.map(\.reason)
        #expect(reasons == (isValid ? [] : ["must be an airport's three letters"]))
    }

    @Test("with a malformed pattern makes no model")
    func malformedPattern() {
        let error = #expect(throws: ModelError.self) {
            try ManagedObjectModel(Declaration.entity(pattern: "[A-Z"))
        }
        #expect(error?.problems == [#"Declaration.airport: "[A-Z" is not a regular expression"#])
    }
}
