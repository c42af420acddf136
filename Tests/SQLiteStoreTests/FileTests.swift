import Foundation
import GRDB
import ObjectStore
import SQLiteStore
import StoreTesting
import TestFolders
import Testing

@Suite("Files that are no store to be used are refused and left as they are")
struct FileTests {
    private let folder: TemporaryFolder
    private let path: String

    init() throws {
        folder = try TemporaryFolder()
        path = folder.path("store.sqlite")
    }

    /// Opens the file as programs do.
    private func open(
        _ access: SQLiteStore.Access = .create,
        lockTimeout: Duration = .seconds(15)
    ) throws -> PersistentContainer {
        let store = try SQLiteStore(path: path, access: access, lockTimeout: lockTimeout)
        return try PersistentContainer(model: TestModel.make(), store: store)
    }

    /// Makes a store with some bags, and closes it, so that all of it is in the one file.
    private func makeStore() throws {
        let store = try SQLiteStore(path: path)
        let context = try PersistentContainer(model: TestModel.make(), store: store).makeContext()
        for index in 0..<200 { _ = Luggage(context, "\(index)", weight: 1, note: "a note") }
        try context.save()
        try store.close()
        let files = try FileManager.default.contentsOfDirectory(atPath: folder.path)
        #expect(files == ["store.sqlite"])
    }

    /// The number of the page that a table begins on.
    private func page(of table: String) throws -> Int {
        if table == "sqlite_schema" { return 1 }
        let queue = try DatabaseQueue(path: path)
        let sql = "SELECT rootpage FROM sqlite_schema WHERE name = ?"
        let page = try queue.read { try Int.fetchOne($0, sql: sql, arguments: [table]) }
        try queue.close()
        return try #require(page)
    }

