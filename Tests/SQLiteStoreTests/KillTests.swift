import Foundation
import GRDB
import ObjectStore
import SeededRandom
import SQLiteStore
import StoreTesting
import TestFolders
import Testing

@Suite("A process that is killed while it saves")
struct KillTests {
    private static let seed: UInt64 = 0x5A7E
    private static let kills = 25

    @Test("leaves whole saves, and every one that it had acknowledged")
    func kill() throws {
        let folder = try TemporaryFolder()
        let path = folder.path("store.sqlite")
        var random = SeededGenerator(seed: Self.seed)
        var last = 0
        for kill in 0..<Self.kills {
            // The first few are killed while they make the file.
            let acknowledgements = kill < 5 ? 0 : random.number(below: 12)
            let microseconds = random.number(below: kill < 5 ? 30_000 : 4_000)
            let writer = try KilledWriter("store-writer", [path])
            let acknowledged = try writer.kill(after: acknowledgements, microseconds)
                .lastAcknowledgement
            let place: Comment = "kill \(kill) of seed \(Self.seed)"

            let store = try SQLiteStore(path: path)
            let container = try PersistentContainer(model: TestModel.make(), store: store)
            let context = container.makeContext()
            let saves = try context.first(FetchRequest(Counter.self))?.value ?? 0
            #expect(saves >= max(acknowledged ?? 0, last), place)
            #expect(try context.count(Passenger.self) == saves, place)
            let bags = try context.fetch(FetchRequest(Luggage.self))
            #expect(bags.count == 3 * saves, place)
            #expect(bags.allSatisfy { $0.owner != nil && $0.note?.count == 6000 }, place)
            try store.close()
            try Self.checkIntegrity(path, place)
            last = saves
        }
        #expect(last > Self.kills)
    }

    private static func checkIntegrity(_ path: String, _ place: Comment) throws {
        let queue = try DatabaseQueue(path: path)
        let answer = try queue.read { try String.fetchOne($0, sql: "PRAGMA integrity_check") }
        #expect(answer == "ok", place)
        try queue.close()
    }
}
