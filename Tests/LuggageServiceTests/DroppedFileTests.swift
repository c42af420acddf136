import CLinux
import Foundation
import LuggageTags
import Synchronization
import SystemSupport
import Testing

@testable import LuggageService

@Suite("What may be dropped into a folder", .timeLimit(.minutes(30)))
struct DroppedFileTests {
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
}
