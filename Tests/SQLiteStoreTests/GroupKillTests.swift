import Foundation
import ObjectStore
import SQLiteStore
import SeededRandom
import StoreTesting
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
            let text = try Self.runWriter(path, saves: 1 + random.number(below: 200), delay)
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

    /// Runs the writer, kills it a while after it has acknowledged some saves, and gives its output.
    private static func runWriter(
        _ path: String,
        saves: Int,
        _ microseconds: Int
    ) throws -> String {
        let writer = Process()
        writer.executableURL = URL(fileURLWithPath: CommandLine.arguments[0])
            .deletingLastPathComponent().appending(path: "store-writer")
        writer.arguments = [path, "24"]
        let output = Pipe()
        writer.standardOutput = output
        try writer.run()
        var text = Data()
        while text.count(where: { $0 == 0x0A }) < saves {
            let more = output.fileHandleForReading.availableData
            if more.isEmpty { break }
            text += more
        }
        // The point of the kill, not a wait for something to happen.
        usleep(UInt32(microseconds))
        Glibc.kill(writer.processIdentifier, SIGKILL)
        writer.waitUntilExit()
        #expect(writer.terminationReason == .uncaughtSignal)
        text += try output.fileHandleForReading.readToEnd() ?? Data()
        return String(decoding: text, as: UTF8.self)
    }
}
