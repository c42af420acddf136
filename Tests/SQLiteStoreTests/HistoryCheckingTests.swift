import Foundation
import GRDB
import ObjectStore
import SQLiteStore
import StoreTesting
import TestFolders
import Testing

@Suite("Comparing the history with the rows")
struct HistoryCheckingTests {
    struct Change: Sendable, CustomTestStringConvertible {
        let sql: String
        let findings: [String]
        var testDescription: String { sql }
    }

    @Test(
        "what another tool has changed is named",
        arguments: [
            Change(sql: "SELECT 1", findings: []),
            Change(
                sql: "UPDATE Luggage SET note = 'other' WHERE id = 1",
                findings: ["Luggage 1.note is \"other\", and the history says \"new\""]
            ),
            Change(
                sql: "DELETE FROM Luggage WHERE id = 2",
                findings: ["Luggage 2 is gone, and the history does not say why"]
            ),
            Change(
                sql: "INSERT INTO Luggage SELECT 3, version, 'A9', weight, priority, note, place, "
                    + "departedAt, arrivedAt, heaviest, lightest, original, owner FROM Luggage "
                    + "WHERE id = 2",
                findings: ["Luggage 3 is there, and the history says that it was deleted"]
            ),
            Change(
                sql: "INSERT INTO ObjectStoreHistory SELECT 9, date, author, changes FROM "
                    + "ObjectStoreHistory WHERE token = 1",
                findings: [
                    "save 9 changes Luggage 1, which was there already",
                    "save 9 changes Luggage 2, which was there already",
                    "Luggage 3 is gone, and the history does not say why",
                ]
            ),
            Change(
                sql:
                    "DELETE FROM ObjectStoreHistory WHERE token < 3; UPDATE Luggage SET note = 'x'",
                findings: []
            ),
        ]
    )
    func changed(change: Change) throws {
        let folder = try TemporaryFolder()
        let path = folder.path("store.sqlite")
        let container = try PersistentContainer(
            model: TestModel.make(),
            store: SQLiteStore(path: path)
        )
        let context = container.makeContext()
        let bags = ["A1", "A2", "A3"].map { Luggage(context, $0, weight: 1, note: "old") }
        try context.save()
        bags[0].note = "new"
        try context.save()
        try context.delete(bags[2])
        try context.save()
        let queue = try DatabaseQueue(path: path)
        try queue.writeWithoutTransaction { try $0.execute(sql: change.sql) }
        try queue.close()
        let findings = try container.read { try $0.historyFindings() }
        #expect(findings == change.findings)
        // Followed few at a time, they are the same.
        let again = try container.read { try $0.historyFindings(limit: 100, following: 1) }
        #expect(again.sorted() == findings.sorted())
    }
}
