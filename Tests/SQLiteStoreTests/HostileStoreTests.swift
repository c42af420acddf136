import Foundation
import GRDB
import ObjectStore
import SQLiteStore
import StoreTesting
import TestFolders
import Testing

@Suite("What another tool has put into a store ends no program")
struct HostileStoreTests {
    /// A context on a store with one bag, after statements were run on its file.
    private func context(_ folder: TemporaryFolder, after sql: String) throws -> PersistentContainer
    {
        let path = folder.path("store.sqlite")
        let store = try SQLiteStore(path: path)
        let context = try PersistentContainer(model: TestModel.make(), store: store).makeContext()
        _ = Luggage(context, "A", weight: 1)
        try context.save()
        try store.close()
        try run(sql, on: path)
        return try PersistentContainer(
            model: TestModel.make(),
            store: SQLiteStore(path: path)
        )
    }

    private func run(_ sql: String, on path: String) throws {
        let queue = try DatabaseQueue(path: path)
        try queue.write { try $0.execute(sql: sql) }
        try queue.close()
    }

    @Test("the greatest version")
    func version() throws {
        let folder = try TemporaryFolder()
        let sql = "UPDATE Luggage SET version = 9223372036854775807"
        let container = try context(folder, after: sql)
        let context = container.makeContext()
        try #require(try context.luggage("A")).weight = 5
        try context.save()
        #expect(try container.makeContext().luggage("A")?.weight == 5)
    }

    @Test("keys that are those of objects that were never saved", .timeLimit(.minutes(30)))
    func keys() throws {
        let folder = try TemporaryFolder()
        let sql = "UPDATE ObjectStoreKeys SET lastKey = -1000"
        let context = try context(folder, after: sql).makeContext()
        for number in 0..<1000 { _ = Luggage(context, "\(number)", weight: 1) }
        let error = #expect(throws: StoreError.self) { try context.save() }
        #expect(error?.code == .damaged)
    }

    @Test(
        "the numbers of a history",
        arguments: [Int64.min, -1, 0, .max - 1, .max],
        [Int64?.none, .min, -1, 0, 1, .max]
    )
    func historyNumbers(last: Int64, first: Int64?) throws {
        let folder = try TemporaryFolder()
        let kept = first.map { "UPDATE ObjectStoreHistory SET token = \($0)" }
        let sql =
            (kept ?? "DELETE FROM ObjectStoreHistory")
            + "; UPDATE sqlite_sequence SET seq = \(last) WHERE name = 'ObjectStoreHistory'"
        let container = try context(folder, after: sql)
        for token in [nil, Int64.min, -1, 0, 1, .max - 1, .max] {
            let token = token.map { HistoryToken(rawValue: $0) }
            for limit in [nil, Int.min, -1, 0, 1, Int.max] {
                do {
                    _ = try container.history(after: token, limit: limit)
                } catch let error as StoreError {
                    #expect([.historyExpired, .damaged].contains(error.code))
                }
            }
        }
    }

    @Test("a history of other types")
    func history() throws {
        let folder = try TemporaryFolder()
        let sql = """
            ALTER TABLE ObjectStoreHistory RENAME TO old;
            CREATE TABLE ObjectStoreHistory (
                token INTEGER PRIMARY KEY AUTOINCREMENT NOT NULL, date, author, changes
            );
            INSERT INTO ObjectStoreHistory SELECT token, 'never', x'FF', NULL FROM old;
            DROP TABLE old;
            """
        let container = try context(folder, after: sql)
        let error = #expect(throws: StoreError.self) { try container.history(after: nil) }
        #expect(error?.code == .damaged)
        let store = try SQLiteStore(path: folder.path("store.sqlite"), access: .read)
        #expect(try store.checkIntegrity().contains("save 1 of the history is damaged"))
    }

    @Test("the last number of a history, when it is checked")
    func checkedHistory() throws {
        let folder = try TemporaryFolder()
        _ = try context(folder, after: "UPDATE ObjectStoreHistory SET token = 9223372036854775807")
        let store = try SQLiteStore(path: folder.path("store.sqlite"), access: .read)
        #expect(try store.checkIntegrity() == [])
    }

