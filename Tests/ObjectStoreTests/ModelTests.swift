import Foundation
import ObjectStore
import StoreTesting
import Testing

private final class Sloppy: ManagedObject {
    @Attribute var name: String
    @Attribute var count: Int
    @ToOne var part: Part?

    static func model(
        _ properties: [Property<Sloppy>],
        named name: String = "Sloppy",
        constraints: [[any PartialKeyPath<Sloppy> & Sendable]] = []
    ) throws -> ManagedObjectModel {
        try ManagedObjectModel(
            EntityDescription(
                Sloppy.self,
                name: name,
                properties: properties,
                uniquenessConstraints: constraints
            )
        )
    }
}

@Suite("A store in memory")
struct InMemoryStoreTests {
    @Test("refuses another model than the one it was made for")
    func otherModel() throws {
        let store = InMemoryStore()
        _ = try PersistentContainer(model: TestModel.make(), store: store)
        _ = try PersistentContainer(model: TestModel.make(), store: store)
        let error = #expect(throws: StoreError.self) {
            try PersistentContainer(model: TestModel.makeWithoutConstraints(), store: store)
        }
        #expect(error?.code == .incompatible)
    }
}

@Suite("A model is checked when it is made")
struct ModelTests {
    @Test(
        "names that are no names",
        arguments: ["", "1a", "a b", "a-b", "é", "a\"b", "a;b", "_a", "a\0", "id", "VERSION"]
    )
    func names(name: String) {
        #expect(throws: ModelError.self) { try Sloppy.model([.attribute(\.name, name)]) }
        if name.lowercased() != "id" && name != "VERSION" {
            #expect(throws: ModelError.self) {
                try Sloppy.model([.attribute(\.name, "name")], named: name)
            }
        }
    }

    @Test("every mistake is listed")
    func mistakes() throws {
        let error = #expect(throws: ModelError.self) {
            try Sloppy.model(
                [
                    .attribute(\.name, "name", .length(2...3), default: "x"),
                    .attribute(\.count, "NAME"),
                    .toOne(\.part, "part"),
                ]
            )
        }
        #expect(error?.problems.count == 3)
        #expect(error?.description.contains("Sloppy.name: its default must have 2 to 3") == true)
    }

    @Test("a constraint names properties of its entity")
    func constraints() throws {
        #expect(throws: ModelError.self) {
            try Sloppy.model([.attribute(\.name, "name")], constraints: [[\.count]])
        }
        #expect(throws: ModelError.self) {
            try Sloppy.model([.attribute(\.name, "name")], constraints: [[]])
        }
    }
}
