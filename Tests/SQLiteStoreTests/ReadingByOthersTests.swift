import Foundation
import ObjectStore
import StoreTesting
import TestFolders
import Testing

@testable import SQLiteStore

@Suite(
    "Who may only read a store",
    .enabled(if: geteuid() == 0, "only root can act for another user")
)
struct ReadingByOthersTests {
    private let folder: TemporaryFolder
    private let path: String
    private let model: ManagedObjectModel

    /// A closed store with a bag, in a folder in which others make nothing.
    init() throws {
        folder = try TemporaryFolder()
        path = folder.path("store.sqlite")
        model = try TestModel.make()
        try save("A1").close()
        try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: folder.path)
        try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: path)
    }

    private func open() throws -> SQLiteStore { try SQLiteStore(path: path) }

    /// Opens the store, and saves a bag.
    private func save(_ tag: String) throws -> SQLiteStore {
        let store = try open()
        let context = try PersistentContainer(model: model, store: store).makeContext()
        _ = Luggage(context, tag, weight: 1)
        try context.save()
        return store
    }

    @Test("sees with each reading what was saved until then")
    func later() throws {
        let other = Guest()
        let model = model
        let reader = try other.run { [path] in
            try PersistentContainer(model: model, store: SQLiteStore(path: path, access: .read))
        }
        func count() throws -> Int {
            try other.run { try reader.makeContext().count(Luggage.self) }
        }
        #expect(try count() == 1)
        let first = try save("A2")
        #expect(try count() == 2)
        let second = try save("A3")
        #expect(try count() == 3)
        try second.close()
        try first.emptyLog()
        #expect(try count() == 3)
        try first.close()
        #expect(try count() == 3)
        #expect(
            Set(try FileManager.default.contentsOfDirectory(atPath: folder.path)) == [
                "store.sqlite"
            ]
        )
    }

    @Test("hears of those who write without a pause, and does not wait for ever")
    func busyWriter() throws {
        let hold = try #require(try FileHold(path: path, isMade: false))
        let error = #expect(throws: StoreError.self) {
            // Somebody has written within the last hour.
            _ = try FrozenFiles(path, hold, until: .now, grain: .seconds(3600))
        }
        #expect(error?.code == .locked)
    }

    @Test("and who ends that keeps the locks of others in the same process")
    func keepsLocks() throws {
        let log = try save("A2")
        let copy = folder.path("copy.sqlite")
        for suffix in ["", "-wal"] {
            try FileManager.default.copyItem(atPath: path + suffix, toPath: copy + suffix)
        }
        try log.close()
        let other = Guest()
        let model = model
        let guest = try other.run {
            try PersistentContainer(model: model, store: SQLiteStore(path: copy, access: .read))
        }
        #expect(try guest.makeContext().count(Luggage.self) == 2)
        let store = try SQLiteStore(path: copy)
        let before = try ownLocks(on: copy)
        try #require(!before.isEmpty)
        try #require(guest.store as? SQLiteStore).close()
        #expect(try ownLocks(on: copy) == before)
        try store.close()
        #expect(try ownLocks(on: copy) == [])
    }

    @Test("and so does its owner where there is no place for other files")
    func noPlace() throws {
        // SQLite follows no links to its own files.
        try FileManager.default.createSymbolicLink(
            atPath: path + "-shm",
            withDestinationPath: "nothing"
        )
        let store = try SQLiteStore(path: path, access: .read)
        let container = try PersistentContainer(model: model, store: store)
        #expect(try container.makeContext().count(Luggage.self) == 1)
    }
}
