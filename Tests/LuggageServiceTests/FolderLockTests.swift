import Foundation
import Logging
import SystemSupport
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

    @Test("leaves another file alone to which somebody has given the name of the lock")
    func linkedLock() throws {
        let inbox = try WatchedInbox()
        let victim = inbox.path("record", in: "origin")
        let lock = "\(inbox.path)/\(FolderLock.name)"
        try Data("kept".utf8).write(to: URL(filePath: victim))
        try FileManager.default.linkItem(atPath: victim, toPath: lock)
        let error = #expect(throws: FilingError.self) { try FolderLock(folder: inbox.path) }
        #expect(error?.message.hasPrefix(lock) == true)
        #expect(error?.message.hasSuffix("remove it") == true)
        #expect(try Data(contentsOf: URL(filePath: victim)) == Data("kept".utf8))
        try FileManager.default.removeItem(atPath: lock)
        _ = try FolderLock(folder: inbox.path)
    }

    @Test("takes its locks again that somebody has removed", arguments: ["", "/origin"])
    func removedLock(place: String) async throws {
        let inbox = try WatchedInbox()
        let folder = inbox.path + place
        try await inbox.watch { events in
            try FileManager.default.removeItem(atPath: "\(folder)/\(FolderLock.name)")
            // It may have been taken again by now, or is as soon as a picture comes.
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
            // At once: as soon as it is removed the service takes it again.
            let elsewhere = "\(inbox.path)/elsewhere"
            try FileManager.default.createDirectory(
                atPath: elsewhere,
                withIntermediateDirectories: false
            )
            let thief = try FolderLock(folder: elsewhere)
            let stolen = "\(folder)/\(FolderLock.name)"
            let identity = FileStatus(at: "\(elsewhere)/\(FolderLock.name)")?.identity
            try #require(unsafe rename("\(elsewhere)/\(FolderLock.name)", stolen) == 0)
            for number in 0..<3 {
                try inbox.drop("\(number).png", tagPicture(number))
                #expect(try await events.nextEnd().destination == .processed)
            }
            #expect(FileStatus(at: stolen)?.identity == identity)
            withExtendedLifetime(thief) {}
        } changing: {
            $0.log = log.log
        }
        let lines = try log.lines
        #expect(lines.count == 1)
        #expect(lines.first?.contains("is watched by process \(getpid()) on ") == true)
    }

    @Test("says once that a lock cannot be taken again, and nothing where the folder is gone")
    func lostLock() throws {
        let inbox = try WatchedInbox()
        let path = "\(inbox.path)/\(FolderLock.name)"
        let locks = try FolderLocks(folders: [inbox.path])
        let words = "a second service can watch this folder too"
        func troubles() -> [String] { locks.renew().troubles.map { "\($0)" } }
        #expect(troubles() == [])
        // What is in the way is no file.
        try FileManager.default.removeItem(atPath: path)
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
        let first = troubles()
        #expect(first.count == 1)
        #expect(first.allSatisfy { $0.hasPrefix(path) && $0.contains("Is a directory") })
        #expect(first.allSatisfy { $0.hasSuffix(words) })
        #expect(troubles() == [])
        // Then another thing is.
        try FileManager.default.removeItem(atPath: path)
        try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: "elsewhere")
        #expect(troubles().count == 1)
        #expect(troubles() == [])
        let away = "\(inbox.path)-away"
        try FileManager.default.moveItem(atPath: inbox.path, toPath: away)
        #expect(troubles() == [])
        try FileManager.default.moveItem(atPath: away, toPath: inbox.path)
        try FileManager.default.removeItem(atPath: path)
        #expect(troubles() == [])
        #expect(FolderLock.owner(of: inbox.path) != nil)
        // From the beginning.
        try FileManager.default.removeItem(atPath: path)
        try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: "elsewhere")
        #expect(troubles().count == 1)
    }

    /// Somebody who has a lock for reading on the file, for which nobody needs to write to it.
    private final class Reader {
        private let descriptor: Int32

        init(_ folder: String) throws {
            descriptor = unsafe open("\(folder)/\(FolderLock.name)", O_RDONLY | O_CLOEXEC)
            try #require(descriptor >= 0)
            var lock = flock()
            (lock.l_type, lock.l_whence) = (Int16(F_RDLCK), Int16(SEEK_SET))
            // F_OFD_SETLK, which Swift's module of the C library leaves out.
            guard unsafe fcntl(descriptor, 37, &lock) == 0 else {
                throw FilingError(errno, "the lock cannot be held for reading")
            }
        }

        deinit {
            close(descriptor)
        }
    }

    @Test("is had though somebody who may only read the folder holds its file", arguments: 1...3)
    func readers(count: Int) throws {
        let inbox = try WatchedInbox()
        _ = try FolderLock(folder: inbox.path)
        let readers = try (0..<count).map { _ in try Reader(inbox.path) }
        let lock = try FolderLock(folder: inbox.path)
        #expect(lock.isInPlace)
        #expect(FolderLock.owner(of: inbox.path)?.hasPrefix("process \(getpid()) on ") == true)
        #expect(throws: FolderInUse.self) { try FolderLock(folder: inbox.path) }
        let error = #expect(throws: FilingError.self) { try Reader(inbox.path) }
        #expect(error?.number == EAGAIN)
        let names = try FileManager.default.contentsOfDirectory(atPath: inbox.path)
        #expect(names.filter { $0.hasPrefix(".") } == [FolderLock.name])
        withExtendedLifetime(readers) {}
    }

    @Test("is had by one of many who all find its file held for reading")
    func contention() async throws {
        let inbox = try WatchedInbox()
        _ = try FolderLock(folder: inbox.path)
        let reader = try Reader(inbox.path)
        let folder = inbox.path
        let locks = await withTaskGroup(of: FolderLock?.self) { group in
            for _ in 0..<32 { group.addTask { try? FolderLock(folder: folder) } }
            var locks: [FolderLock] = []
            for await lock in group { lock.map { locks.append($0) } }
            return locks
        }
        #expect(locks.map(\.isInPlace) == [true])
        let names = try FileManager.default.contentsOfDirectory(atPath: folder)
        #expect(names.filter { $0.hasPrefix(".") } == [FolderLock.name])
        withExtendedLifetime(reader) {}
    }

    @Test("is had where a killed service has left what it was about to put in place")
    func leftOver() throws {
        let inbox = try WatchedInbox()
        _ = try FolderLock(folder: inbox.path)
        let reader = try Reader(inbox.path)
        let path = "\(inbox.path)/\(FolderLock.name)-new"
        #expect(FileManager.default.createFile(atPath: path, contents: Data([1])))
        let lock = try FolderLock(folder: inbox.path)
        #expect(lock.isInPlace)
        #expect(!FileManager.default.fileExists(atPath: path))
        withExtendedLifetime(reader) {}
    }

    /// What somebody who drops pictures puts where the service would have its own.
    enum Forgery: CaseIterable {
        case file, folder, link, pipe

        func put(at path: String) throws {
            switch self {
            case .file: try Data("evil".utf8).write(to: URL(filePath: path))
            case .folder:
                try FileManager.default.createDirectory(
                    atPath: path,
                    withIntermediateDirectories: false
                )
            case .link:
                try FileManager.default.createSymbolicLink(
                    atPath: path,
                    withDestinationPath: "/tmp"
                )
            case .pipe: try #require(unsafe mkfifo(path, 0o666) == 0)
            }
            if geteuid() == 0 { try #require(unsafe lchown(path, 65_534, 65_534) == 0) }
        }
    }

    @Test(
        "is had whatever those who may drop pictures put in its place",
        arguments: Forgery.allCases,
        [FolderLock.name, LockFolder.name]
    )
    func forged(forgery: Forgery, name: String) async throws {
        // A folder that belongs to the service itself is no forgery.
        guard geteuid() == 0 || forgery != .folder || name == FolderLock.name else { return }
        let inbox = try WatchedInbox()
        let folder = "\(inbox.path)/origin"
        try #require(unsafe chmod(folder, 0o1777) == 0)
        try forgery.put(at: "\(folder)/\(name)")
        try await inbox.watch { events in
            let error = #expect(throws: FolderInUse.self) { try FolderLock(folder: folder) }
            #expect(error?.owner.hasPrefix("process \(getpid()) on ") == true)
            try inbox.drop("tag.png", tagPicture())
            #expect(try await events.nextEnd().destination == .processed)
        }
        #expect(FolderLock.owner(of: folder) == nil)
        _ = try FolderLock(folder: folder)
    }

    @Test("is had where somebody who may drop pictures has a lock on a file with its name")
    func heldByDropper() async throws {
        let inbox = try WatchedInbox()
        let folder = "\(inbox.path)/origin"
        let thief = try FolderLock(folder: folder)
        // From now on others drop pictures there, and it is as if one of them had made it.
        try #require(unsafe chmod(folder, 0o1777) == 0)
        try await inbox.watch(isOnce: true)
        withExtendedLifetime(thief) {}
    }

    @Test("of a folder in which others drop pictures is in one that only the service writes to")
    func place() throws {
        let inbox = try WatchedInbox()
        let folder = "\(inbox.path)/origin"
        try #require(unsafe chmod(folder, 0o1777) == 0)
        let lock = try FolderLock(folder: folder)
        #expect(lock.isInPlace)
        let own = "\(folder)/\(LockFolder.name)"
        #expect(
            try FileManager.default.contentsOfDirectory(atPath: folder) == [LockFolder.name]
        )
        let mode = try FileManager.default.attributesOfItem(atPath: own)[.posixPermissions]
        #expect(mode as? Int == 0o755)
        #expect(try FileManager.default.contentsOfDirectory(atPath: own) == [FolderLock.name])
        try FileManager.default.removeItem(atPath: own)
        #expect(!lock.isInPlace)
    }

    @Test("is kept in a file to which nobody else may write", arguments: [0o666, 0o644, 0o600])
    func permissions(mode: mode_t) throws {
        let inbox = try WatchedInbox()
        let path = "\(inbox.path)/\(FolderLock.name)"
        #expect(FileManager.default.createFile(atPath: path, contents: nil))
        #expect(unsafe chmod(path, mode) == 0)
        let lock = try FolderLock(folder: inbox.path)
        var status = stat()
        #expect(unsafe stat(path, &status) == 0)
        // Others may ask who has the lock.
        #expect(status.st_mode & 0o777 == 0o644)
        withExtendedLifetime(lock) {}
    }
}
