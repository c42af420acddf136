import Foundation
import ObjectStore
import SQLiteStore
import StoreTesting
import TestFolders
import Testing

@Suite("Processes that save without pause, all at the same time", .timeLimit(.minutes(30)))
struct FairnessTests {
    @Test("are served alike, and none gives up", arguments: [[1, 1, 1, 1], [1, 16]])
    func turns(threads: [Int]) throws {
        let folder = try TemporaryFolder()
        let path = folder.path("store.sqlite")
        let store = try SQLiteStore(path: path)
        let container = try PersistentContainer(model: TestModel.make(), store: store)
        let writers = try threads.map { try KilledWriter("store-writer", [path, "\($0)"]) }
        for writer in writers { try writer.waitForSave(0) }
        let before = try saves(in: container)
        try writers[0].waitForSave(before["\(writers[0].identifier)", default: 0] + 300)
        let after = try saves(in: container)
        // Each ends by being killed, and not by an error before that.
        for writer in writers { _ = try writer.kill(after: 0, 0) }

        let served = writers.map { writer in
            let prefix = "\(writer.identifier)"
            return after[prefix, default: 0] - before[prefix, default: 0]
        }
        let bound = 4 * (threads.max() ?? 1)
        let least = try #require(served.min())
        #expect(least > 0 && served.allSatisfy { $0 <= bound * least }, "\(served)")
    }

    /// The number of saves in the store, by the process that has made them.
    private func saves(in container: PersistentContainer) throws -> [String: Int] {
        let bags = try container.makeContext().fetch(FetchRequest(Luggage.self))
        return Dictionary(grouping: bags) { String($0.tag.prefix { $0 != "-" }) }
            .mapValues { $0.count / 3 }
    }
}
