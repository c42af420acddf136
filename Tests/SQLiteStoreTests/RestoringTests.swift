import Foundation
import GRDB
import ObjectStore
import SQLiteStore
import StoreTesting
import TestFolders
import Testing

@Suite("Putting a copy in the place of a store")
struct RestoringTests {
    private let folder: TemporaryFolder
    private let path: String
    private let copy: String
    private let model: ManagedObjectModel

    /// A store with three bags, and a copy from when there were two.
    init() throws {
        folder = try TemporaryFolder()
        path = folder.path("store.sqlite")
        copy = folder.path("copy.sqlite")
        model = try TestModel.make()
        let store = try SQLiteStore(path: path)
        let container = try PersistentContainer(model: model, store: store)
        for tag in ["A1", "A2", "A3"] {
            if tag == "A3" { try store.backup(to: copy) }
            let context = container.makeContext()
            _ = Luggage(context, tag, weight: 1)
            try context.save()
        }
        try store.close()
    }

    private func tags(at path: String) throws -> [String] {
        let store = try SQLiteStore(path: path)
        defer { try? store.close() }
        return try PersistentContainer(model: model, store: store).makeContext()
            .fetch(FetchRequest(Luggage.self).sorted(by: \.tag)).map(\.tag)
    }

    private func restore(_ copy: String? = nil, keeping name: String = "aside") throws -> [String] {
        let kept = try SQLiteStore.restore(
            path,
            from: copy ?? self.copy,
            for: model,
            keeping: folder.path(name)
        )
        #expect(kept.allSatisfy { FileManager.default.fileExists(atPath: $0) })
        return kept.map { URL(filePath: $0).lastPathComponent }
    }

    private func files() throws -> Set<String> {
        Set(try FileManager.default.contentsOfDirectory(atPath: folder.path))
    }

    @Test("the store is as the copy was, and what was there is kept")
    func restoring() throws {
        #expect(try restore() == ["aside"])
        #expect(try tags(at: path) == ["A1", "A2"])
        #expect(try tags(at: folder.path("aside")) == ["A1", "A2", "A3"])
        #expect(try tags(at: copy) == ["A1", "A2"])
        // And back.
        #expect(try restore(folder.path("aside"), keeping: "second") == ["second"])
        #expect(try tags(at: path) == ["A1", "A2", "A3"])
        #expect(try files().isSuperset(of: ["store.sqlite", "copy.sqlite", "aside", "second"]))
        #expect(try files().allSatisfy { !$0.contains("partial") })
    }

    /// How a store can be when a copy is to take its place.
    enum Before: String, CaseIterable {
        case missing, empty, noise, truncated, noisyPage, staleLog
    }

    @Test("whatever was there, the copy takes its place", arguments: Before.allCases)
    func before(before: Before) throws {
        let url = URL(filePath: path)
        var bytes = try Data(contentsOf: url)
        switch before {
        case .missing: try FileManager.default.removeItem(at: url)
        case .empty: bytes = Data()
        case .noise: bytes = Data("no database at all".utf8)
        case .truncated: bytes = bytes.prefix(bytes.count / 2)
        case .noisyPage:
            for index in 4096..<8192 { bytes[index] = UInt8(truncatingIfNeeded: index) | 1 }
        case .staleLog:
            bytes = Data("no database at all".utf8)
            try Data(repeating: 7, count: 9000).write(to: URL(filePath: path + "-wal"))
        }
        if before != .missing { try bytes.write(to: url) }
        let kept: [Before: [String]] = [.missing: [], .staleLog: ["aside", "aside-wal"]]
        #expect(try restore() == kept[before] ?? ["aside"])
        #expect(try tags(at: path) == ["A1", "A2"])
        #expect(try SQLiteStore(path: path).checkIntegrity().isEmpty)
        #expect(try files().contains("aside") == (before != .missing))
        if before == .noise {
            #expect(try Data(contentsOf: URL(filePath: folder.path("aside"))) == bytes)
        }
        #expect(try files().allSatisfy { !$0.contains("partial") })
    }

