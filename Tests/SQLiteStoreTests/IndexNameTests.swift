import ObjectStore
import SQLiteStore
import StoreTesting
import TestFolders
import Testing

private final class Bag: ManagedObject {
    @Attribute var a_b: String?
    @Attribute var a: String?
    @Attribute var b: String?

    static func entity(
        constraints: [[any PartialKeyPath<Bag> & Sendable]] = [],
        isIndexed: Bool = false
    ) -> EntityDescription {
        EntityDescription(
            Bag.self,
            name: "Bag",
            properties: [
                .attribute(\.a_b, indexed: isIndexed),
                .attribute(\.a, indexed: isIndexed),
                .attribute(\.b),
            ],
            uniquenessConstraints: constraints
        )
    }
}

private final class Other: ManagedObject {
    @Attribute var b: String?

    static func entity(_ name: String) -> EntityDescription {
        EntityDescription(Other.self, name: name, properties: [.attribute(\.b, indexed: true)])
    }
}

@Suite("Names of a model")
struct IndexNameTests {
    @Test("do not get in one another's way in a file")
    func names() throws {
        let folder = try TemporaryFolder()
        let models = [
            try ManagedObjectModel(Bag.entity(constraints: [[\.a_b], [\.a, \.b]])),
            try ManagedObjectModel(Bag.entity(isIndexed: true), Other.entity("Bag_a")),
        ]
        for (number, model) in models.enumerated() {
            let store = try SQLiteStore(path: folder.path("\(number)"))
            _ = try PersistentContainer(model: model, store: store)
            #expect(try store.checkIntegrity() == [])
        }
    }

    @Test("that a store has for itself, and constraints twice, are mistakes")
    func mistakes() {
        for name in ["ObjectStoreKeys", "sqlite_bag"] {
            #expect(throws: ModelError.self) { try ManagedObjectModel(Other.entity(name)) }
        }
        #expect(throws: ModelError.self) {
            try ManagedObjectModel(Bag.entity(constraints: [[\.a], [\.a]]))
        }
        #expect(throws: ModelError.self) {
            try ManagedObjectModel(Bag.entity(constraints: [[\.a, \.a]]))
        }
    }
}
