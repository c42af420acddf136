import GRDB
import ObjectStore
import SQLiteStore
import StoreTesting
import TestFolders
import Testing

/// A bag as an older program knows it, or a newer one.
private final class Bag: ManagedObject {
    @Attribute var tag: String
    @Attribute var note: String?
    /// The note, where it is required.
    @Attribute var remark: String
    @ToOne var owner: Person?

    static let plain: [Property<Bag>] = [.attribute(\.tag), .attribute(\.note)]
    static let required: [Property<Bag>] = [
        .attribute(\.tag), .attribute(\.remark, named: "note", default: "none"),
    ]

    static func tagged(_ name: String) -> [Property<Bag>] {
        [.attribute(\.tag, named: name), .attribute(\.note)]
    }
}

private final class Person: ManagedObject {
    @Attribute var name: String
}

@Suite("The steps that bring a store to a newer model", .timeLimit(.minutes(30)))
struct MigrationStepTests {
    private let folder: TemporaryFolder
    private let path: String

    init() throws {
        folder = try TemporaryFolder()
        path = folder.path("store.sqlite")
    }

    private func open(
        _ properties: [Property<Bag>] = Bag.plain,
        named name: String = "Bag",
        withPerson: Bool = false,
        steps: [MigrationStep] = []
    ) throws -> PersistentContainer {
        let bag = EntityDescription(Bag.self, name: name, properties: properties, isPartial: true)
        let person = EntityDescription(
            Person.self,
            name: "Person",
            properties: [.attribute(\.name, default: "nobody")]
        )
        let model =
            withPerson ? try ManagedObjectModel(bag, person) : try ManagedObjectModel(bag)
        return try PersistentContainer(
            model: model,
            store: SQLiteStore(path: path, migrations: steps)
        )
    }

    private func makeBags(_ tags: String..., in container: PersistentContainer) throws {
        let context = container.makeContext()
        for tag in tags { Bag(context: context).tag = tag }
        try context.save()
    }

    private func write(_ note: String, on bag: Bag, _ context: ManagedObjectContext) throws {
        bag.note = note
        try context.save()
    }

    private func notes(in container: PersistentContainer) throws -> [String?] {
        try container.makeContext().fetch(FetchRequest(Bag.self).sorted(by: \.tag)).map(\.note)
    }

    // MARK: Beside an older program

    static let sql = [
        "UPDATE Bag SET note = tag || '!'",
        "UPDATE Bag SET note = tag || '!', version = version + 7",
        "INSERT INTO Bag SELECT id, version, tag, note FROM Bag WHERE true "
            + "ON CONFLICT (id) DO UPDATE SET note = tag || '!'",
    ]

    @Test(
        "what a step changes stays, if an older program that knows it from before saves",
        arguments: sql
    )
    func olderProgram(sql: String) throws {
        let older = try open()
        try makeBags("A", "B", in: older)
        let context = older.makeContext()
        let bags = try context.fetch(FetchRequest(Bag.self).sorted(by: \.tag))
        #expect(bags.map(\.note) == [nil, nil])
        let newer = try open(steps: [MigrationStep("shout") { try $0.execute(sql) }])
        bags[0].tag = "AA"
        try context.save()
        #expect(try notes(in: newer) == ["A!", "B!"])
        #expect(bags[0].note == "A!")
    }

    @Test("also if another step has made the table anew before")
    func rebuiltTable() throws {
        let older = try open()
        try makeBags("A", in: older)
        let context = older.makeContext()
        let bag = try #require(try context.fetch(FetchRequest(Bag.self)).first)
        #expect(bag.note == nil)
        let rebuilding = MigrationStep("make it anew") { migration in
            for sql in [
                "CREATE TABLE Anew (id INTEGER PRIMARY KEY NOT NULL, version INTEGER NOT NULL, "
                    + "tag TEXT, note TEXT) STRICT",
                "INSERT INTO Anew SELECT id, version, tag, note FROM Bag", "DROP TABLE Bag",
                "ALTER TABLE Anew RENAME TO Bag",
            ] { try migration.execute(sql) }
        }
        let shouting = MigrationStep("shout") { try $0.execute("UPDATE Bag SET note = tag || '!'") }
        let newer = try open(steps: [rebuilding, shouting])
        bag.tag = "AA"
        try context.save()
        #expect(try notes(in: newer) == ["A!"])
        #expect(try SQLiteStore(path: path).checkIntegrity() == [])
    }

