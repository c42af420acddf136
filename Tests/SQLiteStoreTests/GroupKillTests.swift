import Foundation
import ObjectStore
import SeededRandom
import SQLiteStore
import StoreTesting
import TestFolders
import Testing

@Suite("A process that is killed while many threads save")
struct GroupKillTests {
    private static let seed: UInt64 = 0x6B111
    private static let kills = 20

    @Test("leaves whole saves, and every one that it had acknowledged")
    func kill() throws {
        let folder = try TemporaryFolder()
        let path = folder.path("store.sqlite")
        var random = SeededGenerator(seed: Self.seed)
        var acknowledged: Set<Substring> = []
        for kill in 0..<Self.kills {
            let delay = random.number(below: 5_000)
            let writer = try KilledWriter("store-writer", [path, "24"])
            let text = try writer.kill(after: 1 + random.number(below: 200), delay)
            // The last line may have been cut off.
            let whole = text[..<(text.lastIndex(of: "\n") ?? text.startIndex)]
            acknowledged.formUnion(whole.split(separator: "\n"))

            let place: Comment = "kill \(kill) of seed \(Self.seed)"
            let store = try SQLiteStore(path: path)
            let container = try PersistentContainer(model: TestModel.make(), store: store)
            let bags = try container.makeContext().fetch(FetchRequest(Luggage.self))
            let saves = Dictionary(grouping: bags) { bag in
                bag.tag.prefix(upTo: bag.tag.lastIndex(of: "-") ?? bag.tag.endIndex)
            }
            #expect(saves.values.allSatisfy { $0.count == 3 }, place)
            #expect(acknowledged.isSubset(of: saves.keys), place)
            // The history tells of exactly the saves that are there.
            #expect(try container.history(after: nil).count == saves.count, place)
            #expect(try store.checkIntegrity() == [], place)
            try store.close()
        }
        #expect(acknowledged.count > Self.kills)
    }
}
