import Foundation
import GRDB
import ObjectStore
import SQLiteStore
import StoreTesting
import Synchronization
import TestFolders
import Testing

@Suite("Checking, copying and compacting a store")
struct MaintenanceTests {
    private let folder: TemporaryFolder
    private let path: String
    private let store: SQLiteStore
    private let container: PersistentContainer

    init() throws {
        folder = try TemporaryFolder()
        path = folder.path("store.sqlite")
        store = try SQLiteStore(path: path)
        container = try PersistentContainer(model: TestModel.make(), store: store)
        let context = container.makeContext()
        for index in 0..<200 {
            let luggage = Luggage(context, "\(index)", weight: 1, note: "a note")
            luggage.owner = Passenger(context, "P", "\(index)")
        }
        try context.save()
    }

    private func count(at path: String) throws -> Int {
        let store = try SQLiteStore(path: path, access: .read)
        return try PersistentContainer(model: container.model, store: store)
            .makeContext().count(Luggage.self)
    }

    private func files() throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
    }

    // MARK: Checking

    @Test("a store that is well has nothing to tell")
    func well() throws {
        #expect(try store.checkIntegrity() == [])
        #expect(try SQLiteStore(path: path, access: .read).checkIntegrity() == [])
    }

    struct Damage: Sendable, CustomTestStringConvertible {
        let sql: String
        let finding: String
        var testDescription: String { finding }
    }

    @Test(
        "what another tool has spoilt is named",
        arguments: [
            Damage(
                sql: "PRAGMA foreign_keys = OFF; DELETE FROM Passenger WHERE id = 7",
                finding: "Luggage 7 leads to an object of Passenger that is not there"
            ),
            Damage(
                sql: "UPDATE ObjectStoreKeys SET lastKey = 150 WHERE entity = 'Luggage'",
                finding: "Luggage 200 has a key that was never given: the last given key is 150"
            ),
            Damage(
                sql: "DELETE FROM ObjectStoreKeys WHERE entity = 'Seal'",
                finding: "the store has lost count of Seal"
            ),
            Damage(
                sql: "UPDATE Luggage SET weight = NULL WHERE id < 3",
                finding: "Luggage.weight is missing in 2 of its objects"
            ),
            Damage(
                sql: "DROP INDEX \"Luggage(unique tag)\"",
                finding: "the table Luggage is missing or was changed"
            ),
            Damage(
                sql: "CREATE TABLE Trolley (id INTEGER PRIMARY KEY)",
                finding: "the table Trolley is not of the model"
            ),
            Damage(
                sql: "UPDATE ObjectStoreHistory SET changes = x'07'",
                finding: "save 1 of the history is damaged"
            ),
            Damage(
                sql: """
                    INSERT INTO ObjectStoreHistory SELECT 5, date, author, changes \
                    FROM ObjectStoreHistory
                    """,
                finding: "the history lacks the saves from 2 to 4"
            ),
        ]
    )
    func spoilt(damage: Damage) throws {
        let queue = try DatabaseQueue(path: path)
        try queue.writeWithoutTransaction { try $0.execute(sql: damage.sql) }
        try queue.close()
        #expect(try store.checkIntegrity() == [damage.finding])
    }

    @Test("a page of noise is found")
    func noise() throws {
        try store.close()
        var bytes = try Data(contentsOf: URL(fileURLWithPath: path))
        let last = bytes.count - 4096
        for index in last..<bytes.count {
            bytes[index] = UInt8(truncatingIfNeeded: index &* 31) | 1
        }
        try bytes.write(to: URL(fileURLWithPath: path))
        do {
            #expect(try !SQLiteStore(path: path).checkIntegrity().isEmpty)
        } catch let error as StoreError {
            #expect(error.code == .damaged)
        }
    }

    // MARK: Copying

    @Test("a copy is one whole state, in one file, while others save")
    func copying() async throws {
        let container = container
        let writing = Task.detached {
            for index in 0..<100 {
                let context = container.makeContext()
                let luggage = Luggage(context, "new \(index)", weight: 1)
                luggage.owner = Passenger(context, "Q", "\(index)")
                try await context.save()
            }
        }
        for index in 0..<5 {
            let name = "copy-\(index).sqlite"
            let copy = folder.path(name)
            try store.backup(to: copy)
            #expect(try files().filter { $0.hasPrefix("copy-\(index)") } == [name])
            #expect(try SQLiteStore(path: copy).checkIntegrity() == [])
            #expect(try count(at: copy) >= 200)
        }
        try await writing.value
        let last = folder.path("last.sqlite")
        try store.backup(to: last)
        #expect(try count(at: last) == 300)
    }

    @Test("a copy goes on as a store of its own")
    func restoring() throws {
        let copy = folder.path("copy.sqlite")
        try store.backup(to: copy)
        let other = try PersistentContainer(
            model: container.model,
            store: SQLiteStore(path: copy)
        )
        let context = other.makeContext()
        _ = Luggage(context, "only here", weight: 1)
        try context.save()
        #expect(try other.makeContext().count(Luggage.self) == 201)
        #expect(try container.makeContext().count(Luggage.self) == 200)
        #expect(try other.history(after: container.lastHistoryToken()).count == 1)
    }

    @Test("a file that is there is replaced only when that is asked for")
    func overwriting() throws {
        let copy = folder.path("copy.sqlite")
        try Data("precious".utf8).write(to: URL(fileURLWithPath: copy))
        let error = #expect(throws: StoreError.self) { try store.backup(to: copy) }
        #expect(error?.code == .exists)
        #expect(try Data(contentsOf: URL(fileURLWithPath: copy)) == Data("precious".utf8))
        try store.backup(to: copy, replacing: true)
        #expect(try count(at: copy) == 200)
        #expect(try files().allSatisfy { !$0.contains("partial") })
    }

    @Test("neither the store itself nor one in use is replaced")
    func replacingStores() throws {
        let own = #expect(throws: StoreError.self) { try store.backup(to: path, replacing: true) }
        #expect(own?.code == .locked)
        let copy = folder.path("copy.sqlite")
        try store.backup(to: copy)
        let other = try PersistentContainer(model: container.model, store: SQLiteStore(path: copy))
        let context = other.makeContext()
        _ = Luggage(context, "unmerged", weight: 1)
        try context.save()
        let used = #expect(throws: StoreError.self) { try store.backup(to: copy, replacing: true) }
        #expect(used?.code == .locked)
        let link = folder.path("link.sqlite")
        try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: copy)
        let led = #expect(throws: StoreError.self) { try store.backup(to: link, replacing: true) }
        #expect(led?.code == .locked)
        #expect(try other.makeContext().count(Luggage.self) == 201)
    }

    @Test("no copy is put beside the log of another store", arguments: [false, true])
    func strayLog(replacing: Bool) throws {
        let log = URL(filePath: folder.path("copy.sqlite-wal"))
        try Data("saves of another store".utf8).write(to: log)
        let error = #expect(throws: StoreError.self) {
            try store.backup(to: folder.path("copy.sqlite"), replacing: replacing)
        }
        #expect(error?.code == .incomplete)
        #expect(try Data(contentsOf: log).count == 22)
        #expect(try !files().contains("copy.sqlite"))
    }

    @Test("no copy is put beside the empty log of a store that is open, and whose file is gone")
    func emptyStrayLog() throws {
        let path = folder.path("copy.sqlite")
        let gone = try SQLiteStore(path: path)
        try #require(try gone.emptyLog())
        try FileManager.default.removeItem(atPath: path)
        let error = #expect(throws: StoreError.self) { try store.backup(to: path) }
        #expect(error?.code == .incomplete)
        #expect(try !files().contains("copy.sqlite"))
    }

    @Test("what is no file is never replaced", arguments: [false, true])
    func pipe(replacing: Bool) throws {
        let pipe = folder.path("pipe")
        let isMade = unsafe mkfifo(pipe, 0o600) == 0
        try #require(isMade)
        let error = #expect(throws: StoreError.self) {
            try store.backup(to: pipe, replacing: replacing)
        }
        #expect(error?.code == .cannotOpen)
        let kind =
            try FileManager.default.attributesOfItem(atPath: pipe)[.type] as? FileAttributeType
        #expect(kind != .typeRegular)
        #expect(try files().allSatisfy { !$0.contains("partial") })
    }

    @Test(
        "a copy that cannot be made leaves nothing",
        arguments: ["missing/copy.sqlite", "folder"]
    )
    func impossible(name: String) throws {
        try FileManager.default.createDirectory(
            atPath: folder.path("folder"),
            withIntermediateDirectories: false
        )
        for replacing in [false, true] {
            #expect(throws: StoreError.self) {
                try store.backup(to: folder.path(name), replacing: replacing)
            }
        }
        #expect(try files().allSatisfy { !$0.contains("partial") })
    }

    // MARK: Compacting

    @Test("compacting gives room back and keeps everything")
    func compacting() throws {
        let context = container.makeContext()
        for bag in try context.fetch(FetchRequest(Luggage.self)) {
            bag.note = String(repeating: "n", count: 4000)
        }
        try context.save()
        for bag in try context.fetch(FetchRequest(Luggage.self).skipping(20)) {
            try context.delete(bag)
        }
        try context.save()
        let token = try container.lastHistoryToken()
        try container.deleteHistory(before: HistoryToken(rawValue: .max))
        let size = { try FileManager.default.attributesOfItem(atPath: path)[.size] as? Int ?? 0 }
        try store.compact()
        let wide = try size()
        try store.compact()
        #expect(try size() <= wide && wide < 200 * 4000)
        let log = try FileManager.default.attributesOfItem(atPath: path + "-wal")[.size] as? Int
        #expect(log == 0)
        #expect(try store.checkIntegrity() == [])
        #expect(try container.makeContext().count(Luggage.self) == 20)
        #expect(try container.lastHistoryToken() == token)
        let next = container.makeContext()
        let luggage = Luggage(next, "next", weight: 1)
        try next.save()
        #expect(luggage.objectID.key == 201)
    }

    @Test("compacting waits for savers, and they for it")
    func compactingMeanwhile() async throws {
        let (store, container) = (store, container)
        try await withThrowingTaskGroup(of: Void.self) { group in
            for task in 0..<8 {
                group.addTask {
                    for round in 0..<20 {
                        let context = container.makeContext()
                        _ = Luggage(context, "\(task)-\(round)", weight: 1)
                        try await context.save()
                        if task == 0 { try store.compact() }
                    }
                }
            }
            try await group.waitForAll()
        }
        #expect(try container.makeContext().count(Luggage.self) == 360)
        #expect(try store.checkIntegrity() == [])
    }

    @Test("compacting makes no saver wait for a reader")
    func compactingBesideReader() throws {
        let queue = try DatabaseQueue(path: path)
        let other = try SQLiteStore(path: path)
        let context = try PersistentContainer(model: container.model, store: other).makeContext()
        try queue.read { db in
            _ = try Int.fetchOne(db, sql: "SELECT count(*) FROM Luggage")
            let group = DispatchGroup()
            let isEmpty = Mutex<Bool?>(nil)
            DispatchQueue.global().async(group: group) { [store] in
                let result = try? store.compact()
                isEmpty.withLock { $0 = result }
            }
            defer { group.wait() }
            var saves = 0
            while group.wait(timeout: .now()) == .timedOut {
                _ = Luggage(context, "saved \(saves)", weight: 1)
                try context.save()
                saves += 1
            }
            // The first may have waited for the file to be written anew.
            #expect(saves > 2)
            #expect(isEmpty.withLock { $0 } == false)
        }
        #expect(try store.compact())
        try queue.close()
    }

    @Test("a store that is only read is not compacted")
    func readOnly() throws {
        let error = #expect(throws: StoreError.self) {
            try SQLiteStore(path: path, access: .read).compact()
        }
        #expect(error?.code == .readOnly)
    }
}