    @Test("a table of another tool is left alone, whatever its columns")
    func otherTables() throws {
        try makeBags("A", in: open())
        let queue = try DatabaseQueue(path: path)
        try queue.writeWithoutTransaction { db in
            try db.execute(
                sql:
                    "CREATE TABLE Tool (id TEXT, version TEXT); CREATE VIRTUAL TABLE Index5 USING fts5(version, id)"
            )
        }
        try queue.close()
        let step = MigrationStep("tidy") { migration in
            try migration.execute("DROP TABLE Index5")
            try migration.execute("UPDATE Tool SET version = 2")
            try migration.execute("DROP TABLE Tool")
            try migration.execute("UPDATE Bag SET note = 'tidy'")
        }
        #expect(try notes(in: open(steps: [step])) == ["tidy"])
    }

    @Test("and so does what is filled in where it is required now")
    func filling() throws {
        let older = try open()
        try makeBags("A", "B", in: older)
        let context = older.makeContext()
        let bags = try context.fetch(FetchRequest(Bag.self).sorted(by: \.tag))
        #expect(bags.map(\.note) == [nil, nil])
        let newer = try open(Bag.required)
        bags[0].tag = "AA"
        try context.save()
        let found = try newer.makeContext().fetch(FetchRequest(Bag.self))
        #expect(found.map(\.remark) == ["none", "none"])
        #expect(try newer.makeContext().historyFindings() == [])
    }

    @Test("who follows the saves hears that there was one whose changes are not known")
    func history() async throws {
        let older = try open()
        try makeBags("A", in: older)
        let context = older.makeContext()
        let bag = try #require(try context.first(FetchRequest(Bag.self)))
        try write("quiet", on: bag, context)
        var saves = older.changes.makeAsyncIterator()
        let newer = try open(steps: [
            MigrationStep("shout") { try $0.execute("UPDATE Bag SET note = upper(note)") }
        ])
        let save = try #require(await saves.next())
        #expect(!save.isComplete && save.changes.isEmpty)
        #expect(try newer.makeContext().historyFindings() == [])
        let last = try #require(try newer.history(after: nil).last)
        #expect(last.author == "migration" && last.changes.isEmpty && !last.isComplete)
        // What happens then is compared again.
        try write("loud", on: bag, context)
        #expect(try newer.makeContext().historyFindings() == [])
        let store = try #require(newer.store as? SQLiteStore)
        try store.close()
        _ = try open(steps: [MigrationStep("shout") { _ in }])
        #expect(try open().history(after: nil).count == 4)
    }

    @Test("a save of what only a newer program knows is none whose changes are not known")
    func unknownEntity() throws {
        let older = try open()
        let newer = try open(withPerson: true)
        let context = newer.makeContext()
        Person(context: context).name = "D"
        try context.save()
        let saves = try older.history(after: nil)
        #expect(saves.map(\.changes) == [[]] && saves.map(\.isComplete) == [true])
    }

    @Test("nothing is recorded where nothing was changed")
    func nothingChanged() throws {
        let older = try open()
        try makeBags("A", in: older)
        let newer = try open(steps: [MigrationStep("look") { _ = try $0.rows("SELECT * FROM Bag") }]
        )
        #expect(try newer.history(after: nil).count == 1)
    }

