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
                uniquenessConstraints: constraints,
                isPartial: true
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

/// A class, and the properties that another inherits.
private class Base: ManagedObject {
    @Attribute var name: String
    @ToMany var parts: [Derived]
}

private final class Derived: Base {
    @Attribute var count: Int
    @Attribute var weight = 2.5
    @Attribute var note: String? = "none"
    @ToOne var first: Derived?
    @ToOne var second: Derived?
    @ToMany var followers: [Derived]
    @ToMany var others: [Derived]
    var plain = 0

    static func problems(_ properties: [Property<Derived>], isPartial: Bool = true) -> [String] {
        do {
            _ = try model(properties, isPartial: isPartial)
            return []
        } catch {
            return error.problems
        }
    }

    static func model(
        _ properties: [Property<Derived>],
        isPartial: Bool = true
    ) throws(ModelError) -> ManagedObjectModel {
        try ManagedObjectModel(
            EntityDescription(
                Derived.self,
                name: "Derived",
                properties: properties,
                isPartial: isPartial
            )
        )
    }
}

@Suite("The properties of a class are those of its entity")
struct PropertyCheckTests {
    @Test("one that the entity does not declare")
    func undeclared() {
        let problems = Derived.problems([.attribute(\.count)], isPartial: false)
        let names = ["weight", "note", "first", "second", "followers", "others", "name", "parts"]
        #expect(problems.count == names.count)
        for name in names {
            #expect(problems.contains { $0.hasPrefix("Derived.\(name): the class wraps it") })
        }
        #expect(Derived.problems([.attribute(\.count)]).isEmpty)
    }

    @Test("one that the class inherits")
    func inherited() {
        let problems = Derived.problems([.attribute(\.name)])
        #expect(problems.count == 1)
        #expect(problems.first?.contains("inherited from Base") == true)
    }

    @Test("one that is not wrapped")
    func notWrapped() {
        let problems = Derived.problems([.attribute(\.plain)])
        #expect(problems.first?.hasPrefix("Derived.plain: the class does not wrap it") == true)
    }

    @Test("two whose names are swapped")
    func swapped() {
        let problems = Derived.problems(
            [.attribute(\.count, named: "weight"), .attribute(\.weight, named: "count")],
            isPartial: false
        )
        #expect(problems.count { $0.contains("with the name of another property") } == 2)
    }

    @Test("relationships whose inverses are swapped")
    func swappedInverses() {
        let problems = Derived.problems([
            .toOne(\.first, inverse: \.others),
            .toOne(\.second, inverse: \.followers),
            .toMany(\.followers, inverse: \.first),
            .toMany(\.others, inverse: \.second),
        ])
        #expect(!problems.isEmpty)
        let half = Derived.problems([
            .toOne(\.first, inverse: \.others),
            .toOne(\.second, inverse: \.others),
            .toMany(\.others, inverse: \.second),
        ])
        #expect(half == ["Derived.first: its inverse does not lead back to it"])
    }

    @Test("names and defaults may be those of the class", arguments: TestStore.allCases)
    func namesAndDefaults(store: TestStore) throws {
        let model = try Derived.model([
            .attribute(\.count, default: 4), .attribute(\.weight, .minimum(1)), .attribute(\.note),
            .toOne(\.first, inverse: \.followers), .toMany(\.followers, inverse: \.first),
            .toOne(\.second),
        ])
        #expect(
            model.entities[0].columns.map(\.name) == ["count", "weight", "note", "first", "second"]
        )
        try store.withStore { store in
            let container = try PersistentContainer(model: model, store: store)
            let context = container.makeContext()
            let object = Derived(context: context)
            #expect(object.weight == 2.5)
            #expect(object.note == "none")
            object.weight = 0.5
            let error = #expect(throws: ValidationError.self) { try context.save() }
            #expect(error?.description == "Derived.weight must be at least 1.0, not 0.5")
            object.weight = 3
            try context.save()
            let stored = try container.makeContext().fetch(FetchRequest(Derived.self))
            #expect(stored.map(\.count) == [4])
            #expect(stored.map(\.note) == ["none"])
        }
        #expect(
            Derived.problems([.attribute(\.weight, default: 7)])
                == ["Derived.weight: its class declares another default"]
        )
        #expect(
            Derived.problems([.attribute(\.weight, .minimum(9))])
                == ["Derived.weight: its default must be at least 9.0, not 2.5"]
        )
    }
}

@Suite("A model is checked when it is made")
struct ModelTests {
    @Test(
        "names that are no names",
        arguments: ["", "1a", "a b", "a-b", "é", "a\"b", "a;b", "_a", "a\0", "id", "VERSION"]
    )
    func names(name: String) {
        #expect(throws: ModelError.self) { try Sloppy.model([.attribute(\.name, named: name)]) }
        if name.lowercased() != "id" && name != "VERSION" {
            #expect(throws: ModelError.self) {
                try Sloppy.model([.attribute(\.name)], named: name)
            }
        }
    }

    @Test("every mistake is listed")
    func mistakes() throws {
        let error = #expect(throws: ModelError.self) {
            try Sloppy.model(
                [
                    .attribute(\.name, .length(2...3), default: "x"),
                    .attribute(\.count, named: "NAME"),
                    .toOne(\.part),
                ]
            )
        }
        #expect(error?.problems.count == 3)
        #expect(error?.description.contains("Sloppy.name: its default must have 2 to 3") == true)
    }

    @Test("a constraint names properties of its entity")
    func constraints() throws {
        #expect(throws: ModelError.self) {
            try Sloppy.model([.attribute(\.name)], constraints: [[\.count]])
        }
        #expect(throws: ModelError.self) {
            try Sloppy.model([.attribute(\.name)], constraints: [[]])
        }
    }
}
