import Foundation
import GRDB
import ObjectStore
import SQLiteStore
import StoreTesting
import Synchronization
import SystemSupport
import TestFolders
import TestProcesses
import Testing

@Suite("The files of a store that is open", .timeLimit(.minutes(30)))
struct StoreFileTests {
    private let folder: TemporaryFolder
    private let path: String
    private let store: SQLiteStore
    private let container: PersistentContainer

    init() throws {
        folder = try TemporaryFolder()
        path = folder.path("store.sqlite")
        // For longer than a test has to wait on the slowest machine.
        store = try SQLiteStore(path: path, lockTimeout: TestProcesses.patience * 6)
        container = try PersistentContainer(model: TestModel.make(), store: store)
        try insert("A")
    }

    private func insert(_ tag: String) throws {
        let context = container.makeContext()
        _ = Luggage(context, tag, weight: 1)
        try context.save()
    }

    private func tags(at path: String) throws -> Int {
        let store = try SQLiteStore(path: path, access: .read)
        let container = try PersistentContainer(model: TestModel.make(), store: store)
        defer { try? store.close() }
        return try container.makeContext().count(Luggage.self)
    }

    private func code() -> StoreError.Code? {
        do {
            try store.checkFiles()
            return nil
        } catch {
            return (error as? StoreError)?.code
        }
    }

    @Test("are found well, whatever savers, readers, copies and checkpoints do")
    func well() async throws {
        let store = store
        let looks = Looks()
        // On a thread of its own: a task that never waits would keep others from theirs.
        async let looked = WorkThreads(limit: 1).run {
            Result {
                while !looks.isOver.withLock({ $0 }) {
                    try store.checkFiles()
                    looks.count.withLock { $0 += 1 }
                }
            }
        }
        var saves = 0
        do {
            defer { looks.isOver.withLock { $0 = true } }
            while saves < 150 || saves < 5000 && looks.count.withLock({ $0 }) < 100 {
                try insert("B\(saves)")
                if saves % 10 == 0 { try store.emptyLog() }
                if saves % 50 == 0 { try store.compact() }
                saves += 1
            }
        }
        try await looked.get()
        #expect(try container.makeContext().count(Luggage.self) == saves + 1)
        try store.close()
    }