    /// Checks that opening fails and changes nothing, and gives the error.
    private func refusal(
        _ access: SQLiteStore.Access = .create,
        sourceLocation: SourceLocation = #_sourceLocation
    ) throws -> StoreError {
        let before = try Data(contentsOf: URL(fileURLWithPath: path))
        let error = #expect(throws: StoreError.self, sourceLocation: sourceLocation) {
            try open(access)
        }
        let after = try Data(contentsOf: URL(fileURLWithPath: path))
        #expect(before == after, sourceLocation: sourceLocation)
        let files = try FileManager.default.contentsOfDirectory(atPath: folder.path)
        #expect(files == ["store.sqlite"], sourceLocation: sourceLocation)
        let refused = try #require(error, sourceLocation: sourceLocation)
        #expect(refused.message.contains(path), sourceLocation: sourceLocation)
        return refused
    }

    @Test(
        "a file of something else is damaged",
        arguments: [
            Data("a list of bags\n".utf8), Data([0]), Data(repeating: 0, count: 8192),
            Data("SQLite format 3\0".utf8), Data("SQLite format 2\0".utf8) + Data(count: 8176),
        ]
    )
    func other(bytes: Data) throws {
        try bytes.write(to: URL(fileURLWithPath: path))
        #expect(try refusal().code == .damaged)
        #expect(try refusal(.read).code == .damaged)
    }

    @Test("a database of another program is foreign", arguments: ["DELETE", "WAL"])
    func foreign(journal: String) throws {
        let queue = try DatabaseQueue(path: path)
        try queue.writeWithoutTransaction { db in
            try db.execute(sql: "PRAGMA journal_mode = \(journal)")
            try db.execute(sql: "PRAGMA application_id = 7")
            try db.execute(sql: "CREATE TABLE Luggage (id INTEGER PRIMARY KEY)")
        }
        try queue.close()
        #expect(try refusal().code == .foreign)
        #expect(try refusal(.read).code == .foreign)
        // To SQLite that file, but not to the system.
        for path in ["\(folder.path)/missing/../store.sqlite", path + "/"] {
            let error = #expect(throws: StoreError.self) { try SQLiteStore(path: path) }
            #expect(error?.code == .cannotOpen)
        }
        #expect(try refusal().code == .foreign)
    }

    @Test("a store of a newer version is incompatible")
    func newer() throws {
        try makeStore()
        let queue = try DatabaseQueue(path: path)
        try queue.writeWithoutTransaction { try $0.execute(sql: "PRAGMA user_version = 4") }
        try queue.close()
        #expect(try refusal().code == .incompatible)
    }

    @Test("a store of another model is incompatible")
    func otherModel() throws {
        let model = try ManagedObjectModel(Other.entity)
        let context = try PersistentContainer(model: model, store: SQLiteStore(path: path))
            .makeContext()
        Other(context: context).name = "kept"
        try context.save()
        for access in [SQLiteStore.Access.create, .read] {
            let error = #expect(throws: StoreError.self) { try open(access) }
            #expect(error?.code == .incompatible)
        }
        let check = try PersistentContainer(model: model, store: SQLiteStore(path: path))
        let kept = try check.makeContext().fetch(FetchRequest(Other.self))
        #expect(kept.map(\.name) == ["kept"])
    }

    @Test(
        "a store with a page of noise is damaged",
        arguments: ["sqlite_schema", "ObjectStoreModel", "Luggage"]
    )
    func noise(table: String) throws {
        try makeStore()
        let page = try page(of: table)
        var bytes = try Data(contentsOf: URL(fileURLWithPath: path))
        // All of a page; of the first one, what follows the header that names the file's kind.
        let start = page == 1 ? 100 : (page - 1) * 4096
        for index in start..<page * 4096 {
            bytes[index] = UInt8(truncatingIfNeeded: index &* 31) | 1
        }
        try bytes.write(to: URL(fileURLWithPath: path))
        let error = #expect(throws: StoreError.self) {
            let context = try open().makeContext()
            _ = try context.fetch(FetchRequest(Luggage.self))
        }
        #expect(error?.code == .damaged)
    }

    @Test("a copy of a damaged store is refused, and it is the store that is said to be damaged")
    func damagedCopy() throws {
        try makeStore()
        var bytes = try Data(contentsOf: URL(fileURLWithPath: path))
        // The last page, so that the store can be opened.
        bytes.replaceSubrange(bytes.count - 4096..<bytes.count, with: Data(count: 4096))
        try bytes.write(to: URL(fileURLWithPath: path))
        let store = try SQLiteStore(path: path)
        let error = #expect(throws: StoreError.self) { try store.backup(to: path + ".copy") }
        #expect(error?.code == .damaged)
        #expect(error?.message.hasPrefix("\(path) is damaged, and so is a copy of it: ") == true)
        #expect(!FileManager.default.fileExists(atPath: path + ".copy"))
    }

    @Test("a program that goes on within a transaction gets errors of the store")
    func errorWithinTransaction() throws {
        try makeStore()
        let container = try open()
        let queue = try DatabaseQueue(path: path)
        try queue.writeWithoutTransaction { try $0.execute(sql: "DROP TABLE Part") }
        try queue.close()
        try container.transaction { context in
            let error = #expect(throws: StoreError.self) {
                try context.fetch(FetchRequest(Part.self))
            }
            #expect(error?.code == .incompatible)
            _ = Luggage(context, "A1", weight: 1)
            try context.save()
        }
        #expect(try container.makeContext().count(Luggage.self) == 201)
    }

    @Test("a property that cannot be read is absent, and the failure is told once")
    func unreadableProperty() throws {
        let container = try open()
        let writer = container.makeContext()
        Luggage(writer, "A1", weight: 1).owner = Passenger(writer, "D", "ZMU")
        try writer.save()
        let context = container.makeContext()
        let luggage = try #require(try context.luggage("A1"))
        let queue = try DatabaseQueue(path: path)
        try queue.writeWithoutTransaction { db in
            try db.execute(sql: "PRAGMA foreign_keys = OFF; DROP TABLE Passenger")
        }
        try queue.close()
        #expect(luggage.owner?.familyName == "")
        let error = #expect(throws: StoreError.self) { try context.checkReads() }
        #expect(error?.code == .incompatible)
        try context.checkReads()
        #expect(luggage.owner?.familyName == "")
        luggage.note = "edited"
        #expect(throws: StoreError.self) { try context.save() }
        #expect(luggage.note == "edited")
    }

    @Test("a store that was cut short is damaged", arguments: [100, 512, 4096, 8192, 40_000])
    func truncated(size: Int) throws {
        try makeStore()
        let bytes = try Data(contentsOf: URL(fileURLWithPath: path)).prefix(size)
        try bytes.write(to: URL(fileURLWithPath: path))
        let error = #expect(throws: StoreError.self) {
            _ = try open().makeContext().fetch(FetchRequest(Luggage.self))
        }
        #expect(error?.code == .damaged)
        #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == bytes)
    }

    @Test("there is nothing to read where nothing was made")
    func missing() throws {
        #expect(throws: StoreError.self) { try open(.read) }
        #expect(!FileManager.default.fileExists(atPath: path))
        try Data().write(to: URL(fileURLWithPath: path))
        #expect(try refusal(.read).code == .notFound)
    }

    @Test("a folder that is missing, and a folder in place of the file, cannot be opened")
    func folders() throws {
        for place in [folder.path("missing/store.sqlite"), folder.path] {
            let error = #expect(throws: StoreError.self) { try SQLiteStore(path: place) }
            #expect(error?.code == .cannotOpen)
        }
    }

    @Test("an empty file becomes a store")
    func empty() throws {
        try Data().write(to: URL(fileURLWithPath: path))
        let context = try open().makeContext()
        _ = Luggage(context, "A1", weight: 1)
        try context.save()
        #expect(try open(.read).makeContext().count(Luggage.self) == 1)
    }

    @Test("a new store does not mix with one that is open still, and whose file is gone")
    func openStill() throws {
        let gone = try open()
        let store = try #require(gone.store as? SQLiteStore)
        try #require(try store.emptyLog())
        try FileManager.default.removeItem(atPath: path)
        let new = try open()
        for number in 0..<300 {
            for container in [new, gone] {
                let context = container.makeContext()
                _ = Luggage(context, "A\(number)", weight: 1)
                try context.save()
            }
        }
        #expect(try new.makeContext().count(Luggage.self) == 300)
        #expect(try gone.makeContext().count(Luggage.self) == 300)
        #expect(try #require(new.store as? SQLiteStore).checkIntegrity() == [])
        store.forsake()
    }

    @Test("a log whose file is gone or empty is left alone", arguments: [false, true])
    func strayLog(isEmpty: Bool) throws {
        let container = try open()
        let store = try #require(container.store as? SQLiteStore)
        let context = container.makeContext()
        _ = Luggage(context, "A1", weight: 1)
        try context.save()
        let log = try Data(contentsOf: URL(filePath: path + "-wal"))
        try #require(!log.isEmpty)
        try FileManager.default.removeItem(atPath: path)
        try store.close()
        try log.write(to: URL(filePath: path + "-wal"))
        if isEmpty { try Data().write(to: URL(filePath: path)) }
        let link = folder.path("link.sqlite")
        try FileManager.default.createSymbolicLink(
            atPath: link,
            withDestinationPath: "store.sqlite"
        )
        // A link in a folder that a link leads to.
        for name in ["a", "c", "c/d"] {
            try FileManager.default.createDirectory(
                atPath: folder.path(name),
                withIntermediateDirectories: false
            )
        }
        let links = FileManager.default
        try links.createSymbolicLink(atPath: folder.path("a/l"), withDestinationPath: "../c/d")
        let far = folder.path("a/l/far.sqlite")
        try links.createSymbolicLink(atPath: far, withDestinationPath: "../../link.sqlite")
        for path in [path, link, far] {
            let error = #expect(throws: StoreError.self) { try SQLiteStore(path: path) }
            #expect(error?.code == .incomplete)
            #expect(error?.message.contains("store.sqlite-wal") == true)
        }
        #expect(try Data(contentsOf: URL(filePath: path + "-wal")) == log)
        #expect(FileManager.default.fileExists(atPath: path) == isEmpty)
    }

    @Test("closing within a transaction, or a reading, closes nothing", arguments: [false, true])
    func closingWithin(isReading: Bool) async throws {
        let container = try open()
        let store = try #require(container.store as? SQLiteStore)
        var changes = container.changes.makeAsyncIterator()
        func close(_ context: ManagedObjectContext) throws {
            _ = try context.count(Luggage.self)
            let error = #expect(throws: StoreError.self) { try store.close() }
            #expect(error?.code == .failed)
        }
        if isReading { try container.read(close) } else { try container.transaction(close) }
        for other in [try open(), container] {
            let context = other.makeContext()
            _ = Luggage(context, "\(ObjectIdentifier(other))", weight: 1)
            let token = try await context.save().token
            #expect(await changes.next(isolation: nil)?.token == token)
        }
    }

    @Test("a store opened for reading is not written")
    func readOnly() throws {
        try makeStore()
        let before = try Data(contentsOf: URL(fileURLWithPath: path))
        let context = try open(.read).makeContext()
        #expect(try context.count(Luggage.self) == 200)
        _ = Luggage(context, "A1", weight: 1)
        let error = #expect(throws: StoreError.self) { try context.save() }
        #expect(error?.code == .readOnly)
        #expect(context.hasChanges)
        #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == before)
    }

    @Test("a file without the permission to write is read-only", .enabled(if: geteuid() != 0))
    func permission() throws {
        try makeStore()
        try FileManager.default.setAttributes([.posixPermissions: 0o444], ofItemAtPath: path)
        let error = #expect(throws: StoreError.self) {
            let context = try open().makeContext()
            _ = Luggage(context, "A1", weight: 1)
            try context.save()
        }
        #expect(error?.code == .readOnly)
    }

    @Test("a store that another process keeps locked says so, and the changes stay")
    func locked() throws {
        try makeStore()
        let queue = try DatabaseQueue(path: path)
        let context = try open(lockTimeout: .milliseconds(50)).makeContext()
        let luggage = Luggage(context, "A1", weight: 1)
        try queue.inTransaction(.immediate) { _ in
            let error = #expect(throws: StoreError.self) { try context.save() }
            #expect(error?.code == .locked)
            // Readers are not kept waiting.
            let count = try context.count(Luggage.self)
            #expect(count == 201)
            return .rollback
        }
        #expect(luggage.objectID.isProvisional)
        try context.save()
        #expect(!luggage.objectID.isProvisional)
        try queue.close()
    }
}

private final class Other: ManagedObject {
    @Attribute var name: String

    static let entity = EntityDescription(
        Other.self,
        name: "Other",
        properties: [.attribute(\.name)]
    )
}