    @Test("an older program that asks for what was renamed is told to end")
    func renamedMeanwhile() throws {
        let older = try open()
        try makeBags("A", in: older)
        let context = older.makeContext()
        let bag = try #require(try context.first(FetchRequest(Bag.self)))
        _ = try open(Bag.tagged("label"), steps: [.renamingProperty("tag", of: "Bag", to: "label")])
        bag.tag = "B"
        let calls: [() throws -> Void] = [
            { try context.save() }, { _ = try older.makeContext().fetch(FetchRequest(Bag.self)) },
            { _ = try older.makeContext().count(FetchRequest(Bag.self).where(\.tag, is: "A")) },
            { try makeBags("C", in: older) },
        ]
        for call in calls {
            let error = #expect(throws: StoreError.self, performing: call)
            #expect(error?.code == .incompatible)
            #expect(error?.message.contains("since it was opened here: ") == true)
        }
    }

    // MARK: Names

    @Test("names that differ only in case are renamed as well")
    func changedCase() throws {
        let older = try open(named: "bag")
        try makeBags("A", in: older)
        let steps: [MigrationStep] = [
            .renamingEntity("bag", to: "Bag"), .renamingProperty("tag", of: "Bag", to: "Tag"),
        ]
        for _ in 0..<2 {
            let container = try open(Bag.tagged("Tag"), steps: steps)
            let bags = try container.makeContext().fetch(FetchRequest(Bag.self))
            #expect(bags.map(\.tag) == ["A"])
            #expect(bags.map(\.objectID.key) == [1])
        }
        // It still finds the table, and must not count its own keys.
        let error = #expect(throws: StoreError.self) { try makeBags("C", in: older) }
        #expect(error?.code == .incompatible)
        try makeBags("B", in: open(Bag.tagged("Tag"), steps: steps))
        #expect(try SQLiteStore(path: path).checkIntegrity() == [])
    }

    @Test("a name that is taken back and given again needs steps of other names")
    func backAndForth() throws {
        try makeBags("A", in: open(Bag.tagged("a")))
        let there: MigrationStep = .renamingProperty("a", of: "Bag", to: "b")
        let back: MigrationStep = .renamingProperty("b", of: "Bag", to: "a")
        _ = try open(Bag.tagged("b"), steps: [there])
        _ = try open(Bag.tagged("a"), steps: [there, back])
        let error = #expect(throws: StoreError.self) {
            _ = try open(Bag.tagged("b"), steps: [there, back, there])
        }
        #expect(
            error?.message.contains(#"two of its migration steps are named "rename Bag.a to b""#)
                == true
        )
        let again: MigrationStep = .renamingProperty(
            "a",
            of: "Bag",
            to: "b",
            step: "rename once more"
        )
        let container = try open(Bag.tagged("b"), steps: [there, back, again])
        #expect(try container.makeContext().fetch(FetchRequest(Bag.self)).map(\.tag) == ["A"])
    }

    // MARK: References

    private static let removals: [MigrationStep] = [
        .removingProperty("owner", of: "Bag"), .removingEntity("Person"),
    ]

    private func makeOwnedBag() throws {
        let context = try open(Bag.plain + [.toOne(\.owner)], withPerson: true).makeContext()
        let bag = Bag(context: context)
        bag.tag = "A"
        bag.owner = Person(context: context)
        try context.save()
    }

    @Test(
        "an entity and a reference to it are removed in either order",
        arguments: [removals, removals.reversed()]
    )
    func removing(steps: [MigrationStep]) throws {
        try makeOwnedBag()
        let container = try open(steps: steps)
        try makeBags("B", in: container)
        #expect(try notes(in: container) == [nil, nil])
        #expect(try SQLiteStore(path: path).checkIntegrity() == [])
    }

    @Test("a reference that stays without its entity is named, and nothing is changed")
    func removingOnlyEntity() throws {
        try makeOwnedBag()
        let error = #expect(throws: StoreError.self) {
            _ = try open(steps: [.removingEntity("Person")])
        }
        #expect(error?.code == .incompatible)
        #expect(error?.message.contains("the model does not have Bag.owner") == true)
        let container = try open(Bag.plain + [.toOne(\.owner)], withPerson: true)
        let bag = try #require(try container.makeContext().first(FetchRequest(Bag.self)))
        #expect(bag.owner?.name == "nobody")
    }
}
