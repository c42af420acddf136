import CFiling
import Foundation
import Logging
import LuggageTags
import Synchronization
import TagReading
import Testing
import ZBarTagReader

@testable import LuggageService

@Suite("The watch service", .timeLimit(.minutes(30)))
struct WatchServiceTests {
    @Test("files a dropped picture and moves it, and a copy of it to the duplicates")
    func filesAndMoves() async throws {
        let inbox = try WatchedInbox()
        let picture = try tagPicture()
        try await inbox.watch { events in
            for name in ["a.png", "b.png", "c.png"] {
                try inbox.drop(name, picture)
                let event = try await events.nextEnd()
                #expect(event.name == name)
                #expect(event.destination == (name == "a.png" ? .processed : .duplicates))
            }
            try inbox.drop("a.png", picture, in: "destination")
            #expect(try await events.nextEnd().destination == .processed)
        }
        #expect(try inbox.names(in: "processed") == ["a-2.png", "a.png"])
        #expect(try inbox.names(in: "duplicates") == ["b.png", "c.png"])
        #expect(try inbox.names(in: "origin") == [])
        #expect(try inbox.record().count == 3)
    }

    @Test("takes a file however it comes", arguments: Arrival.allCases)
    func arrivals(arrival: Arrival) async throws {
        let inbox = try WatchedInbox()
        let picture = try tagPicture()
        try await inbox.watch { events in
            try await arrival.bring(picture, to: inbox.path("tag.png"), &events)
            #expect(try await events.nextEnd().destination == .processed)
        }
        #expect(try inbox.names(in: "processed") == ["tag.png"])
    }

    @Test("files what was there before it started, and leaves what is half written")
    func backlog() async throws {
        let inbox = try WatchedInbox()
        for number in 0..<40 { try inbox.drop("\(number).png", tagPicture(number)) }
        let half = Array(try tagPicture(99).dropLast(9))
        try inbox.drop("half.png", half)
        try await inbox.watch(isOnce: true)
        #expect(try inbox.names(in: "processed").count == 40)
        #expect(try inbox.names(in: "origin") == ["half.png"])
        #expect(try inbox.record().count == 80)
    }

    @Test("gives an incomplete file up after the grace period, with the reason beside it")
    func incomplete() async throws {
        let inbox = try WatchedInbox()
        try inbox.drop("half.png", Array(try tagPicture().dropLast(9)))
        try inbox.drop("empty.png", [])
        try await inbox.watch { events in
            let ends = try await events.ends(2)
            #expect(ends.values.allSatisfy { $0.destination == .failed })
        } changing: { parts in
            parts.configuration.grace = .milliseconds(1)
        }
        let note = FailureNote.read(
            beside: Array("half.png".utf8),
            in: "\(inbox.path)/failed"
        )
        #expect(note?.reason == "incomplete")
        #expect(note?.message.contains("is not complete") == true)
        #expect(note?.point == .origin)
        #expect(try inbox.names(in: "failed").count == 4)
    }

