import Foundation
import LuggageTags
import SQLiteStore
import Testing

@testable import LuggageService

@Suite("A record that is another one while the service runs", .timeLimit(.minutes(30)))
struct ReplacedRecordTests {
    private func removeRecord(of inbox: WatchedInbox) throws {
        for end in ["", "-wal", "-shm"]
        where FileManager.default.fileExists(atPath: inbox.store + end) {
            try FileManager.default.removeItem(atPath: inbox.store + end)
        }
    }

    @Test("is not made anew where it is gone; what is dropped stays, until it is back")
    func removed() async throws {
        let inbox = try WatchedInbox()
        let layout = FolderLayout(path: inbox.path)
        try await inbox.watch { events in
            try inbox.drop("first.png", tagPicture(0))
            _ = try await events.nextEnd()
            let before = try inbox.record()
            try FileManager.default.moveItem(atPath: inbox.store, toPath: inbox.store + ".aside")
            try inbox.drop("again.png", tagPicture(0))
            try inbox.drop("second.png", tagPicture(1))
            while try FolderReport(layout).pause == nil { await Task.yield() }
            #expect(try FolderReport(layout).pause?.reason == "gone")
            #expect(!FileManager.default.fileExists(atPath: inbox.store))
            #expect(try inbox.names(in: "origin") == ["again.png", "second.png"])
            try FileManager.default.moveItem(atPath: inbox.store + ".aside", toPath: inbox.store)
            let ends = try await events.ends(2)
            #expect(ends["again.png"]?.destination == .duplicates)
            #expect(ends["second.png"]?.destination == .processed)
            #expect(try inbox.record().count == before.count + 2)
            #expect(try FolderReport(layout).pause == nil)
        } changing: { parts in
            parts.storePath = inbox.store
        }
    }

    @Test("is told of a picture that the one before knew", arguments: [1, 8])
    func replaced(count: Int) async throws {
        let inbox = try WatchedInbox()
        let empty = inbox.store + ".empty"
        try await inbox.watch { events in
            for number in 0..<count { try inbox.drop("\(number).png", tagPicture(number)) }
            _ = try await events.ends(count)
            let before = try inbox.record()
            let store = try SQLiteStore(path: empty)
            try store.prepare(for: LuggageModel.make())
            try store.close()
            try removeRecord(of: inbox)
            try FileManager.default.moveItem(atPath: empty, toPath: inbox.store)
            for number in 0..<count { try inbox.drop("again-\(number).png", tagPicture(number)) }
            let ends = try await events.ends(count)
            #expect(ends.values.allSatisfy { $0.destination == .processed })
            #expect(try inbox.record().count == before.count)
        } changing: { parts in
            parts.storePath = inbox.store
        }
        #expect(try inbox.names(in: "duplicates") == [])
        #expect(try inbox.names(in: "processed").count == 2 * count)
    }

    @Test("is told of what was moved back after a backup took its place")
    func restored() async throws {
        let inbox = try WatchedInbox()
        let backup = inbox.store + ".backup"
        try await inbox.watch { events in
            try inbox.drop("first.png", tagPicture(0))
            _ = try await events.nextEnd()
            try SQLiteStore(path: inbox.store).backup(to: backup)
            for number in 1...8 { try inbox.drop("\(number).png", tagPicture(number)) }
            _ = try await events.ends(8)
            try removeRecord(of: inbox)
            try FileManager.default.moveItem(atPath: backup, toPath: inbox.store)
            #expect(try inbox.record().count == 2)
            for number in 1...8 {
                try FileManager.default.moveItem(
                    atPath: inbox.path("\(number).png", in: "processed"),
                    toPath: inbox.path("\(number).png")
                )
            }
            let ends = try await events.ends(8)
            #expect(ends.values.allSatisfy { $0.destination == .processed })
        } changing: { parts in
            parts.storePath = inbox.store
        }
        #expect(try inbox.record().count == 18)
    }

    @Test("is marked again only where the mark would say something else")
    func mark() throws {
        let inbox = try WatchedInbox()
        let store = try SQLiteStore(path: inbox.store)
        try store.prepare(for: LuggageModel.make())
        try store.close()
        let mark = RecordMark(of: inbox.store)
        mark.update(saves: 1)
        let long = Date(timeIntervalSince1970: 1_000_000)
        let files = FileManager.default
        func modified() throws -> Date? {
            try files.attributesOfItem(atPath: mark.path)[.modificationDate] as? Date
        }
        try files.setAttributes([.modificationDate: long], ofItemAtPath: mark.path)
        mark.update(saves: 1)
        #expect(try modified() == long)
        mark.update(saves: 2)
        #expect(try modified() != long)
        #expect(mark.read()?.saves == 2)
    }
}
