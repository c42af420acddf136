import Foundation
import GRDB
import StoreTesting
import TestFolders
import Testing

@testable import ObjectStore
@testable import SQLiteStore

private final class Event: ManagedObject {
    @Attribute var time: Date
    @Attribute var note: String?
    @Attribute var kind: Int
    @ToOne var cause: Event?
    var undeclared: Int { 1 }

    static func entity(
        isIndexed: Bool = false,
        compound: [[any PartialKeyPath<Event> & Sendable]] = []
    ) -> EntityDescription {
        EntityDescription(
            Event.self,
            name: "Event",
            properties: [
                .attribute(\.time, indexed: isIndexed), .attribute(\.note),
                .attribute(\.kind, default: 0), .toOne(\.cause),
            ],
            compoundIndices: compound
        )
    }
}

@Suite("An index that the model declares")
struct IndexTests {
    /// How SQLite would look for events of a time.
    private func plan(
        _ path: String,
        _ condition: String = "time > 5 ORDER BY time"
    ) throws -> String {
        try DatabaseQueue(path: path).read { db in
            let sql = "EXPLAIN QUERY PLAN SELECT * FROM Event WHERE \(condition)"
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
            #expect(try plan(path).contains("USING INDEX Event(time)") == isIndexed)
        }
    }

    @Test("over several properties is made, used, and removed with its declaration")
    func compound() throws {
        let folder = try TemporaryFolder()
        let path = folder.path("store.sqlite")
        let declared: [[any PartialKeyPath<Event> & Sendable]] = [
            [\Event.kind, \Event.time], [\Event.cause, \Event.kind],
        ]
        for compound in [[], declared, [declared[1]], declared] {
            let model = try ManagedObjectModel(Event.entity(compound: compound))
            let store = try SQLiteStore(path: path)
            let context = try PersistentContainer(model: model, store: store).makeContext()
            let event = Event(context: context)
            event.time = Date(timeIntervalSince1970: 10)
            event.cause = event
            try context.save()
            #expect(try store.checkIntegrity() == [])
            try store.close()
            let search = try plan(path, "kind IS 0 AND time > 5 ORDER BY kind, time, id")
            #expect(
                search.hasPrefix("SEARCH Event USING INDEX Event(kind,time) (kind=? AND time>?)")
                    == (compound.count == 2)
            )
            // The rows come in its order.
            #expect(search.contains("TEMP B-TREE") == (compound.count < 2))
            let reference = try plan(path, "cause = 1 AND kind = 0")
            let expected = compound.isEmpty ? "Event(cause) (" : "Event(cause,kind) ("
            #expect(reference.contains("USING INDEX " + expected))
        }
        #expect(try SQLiteStore(path: path, access: .read).checkIntegrity() == [])
        let queue = try DatabaseQueue(path: path)
        try queue.writeWithoutTransaction { try $0.execute(sql: #"DROP INDEX "Event(kind,time)""#) }
        try queue.close()
        let finding = "the table Event is missing or was changed"
        #expect(try SQLiteStore(path: path, access: .read).checkIntegrity() == [finding])
    }

    @Test("over several properties speeds up what a request becomes")
    func request() throws {
        let folder = try TemporaryFolder()
        let path = folder.path("store.sqlite")
        let model = try ManagedObjectModel(
            Event.entity(compound: [[\Event.kind, \Event.time]])
        )
        let store = try SQLiteStore(path: path)
        try store.prepare(for: model)
        let kinds = [1, 2, 3]
        let early = Date(timeIntervalSince1970: 5)
        let requests = [
            FetchRequest(Event.self, predicate: #Predicate { $0.kind == 1 && $0.time > early })
                .sorted(by: \.kind).sorted(by: \.time),
            FetchRequest(Event.self, predicate: #Predicate { kinds.contains($0.kind) }),
        ]
        let context = try PersistentContainer(model: model, store: store).makeContext()
        for request in requests {
            let query = try context.query(for: request)
            let plan = try store.plan(of: query)
            #expect(plan.contains("SEARCH t0 USING INDEX Event(kind,time) (kind=?"))
        }
        // Which are looked for where some have changed, and some are counted.
        var few = try context.query(
            for: FetchRequest(Event.self, predicate: #Predicate { $0.kind > 5 })
        )
        (few.limit, few.hasOrder) = (4, false)
        let plan = try store.plan(of: few) { _ = try $0.keys(matching: $1) }
        #expect(plan == "SEARCH t0 USING COVERING INDEX Event(kind,time) (kind>?)")
    }

    @Test(
        "that cannot be is a mistake in the model",
        arguments: [
            ([[\Event.time]], "an index over time alone"),
            ([[\Event.time, \Event.time]], "an index over time, time names one twice"),
            ([[]], "an index may name"), ([[\Event.undeclared, \Event.time]], "an index may name"),
            (
                [[\Event.time, \Event.kind], [\Event.time, \Event.kind]],
                "an index over time, kind is there already"
            ),
        ] as [([[any PartialKeyPath<Event> & Sendable]], String)]
    )
    fileprivate func mistakes(indices: [[any PartialKeyPath<Event> & Sendable]], problem: String) {
        let error = #expect(throws: ModelError.self) {
            try ManagedObjectModel(Event.entity(compound: indices))
        }
        #expect(error?.problems.count == 1)
        #expect(error?.description.contains(problem) == true)
    }
}

extension SQLiteStore {
    /// How SQLite would look for the rows of a query, or for what else is read of them.
    fileprivate func plan(
        of query: StoreQuery,
        reading read: (SQLiteTransaction, StoreQuery) throws -> Void = {
            _ = try $0.rows(matching: $1)
        }
    ) throws -> String {
        try pool.read { db in
            let before = Set(db.statements.keys.map(\.text))
            try read(SQLiteTransaction(db, path: path, sql: nil), query)
            let sql = try #require(Set(db.statements.keys.map(\.text)).subtracting(before).first)
            let statement = try SQLiteStatement("EXPLAIN QUERY PLAN " + sql, in: db)
            var steps: [String] = []
            while try statement.step() { steps.append(statement.value(3, leadingTo: nil).text) }
            return steps.joined(separator: "; ")
        }
    }
}