    @Test(
        "keeps why a picture could not be filed",
        arguments: [
            ("text.png", Array("not a picture".utf8), "not-an-image"),
            ("heavy.png", try! tagPicture(1, weight: #""heavy""#), "type-mismatch"),
            ("negative.png", try! tagPicture(2, weight: "-1"), "out-of-range"),
        ]
    )
    func failures(name: String, bytes: [UInt8], reason: String) async throws {
        let inbox = try WatchedInbox()
        try inbox.drop(name, bytes)
        try await inbox.watch(isOnce: true)
        #expect(try inbox.names(in: "failed") == [name, "\(name).error.json"])
        let report = try FolderReport(FolderLayout(path: inbox.path))
        #expect(report.failed.map(\.note?.reason) == [reason])
        #expect(report.watchedBy == nil)
    }

    @Test("tries again what was put back, and says how things are")
    func retry() async throws {
        let inbox = try WatchedInbox()
        let layout = FolderLayout(path: inbox.path)
        try inbox.drop("blank.png", Array("nothing".utf8), in: "destination")
        try inbox.drop("tag.png", tagPicture())
        try await inbox.watch(isOnce: true)
        #expect(try FolderReport(layout).failed.count == 1)
        #expect(try FolderReport(layout).processed == 1)
        #expect(try FolderRetry(layout).run(.reason("no-code")).moved == [])
        let named = try FolderRetry(layout).run(.named([Array("other.png".utf8)]))
        #expect(named.missing == ["other.png"])
        #expect(try FolderRetry(layout).run(.all).moved == ["blank.png"])
        #expect(try FolderReport(layout).pending == ["origin": 0, "destination": 1])
        #expect(try inbox.names(in: "failed") == [])
        try await inbox.watch(isOnce: true)
        #expect(try FolderReport(layout).failed.map(\.displayName) == ["blank.png"])
    }

    @Test("reads a file that takes the place of another while that is read")
    func replacement() async throws {
        let inbox = try WatchedInbox()
        let second = try tagPicture(2)
        let reader = InterruptedReader { image in
            if image.name == "tag.png" { _ = try? inbox.drop("tag.png", second) }
        }
        try inbox.drop("tag.png", tagPicture(1))
        try await inbox.watch(reader: reader) { events in
            guard case .filed(let first) = try await events.nextEnd().disposition else {
                Issue.record("the first file was not filed")
                return
            }
            #expect(first.path == nil)
            #expect(try await events.nextEnd().destination == .processed)
        }
        #expect(try inbox.names(in: "processed") == ["tag.png"])
        #expect(try inbox.record().count == 4)
    }

    @Test("tries a picture again whose bytes change while it is read")
    func alteration() async throws {
        let inbox = try WatchedInbox()
        let second = try tagPicture(2)
        let path = inbox.path("tag.png")
        let reader = InterruptedReader { _ in try? Data(second).write(to: URL(filePath: path)) }
        try inbox.drop("tag.png", tagPicture(1))
        try await inbox.watch(reader: reader) { events in
            let event = try await events.nextEnd()
            #expect(event.destination == .processed)
        }
        // Only what the file has in the end is on record.
        #expect(try inbox.record().count == 2)
        #expect(
            try Data(contentsOf: URL(filePath: inbox.path("tag.png", in: "processed")))
                == Data(second)
        )
    }

    @Test(
        "goes on with the others when a picture crashes its reader",
        arguments: [
            ReadError.Code.readerCrashed, .timedOut, .outOfMemory,
        ]
    )
    func poison(code: ReadError.Code) async throws {
        let inbox = try WatchedInbox()
        let attempts = Attempts()
        let reader = FailingReader { image in
            guard image.name == "poison.png" else { return nil }
            attempts.count()
            return ReadError(code, "it went wrong")
        }
        try inbox.drop("poison.png", tagPicture(0))
        for number in 1...5 { try inbox.drop("\(number).png", tagPicture(number)) }
        try await inbox.watch(reader: reader, isOnce: true)
        #expect(attempts.number == 2)
        #expect(try inbox.names(in: "processed").count == 5)
        let note = FailureNote.read(beside: Array("poison.png".utf8), in: "\(inbox.path)/failed")
        #expect(note?.reason == code.description)
        #expect(note?.attempts == 2)
    }

    @Test(
        "never gives a picture up for trouble that passes",
        arguments: [
            ReadError.inputFailed("cannot be read", EIO),
            ReadError.inputFailed("cannot be read", EBUSY),
            ReadError(.readerUnavailable, "no process can be started"),
        ]
    )
    func passingTrouble(error: ReadError) async throws {
        let inbox = try WatchedInbox()
        let attempts = Attempts()
        let reader = FailingReader { _ in attempts.count() < 3 ? error : nil }
        try inbox.drop("tag.png", tagPicture())
        try await inbox.watch(reader: reader) { events in
            for _ in 0..<2 {
                guard case .postponed = try await events.nextEnd().disposition else {
                    Issue.record("it was not postponed")
                    return
                }
            }
            #expect(try await events.nextEnd().destination == .processed)
        }
    }

    @Test("leaves a picture where it is when it is stopped while reading it")
    func stop() async throws {
        let inbox = try WatchedInbox()
        let reader = HangingReader()
        try inbox.drop("tag.png", tagPicture())
        try await inbox.watch(reader: reader) { _ in
            await reader.hangs()
        } changing: { parts in
            parts.endReading = { reader.end() }
            parts.stopPatience = .milliseconds(10)
        }
        #expect(try inbox.names(in: "origin") == ["tag.png"])
        #expect(try inbox.record().isEmpty)
    }

    @Test("makes the same record whatever the order", arguments: 0..<10)
    func order(seed: Int) async throws {
        let inbox = try WatchedInbox()
        try inbox.fill(seed: seed)
        // One after the other, in an order of its own.
        let names = try inbox.names(in: "origin").shuffled(seed: seed)
        for name in names {
            try FileManager.default.moveItem(
                atPath: inbox.path(name),
                toPath: inbox.path(".\(name)")
            )
        }
        try await inbox.watch { events in
            for name in names {
                try FileManager.default.moveItem(
                    atPath: inbox.path(".\(name)"),
                    toPath: inbox.path(name)
                )
                _ = try await events.nextEnd()
            }
        }
        let other = try WatchedInbox()
        try other.fill(seed: seed)
        try await other.watch(isOnce: true)
        #expect(try inbox.record() == other.record())
        #expect(try inbox.record().count > 10)
    }

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
        let log = "\(inbox.path)/.log"
        let descriptor = unsafe open(log, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0o600)
        defer { close(descriptor) }
        try await inbox.watch { events in
            try FileManager.default.removeItem(atPath: "\(folder)/\(FolderLock.name)")
            let thief = try FolderLock(folder: folder)
            for number in 0..<3 {
                try inbox.drop("\(number).png", tagPicture(number))
                #expect(try await events.nextEnd().destination == .processed)
            }
            #expect(thief.isInPlace)
        } changing: {
            $0.log = ServiceLog(
                format: .plain,
                level: .error,
                environment: [:],
                descriptor: descriptor,
                journal: JournalSocket()
            )
        }
        let lines = try String(contentsOfFile: log, encoding: .utf8).split(separator: "\n")
        #expect(lines.count == 1)
        #expect(lines.first?.contains("is watched by process \(getpid()) on ") == true)
    }

