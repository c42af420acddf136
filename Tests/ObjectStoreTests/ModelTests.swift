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
    /// What is computed of a property has its type, and reads it.
    var doubled: Int {
        get { 2 * count }
        set { count = newValue / 2 }
    }

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
    @Test("a relationship that the entity does not declare, and what it inherits")
    func undeclared() {
        let problems = Derived.problems([.attribute(\.count)], isPartial: false)
        let own = ["first", "second", "followers", "others"].map { "\($0): the class wraps it" }
        let reasons = own + ["name", "parts"].map { "\($0): it is inherited from Base" }
        #expect(problems.count == reasons.count)
        for reason in reasons { #expect(problems.contains { $0.hasPrefix("Derived.\(reason)") }) }
        #expect(Derived.problems([.attribute(\.count)]).isEmpty)
    }

    @Test("one that the class inherits")
    func inherited() {
        let problems = Derived.problems([.attribute(\.name)])
        #expect(problems.count == 1)
        #expect(problems.first?.contains("inherited from Base") == true)
    }

    @Test("one that is not wrapped, or computed of one that is")
    func notWrapped() {
        let problems = Derived.problems([.attribute(\.plain), .attribute(\.doubled)])
        let reason = ": the class does not wrap it; declare it with @Attribute, @ToOne or @ToMany"
        #expect(problems.count { $0.hasSuffix(reason) } == 2)
        #expect(problems.first?.hasPrefix("Derived.plain: ") == true)
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

/// A class that says all there is to say of its attributes.
private final class Crate: ManagedObject {
    enum Kind: Int, AttributeType {
        case wood, steel
        static var absent: Kind { .wood }
    }

    @Attribute var tag: String
    @Attribute var pieces = 1
    @Attribute var kind: Kind
    @Attribute var openedAt: Date?
    @Attribute var weight: Double
    @Attribute var hook: URL?
    @ToOne var inside: Crate?

    var shown: String { tag }
    var all: [Crate] { [] }

    static func entity(_ constraints: [[any PartialKeyPath<Crate> & Sendable]]) -> EntityDescription
    {
        EntityDescription(
            Crate.self,
            name: "Crate",
            properties: [.attribute(\.weight, .minimum(0)), .toOne(\.inside)],
            uniquenessConstraints: constraints,
            compoundIndices: [[\.kind, \.openedAt]],
            rules: [
                ObjectRule(\.pieces) { crate in
                    crate[\.pieces] > 1 && crate[\.kind] == .steel ? "must be 1 in steel" : nil
                }
            ]
        )
    }
}

@Suite("An attribute that is declared in its class alone")
struct UndeclaredAttributeTests {
    @Test("follows those of which there is more to say, as its class has it")
    func columns() throws {
        let entity = try ManagedObjectModel(Crate.entity([[\.tag]])).entities[0]
        #expect(
            entity.columns.map(\.name)
                == ["weight", "inside", "tag", "pieces", "kind", "openedAt", "hook"]
        )
        let attributes = entity.columns.compactMap { column in
            if case .attribute(let attribute) = column.kind { attribute } else { nil }
        }
        #expect(attributes.map(\.storage) == [.real, .text, .integer, .integer, .date, .text])
        #expect(attributes.map(\.isOptional) == [false, false, false, false, true, true])
        #expect(attributes.map(\.defaultValue.isNull) == [true, true, false, true, true, true])
        #expect(entity.constraints == [[2]])
        #expect(entity.compoundIndices == [[4, 5]])
    }

    @Test("is kept, unique, found and checked as any other", arguments: TestStore.allCases)
    func use(store: TestStore) throws {
        let model = try ManagedObjectModel(Crate.entity([[\.tag]]))
        try store.withStore { store in
            let container = try PersistentContainer(model: model, store: store)
            for (tag, kind) in [("A", Crate.Kind.wood), ("B", .steel), ("A", .steel)] {
                let context = container.makeContext()
                let crate = Crate(context: context)
                (crate.tag, crate.kind, crate.weight) = (tag, kind, 2)
                try context.save()
            }
            let context = container.makeContext()
            let crates = try context.fetch(FetchRequest(Crate.self).sorted(by: \.tag, .descending))
            #expect(crates.map(\.tag) == ["B", "A"])
            #expect(crates.map(\.pieces) == [1, 1])
            let steel = Crate.Kind.steel
            #expect(try context.count(FetchRequest(Crate.self).where(\.kind, is: steel)) == 2)
            #expect(
                try context.fetch(FetchRequest(Crate.self, predicate: #Predicate { $0.tag > "A" }))
                    .map(\.tag) == ["B"]
            )
            crates[0].pieces = 2
            let error = #expect(throws: ValidationError.self) { try context.save() }
            #expect(error?.description == "Crate.pieces must be 1 in steel")
        }
    }

    @Test("is not what is computed of it")
    func computed() {
        let error = #expect(throws: ModelError.self) {
            try ManagedObjectModel(Crate.entity([[\.shown]]))
        }
        #expect(error?.problems.count == 1)
        #expect(error?.description.contains("its own attributes") == true)
    }

    @Test("is not found by way of an object that is not there")
    func wayThroughNothing() throws {
        let model = try ManagedObjectModel(Crate.entity([]))
        let context = try PersistentContainer(model: model, store: InMemoryStore()).makeContext()
        let all = FetchRequest(Crate.self)
        for request in [all.sorted(by: \.inside!.tag), all.sorted(by: \.all[0].tag)] {
            #expect(throws: UnsupportedPredicateError.self) { try context.fetch(request) }
        }
    }

    @Test("is found though another class is described meanwhile")
    func nested() throws {
        let entity = try ManagedObjectModel(Trolley.entity).entities[0]
        #expect(entity.columns.map(\.name) == ["first", "size", "last"])
    }

    @Test("is one of at most 255")
    func wide() {
        let error = #expect(throws: ModelError.self) {
            try ManagedObjectModel(EntityDescription(Wide.self, name: "Wide"))
        }
        #expect(error?.description.contains("wraps 301 properties, and at most 255") == true)
    }
}

private final class Trolley: ManagedObject {
    @Attribute var first: String
    @Attribute var size = Int(EntityDescription(Rope.self, name: "Rope").name.count)
    @Attribute var last: String

    static let entity = EntityDescription(Trolley.self, name: "Trolley")
}

private final class Rope: ManagedObject {
    @Attribute var length: Double
}

private final class Wide: ManagedObject {
    @Attribute var name: String
    let others = (0..<300).map { _ in Attribute<Int>() }
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
