import Foundation
import LuggageTags
import SystemSupport
import TagReading
import Testing

@testable import LuggageService
import Glibc

/// Only root can have files that belong to somebody else.
@Suite(
    "A picture that belongs to somebody else",
    .enabled(if: geteuid() == 0),
    .timeLimit(.minutes(30))
)
struct OthersPictureTests {
    private let inbox: WatchedInbox
    private let somebody: uid_t = 65_534

    init() throws {
        inbox = try WatchedInbox()
    }

    /// Puts a file of somebody's into a folder, with the time that it has everywhere.
    private func drop(
        _ name: String,
        _ bytes: [UInt8],
        mode: mode_t = 0o660
    ) throws -> FileHandle {
        let hidden = inbox.path(".\(name)")
        try Data(bytes).write(to: URL(filePath: hidden))
        try #require(unsafe chown(hidden, somebody, somebody) == 0)
        try #require(unsafe chmod(hidden, mode) == 0)
        try setTime(of: hidden)
        let file = try #require(FileHandle(forUpdatingAtPath: hidden))
        try #require(unsafe rename(hidden, inbox.path(name)) == 0)
        return file
    }

    private func setTime(of path: String) throws {
        try setModificationTime(of: path, 1_700_000_000, 5)
    }

    private func status(_ path: String) throws -> stat {
        var status = stat()
        try #require(unsafe lstat(path, &status) == 0)
        return status
    }

    @Test(
        "is the service's own once it is filed, for nobody to write to",
        arguments: [
            ("processed", 0o660, 0o440), ("failed", 0o600, 0o440), ("processed", 0o644, 0o444),
        ]
            as [(String, mode_t, mode_t)]
    )
    func owner(place: String, before: mode_t, after: mode_t) async throws {
        let bytes = place == "failed" ? Array("no picture".utf8) : try tagPicture()
        let file = try drop("tag.png", bytes, mode: before)
        let number = try status(inbox.path("tag.png")).st_ino
        try await inbox.watch(isOnce: true)
        let filed = inbox.path("tag.png", in: place)
        let status = try status(filed)
        #expect(status.st_uid == geteuid() && status.st_mode & 0o7777 == after)
        #expect(status.st_ino != number && status.st_nlink == 1)
        let time = try #require(FileStatus(at: filed)).modified
        #expect(time.seconds == 1_700_000_000 && time.nanoseconds == 5)
        // Whoever has kept it open changes what nobody sees any more.
        try file.seekToEnd()
        try file.write(contentsOf: Data("changed".utf8))
        #expect(try Data(contentsOf: URL(filePath: filed)) == Data(bytes))
        let left = try FileManager.default.contentsOfDirectory(atPath: "\(inbox.path)/origin")
        #expect(left == [FolderLock.name])
    }

    @Test("is a duplicate where it comes again, with the same time and in the place of the first")
    func again() async throws {
        try await inbox.watch { events in
            for name in ["a.png", "b.png", "c.png"] {
                _ = try drop(name, tagPicture())
                let event = try await events.nextEnd()
                #expect(event.destination == (name == "a.png" ? .processed : .duplicates))
            }
        }
        for path in [inbox.path("a.png", in: "processed"), inbox.path("b.png", in: "duplicates")] {
            #expect(try status(path).st_uid == geteuid())
        }
    }

    @Test("is moved and not copied where it is the service's own")
    func own() async throws {
        try inbox.drop("tag.png", tagPicture())
        let before = try status(inbox.path("tag.png"))
        try await inbox.watch(isOnce: true)
        let after = try status(inbox.path("tag.png", in: "processed"))
        #expect(after.st_ino == before.st_ino && after.st_mode == before.st_mode)
    }

    @Test(
        "is read again where it was changed since, and its time set back",
        arguments: [false, true]
    )
    func setBack(isCopied: Bool) throws {
        let file = try drop("tag.png", Array("first".utf8))
        let image = try TagImage(path: inbox.path("tag.png"))
        let digest = try image.digestNow(within: .default)
        var moves = BatchOfMoves(layout: FolderLayout(path: inbox.path))
        let outcome = try moves.run(
            Array(inbox.path("tag.png").utf8),
            image,
            digest,
            to: .processed,
            nil
        ) { step in
            let isNow =
                switch step {
                case .claimed: !isCopied
                case .copied: isCopied
                default: false
                }
            if !isNow { return }
            try? file.write(contentsOf: Data("other".utf8))
            try? setTime(of: inbox.path(".~luggage~tag.png"))
        }
        // What was on record by then is filed as it was.
        #expect(outcome == (isCopied ? .moved(name: Array("tag.png".utf8)) : .changed))
        #expect(try inbox.names(in: "processed") == (isCopied ? ["tag.png"] : []))
        if !isCopied { #expect(try inbox.names(in: "origin") == ["tag.png"]) }
        for name in try inbox.names(in: "processed") {
            let text = try String(
                contentsOfFile: inbox.path(name, in: "processed"),
                encoding: .utf8
            )
            #expect(text == "first")
        }
    }

    @Test("is copied past a mark of somebody else's, who has nothing to say about what is removed")
    func forgedMark() throws {
        try inbox.drop("tag.png", Array("first".utf8), in: "processed")
        _ = try drop("tag.png", Array("first".utf8))
        let image = try TagImage(path: inbox.path("tag.png"))
        let copy = try status(inbox.path("tag.png", in: "processed")).st_ino
        let folder = Array("\(inbox.path)/origin/".utf8)
        let mark = try #require(
            CopyMark(of: image.descriptor, in: folder, copy: UInt64(copy))
        )
        mark.make()
        #expect(mark.isThere)
        let name = try #require(
            FileManager.default.contentsOfDirectory(atPath: "\(inbox.path)/origin")
                .first { $0.hasPrefix(".luggage-copy-") }
        )
        try #require(unsafe chown(inbox.path(name), somebody, somebody) == 0)
        #expect(!mark.isThere)
    }
}
