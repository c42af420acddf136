import Foundation
import GRDB
import ObjectStore
import SeededRandom
import SQLiteStore
import StoreTesting
import TestFolders
import Testing

/// Kills about 100 processes that save, or as many as `STORE_KILLS` says.
@Suite("Processes that are killed while they save, again and again")
struct CrashTests {
    private static let seed: UInt64 = 0xC0FFEE
    /// How often one store is reopened.
    private static let rounds = 10
    private static let stores: Range<Int> = {
        let kills = ProcessInfo.processInfo.environment["STORE_KILLS"].flatMap { Int($0) } ?? 100
        // Each other store has two processes a round.
        return 0..<2 * max(1, (kills + 3 * rounds - 1) / (3 * rounds))
    }()

    @Test("leave whole saves, and every one that they had acknowledged", arguments: stores)
    func kills(store number: Int) throws {
        let folder = try TemporaryFolder()
        let path = folder.path("store.sqlite")
        var random = SeededGenerator(seed: Self.seed &+ UInt64(number))
        var last = 0
        for round in 0..<Self.rounds {
            let place: Comment = "round \(round) of store \(number), seed \(Self.seed)"
            // Every other store is saved to by two processes at once; one of them is killed first.
            let writers = try (0...number % 2).map { _ in
                try KilledWriter("fault-writer", [path])
            }
            var acknowledged = last
            for writer in writers {
                // In one of three rounds while the file is made or opened.
                let saves = random.number(below: 3) == 0 ? 0 : 1 + random.number(below: 3)
                let delay = random.number(below: saves == 0 ? 60_000 : 4_000)
                let text = try writer.kill(after: saves, delay)
                acknowledged = max(acknowledged, text.lastAcknowledgement ?? 0)
            }
            let saves = try Self.check(path, place)
            #expect(saves >= acknowledged, place)
            last = saves
        }
        #expect(last > 0, "store \(number), seed \(Self.seed)")
    }

    /// Reopens the store and gives the number of saves in it.
    private static func check(_ path: String, _ place: Comment) throws -> Int {
        let store = try SQLiteStore(path: path)
        let container = try PersistentContainer(model: TestModel.make(), store: store)
        let saves = try #require(try SavedRound.count(in: container), place)
        try store.close()
        let queue = try DatabaseQueue(path: path)
        let answer = try queue.read { try String.fetchOne($0, sql: "PRAGMA integrity_check") }
        #expect(answer == "ok", place)
        try queue.close()
        return saves
    }
}
