import Foundation
import GRDB
import ObjectStore
import SQLiteStore
import StoreTesting
import Synchronization
import TestFolders
import Testing

/// A bag as an older program knows it, or a newer one.
private final class Bag: ManagedObject {
    @Attribute var tag: String
    @Attribute var note: String?
    /// The note, where it is required.
    @Attribute var remark: String
    @Attribute var number: Int = Bag.nextNumber()

    private static let count = Atomic(4)

    /// The numbers are 2, 3, 2, 3, 4, 5, 4, 5 and so on.
    private static func nextNumber() -> Int {
        let count = count.add(1, ordering: .relaxed).oldValue
        return count / 4 * 2 + count % 2
    }

    static let plain: [Property<Bag>] = [.attribute(\.tag), .attribute(\.note)]
    static let required: [Property<Bag>] = [
        .attribute(\.tag), .attribute(\.remark, named: "note", default: "none"),
    ]
    static let numbered = plain + [.attribute(\.number)]
}

@Suite("An older program that has a store open, which a newer one migrates")
struct OlderProgramTests {
    private let folder = Result { try TemporaryFolder() }

    private func path(_ name: String = "store.sqlite") throws -> String {
        try folder.get().path(name)
    }

    private func model(
        _ properties: [Property<Bag>],
        unique: [[any PartialKeyPath<Bag> & Sendable]]
    ) throws -> ManagedObjectModel {
        try ManagedObjectModel(
            EntityDescription(
                Bag.self,
                name: "Bag",
                properties: properties,
                uniquenessConstraints: unique,
                isPartial: true
            )
        )
    }

    private func open(
        _ properties: [Property<Bag>] = Bag.plain,
        unique: [[any PartialKeyPath<Bag> & Sendable]] = [],
        access: SQLiteStore.Access = .create,
        steps: [MigrationStep] = [],
        duplicates: DuplicateHandling = .refuse
    ) throws -> PersistentContainer {
        try PersistentContainer(
            model: model(properties, unique: unique),
            store: SQLiteStore(
                path: path(),
                access: access,
                migrations: steps,
                duplicates: duplicates
            )
        )
    }

    private func makeBags(_ tags: String..., in container: PersistentContainer) throws {
        let context = container.makeContext()
        for tag in tags { Bag(context: context).tag = tag }
        try context.save()
    }

    private func bags(in context: ManagedObjectContext) throws -> [Bag] {
        try context.fetch(FetchRequest(Bag.self).sorted(by: \.tag))
    }

    @Test("leaves out what is required since; that is given when the object is edited")
    func required() throws {
        let older = try open()
        let newer = try open(Bag.required)
        try makeBags("A", "B", in: older)
        let context = newer.makeContext()
        try #require(try bags(in: context).first).tag = "AA"
        try context.save()
        let found = try bags(in: newer.makeContext())
        #expect(found.map(\.tag) == ["AA", "B"] && found[0].remark == "none")
        #expect(try newer.makeContext().historyFindings() == [])
    }

    @Test("leaves out a unique value; objects that get the same one meet, in any save")
    func requiredUniqueValue() throws {
        let older = try open()
        let newer = try open(Bag.required, unique: [[\.tag, \.remark]])
        try makeBags("A", "B", in: older)
        let context = newer.makeContext()
        for bag in try bags(in: context) { bag.tag = "AA" }
        #expect(throws: MergeConflictError.self) { try context.save() }
        context.rollback()
        // An edit gives it the value with which the new one meets it.
        try #require(try bags(in: context).first).tag = "AA"
        Bag(context: context).tag = "AA"
        try context.save()
        let found = try bags(in: newer.makeContext())
        #expect(found.map(\.tag) == ["AA", "B"] && found[0].remark == "none")
        #expect(try newer.makeContext().historyFindings() == [])
    }

    @Test("leaves it out, and a copy can be restored all the same, with all of it")
    func restoredCopy() throws {
        let older = try open()
        let newer = try open(Bag.required)
        try makeBags("A", "B", in: older)
        try #require(newer.store as? SQLiteStore).backup(to: path("copy.sqlite"))
        try SQLiteStore.restore(
            path("restored.sqlite"),
            from: path("copy.sqlite"),
            for: model(Bag.required, unique: []),
            keeping: path("aside.sqlite")
        )
        let store = try SQLiteStore(path: path("restored.sqlite"))
        let container = try PersistentContainer(
            model: model(Bag.required, unique: []),
            store: store
        )
        #expect(try bags(in: container.makeContext()).map(\.remark) == ["none", "none"])
        #expect(try store.checkIntegrity() == [])
    }

    @Test("leaves out a number of which some are taken; all get one")
    func takenNumber() throws {
        let older = try open()
        try #require(open(Bag.numbered, unique: [[\.number]]).store as? SQLiteStore).close()
        try makeBags("A", "B", "C", "D", "E", "F", in: older)
        let newer = try open(Bag.numbered, unique: [[\.number]])
        let numbers = try bags(in: newer.makeContext()).map(\.number)
        #expect(Set(numbers).count == 6 && !numbers.contains(0), "\(numbers)")
    }

