import Foundation
import ObjectStore
import SQLiteStore
import StoreTesting
import SystemSupport
import TestFolders
import Testing

@Suite("What a save adds to the log")
struct LogWritingTests {
    @Test("is written with one call for each 15 pages", arguments: [10, 150_000, 1_000_000])
    func calls(length: Int) throws {
        let folder = try TemporaryFolder()
        let path = folder.path("store.sqlite")
        let store = try SQLiteStore(path: path)
        let container = try PersistentContainer(model: TestModel.make(), store: store)
        for tag in ["first", "second"] {
            let note = String(repeating: "n", count: length)
            let context = container.makeContext()
            Luggage(context, tag, weight: 1, note: note).owner = Passenger(context, "P", "PAS")
            let (calls, bytes) = (try writeCalls(), try logSize(of: path))
            try context.save()
            let pages = (try logSize(of: path) - bytes) / (4096 + 24)
            #expect(try writeCalls() - calls == (pages + 14) / 15, "\(tag)")
        }
        let copy = try SQLiteStore(path: path, access: .read)
        let context = try PersistentContainer(model: TestModel.make(), store: copy).makeContext()
        #expect(try context.luggage("second")?.note?.utf8.count == length)
    }

    private func logSize(of path: String) throws -> Int {
        try #require(FileStatus(at: path + "-wal")).byteCount
    }

    /// How many times this thread has written to a file.
    private func writeCalls() throws -> Int {
        let lines = try String(contentsOfFile: "/proc/thread-self/io", encoding: .utf8)
            .split(separator: "\n")
        let line = try #require(lines.first { $0.hasPrefix("syscw: ") })
        return try #require(Int(line.dropFirst(7)))
    }
}
