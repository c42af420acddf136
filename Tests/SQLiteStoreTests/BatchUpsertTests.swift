import Foundation
import ObjectStore
import SQLiteStore
import StoreTesting
import TestFolders
import Testing

@Suite("A transaction of 100,000 bags")
struct BatchUpsertTests {
    @Test("holds no more memory for all of them, and merges them with those on record")
    func bounded() throws {
        let folder = try TemporaryFolder()
        let path = folder.path("store.sqlite")
        // A process of its own, whose memory nobody else uses.
        let writer = try StartedProgram("store-writer", [path, "upsert"])
        let output = try writer.output.readToEnd() ?? Data()
        #expect(writer.wait() == .exit(0))
        let kibibytes = String(decoding: output, as: UTF8.self).split(separator: "\n").map {
            Int($0)
        }
        try #require(kibibytes.count == 2)
        // All of them at once take some 300 MiB.
        for peak in kibibytes { #expect(try #require(peak) < 100 << 10) }

        let store = try SQLiteStore(path: path)
        let container = try PersistentContainer(model: TestModel.make(), store: store)
        let context = container.makeContext()
        #expect(try context.count(Luggage.self) == 100_000)
        #expect(try context.luggage("bag 99999")?.weight == 2)
    }
}