    @Test("keys of rows that are those of objects that were never saved")
    func rowKeys() throws {
        let folder = try TemporaryFolder()
        let sql = "INSERT INTO Part (id, version, name) VALUES (-5, 1, 'a')"
        let container = try context(folder, after: sql)
        let error = #expect(throws: StoreError.self) {
            try container.makeContext().fetch(FetchRequest(Part.self))
        }
        #expect(error?.code == .damaged)
        let store = try SQLiteStore(path: folder.path("store.sqlite"), access: .read)
        #expect(try store.checkIntegrity().contains("Part -5 has a key that is never given"))
    }

    @Test("texts that are no UTF-8, in an order that is observed", arguments: ["A", "B"])
    func observedTexts(deleted: String) async throws {
        let folder = try TemporaryFolder()
        let container = try context(
            folder,
            after: """
                UPDATE Luggage SET note = '😀';
                INSERT INTO Luggage (id, version, tag, weight, priority, note)
                    VALUES (2, 1, 'B', 1, 3, CAST(x'FF' AS TEXT));
                UPDATE ObjectStoreKeys SET lastKey = 2 WHERE entity = 'Luggage'
                """
        )
        let context = container.makeContext()
        let bag = try #require(try context.luggage(deleted))
        let left = try #require(try context.luggage(deleted == "A" ? "B" : "A")).objectID
        let request = FetchRequest(Luggage.self).sorted(by: \.note)
        var changes = try container.observe(request).makeAsyncIterator()
        let before = try #require(try await changes.next()).ids
        try context.delete(bag)
        try await context.save()
        let change = try #require(try await changes.next())
        #expect(change.ids == [left])
        #expect(change.applied(to: before) == [left])
    }

    @Test("rows with the same key, in a result that is observed")
    func observedTwins() async throws {
        let folder = try TemporaryFolder()
        let container = try context(
            folder,
            after: """
                DROP TABLE Counter;
                CREATE TABLE Counter (
                    id INTEGER, version INTEGER, name TEXT, value INTEGER, peak INTEGER
                );
                INSERT INTO Counter VALUES (1, 1, 'a', 0, 0), (1, 1, 'b', 0, 0);
                UPDATE ObjectStoreKeys SET lastKey = 1 WHERE entity = 'Counter'
                """
        )
        var changes = try container.observe(FetchRequest(Counter.self).limited(to: 10))
            .makeAsyncIterator()
        _ = try await changes.next()
        let context = container.makeContext()
        Counter(context: context).name = "new"
        try await context.save()
        #expect(try await changes.next()?.inserted.count == 1)
    }

    @Test("a history in which a reference leads to objects of another kind")
    func observedReferences() async throws {
        let folder = try TemporaryFolder()
        let container = try context(folder, after: "SELECT 1")
        let request = FetchRequest(
            Luggage.self,
            predicate: #Predicate { $0.owner?.phone == "x" }
        )
        var changes = try container.observe(request).makeAsyncIterator()
        _ = try await changes.next()
        // Two saves: the note of bag 1 changes to "x", then its owner from seal 1 to nobody.
        try run(
            """
            INSERT INTO Seal (id, version) VALUES (1, 1);
            INSERT INTO ObjectStoreHistory (date, author, changes) VALUES
                (0, NULL, x'0202074C756767616765046E6F746501010002010103017800'),
                (0, NULL, x'0203074C756767616765056F776E6572045365616C01010002010105020200')
            """,
            on: folder.path("store.sqlite")
        )
        let context = container.makeContext()
        let owner = Passenger(context, "D", "ZMU")
        owner.phone = "x"
        try #require(try context.luggage("A")).owner = owner
        try await context.save()
        var ids: [ObjectID] = []
        while ids.isEmpty { ids = try #require(try await changes.next()).ids }
        #expect(ids.count == 1)
    }
}
