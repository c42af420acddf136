import Foundation
import GRDB
import ObjectStore
import SQLiteStore
import StoreTesting
import TestFolders
import Testing

/// A bag in whatever shape a test gives it.
private final class Bag: ManagedObject {
    @Attribute var tag: String
    @Attribute var weight: Double
    @Attribute var note: String?
    /// The note, where it is required.
    @Attribute var name: String
    @Attribute var pieces: Int
    @ToOne var owner: Person?

    typealias Properties = [Property<Bag>]
    static let tag: Properties = [.attribute(\.tag)]
    static let plain: Properties = tag + [.attribute(\.note)]
}

private final class Person: ManagedObject {
    @Attribute var name: String

    static let entity = EntityDescription(
        Person.self,
        name: "Person",
        properties: [.attribute(\.name, default: "nobody")]
    )
}

@Suite("A store of an older model is brought to a newer one")
struct MigrationTests {
    private let folder: TemporaryFolder
    private let path: String

    init() throws {
        folder = try TemporaryFolder()
        path = folder.path("store.sqlite")
    }

    private func open(
        _ properties: Bag.Properties,
        unique: [[any PartialKeyPath<Bag> & Sendable]] = [],
        named name: String = "Bag",
        withPerson: Bool = false,
        at place: String? = nil,
        _ access: SQLiteStore.Access = .create,
        migrations: [MigrationStep] = []
    ) throws -> PersistentContainer {
        let bag = EntityDescription(
            Bag.self,
            name: name,
            properties: properties,
            uniquenessConstraints: unique,
            isPartial: true
        )
        let model =
            withPerson
            ? try ManagedObjectModel(bag, Person.entity) : try ManagedObjectModel(bag)
        let store = try SQLiteStore(path: place ?? path, access: access, migrations: migrations)
        return try PersistentContainer(model: model, store: store)
    }

    /// Makes a store of bags with tags and notes.
    private func makeStore(_ tags: [String] = ["A", "B", "C"]) throws {
        let context = try open(Bag.plain).makeContext()
        for tag in tags {
            let bag = Bag(context: context)
            bag.tag = tag
            bag.note = "note \(tag)"
        }
        try context.save()
    }

    private func incompatibility(_ body: () throws -> Void) throws -> String {
        let error = try #require(#expect(throws: StoreError.self) { try body() })
        #expect(error.code == .incompatible)
        return error.message
    }

    /// Checks that the store is as ``makeStore(_:)`` has left it.
    private func checkUnchanged(_ tags: [String] = ["A", "B", "C"]) throws {
        let container = try open(Bag.plain, .read)
        let bags = try container.makeContext().fetch(FetchRequest(Bag.self).sorted(by: \.tag))
        #expect(bags.map(\.tag) == tags)
        #expect(bags.map(\.note) == tags.map { "note \($0)" })
        #expect(try container.history(after: nil).count == 1)
        #expect(try SQLiteStore(path: path, access: .read).checkIntegrity() == [])
    }

    @Test("attributes, entities, relationships and constraints are added")
    func additions() throws {
        try makeStore()
        let wide: Bag.Properties =
            Bag.plain + [
                .attribute(\.pieces, default: 1), .toOne(\.owner),
            ]
        for _ in 0..<2 {
            let container = try open(wide, unique: [[\.tag]], withPerson: true)
            let context = container.makeContext()
            let bags = try context.fetch(FetchRequest(Bag.self).sorted(by: \.tag))
            #expect(bags.map(\.tag) == ["A", "B", "C"])
            #expect(bags.map(\.pieces) == [1, 1, 1])
            let again = Bag(context: context)
            again.tag = "A"
            again.owner = Person(context: context)
            try context.save()
            #expect(again.objectID == bags[0].objectID)
            #expect(bags[0].owner?.name == "nobody")
        }
        #expect(try SQLiteStore(path: path).checkIntegrity() == [])
    }

