import ObjectStore
import StoreTesting
import TestFolders
import Testing

@testable import SQLiteStore

@Suite("Commits wait for the disk")
struct DurabilityTests {
    @Test("the connection that writes synchronizes the log at every commit")
    func synchronous() throws {
        let folder = try TemporaryFolder()
        for _ in 0..<2 {
            let store = try SQLiteStore(path: folder.path("store.sqlite"))
            let level = try store.pool.writer.value("PRAGMA synchronous")
            // 2 is FULL, see https://www.sqlite.org/pragma.html#pragma_synchronous
            #expect(level == .integer(2))
            try store.close()
        }
    }
}
