import Foundation
import ObjectStore
import SQLiteStore
import StoreTesting
import TestFolders
import Testing

@Suite("A file that one process has open more than once", .timeLimit(.minutes(30)))
struct SharedFileTests {
    @Test("keeps its log when another process comes and goes, whoever of them closes")
    func log() throws {
        let folder = try TemporaryFolder()
        let path = folder.path("store.sqlite")
        let model = try TestModel.make()
        let store = try SQLiteStore(path: path)
        let container = try PersistentContainer(model: model, store: store)
        for round in 0..<3 {
            // Opened and closed beside the first one, which must not notice.
            let second = try SQLiteStore(path: path, access: round == 1 ? .read : .create)
            if round == 2 { try second.close() }
            let log = try FileManager.default.attributesOfItem(atPath: path + "-wal")
            let other = try OtherProcess(path)
            try other.run("insert other-\(round)")
            try other.run("reopen")
            let same = try FileManager.default.attributesOfItem(atPath: path + "-wal")
            #expect(log[.systemFileNumber] as? Int == same[.systemFileNumber] as? Int)

            let context = container.makeContext()
            _ = Luggage(context, "own-\(round)", weight: 1)
            let token = try context.save().token
            #expect(try other.run("reopen") == token)
            if round < 2 { try second.close() }
        }
        #expect(try container.makeContext().count(Luggage.self) == 6)
    }
}
