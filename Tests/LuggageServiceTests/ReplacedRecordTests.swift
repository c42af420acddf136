import Foundation
import SQLiteStore
import Testing

@testable import LuggageService

@Suite("A record that is another one while the service runs", .timeLimit(.minutes(10)))
struct ReplacedRecordTests {
    private func removeRecord(of inbox: WatchedInbox) throws {
        for end in ["", "-wal", "-shm"]
        where FileManager.default.fileExists(atPath: inbox.store + end) {
            try FileManager.default.removeItem(atPath: inbox.store + end)
        }
    }

    @Test("is told of a picture that the one before knew", arguments: [1, 8])
    func removed(count: Int) async throws {
        let inbox = try WatchedInbox()
        try await inbox.watch { events in
            for number in 0..<count { try inbox.drop("\(number).png", tagPicture(number)) }
            _ = try await events.ends(count)
            let before = try inbox.record()
            try removeRecord(of: inbox)
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
}