    @Test(
        "are missed when they are gone, cut or replaced",
        arguments: [
            ("", "rm", "gone"), ("", "mv", "gone"), ("", "cp", "gone"), ("", "cut", "cut"),
            ("", "noise", "cut"), ("", "backup", "cut"), ("", "yesterday", "cut"),
            ("-wal", "rm", "incomplete"), ("-wal", "cp", "incomplete"),
            ("-wal", "cut", "cut"), ("-wal", "half", "cut"), ("-wal", "noise", "cut"),
            ("-shm", "rm", "incomplete"), ("-shm", "cut", "cut"),
        ]
    )
    func harm(suffix: String, harm: String, code: String) throws {
        let file = path + suffix
        switch harm {
        case "rm": try FileManager.default.removeItem(atPath: file)
        case "mv": try FileManager.default.moveItem(atPath: file, toPath: file + "x")
        case "cp":
            try FileManager.default.copyItem(atPath: file, toPath: file + "x")
            try #require(unsafe rename(file + "x", file) == 0)
        case "backup", "yesterday":
            // Written over it in place, and no shorter than it is.
            try store.emptyLog()
            try store.backup(to: path + "x")
            let isBackup = harm == "backup"
            var old = try Data(contentsOf: URL(filePath: isBackup ? path + "x" : path))
            try insert("B")
            try store.emptyLog()
            #expect(self.code() == nil)
            let size = try #require(
                FileManager.default.attributesOfItem(atPath: path)[.size] as? Int
            )
            if isBackup { old.append(Data(count: size + 4096 - old.count)) }
            #expect(old.count >= size)
            let handle = try #require(FileHandle(forWritingAtPath: file))
            try handle.write(contentsOf: old)
            // The clock of a file system may not have moved on.
            try FileManager.default.setAttributes(
                [.modificationDate: Date(timeIntervalSinceNow: 9)],
                ofItemAtPath: file
            )
        case "noise":
            let handle = try #require(FileHandle(forWritingAtPath: file))
            try handle.write(contentsOf: Data(repeating: 7, count: 32))
        default:
            let size = try #require(
                FileManager.default.attributesOfItem(atPath: file)[.size] as? Int
            )
            try #require(unsafe truncate(file, harm == "cut" ? 0 : size / 2) == 0)
        }
        #expect(self.code()?.description == code)
        if code == "cut" { store.forsake() }
    }

    @Test(
        "what is in a log that was removed is brought into the file",
        arguments: ["-wal", "-shm"]
    )
    func rescue(suffix: String) throws {
        try insert("B")
        try FileManager.default.removeItem(atPath: path + suffix)
        #expect(try store.rescue())
        try store.close()
        #expect(try tags(at: path) == 2)
        try FileManager.default.copyItem(atPath: path, toPath: folder.path("copy"))
        #expect(try tags(at: folder.path("copy")) == 2)
    }

    @Test("a log that was cut is not brought into the file")
    func cutLog() throws {
        try store.emptyLog()
        try insert("B")
        let before = try Data(contentsOf: URL(filePath: path))
        try #require(unsafe truncate(path + "-wal", 5000) == 0)
        let error = #expect(throws: StoreError.self) { try store.emptyLog() }
        #expect(error?.code == .cut)
        store.forsake()
        #expect(try Data(contentsOf: URL(filePath: path)) == before)
    }

    @Test("the log is emptied where nobody is in the way, and nobody waits where somebody is")
    func emptying() throws {
        #expect(try store.emptyLog())
        #expect(try Data(contentsOf: URL(filePath: path + "-wal")).isEmpty)
        try insert("B")
        var configuration = Configuration()
        // A transaction stays open between two calls.
        configuration.allowsUnsafeTransactions = true
        let other = try DatabaseQueue(path: path, configuration: configuration)
        for (start, isInTheWay) in [
            ("BEGIN; SELECT * FROM Luggage", true), ("BEGIN IMMEDIATE", false),
        ] {
            if !isInTheWay { try insert("C") }
            try other.inDatabase { try $0.execute(sql: start) }
            if isInTheWay { try insert("D") }
            let time = ContinuousClock.now
            #expect(try !store.emptyLog())
            // Far less than a save waits.
            #expect(ContinuousClock.now - time < TestProcesses.patience)
            try other.inDatabase { try $0.execute(sql: "ROLLBACK") }
            #expect(try store.emptyLog())
        }
        try other.close()
        try store.close()
    }

    @Test("who opens them while another one keeps them locked waits once, and not again and again")
    func opening() throws {
        let other = try OtherProcess(path)
        // Once it is open, it writes nothing more.
        try other.run("reopen")
        #expect(try store.emptyLog())
        try other.run("lock")
        let start = ContinuousClock.now
        let error = #expect(throws: StoreError.self) {
            try SQLiteStore(path: path, lockTimeout: .milliseconds(300))
        }
        #expect(error?.code == .locked)
        #expect(ContinuousClock.now - start < .seconds(60))
    }

    @Test("who waits is told by whom after some seconds, and waits no longer than wanted")
    func waiting() throws {
        let told = Mutex<[StoreError]>([])
        let path = folder.path("other.sqlite")
        let store = try SQLiteStore(
            path: path,
            lockTimeout: TestProcesses.patience * 6,
            whenLocked: { error in
                told.withLock { $0.append(error) }
            }
        )
        let container = try PersistentContainer(model: TestModel.make(), store: store)
        let other = try OtherProcess(path)
        try other.run("lock")
        let start = ContinuousClock.now
        Thread.detachNewThread {
            while told.withLock({ $0.isEmpty }) { usleep(10_000) }
            store.stopWaiting(after: .milliseconds(100))
        }
        let context = container.makeContext()
        _ = Luggage(context, "A", weight: 1)
        let error = #expect(throws: StoreError.self) { try context.save() }
        #expect(error?.code == .locked)
        #expect(ContinuousClock.now - start < TestProcesses.patience)
        #expect(told.withLock { $0.count } == 1)
        let words = told.withLock { $0.first?.message ?? "" }
        #expect(words.contains("process \(other.identifier) ("), "\(words)")
        try store.close()
    }
}

/// Counts how often somebody has looked, until it is over.
private final class Looks: Sendable {
    let count = Mutex(0)
    let isOver = Mutex(false)
}