    @Test("leaves out what is computed, and another one writes: the store is opened all the same")
    func numberBesidesWriter() throws {
        let older = try open()
        try #require(open(Bag.numbered, unique: [[\.number]]).store as? SQLiteStore).close()
        try makeBags("A", in: older)
        try DatabaseQueue(path: path()).writeWithoutTransaction { db in
            try db.execute(sql: "BEGIN IMMEDIATE")
            let newer = try open(Bag.numbered, unique: [[\.number]])
            #expect(try bags(in: newer.makeContext()).map(\.number) == [0])
            try #require(newer.store as? SQLiteStore).close()
            try db.execute(sql: "COMMIT")
        }
        let newer = try open(Bag.numbered, unique: [[\.number]])
        #expect(try bags(in: newer.makeContext()).map(\.number) != [0])
    }

    @Test(
        "breaks a constraint that it does not know, and is told to end",
        arguments: [["A"], ["A", "A"]]
    )
    func constraint(tags: [String]) throws {
        let older = try open()
        try makeBags("A", "B", "C", in: older)
        let context = older.makeContext()
        let known = try bags(in: context)
        let newer = try open(unique: [[\.tag]])
        for (bag, tag) in zip(known.dropFirst(), tags) { bag.tag = tag }
        let error = #expect(throws: StoreError.self) { try context.save() }
        #expect(error?.code == .incompatible)
        #expect(error?.message.contains("end this program") == true)
        #expect(try bags(in: newer.makeContext()).map(\.tag) == ["A", "B", "C"])
    }

    @Test("can insert what a constraint has no default for")
    func constantUnique() throws {
        let older = try open([.attribute(\.tag)])
        try makeBags("A", in: older)
        let properties: [Property<Bag>] = [.attribute(\.tag), .attribute(\.remark, default: "")]
        let newer = try open(properties, unique: [[\.remark]])
        try makeBags("B", "C", in: older)
        #expect(try bags(in: newer.makeContext()).count == 3)
    }

    @Test("leaves out what another object has that the edited one meets: that stays")
    func givenByOther() throws {
        let older = try open()
        let newer = try open(Bag.required, unique: [[\.tag]])
        try makeBags("A", in: older)
        let context = newer.makeContext(mergePolicy: .mergeByPropertyStoreTrump)
        try #require(try bags(in: context).first).tag = "AA"
        let other = Bag(context: context)
        (other.tag, other.remark) = ("AA", "x")
        try context.save()
        #expect(try bags(in: newer.makeContext()).map(\.remark) == ["x"])
    }

    @Test("leaves out what an edit gives; undoing the edit does not keep anything from being saved")
    func undoneEdit() throws {
        let older = try open()
        let newer = try open(Bag.required)
        try makeBags("A", "B", in: older)
        let context = newer.makeContext()
        context.undoLimit = 10
        let found = try bags(in: context)
        found[0].tag = "AA"
        try context.save()
        #expect(context.undo())
        try context.save()
        try context.delete(found[1])
        try context.save()
        #expect(context.undo())
        try context.save()
        #expect(try bags(in: newer.makeContext()).map(\.remark) == ["none", "none"])
        #expect(try newer.makeContext().historyFindings() == [])
    }

    @Test("leaves out what no default can be given for, and a copy can be restored all the same")
    func omissionsInCopy() throws {
        let older = try open([.attribute(\.tag)])
        let properties: [Property<Bag>] = [.attribute(\.tag), .attribute(\.remark, default: "")]
        let newer = try open(properties, unique: [[\.remark]])
        try makeBags("A", "B", in: older)
        let store = try #require(newer.store as? SQLiteStore)
        #expect(try store.checkIntegrity() == ["Bag.remark is missing in 2 of its objects"])
        try store.backup(to: path("copy.sqlite"))
        try SQLiteStore.restore(
            path("restored.sqlite"),
            from: path("copy.sqlite"),
            for: model(properties, unique: [[\.remark]]),
            keeping: path("aside.sqlite")
        )
        let restored = try SQLiteStore(path: path("restored.sqlite"))
        #expect(try restored.checkIntegrity() == ["Bag.remark is missing in 1 of its objects"])
    }

    // MARK: What becomes unique, or is converted

    @Test("has made objects whose computed values, new and unique, are not all different at first")
    func collidingValues() throws {
        let older = try open()
        try makeBags("A", "B", "C", "D", "E", in: older)
        try #require(older.store as? SQLiteStore).close()
        let newer = try open(
            Bag.numbered,
            unique: [[\.number]],
            duplicates: .merge(.overwrite)
        )
        let numbers = try bags(in: newer.makeContext()).map(\.number)
        #expect(Set(numbers).count == 5)
    }

