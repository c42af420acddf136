import Foundation
import GRDB
import ObjectStore
import SQLiteStore
import StoreTesting
import TestFolders
import Testing

@Suite("The history in a file")
struct HistoryFileTests {
    private let folder: TemporaryFolder
    private let path: String

    init() throws {
        folder = try TemporaryFolder()
        path = folder.path("store.sqlite")
    }

    private func open() throws -> PersistentContainer {
        try PersistentContainer(model: TestModel.make(), store: SQLiteStore(path: path))
    }

    @Test("other stores' saves come in the order of their commits, each with its author")
    func several() async throws {
        let containers = try (0..<4).map { _ in try open() }
        try await withThrowingTaskGroup(of: Void.self) { group in
            for (index, container) in containers.enumerated() {
                group.addTask {
                    for round in 0..<50 {
                        try container.transaction { context in
                            context.author = "station \(index)"
                            let counter =
                                try context.first(FetchRequest(Counter.self))
                                ?? Counter(context: context)
                            counter.name = "count"
                            counter.value += 1
                            _ = Luggage(context, "\(index)-\(round)", weight: 1)
                            try context.save()
                        }
                    }
                }
            }
            try await group.waitForAll()
        }
        let saves = try containers[0].history(after: nil)
        #expect(saves.map(\.token.rawValue) == Array(1...200))
        // The counter went up by one from each save to the next.
        let counts = saves.dropFirst().compactMap { save in
            save.changes.flatMap(\.properties).first { $0.name == "value" }?.after
        }
        #expect(counts == (2...200).map { .integer($0) })
        for index in 0..<4 {
            #expect(saves.count { $0.author == "station \(index)" } == 50)
        }
        #expect(try containers[3].history(after: HistoryToken(rawValue: 150)).count == 50)
    }

    @Test("bytes that are no changes are damage, and never a crash")
    func damage() throws {
        let container = try open()
        let context = container.makeContext()
        let luggage = Luggage(context, "A1", weight: 1, note: "a note")
        try context.save()
        luggage.note = "another"
        luggage.owner = Passenger(context, "D", "ZMU")
        try context.save()
        let queue = try DatabaseQueue(path: path)
        let sql = "SELECT changes FROM ObjectStoreHistory WHERE token = 2"
        let whole = try #require(try queue.read { try Data.fetchOne($0, sql: sql) })
        var hostile = (0..<whole.count).map { Data(whole.prefix($0)) }
        for position in whole.indices {
            for byte in [UInt8(0), 0x7F, 0x80, 0xFF] where whole[position] != byte {
                var changed = whole
                changed[position] = byte
                hostile.append(changed)
            }
        }
        hostile.append(Data([1]) + Data(repeating: 0xFF, count: 9) + Data([1]))
        for bytes in hostile {
            try queue.write { db in
                try db.execute(
                    sql: "UPDATE ObjectStoreHistory SET changes = ? WHERE token = 2",
                    arguments: [bytes]
                )
            }
            do {
                // Some bytes only make another text or number.
                _ = try container.history(after: nil)
            } catch let error as StoreError {
                #expect(error.code == .damaged)
            }
        }
        for size in 0..<whole.count {
            try queue.write { db in
                try db.execute(
                    sql: "UPDATE ObjectStoreHistory SET changes = ? WHERE token = 2",
                    arguments: [whole.prefix(size)]
                )
            }
            #expect(throws: StoreError.self) { try container.history(after: nil) }
            // What does not touch the damage goes on.
            #expect(try container.makeContext().count(Luggage.self) == 1)
        }
        try container.deleteHistory(before: HistoryToken(rawValue: 3))
        #expect(try container.history(after: nil).isEmpty)
        try queue.close()
    }
}
