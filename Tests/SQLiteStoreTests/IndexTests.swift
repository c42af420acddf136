import Foundation
import GRDB
import ObjectStore
import SQLiteStore
import StoreTesting
import Testing

private final class Event: ManagedObject {
    @Attribute var time: Date
    @Attribute var note: String?

    static func entity(isIndexed: Bool) -> EntityDescription {
        EntityDescription(
            Event.self,
            name: "Event",
            properties: [
                .attribute(\.time, "time", indexed: isIndexed), .attribute(\.note, "note"),
            ]
        )
    }
}

@Suite("An index that the model declares")
struct IndexTests {
    /// How SQLite would look for events of a time.
    private func plan(_ path: String) throws -> String {
        try DatabaseQueue(path: path).read { db in
            let sql = "EXPLAIN QUERY PLAN SELECT * FROM Event WHERE time > 5 ORDER BY time"
            return try Row.fetchAll(db, sql: sql).map { $0["detail"] as String }.joined(
                separator: "; "
            )
        }
    }

    @Test("is used, and made for a store that has been without it")
    func used() throws {
        let folder = try TemporaryFolder()
        let path = folder.path("store.sqlite")
        for isIndexed in [false, true] {
            let model = try ManagedObjectModel(Event.entity(isIndexed: isIndexed))
            let store = try SQLiteStore(path: path)
            let context = try PersistentContainer(model: model, store: store).makeContext()
            Event(context: context).time = Date(timeIntervalSince1970: 10)
            try context.save()
            try store.close()
            #expect(try plan(path).contains("USING INDEX Event_time") == isIndexed)
        }
    }
}
