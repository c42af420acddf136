import Foundation
import GRDB
import ObjectStore
import SQLiteStore
import StoreTesting
import TestFolders
import Testing

@Suite("A store of the format that counted dates from 1970")
struct OlderDatesTests {
    private let folder: TemporaryFolder
    private let path: String
    private let morning = Date(timeIntervalSince1970: 1_700_000_000.25)
    private let noon = Date(timeIntervalSince1970: 1_700_014_400)

    /// Makes a store with two bags and the history of a date, and counts its dates as before.
    init() throws {
        folder = try TemporaryFolder()
        path = folder.path("store.sqlite")
        let store = try SQLiteStore(path: path)
        let context = try PersistentContainer(model: TestModel.make(), store: store).makeContext()
        let bag = Luggage(context, "A", weight: 1)
        bag.departedAt = noon
        let number = 1_700_000_000.25
        bag.heaviest = Int(number)
        _ = Luggage(context, "B", weight: number)
        try context.save()
        bag.departedAt = morning
        try context.save()
        try store.close()

        let queue = try DatabaseQueue(path: path)
        try queue.writeWithoutTransaction { db in
            try db.execute(sql: "UPDATE Luggage SET departedAt = departedAt + 978307200.0")
            try db.execute(sql: "PRAGMA user_version = 2")
            let rows = try Row.fetchAll(db, sql: "SELECT token, changes FROM ObjectStoreHistory")
            for row in rows {
                var bytes: [UInt8] = Array(row["changes"] as Data)
                bytes[0] = 1
                for date in [morning, noon] {
                    func little(_ number: Double) -> [UInt8] {
                        unsafe withUnsafeBytes(of: number.bitPattern.littleEndian) { bytes in
                            unsafe Array(bytes)
                        }
                    }
                    let new = little(date.timeIntervalSinceReferenceDate)
                    if let place = bytes.firstRange(of: new) {
                        bytes.replaceSubrange(place, with: little(date.timeIntervalSince1970))
                    }
                }
                try db.execute(
                    sql: "UPDATE ObjectStoreHistory SET changes = ? WHERE token = ?",
                    arguments: [Data(bytes), row["token"] as Int64]
                )
            }
        }
        try queue.close()
    }

    private func open(_ access: SQLiteStore.Access) throws -> PersistentContainer {
        try PersistentContainer(
            model: TestModel.make(),
            store: SQLiteStore(path: path, access: access)
        )
    }

    private func check(_ container: PersistentContainer) throws {
        let context = container.makeContext()
        let bags = FetchRequest(Luggage.self)
        #expect(try context.luggage("A")?.departedAt == morning)
        #expect(try context.luggage("B")?.departedAt == nil)
        #expect(try context.luggage("B")?.weight == 1_700_000_000.25)
        #expect(try context.count(bags.where(\.departedAt, is: morning)) == 1)
        #expect(try context.count(bags.where(\.departedAt, isAtLeast: noon)) == 0)
        #expect(try context.count(bags.where(\.departedAt, isMissing: true)) == 1)
        #expect(try context.maximum(of: \Luggage.departedAt) == morning)
        #expect(try context.counts(by: \Luggage.departedAt) == [morning: 1, nil: 1])
        let sorted = try context.fetch(bags.sorted(by: \.departedAt, .descending))
        #expect(sorted.map(\.tag) == ["A", "B"])
        let change = try container.history(after: nil).last?.changes.first?.properties.first
        #expect(change?.before == noon.attributeValue)
        #expect(change?.after == morning.attributeValue)
        #expect(try container.read { try $0.historyFindings() } == [])
    }

    @Test("is read as it is, and stays as it is")
    func reading() throws {
        try check(open(.read))
        let queue = try DatabaseQueue(path: path)
        let date = try queue.read { db in
            try Double.fetchOne(db, sql: "SELECT departedAt FROM Luggage WHERE tag = 'A'")
        }
        #expect(date == 1_700_000_000.25)
    }

    @Test("is converted once when it is opened for writing")
    func converting() throws {
        for _ in 0..<2 { try check(open(.create)) }
        let context = try open(.create).makeContext()
        try #require(try context.luggage("B")).departedAt = Date(
            timeIntervalSinceReferenceDate: 0.1
        )
        try context.save()
        let dates = try open(.read).makeContext().fetch(FetchRequest(Luggage.self)).map(
            \.departedAt
        )
        #expect(dates == [morning, Date(timeIntervalSinceReferenceDate: 0.1)])
    }

    @Test("is read right by who has opened it before it was converted")
    func convertedMeanwhile() throws {
        let reader = try open(.read)
        try check(reader)
        try check(open(.create))
        try check(reader)
    }
}
