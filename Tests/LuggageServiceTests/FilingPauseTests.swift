import Foundation
import ObjectStore
import Testing

@testable import LuggageService

@Suite("A pause, as the locks of watched folders tell it")
struct FilingPauseTests {
    private let inbox: WatchedInbox
    private let layout: FolderLayout

    init() throws {
        inbox = try WatchedInbox()
        layout = FolderLayout(path: inbox.path)
    }

    private func trouble(_ message: String, code: StoreError.Code = .full) -> FilingTrouble {
        FilingTrouble(StoreError(code, message), wait: .seconds(1))
    }

    private var lockFile: String { "\(inbox.path)/\(FolderLock.name)" }

    @Test("is there for as long as it lasts, with the time at which it began")
    func lasting() throws {
        var locks: FolderLocks? = try FolderLocks(folders: [inbox.path, inbox.path + "/origin"])
        #expect(try FolderReport(layout).pause == nil)
        locks?.tell(trouble("the disk is full"))
        let first = try #require(try FolderReport(layout).pause)
        #expect(first.reason == "full" && first.message == "the disk is full")
        #expect(abs(first.since.timeIntervalSinceNow) < 3600)
        // Whoever asks about the folder for dropping by itself is told too.
        #expect(FolderLock.words(in: inbox.path + "/origin")?.pause == first)
        locks?.tell(trouble("it", code: .ioFailed))
        let second = try #require(try FolderReport(layout).pause)
        #expect(second.reason == "io-failed" && second.message == "it")
        #expect(second.since == first.since)
        // Anybody may be told by the words who has the lock, as ever.
        #expect(FolderLock.owner(of: inbox.path)?.hasPrefix("process \(getpid()) on ") == true)
        locks?.tell(nil)
        #expect(try FolderReport(layout).pause == nil)
        #expect(FolderLock.owner(of: inbox.path)?.hasPrefix("process \(getpid()) on ") == true)
        locks?.tell(trouble("the disk is full"))
        locks = nil
        // The file stays, and nobody watches the folder.
        #expect(try FolderReport(layout).pause == nil)
        locks = try FolderLocks(folders: [inbox.path])
        #expect(try FolderReport(layout).pause == nil)
        withExtendedLifetime(locks) {}
    }

    @Test("is told by a lock that had to be taken again, too")
    func takenAgain() throws {
        let locks = try FolderLocks(folders: [inbox.path])
        locks.tell(trouble("the disk is full"))
        try FileManager.default.removeItem(atPath: lockFile)
        #expect(try FolderReport(layout).pause == nil)
        #expect(locks.renew().troubles.isEmpty)
        #expect(try FolderReport(layout).pause?.message == "the disk is full")
    }

    @Test(
        "is nobody else's file that has the name of the lock's",
        arguments: [false, true]
    )
    func otherFile(isLink: Bool) throws {
        let locks = try FolderLocks(folders: [inbox.path])
        let other = inbox.path("other.txt")
        try Data("mine".utf8).write(to: URL(filePath: other))
        try FileManager.default.removeItem(atPath: lockFile)
        if isLink {
            try FileManager.default.createSymbolicLink(
                atPath: lockFile,
                withDestinationPath: other
            )
        } else {
            try FileManager.default.linkItem(atPath: other, toPath: lockFile)
        }
        locks.tell(trouble("the disk is full"))
        #expect(try Data(contentsOf: URL(filePath: other)) == Data("mine".utf8))
    }

    @Test(
        "is not what somebody else has written into the file",
        arguments: [
            "", "\n", "somebody\nno JSON\n", "somebody\n{}\n", "somebody\n{\"since\":1}\n",
            "somebody\n" + String(repeating: "[", count: 100_000), "\u{0}\n\u{0}\n",
        ]
    )
    func hostile(words: String) throws {
        let lock = try FolderLock(folder: inbox.path)
        try #require(unsafe truncate(lockFile, 0) == 0)
        let file = try #require(FileHandle(forWritingAtPath: lockFile))
        try file.write(contentsOf: Data(words.utf8))
        try file.close()
        let report = try FolderReport(layout)
        #expect(report.pause == nil)
        #expect(report.watchedBy != nil)
        withExtendedLifetime(lock) {}
    }

    @Test("has a sentence of one line, however long the one of the error is")
    func long() throws {
        let lock = try FolderLocks(folders: [inbox.path])
        lock.tell(trouble(String(repeating: "\u{1}e\u{301}\n", count: 5000)))
        let pause = try #require(try FolderReport(layout).pause)
        #expect(!pause.message.contains("\n") && !pause.message.isEmpty)
        // One block of a disk.
        #expect(try Data(contentsOf: URL(filePath: lockFile)).count < 4096)
    }
}