    @Test(
        "holds an object of which a property is removed that is there anew: it does not come back"
    )
    func removedProperty() throws {
        let older = try open()
        try makeBags("A", in: older)
        let writer = older.makeContext()
        let bag = try #require(try bags(in: writer).first)
        bag.note = "secret"
        try writer.save()
        let newer = try open(steps: [.removingProperty("note", of: "Bag")])
        #expect(try newer.makeContext().historyFindings() == [])
        bag.tag = "AA"
        try writer.save()
        let found = try bags(in: newer.makeContext())
        #expect(found.map(\.tag) == ["AA"] && found.map(\.note) == [nil])
        #expect(try newer.makeContext().historyFindings() == [])
    }

    @Test("has left out what is required and unique: the objects are named, or merged")
    func requiredUnique() throws {
        let older = try open(unique: [[\.note]])
        try makeBags("A", "B", in: older)
        try #require(older.store as? SQLiteStore).close()
        let error = #expect(throws: StoreError.self) {
            try open(Bag.required, unique: [[\.remark]])
        }
        #expect(error?.code == .incompatible)
        #expect(error?.message.contains("2 objects of Bag have the same note") == true)
        let merged = try open(Bag.required, unique: [[\.remark]], duplicates: .merge(.overwrite))
        #expect(try bags(in: merged.makeContext()).map(\.remark) == ["none"])
        #expect(throws: MergeConflictError.self) {
            let context = merged.makeContext(mergePolicy: .error)
            Bag(context: context).remark = "none"
            try context.save()
        }
    }

    @Test("is read only: a step that has not been run is not passed over")
    func pendingStep() throws {
        let older = try open()
        try makeBags("A", in: older)
        try #require(older.store as? SQLiteStore).close()
        let steps = [MigrationStep("lower") { try $0.execute("UPDATE Bag SET tag = lower(tag)") }]
        let error = #expect(throws: StoreError.self) { try open(access: .read, steps: steps) }
        #expect(error?.code == .incompatible)
        #expect(error?.message.contains("\"lower\" has not been run; open it for writing") == true)
        try #require(try open(steps: steps).store as? SQLiteStore).close()
        #expect(try bags(in: open(access: .read, steps: steps).makeContext()).map(\.tag) == ["a"])
    }

    @Test(
        "is not left with half of a step that passes over an error by which SQLite ends the transaction",
        arguments: [
            "UPDATE OR ROLLBACK Bag SET id = 1", "INSERT OR ROLLBACK INTO Bag (id) VALUES (NULL)",
        ]
    )
    func half(ending: String) throws {
        try check { migration in
            try? migration.execute(ending)
            try migration.execute("UPDATE Bag SET tag = 'half'")
        }
        try check { try? $0.execute(ending) }
    }

    @Test(
        "is not left with half of a step that ends the transaction, or with what it leaves: the step is named",
        arguments: [
            "COMMIT", "commit;", " end", "ROLLBACK", "Savepoint here", "RELEASE here", "BEGIN",
            "/* so, */ /* or so */ COMMIT", "-- so\n -- \nROLLBACK", "; end",
            "-- so\r\nCOMMIT", "\u{FEFF}COMMIT", "ATTACH ':memory:' AS other",
            "CREATE TEMP TABLE Bag AS SELECT * FROM main.Bag",
            "CREATE TABLE temp.Bag AS SELECT * FROM main.Bag",
            "CREATE TEMP VIEW Bag AS SELECT * FROM main.Bag",
            "CREATE VIEW temp.Bag AS SELECT * FROM main.Bag",
            "CREATE TRIGGER temp.bags AFTER INSERT ON main.Bag BEGIN DELETE FROM Bag; END",
            "CREATE TEMP TRIGGER bags AFTER INSERT ON main.Bag BEGIN DELETE FROM Bag; END",
            "PRAGMA application_id = 5", "PRAGMA locking_mode = EXCLUSIVE",
        ]
    )
    func transaction(sql: String) throws {
        let error = try check { migration in
            try migration.execute("UPDATE Bag SET tag = 'half'")
            try migration.execute(sql)
        }
        #expect(error?.message.contains("remove it; this happened in the migration step") == true)
    }

    /// Checks that a store with two bags is refused and left as it is.
    @discardableResult
    private func check(_ body: @escaping @Sendable (Migration) throws -> Void) throws -> StoreError?
    {
        try? FileManager.default.removeItem(atPath: path())
        let older = try open()
        try makeBags("A", "B", in: older)
        try #require(older.store as? SQLiteStore).close()
        let error = #expect(throws: StoreError.self) {
            try open(steps: [MigrationStep("half", body)])
        }
        let found = try bags(in: open().makeContext())
        #expect(found.map(\.tag) == ["A", "B"])
        let next = try open(steps: [MigrationStep("half") { _ in }])
        try #require(next.store as? SQLiteStore).close()
        return error
    }
}
