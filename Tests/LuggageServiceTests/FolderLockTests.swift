import Foundation
import Logging
import Testing

@testable import LuggageService

@Suite("The lock of a watched folder", .timeLimit(.minutes(30)))
struct FolderLockTests {
    @Test("keeps a second service away, and names the first")
    func lock() async throws {
        let inbox = try WatchedInbox()
        try await inbox.watch { _ in
            let error = #expect(throws: FolderInUse.self) { try FolderLock(folder: inbox.path) }
            #expect(error?.owner.hasPrefix("process \(getpid()) on ") == true)
            let report = try FolderReport(FolderLayout(path: inbox.path))
            #expect(report.watchedBy == error?.owner)
        }
        _ = try FolderLock(folder: inbox.path)
    }

    @Test("takes its locks again that somebody has removed", arguments: ["", "/origin"])
    func removedLock(place: String) async throws {
        let inbox = try WatchedInbox()
        let folder = inbox.path + place
        try await inbox.watch { events in
            try FileManager.default.removeItem(atPath: "\(folder)/\(FolderLock.name)")
            #expect(FolderLock.owner(of: folder) == nil)
            try inbox.drop("tag.png", tagPicture())
            _ = try await events.nextEnd()
            #expect(throws: FolderInUse.self) { try FolderLock(folder: folder) }
        }
        _ = try FolderLock(folder: folder)
    }

    @Test("locks a folder that has taken the place of another")
    func replacedFolder() async throws {
        let inbox = try WatchedInbox()
        let folder = "\(inbox.path)/origin"
        try await inbox.watch { events in
            try FileManager.default.moveItem(atPath: folder, toPath: "\(inbox.path)/old")
            try FolderLayout(path: inbox.path).make()
            try inbox.drop("tag.png", tagPicture())
            _ = try await events.nextEnd()
            #expect(throws: FolderInUse.self) { try FolderLock(folder: folder) }
        }
    }

    @Test("says who has taken the lock that somebody removed, and files all the same")
    func stolenLock() async throws {
        let inbox = try WatchedInbox()
        let folder = "\(inbox.path)/origin"
        let log = try LogFile(level: .error)
        try await inbox.watch { events in
            try FileManager.default.removeItem(atPath: "\(folder)/\(FolderLock.name)")
            let thief = try FolderLock(folder: folder)
            for number in 0..<3 {
                try inbox.drop("\(number).png", tagPicture(number))
                #expect(try await events.nextEnd().destination == .processed)
            }
            #expect(thief.isInPlace)
        } changing: {
            $0.log = log.log
        }
        let lines = try log.lines
        #expect(lines.count == 1)
        #expect(lines.first?.contains("is watched by process \(getpid()) on ") == true)
    }
}
