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
        let queue = try DatabaseQueue(path: path)
        try queue.write { try $0.execute(sql: sql) }
        try queue.close()
        return try PersistentContainer(
            model: TestModel.make(),
            store: SQLiteStore(path: path)
        )
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
}
