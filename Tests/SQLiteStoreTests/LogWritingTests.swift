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
            let (calls, before) = (try writeCalls(), try log(of: path))
            try context.save()
            let after = try log(of: path)
            let ahead = after.size > before.size ? (after.size - after.end + 65535) / 65536 : 0
            #expect(
                try writeCalls() - calls == (after.pages - before.pages + 14) / 15 + ahead,
                "\(tag)"
            )
        }
        let copy = try SQLiteStore(path: path, access: .read)
        let context = try PersistentContainer(model: TestModel.make(), store: copy).makeContext()
        #expect(try context.luggage("second")?.note?.utf8.count == length)
    }

    @Test("takes the place of what is in the file already, but for one in five saves")
    func ahead() throws {
        let folder = try TemporaryFolder()
        let path = folder.path("store.sqlite")
        let container = try PersistentContainer(
            model: TestModel.make(),
            store: SQLiteStore(path: path)
        )
        var sizes: [Int] = []
        for number in 0..<100 {
            let context = container.makeContext()
            _ = Luggage(context, "\(number)", weight: 1)
            try context.save()
            let log = try log(of: path)
            sizes.append(log.size)
            #expect(log.size - log.end <= 256 << 10)
        }
        #expect(zip(sizes, sizes.dropFirst()).count { $0 < $1 } <= 20)
        let copy = folder.path("copy.sqlite")
        for suffix in ["", "-wal"] {
            try FileManager.default.copyItem(atPath: path + suffix, toPath: copy + suffix)
        }
        let other = try PersistentContainer(model: TestModel.make(), store: SQLiteStore(path: copy))
        #expect(try other.makeContext().count(Luggage.self) == 100)
    }

    /// The size of the log, the number of the pages in it, and where they end.
    private func log(of path: String) throws -> (size: Int, pages: Int, end: Int) {
        let bytes = [UInt8](try Data(contentsOf: URL(filePath: path + "-wal")))
        let (head, page) = (32, 4096 + 24)
        guard bytes.count > head else { return (bytes.count, 0, 0) }
        // What belongs to the log has its two numbers; what is left of another, or ahead, has not.
        let pages = stride(from: head, through: bytes.count - page, by: page)
            .prefix { bytes[$0 + 8..<$0 + 16] == bytes[16..<24] }
            .count
        return (bytes.count, pages, head + pages * page)
    }

    /// How many times this thread has written to a file.
    private func writeCalls() throws -> Int {
        let lines = try String(contentsOfFile: "/proc/thread-self/io", encoding: .utf8)
            .split(separator: "\n")
        let line = try #require(lines.first { $0.hasPrefix("syscw: ") })
        return try #require(Int(line.dropFirst(7)))
    }
}