    /// What cannot be put in the place of a store.
    enum WrongCopy: String, CaseIterable {
        case missing, empty, noise, truncated, otherProgram, otherModel
    }

    @Test("what is no good copy is refused, and nothing is touched", arguments: WrongCopy.allCases)
    func wrong(copy wrong: WrongCopy) throws {
        let name = folder.path("wrong.sqlite")
        let url = URL(filePath: name)
        switch wrong {
        case .missing: break
        case .empty: try Data().write(to: url)
        case .noise: try Data("no database at all".utf8).write(to: url)
        case .truncated:
            let bytes = try Data(contentsOf: URL(filePath: copy))
            try bytes.prefix(bytes.count / 2).write(to: url)
        case .otherProgram:
            let queue = try DatabaseQueue(path: name)
            try queue.write { try $0.execute(sql: "CREATE TABLE t (a)") }
            try queue.close()
        case .otherModel:
            try FileManager.default.copyItem(atPath: copy, toPath: name)
            let queue = try DatabaseQueue(path: name)
            try queue.write { try $0.execute(sql: "ALTER TABLE Luggage ADD COLUMN colour TEXT") }
            try queue.close()
        }
        let before = try Data(contentsOf: URL(filePath: path))
        let others = try files()
        let error = try #require(throws: StoreError.self) { try restore(name) }
        #expect(error.message.contains("wrong.sqlite"), "\(error)")
        #expect(try Data(contentsOf: URL(filePath: path)) == before)
        #expect(
            try files().filter { !$0.hasPrefix("wrong.sqlite") }
                == others.filter { !$0.hasPrefix("wrong.sqlite") }
        )
        #expect(try tags(at: path) == ["A1", "A2", "A3"])
    }

    @Test(
        "the log of a file that is gone or no store stays where the copy cannot be put, and so does the file",
        arguments: [nil, "no database"]
    )
    func strayLogStays(text: String?) throws {
        let scratch = try TemporaryFolder(in: "/dev/shm")
        try FileManager.default.removeItem(atPath: path)
        let url = URL(filePath: path)
        try text.map { try Data($0.utf8).write(to: url) }
        try Data("saves".utf8).write(to: URL(filePath: path + "-wal"))
        #expect(throws: StoreError.self) {
            try SQLiteStore.restore(
                path,
                from: copy,
                for: model,
                keeping: folder.path("aside"),
                in: scratch.path
            )
        }
        #expect((try? Data(contentsOf: url)) == text.map { Data($0.utf8) })
        #expect(try Data(contentsOf: URL(filePath: path + "-wal")) == Data("saves".utf8))
        #expect(try files().allSatisfy { !$0.hasPrefix("aside") })
    }

    @Test("a store that somebody has open is left alone")
    func inUse() throws {
        let store = try SQLiteStore(path: path)
        let container = try PersistentContainer(model: model, store: store)
        #expect(try container.makeContext().count(FetchRequest(Luggage.self)) == 3)
        let error = #expect(throws: StoreError.self) { try restore() }
        #expect(error?.code == .locked)
        #expect(try !files().contains("aside"))
        let context = container.makeContext()
        _ = Luggage(context, "A4", weight: 1)
        try context.save()
        try store.close()
        #expect(try tags(at: path).count == 4)
        #expect(try restore() == ["aside"])
    }

    @Test("neither a database of another program nor a file that is kept is replaced")
    func precious() throws {
        try Data("precious".utf8).write(to: URL(filePath: folder.path("aside")))
        let exists = #expect(throws: StoreError.self) { try restore() }
        #expect(exists?.code == .exists)
        let other = folder.path("other.sqlite")
        let queue = try DatabaseQueue(path: other)
        try queue.write { try $0.execute(sql: "CREATE TABLE t (a)") }
        try queue.close()
        let foreign = #expect(throws: StoreError.self) {
            try SQLiteStore.restore(other, from: copy, for: model, keeping: folder.path("b"))
        }
        #expect(foreign?.code == .foreign)
        #expect(try !files().contains("b"))
    }

    @Test(
        "a log that cannot be put aside is not left beside the copy",
        arguments: ["missing/aside", "taken"]
    )
    func logInTheWay(aside: String) throws {
        let store = try SQLiteStore(path: path)
        let context = try PersistentContainer(model: model, store: store).makeContext()
        _ = Luggage(context, "A4", weight: 1)
        try context.save()
        let log = try Data(contentsOf: URL(filePath: path + "-wal"))
        try store.close()
        try FileManager.default.removeItem(atPath: path)
        try log.write(to: URL(filePath: path + "-wal"))
        try Data("another log".utf8).write(to: URL(filePath: folder.path("taken-wal")))
        #expect(throws: StoreError.self) { try restore(keeping: aside) }
        #expect(try !files().contains("store.sqlite"))
        #expect(try Data(contentsOf: URL(filePath: path + "-wal")) == log)
        #expect(try Data(contentsOf: URL(filePath: folder.path("taken-wal"))).count == 11)
        #expect(try restore() == ["aside-wal"])
        #expect(try tags(at: path) == ["A1", "A2"])
        #expect(try Data(contentsOf: URL(filePath: folder.path("aside-wal"))) == log)
    }

    @Test("a copy is as private as its store")
    func permissions() throws {
        func mode(_ path: String) throws -> Int? {
            try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
        }
        try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: path)
        let store = try SQLiteStore(path: path)
        try store.backup(to: folder.path("private"))
        try store.close()
        #expect(try restore() == ["aside"])
        for name in ["private", "aside", "store.sqlite"] {
            #expect(try mode(folder.path(name)) == 0o600, "\(name)")
        }
    }

    @Test(
        "and so it is where the store's file is gone, or another one has its name",
        arguments: [true, false]
    )
    func permissionsOfOpenFile(isGone: Bool) throws {
        try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: path)
        let store = try SQLiteStore(path: path)
        let container = try PersistentContainer(model: model, store: store)
        // A connection that reads is kept from here on, and goes on reading.
        #expect(try container.makeContext().count(FetchRequest(Luggage.self)) == 3)
        try FileManager.default.removeItem(atPath: path)
        if !isGone {
            #expect(FileManager.default.createFile(atPath: path, contents: nil))
            try FileManager.default.setAttributes([.posixPermissions: 0o666], ofItemAtPath: path)
        }
        let saved = folder.path("saved")
        try store.backup(to: saved)
        let mode = try FileManager.default.attributesOfItem(atPath: saved)[.posixPermissions]
        #expect(mode as? Int == 0o600)
        #expect(try tags(at: saved).count == 3)
    }

    @Test("it is the store that is named where it cannot be read for a copy")
    func goneSource() throws {
        let store = try SQLiteStore(path: path)
        try FileManager.default.removeItem(atPath: path)
        let error = #expect(throws: StoreError.self) {
            try store.backup(to: folder.path("saved"))
        }
        #expect(error?.message.contains(path) == true)
        #expect(try files().allSatisfy { !$0.hasPrefix("saved") })
    }

    @Test("a damaged store is not copied")
    func damagedSource() throws {
        var bytes = try Data(contentsOf: URL(filePath: path))
        let page = try #require(bytes.count > 5 * 4096 ? bytes.count - 4096 : nil)
        for index in page..<bytes.count { bytes[index] = UInt8(truncatingIfNeeded: index) | 1 }
        try bytes.write(to: URL(filePath: path))
        let error = #expect(throws: StoreError.self) {
            try SQLiteStore(path: path, access: .read).backup(to: folder.path("new.sqlite"))
        }
        #expect(error?.code == .damaged)
        #expect(try files().allSatisfy { !$0.contains("partial") && !$0.contains("new") })
    }
}
