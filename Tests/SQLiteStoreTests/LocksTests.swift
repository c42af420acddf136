import Foundation
import ObjectStore
import StoreTesting
import SystemSupport
import TestFolders
import Testing

@testable import SQLiteStore

@Suite("Locks of a process that has a store open twice")
struct LocksTests {
    private let folder: TemporaryFolder
    private let path: String

    init() throws {
        folder = try TemporaryFolder()
        path = folder.path("store.sqlite")
        try save("A1").close()
    }

    /// Opens the store, and saves a bag.
    private func save(_ tag: String) throws -> SQLiteStore {
        let store = try SQLiteStore(path: path)
        let context = try PersistentContainer(model: TestModel.make(), store: store).makeContext()
        _ = Luggage(context, tag, weight: 1)
        try context.save()
        return store
    }

    @Test(
        "stay where one that saves closes while the other reads, whichever was opened first",
        arguments: [true, false]
    )
    func reading(isReaderFirst: Bool) throws {
        var saving = isReaderFirst ? nil : try save("A2")
        let reading = try SQLiteStore(path: path, access: .read)
        let container = try PersistentContainer(model: TestModel.make(), store: reading)
        try container.read { context in
            #expect(try context.count(Luggage.self) == (isReaderFirst ? 1 : 2))
            if isReaderFirst { saving = try save("A2") }
            let before = try ownLocks(on: path + "-shm")
            try #require(!before.isEmpty)
            try saving?.close()
            saving = nil
            #expect(try ownLocks(on: path + "-shm") == before)
        }
        try reading.close()
    }

    @Test(
        "are taken by one name at a time: each would have a log of its own",
        arguments: [SQLiteStore.Access.create, .read]
    )
    func otherName(access: SQLiteStore.Access) throws {
        let other = folder.path("folder/other.sqlite")
        try FileManager.default.createDirectory(
            atPath: folder.path("folder"),
            withIntermediateDirectories: false
        )
        try FileManager.default.linkItem(atPath: path, toPath: other)
        let store = try save("A2")
        // By another path, but the same name in the same folder.
        try SQLiteStore(path: folder.path("folder/../store.sqlite"), access: access).close()
        let error = #expect(throws: StoreError.self) {
            try SQLiteStore(path: other, access: access)
        }
        #expect(error?.code == .locked)
        #expect(error?.message.contains("in this process as \(path)") == true, "\(error as Any)")
        try store.close()
        try SQLiteStore(path: other, access: access).close()
        // Nor where another process has it.
        do {
            let process = try OtherProcess(path)
            try process.run("insert A3")
            let told = #expect(throws: StoreError.self) {
                try SQLiteStore(path: other, access: access)
            }
            #expect(told?.code == .locked)
            let words = "in process \(process.identifier) as \(path)"
            #expect(told?.message.contains(words) == true, "\(told as Any)")
            #expect(!FileManager.default.fileExists(atPath: other + "-wal"))
            try SQLiteStore(path: path, access: access).close()
        }
        try SQLiteStore(path: other, access: access).close()
    }

    @Test("are looked at again before anything is written to a log that was made just now")
    func madeAtOnce() throws {
        let other = folder.path("other.sqlite")
        try FileManager.default.linkItem(atPath: path, toPath: other)
        struct Refused: Error {}
        let turns = WriterTurns(path: other, timeout: .seconds(10), notice: nil)
        #expect(throws: Refused.self) {
            _ = try SQLiteStore.openPool(other, turns, .seconds(10)) { throw Refused() }
        }
        #expect((FileStatus(at: other + "-wal")?.byteCount ?? 0) == 0)
        let process = try OtherProcess(path)
        try process.run("insert A2")
        // Whoever is not here has it by another name, if this one's index is new, and who he is need not be known.
        #expect(FileManager.default.createFile(atPath: other + "-shm", contents: nil))
        let file = try #require(try FileHold(path: other, isMade: false))
        let error = #expect(throws: StoreError.self) {
            try StoreName(other).refuseOthers(of: file, isIndexNew: true)
        }
        #expect(error?.code == .locked)
        try StoreName(path).refuseOthers(of: file, isIndexNew: true)
    }

    @Test("are taken by one name, though two may look the same")
    func lookalikes() throws {
        let names = ["\u{E9}", "e\u{301}"].map { folder.path($0) }
        for name in names { try FileManager.default.linkItem(atPath: path, toPath: name) }
        let store = try SQLiteStore(path: names[0])
        let error = #expect(throws: StoreError.self) { try SQLiteStore(path: names[1]) }
        #expect(error?.code == .locked)
        try store.close()
        try SQLiteStore(path: names[1]).close()
    }

    @Test("are not waited for beside what is no file", arguments: ["-journal", "-wal", "-shm"])
    func pipe(suffix: String) throws {
        try #require(unsafe mkfifo(path + suffix, 0o600) == 0)
        let error = #expect(throws: StoreError.self) { try SQLiteStore(path: path) }
        #expect(error?.code == .cannotOpen)
        #expect(error?.message.contains(path + suffix + " is not a regular file") == true)
    }

    @Test("would be lost with files that are known to be open", arguments: ["", "-wal", "-shm"])
    func open(suffix: String) throws {
        let file = Array((path + suffix).utf8)
        #expect(!SQLiteStore.hasOpen(file))
        let store = try save("A2")
        #expect(SQLiteStore.hasOpen(file))
        #expect(!SQLiteStore.hasOpen(Array(folder.path("none").utf8)))
        try FileManager.default.linkItem(atPath: path + suffix, toPath: folder.path("other"))
        #expect(SQLiteStore.hasOpen(Array(folder.path("other").utf8)))
        try store.close()
        // What is beside it is in use, too, though a store that reads holds no more than its file.
        let reading = try SQLiteStore(path: path, access: .read)
        #expect(SQLiteStore.hasOpen(file))
        try reading.close()
    }
}

/// The locks that this process has on a file.
func ownLocks(on path: String) throws -> [String] {
    let number = try #require(
        FileManager.default.attributesOfItem(atPath: path)[.systemFileNumber] as? UInt64
    )
    let lines = try String(contentsOfFile: "/proc/locks", encoding: .utf8).split(
        separator: "\n"
    )
    // Each begins with its number, which changes.
    let own = lines.filter { $0.contains(" \(getpid()) ") && $0.contains(":\(number) ") }
    return own.map { String($0.drop { $0 != " " }) }.sorted()
}