    @Test("a constraint is dropped, and duplicates are welcome then")
    func constraintDropped() throws {
        _ = try open(Bag.plain, unique: [[\.tag]])
        let context = try open(Bag.plain).makeContext()
        for _ in 0..<2 { Bag(context: context).tag = "A" }
        try context.save()
        #expect(try context.count(Bag.self) == 2)
    }

    @Test("duplicates that a new constraint does not allow are listed, and nothing is changed")
    func duplicates() throws {
        let tags = ["A", "A", "B", "C", "C", "C"]
        try makeStore(tags)
        let message = try incompatibility { _ = try open(Bag.plain, unique: [[\.tag]]) }
        #expect(message.contains("2 objects of Bag have the same tag, those with the keys 1, 2"))
        #expect(message.contains("3 objects of Bag have the same tag, those with the keys 4, 5, 6"))
        try checkUnchanged(tags)
    }

    @Test("what is missing where it is required now is listed, and nothing is changed")
    func required() throws {
        try makeStore()
        let heavy: Bag.Properties = Bag.plain + [.attribute(\.weight)]
        #expect(
            try incompatibility { _ = try open(heavy) }
                .contains("Bag.weight is required, and missing in 3 of its objects")
        )
        try checkUnchanged()
        let owned: Bag.Properties = Bag.plain + [.toOne(\.owner, isOptional: false)]
        #expect(
            try incompatibility { _ = try open(owned, withPerson: true) }
                .contains("Bag.owner is required, and missing in 3 of its objects")
        )
        try checkUnchanged()
    }

    @Test("what was required may be missing now, and what there is stays")
    func optional() throws {
        let required: Bag.Properties = [.attribute(\.tag), .attribute(\.name, named: "note")]
        let first = try open(required).makeContext()
        let bag = Bag(context: first)
        bag.tag = "A"
        bag.name = "kept"
        try first.save()
        for _ in 0..<2 {
            let context = try open(Bag.plain).makeContext()
            Bag(context: context).tag = "B"
            try context.save()
            let bags = try context.fetch(FetchRequest(Bag.self).sorted(by: \.tag))
            #expect(bags.map(\.note).prefix(2) == ["kept", nil])
        }
        #expect(try SQLiteStore(path: path).checkIntegrity() == [])
    }

    @Test("what would lose something, or mean something else, is named, and nothing is changed")
    func notDerivable() throws {
        try makeStore()
        #expect(
            try incompatibility { _ = try open(Bag.tag) }.contains(
                "the model does not have Bag.note"
            )
        )
        #expect(
            try incompatibility { _ = try open(Bag.plain, named: "Case") }
                .contains("the model does not have the entity Bag")
        )
        let retyped: Bag.Properties = [.attribute(\.pieces, named: "tag"), .attribute(\.note)]
        #expect(
            try incompatibility { _ = try open(retyped) }
                .contains("Bag.tag is TEXT, and INTEGER in the model")
        )
        try checkUnchanged()
    }

    @Test("a store that is only read is not migrated, and says what it lacks")
    func readOnly() throws {
        try makeStore()
        let wide: Bag.Properties = Bag.plain + [.attribute(\.pieces, default: 1)]
        let message = try incompatibility { _ = try open(wide, .read) }
        #expect(message.contains("the store does not have Bag.pieces"))
        #expect(message.contains("open it for writing"))
        // Indices are not needed to read.
        #expect(
            try open(Bag.plain, unique: [[\.tag]], .read).makeContext().count(Bag.self) == 3
        )
        try checkUnchanged()
    }

    @Test("steps rename and remove, once, and keep identities")
    func steps() throws {
        let old: Bag.Properties = Bag.plain + [.toOne(\.owner)]
        let first = try open(old, unique: [[\.tag]], withPerson: true).makeContext()
        let bag = Bag(context: first)
        bag.tag = "A"
        bag.note = "kept"
        bag.owner = Person(context: first)
        try first.save()

        let new: Bag.Properties = [
            .attribute(\.tag, named: "label"), .attribute(\.note, named: "remark"),
        ]
        let steps: [MigrationStep] = [
            .renamingEntity("Bag", to: "Case"),
            .renamingProperty("tag", of: "Case", to: "label"),
            .renamingProperty("note", of: "Case", to: "remark"),
            .removingProperty("owner", of: "Case"),
            .removingEntity("Person"),
            MigrationStep("shout") { migration in
                let rows = try migration.rows("SELECT id, remark FROM \"Case\"")
                for row in rows {
                    guard case .text(let text) = row[1] else { continue }
                    try migration.execute(
                        "UPDATE \"Case\" SET remark = ? WHERE id = ?",
                        [.text(text + "!"), row[0]]
                    )
                }
            },
        ]
        for _ in 0..<2 {
            let container = try open(new, unique: [[\.tag]], named: "Case", migrations: steps)
            let context = container.makeContext()
            let found = try #require(try context.fetch(FetchRequest(Bag.self)).first)
            #expect(found.tag == "A" && found.note == "kept!")
            #expect(found.objectID.key == bag.objectID.key)
        }
        let context = try open(new, unique: [[\.tag]], named: "Case", migrations: steps)
            .makeContext()
        let next = Bag(context: context)
        next.tag = "B"
        try context.save()
        #expect(next.objectID.key == 2)
        #expect(try SQLiteStore(path: path).checkIntegrity() == [])
    }

    @Test("a new store does not need the steps, and never runs them")
    func newStore() throws {
        struct Ran: Error {}
        let step = MigrationStep("never") { _ in throw Ran() }
        for _ in 0..<2 { _ = try open(Bag.plain, migrations: [step]) }
        #expect(throws: Ran.self) {
            _ = try open(Bag.plain, migrations: [step, MigrationStep("now") { _ in throw Ran() }])
        }
        _ = try open(Bag.plain, migrations: [step])
    }

    @Test("a step that fails leaves the store as it was, and so do those before it")
    func failingStep() throws {
        struct Stop: Error {}
        try makeStore()
        #expect(throws: Stop.self) {
            _ = try open(
                [.attribute(\.tag, named: "label"), .attribute(\.note)],
                migrations: [
                    .renamingProperty("tag", of: "Bag", to: "label"),
                    MigrationStep("stop") { _ in throw Stop() },
                ]
            )
        }
        let error = #expect(throws: StoreError.self) {
            _ = try open(Bag.plain, migrations: [MigrationStep("no SQL") { try $0.execute("NO") }])
        }
        #expect(error?.code == .failed)
        try checkUnchanged()
    }

    @Test(
        "a step with anything but one statement, or with arguments for another one, fails",
        arguments: [
            ("UPDATE Bag SET note = 'a'; UPDATE Bag SET note = 'b'", 0), ("", 0), ("-- nothing", 0),
            ("UPDATE Bag SET note = 'a'; NO", 0), ("UPDATE Bag SET note = ?", 0),
            ("UPDATE Bag SET note = ?", 2), ("UPDATE Bag SET note = \"no column\"", 0),
        ]
    )
    func wrongStep(sql: String, arguments: Int) throws {
        try makeStore()
        let step = MigrationStep("wrong") {
            try $0.execute(sql, Array(repeating: .text("x"), count: arguments))
        }
        let error = #expect(throws: StoreError.self) { _ = try open(Bag.plain, migrations: [step]) }
        #expect(error?.code == .failed)
        try checkUnchanged()
        // Blanks and comments are none.
        let right = MigrationStep("right") {
            try $0.execute("UPDATE Bag SET note = note; -- so it is\n ;")
        }
        _ = try open(Bag.plain, migrations: [right])
    }

    @Test("a crash in the middle leaves the older store")
    func crash() throws {
        try makeStore(["A"])
        // What a process leaves that ends here: its files at this moment.
        let (path, crashed) = (path, folder.path("crashed.sqlite"))
        let step = MigrationStep("crash") { migration in
            try migration.execute("UPDATE Bag SET note = 'half done'")
            for suffix in ["", "-wal"] {
                try FileManager.default.copyItem(atPath: path + suffix, toPath: crashed + suffix)
            }
        }
        let wide: Bag.Properties = Bag.plain + [.attribute(\.pieces, default: 1)]
        let container = try open(wide, migrations: [step])
        #expect(
            try container.makeContext().fetch(FetchRequest(Bag.self)).map(\.note) == ["half done"]
        )
        let older = try open(Bag.plain, at: crashed).makeContext()
        #expect(try older.fetch(FetchRequest(Bag.self)).map(\.note) == ["note A"])
    }

    @Test("several that migrate at once do it once", arguments: 0..<3)
    func atOnce(attempt: Int) async throws {
        try makeStore()
        let wide: Bag.Properties = Bag.plain + [.attribute(\.pieces, default: 1)]
        let step = MigrationStep("count") { try $0.execute("UPDATE Bag SET note = note || '+'") }
        try await withThrowingTaskGroup(of: [String?].self) { group in
            for _ in 0..<4 {
                group.addTask {
                    try open(wide, migrations: [step]).makeContext()
                        .fetch(FetchRequest(Bag.self).sorted(by: \.tag)).map(\.note)
                }
            }
            for try await notes in group { #expect(notes == ["note A+", "note B+", "note C+"]) }
        }
    }

    @Test("and what a program with the older one stores later has the default values too")
    func olderStillOpen() throws {
        let old = try open(Bag.plain)
        let new = try open(Bag.plain + [.attribute(\.pieces, default: 1)])
        let late = old.makeContext()
        Bag(context: late).tag = "late"
        try late.save()
        let context = new.makeContext()
        let request = FetchRequest(Bag.self).where(\.tag, is: "late")
        let bag = try #require(try context.first(request))
        #expect(bag.pieces == 1)
        bag.note = "x"
        try context.save()
    }

    @Test(
        "and what is new in all objects is the default, whatever it is",
        arguments: ["", "it's", "'\u{301}", "\"; DROP TABLE Bag; --", "😀"]
    )
    func textDefault(text: String) throws {
        try makeStore(["A"])
        let new = try open(Bag.plain + [.attribute(\.name, default: text)])
        #expect(try new.makeContext().fetch(FetchRequest(Bag.self)).map(\.name) == [text])
    }

    @Test(
        "and what is new in all objects is the default, also at the limits of numbers",
        arguments: [
            0.1, -0.0, .leastNonzeroMagnitude, .greatestFiniteMagnitude, .infinity, -.infinity,
            1e21,
            // Written as text, since a number in a program is rounded twice as SQLite does it.
        ] + ["0.002877", "48.72521902006687"].compactMap(Double.init)
    )
    func numberDefault(number: Double) throws {
        try makeStore(["A"])
        let new = try open(Bag.plain + [.attribute(\.weight, default: number)])
        let found = try new.makeContext().fetch(FetchRequest(Bag.self)).map(\.weight)
        #expect(found == [number])
    }

    @Test("a copy of the older one is restored with the steps that lead to the newer one")
    func restoringOlder() throws {
        try makeStore()
        let copy = folder.path("copy.sqlite")
        let store = try SQLiteStore(path: path)
        try store.backup(to: copy)
        try store.close()
        let new: Bag.Properties = [.attribute(\.tag, named: "label"), .attribute(\.note)]
        let bag = EntityDescription(Bag.self, name: "Bag", properties: new, isPartial: true)
        try SQLiteStore.restore(
            path,
            from: copy,
            for: ManagedObjectModel(bag),
            keeping: folder.path("aside"),
            migrations: [.renamingProperty("tag", of: "Bag", to: "label")]
        )
        let restored = try open(new, .read)
        let bags = try restored.makeContext().fetch(FetchRequest(Bag.self).sorted(by: \.tag))
        #expect(bags.map(\.tag) == ["A", "B", "C"])
    }
}