    @Test("keeps no picture open that it has filed")
    func descriptors() async throws {
        let inbox = try WatchedInbox()
        let count = 100
        for number in 0..<count { try inbox.drop("\(number).png", tagPicture(number % 10)) }
        try await inbox.watch { events in
            _ = try await events.ends(count)
            // The last one is let go just after it is told of.
            while try Self.hasOpen(filesIn: inbox.path, where: { $0.hasSuffix(".png") }) {
                await Task.yield()
            }
        }
    }

    private static func hasOpen(
        filesIn folder: String,
        where isOne: (String) -> Bool
    ) throws -> Bool {
        try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").contains { number in
            let path = "/proc/self/fd/\(number)"
            let file = try? FileManager.default.destinationOfSymbolicLink(atPath: path)
            return file.map { $0.hasPrefix(folder) && isOne($0) } ?? false
        }
    }

    @Test("makes folders again that were removed while it runs")
    func removedFolders() async throws {
        let inbox = try WatchedInbox()
        try await inbox.watch { events in
            try FileManager.default.removeItem(atPath: "\(inbox.path)/processed")
            try inbox.drop("tag.png", tagPicture())
            #expect(try await events.nextEnd().destination == .processed)
        }
        #expect(try inbox.names(in: "processed") == ["tag.png"])
    }

    @Test("files names that are no text, or longer than others may be")
    func names() async throws {
        let inbox = try WatchedInbox()
        let names: [[UInt8]] = [
            [0xFF, 0xFE] + Array(".png".utf8), Array("line\nbreak.png".utf8),
            Array(String(repeating: "n", count: 255).utf8), Array("-rf".utf8),
            Array("\u{1B}[31mred.png".utf8), Array("no-ending".utf8),
        ]
        for (number, name) in names.enumerated() {
            let hidden = try inbox.drop("x\(number)", tagPicture(number))
            let path = Array("\(inbox.path)/origin/".utf8) + name
            #expect(unsafe filing_move(AT_FDCWD, hidden, AT_FDCWD, path.cString) == 0)
        }
        try await inbox.watch(isOnce: true)
        #expect(try FolderNames.files(in: "\(inbox.path)/processed").count == names.count)
        #expect(try inbox.names(in: "failed") == [])
    }

    @Test("files a picture that has many names once, and takes the others for duplicates")
    func hardLinks() async throws {
        let inbox = try WatchedInbox()
        let picture = try inbox.drop("0.png", tagPicture())
        for number in 1..<200 {
            try FileManager.default.linkItem(atPath: picture, toPath: inbox.path("\(number).png"))
        }
        let others = Mutex<[String]>([])
        try await inbox.watch(isOnce: true) { _ in
        } changing: { parts in
            parts.observe = { file, disposition in
                if case .filed = disposition { return }
                others.withLock { $0.append("\(file.displayName): \(disposition)") }
            }
        }
        #expect(others.withLock { $0 } == [])
        #expect(try inbox.names(in: "processed").count == 1)
        #expect(try inbox.names(in: "duplicates").count == 199)
        #expect(try inbox.names(in: "origin") == [])
        #expect(try inbox.record().count == 2)
    }

    @Test(
        "files a link to somebody else's file soon after the other name is gone, or passes it over",
        .enabled(if: geteuid() == 0, "only root can give files away"),
        arguments: [true, false]
    )
    func othersLink(isRemoved: Bool) async throws {
        let inbox = try WatchedInbox()
        let beside = try inbox.drop("beside.png", tagPicture(), in: "failed")
        try #require(unsafe chown(beside, 1, 1) == 0)
        try await inbox.watch { events in
            try FileManager.default.linkItem(atPath: beside, toPath: inbox.path("tag.png"))
            var event = try await events.nextEnd()
            guard case .postponed = event.disposition else {
                Issue.record("it was not postponed: \(event.disposition)")
                return
            }
            if isRemoved { try FileManager.default.removeItem(atPath: beside) }
            while case .postponed = event.disposition { event = try await events.nextEnd() }
            if isRemoved {
                // A machine that is slow enough has passed it over before; a scan finds it then.
                if case .passedOver = event.disposition { event = try await events.nextEnd() }
                #expect(event.destination == .processed)
            } else if case .passedOver(let why) = event.disposition {
                #expect(why.contains("hard link"))
            } else {
                Issue.record("it was not passed over: \(event.disposition)")
            }
        }
        #expect(try inbox.names(in: "origin") == (isRemoved ? [] : ["tag.png"]))
    }

    @Test("tells a link to somebody else's file from one's own")
    func ownLink() throws {
        let inbox = try WatchedInbox()
        let path = try inbox.drop("tag.png", tagPicture())
        try FileManager.default.linkItem(atPath: path, toPath: inbox.path("other.png"))
        let folder = DropFolder(path: Array("\(inbox.path)/origin".utf8), point: .origin)
        let file = DroppedFile(folder: folder, name: Array("tag.png".utf8))
        guard case .opened = file.open(as: geteuid()), case .linked = file.open(as: geteuid() + 1)
        else {
            Issue.record("whose it is was not told")
            return
        }
    }

    @Test("passes over what is no regular file")
    func others() async throws {
        let inbox = try WatchedInbox()
        let target = try inbox.drop("tag.png", tagPicture(), in: "failed")
        try FileManager.default.createSymbolicLink(
            atPath: inbox.path("link.png"),
            withDestinationPath: target
        )
        #expect(unsafe mkfifo(inbox.path("fifo.png"), 0o600) == 0)
        try FileManager.default.createDirectory(
            atPath: inbox.path("folder.png"),
            withIntermediateDirectories: false
        )
        try await inbox.watch(isOnce: true)
        #expect(try inbox.record().isEmpty)
        #expect(FileManager.default.fileExists(atPath: target))
    }

    @Test("moves a picture to a folder on another file system")
    func otherFileSystem() async throws {
        let inbox = try WatchedInbox()
        let other = try OtherFileSystem()
        let processed = "\(inbox.path)/processed"
        try FileManager.default.removeItem(atPath: processed)
        try FileManager.default.createSymbolicLink(
            atPath: processed,
            withDestinationPath: other.path
        )
        let picture = try tagPicture()
        try inbox.drop("tag.png", picture)
        let date = Date(timeIntervalSince1970: 1_700_000_000)
        try FileManager.default.setAttributes(
            [.modificationDate: date],
            ofItemAtPath: inbox.path("tag.png")
        )
        try await inbox.watch(isOnce: true)
        let moved = URL(filePath: "\(other.path)/tag.png")
        #expect(try Data(contentsOf: moved) == Data(picture))
        let times = try FileManager.default.attributesOfItem(
            atPath: moved.path(percentEncoded: false)
        )
        #expect(times[.modificationDate] as? Date == date)
        #expect(try inbox.names(in: "origin") == [])
        #expect(try FileManager.default.contentsOfDirectory(atPath: other.path).count == 1)
    }
}
