import Foundation
import LuggageTags
import TagReading
import Testing

@testable import LuggageService

@Suite("The folder of failed pictures")
struct FailedFolderTests {
    private let inbox: WatchedInbox
    private let layout: FolderLayout

    init() throws {
        inbox = try WatchedInbox()
        layout = FolderLayout(path: inbox.path)
    }

    @Test("keeps a picture whose name is that of another one's note")
    func namedLikeNote() async throws {
        let first = Array("the first is no picture".utf8)
        try inbox.drop("a.png.error.json", first)
        try await inbox.watch(isOnce: true)
        try inbox.drop("a.png", Array("nor is this".utf8))
        try await inbox.watch(isOnce: true)
        #expect(
            try inbox.names(in: "failed") == [
                "a-2.png", "a-2.png.error.json", "a.png.error.json", "a.png.error.json.error.json",
            ]
        )
        let kept = try Data(contentsOf: URL(filePath: inbox.path("a.png.error.json", in: "failed")))
        #expect(kept == Data(first))
        #expect(
            try FolderReport(layout).failed.map(\.displayName) == ["a-2.png", "a.png.error.json"]
        )
    }

    @Test("has no picture where only a note is left")
    func lonelyNote() async throws {
        try inbox.drop("a.png", Array("no picture".utf8))
        try await inbox.watch(isOnce: true)
        try FileManager.default.removeItem(atPath: inbox.path("a.png", in: "failed"))
        #expect(try FolderReport(layout).failed.isEmpty)
        let lock = try FolderLock(folder: inbox.path)
        var retry = FolderRetry(layout)
        // However long it takes on a busy machine.
        retry.settledAge = 3600
        #expect(try retry.run(.all).moved.isEmpty)
        // A service that is at work may be about to put the picture there.
        #expect(try inbox.names(in: "failed") == ["a.png.error.json"])
        withExtendedLifetime(lock) {}
    }

    @Test("has no note left after a retry whose picture somebody has taken away")
    func orphans() async throws {
        try inbox.drop("a.png", Array("no picture".utf8))
        try inbox.drop("b.png", Array("nor is this".utf8))
        try inbox.drop("c.error.json", Array("nor this".utf8))
        try await inbox.watch(isOnce: true)
        try FileManager.default.removeItem(atPath: inbox.path("a.png", in: "failed"))
        #expect(try FolderRetry(layout).run(.all).moved == ["b.png", "c.error.json"])
        #expect(try inbox.names(in: "failed") == [])
    }

    @Test("gives pictures back from another file system")
    func otherFileSystem() async throws {
        let other = try OtherFileSystem(for: inbox, having: ["failed"])
        try inbox.drop("a.png", Array("no picture".utf8))
        try await inbox.watch(isOnce: true)
        #expect(try inbox.names(in: "failed") == ["a.png", "a.png.error.json"])
        try inbox.drop("a.png", tagPicture())
        let result = try FolderRetry(layout).run(.all)
        #expect(result.moved == ["a.png"] && result.left == [])
        #expect(try FileManager.default.contentsOfDirectory(atPath: "\(other.path)/failed") == [])
        #expect(try inbox.names(in: "origin") == ["a-2.png", "a.png"])
        #expect(
            try String(contentsOfFile: inbox.path("a-2.png"), encoding: .utf8) == "no picture"
        )
    }

    @Test("gives nothing back of which it is not known where its bags are")
    func unknownPoint() throws {
        try inbox.drop("a.png", [1], in: "failed")
        let result = try FolderRetry(layout).run(.all)
        #expect(result.moved.isEmpty)
        #expect(result.left.count == 1)
        #expect(try inbox.names(in: "failed") == ["a.png"])
        let only = FolderLayout(path: inbox.path, point: .destination)
        #expect(try FolderRetry(only).run(.all).moved == ["a.png"])
    }

    @Test("keeps a picture that is named like the note of one that has none and is given back")
    func noNote() throws {
        for name in ["a.png", "a.png.error.json"] { try inbox.drop(name, [1], in: "failed") }
        let only = FolderLayout(path: inbox.path, point: .destination)
        #expect(try FolderRetry(only).run(.named([Array("a.png".utf8)])).moved == ["a.png"])
        #expect(try inbox.names(in: "failed") == ["a.png.error.json"])
    }

    @Test("gives nothing back to a point at which its bags are not, and says which one it is")
    func otherPoint() async throws {
        try inbox.drop("a.png", Array("no picture".utf8))
        try await inbox.watch(isOnce: true)
        let other = FolderLayout(path: inbox.path, point: .destination)
        let result = try FolderRetry(other).run(.all)
        #expect(result.moved.isEmpty)
        #expect(
            result.left == [
                "a.png: the note beside it says that its bags are at origin, not at destination; say "
                    + "--at origin"
            ]
        )
        #expect(try inbox.names(in: "failed") == ["a.png", "a.png.error.json"])
        let same = FolderLayout(path: inbox.path, point: .origin)
        #expect(try FolderRetry(same).run(.all).moved == ["a.png"])
    }

    @Test("has a picture that is too long on record once, however often it is tried")
    func tooLong() async throws {
        let reader = FailingReader { _ in ReadError(.tooManyBytes, "it is too long") }
        for name in ["a.png", "b.png"] {
            try inbox.drop(name, Array("picture \(name), which is longer than it may be".utf8))
        }
        for _ in 0..<3 {
            try await inbox.watch(reader: reader, isOnce: true) { _ in
            } changing: {
                $0.limits.fileBytes = 16
            }
            #expect(
                try FolderReport(layout).failed.map(\.note?.reason) == [
                    "too-many-bytes", "too-many-bytes",
                ]
            )
            #expect(try inbox.record().count == 2)
            _ = try FolderRetry(layout).run(.all)
        }
    }

    @Test("has one on record once that could not be moved at first")
    func tooLongAndStuck() async throws {
        let reader = FailingReader { _ in ReadError(.tooManyBytes, "it is too long") }
        let failed = "\(inbox.path)/failed"
        try await inbox.watch(reader: reader) { events in
            // A file in the place of a folder lets nobody put one into it.
            try FileManager.default.removeItem(atPath: failed)
            try Data().write(to: URL(filePath: failed))
            try inbox.drop("a.png", Array("a picture".utf8))
            for _ in 0..<2 {
                guard case .postponed = try await events.nextEnd().disposition else {
                    Issue.record("it was not postponed")
                    return
                }
            }
            try FileManager.default.removeItem(atPath: failed)
            var event = try await events.nextEnd()
            while case .postponed = event.disposition { event = try await events.nextEnd() }
            #expect(event.destination == .failed)
        } changing: {
            $0.limits.fileBytes = 2
        }
        #expect(try inbox.record().count == 1)
    }

    @Test("is not held up by what somebody has put where notes are written")
    func pipe() async throws {
        #expect(unsafe mkfifo("\(inbox.path)/failed/.luggage-note.part", 0o600) == 0)
        try inbox.drop("a.png", Array("no picture".utf8))
        try await inbox.watch(isOnce: true)
        #expect(try FolderReport(layout).failed.map(\.note?.reason) == ["not-an-image"])
    }

    @Test("is not held up by folders either")
    func folder() async throws {
        for name in [".luggage-note.part", ".luggage-note-2.part"] {
            let path = "\(inbox.path)/failed/\(name)"
            try FileManager.default.createDirectory(
                atPath: path,
                withIntermediateDirectories: false
            )
        }
        try inbox.drop("a.png", Array("no picture".utf8))
        try await inbox.watch(isOnce: true)
        #expect(try FolderReport(layout).failed.map(\.note?.reason) == ["not-an-image"])
        #expect(
            try FileManager.default.contentsOfDirectory(atPath: "\(inbox.path)/failed").count == 4
        )
    }

    @Test("gives back names as they are shown")
    func shownNames() async throws {
        try inbox.drop("two\nlines.png", Array("no picture".utf8), in: "destination")
        try await inbox.watch(isOnce: true)
        #expect(
            try FolderRetry(layout).run(.named([Array(#"two\nlines.png"#.utf8)])).moved == [
                "two\\nlines.png"
            ]
        )
        #expect(try inbox.names(in: "destination") == ["two\nlines.png"])
    }
}
