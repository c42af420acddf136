import Foundation
import TagReading
import TestFolders
import Testing

@testable import LuggageService

@Suite("Moving a picture that was read")
struct PictureMoveTests {
    private let inbox: WatchedInbox

    init() throws {
        inbox = try WatchedInbox()
    }

    private func move(_ image: TagImage, at microseconds: UInt64 = 7) -> PictureMove {
        PictureMove(
            source: Array(inbox.path("tag.png").utf8),
            image: image,
            folder: "\(inbox.path)/processed",
            microseconds: microseconds
        )
    }

    private func open() throws -> TagImage { try TagImage(path: inbox.path("tag.png")) }

    @Test("takes the next free name, and one with the time after a few")
    func names() throws {
        for number in 1...11 {
            try inbox.drop("tag.png", Array("\(number)".utf8))
            guard case .moved = try move(open()).run() else {
                Issue.record("picture \(number) was not moved")
                continue
            }
        }
        let expected = ["tag-17.png", "tag-18.png", "tag.png"] + (2...9).map { "tag-\($0).png" }
        #expect(try inbox.names(in: "processed").sorted() == expected.sorted())
    }

    @Test("leaves one that was written to in place since it was read")
    func overwritten() throws {
        try inbox.drop("tag.png", Array("first".utf8))
        let image = try open()
        let file = try #require(FileHandle(forWritingAtPath: inbox.path("tag.png")))
        try file.write(contentsOf: Data("other".utf8))
        try file.close()
        #expect(try move(image).run() == .changed)
        #expect(try inbox.names(in: "origin") == ["tag.png"])
        #expect(try inbox.names(in: "processed") == [])
    }

    @Test("puts one back that was written to at the last moment")
    func overwrittenLate() throws {
        try inbox.drop("tag.png", Array("first".utf8))
        let file = try #require(FileHandle(forWritingAtPath: inbox.path("tag.png")))
        let outcome = try move(open()).run { _ in
            try? file.write(contentsOf: Data("second and longer".utf8))
            return true
        }
        #expect(outcome == .changed)
        #expect(try inbox.names(in: "origin") == ["tag.png"])
        #expect(try inbox.names(in: "processed") == [])
    }

    @Test("leaves another file that has taken its name, before or at the last moment")
    func replaced() throws {
        try inbox.drop("tag.png", Array("first".utf8))
        let image = try open()
        try inbox.drop("tag.png", Array("second".utf8))
        #expect(try move(image).run() == .gone)
        #expect(try inbox.names(in: "processed") == [])
        let late = try move(open()).run { _ in (try? inbox.drop("tag.png", [3])) != nil }
        #expect(late == .moved(name: Array("tag.png".utf8)))
        let (left, moved) = (inbox.path("tag.png"), inbox.path("tag.png", in: "processed"))
        #expect(try Data(contentsOf: URL(filePath: left)) == Data([3]))
        #expect(try Data(contentsOf: URL(filePath: moved)) == Data("second".utf8))
    }

    @Test("is gone where somebody has taken it away")
    func takenAway() throws {
        try inbox.drop("tag.png", Array("first".utf8))
        let image = try open()
        try FileManager.default.removeItem(atPath: inbox.path("tag.png"))
        #expect(try move(image).run() == .gone)
    }

    @Test("ends a move of which only the removal of the old name is left")
    func cutOff() throws {
        try inbox.drop("tag.png", Array("first".utf8))
        try FileManager.default.linkItem(
            atPath: inbox.path("tag.png"),
            toPath: inbox.path("tag.png", in: "processed")
        )
        #expect(try move(open()).run() == .moved(name: Array("tag.png".utf8)))
        #expect(try inbox.names(in: "origin") == [])
        #expect(try inbox.names(in: "processed") == ["tag.png"])
    }

    @Test(
        "takes another picture of the same name for another picture, on whichever file system",
        arguments: ["other", "first", "first and longer", ""]
    )
    func otherContent(_ content: String) throws {
        let other = try OtherFileSystem()
        try inbox.drop("tag.png", Array("first".utf8))
        try Data(content.utf8).write(to: URL(filePath: "\(other.path)/tag.png"))
        let move = PictureMove(
            source: Array(inbox.path("tag.png").utf8),
            image: try open(),
            folder: other.path
        )
        #expect(try move.run() == .moved(name: Array("tag-2.png".utf8)))
        #expect(try Data(contentsOf: URL(filePath: "\(other.path)/tag.png")) == Data(content.utf8))
    }
}

/// A folder in memory.
final class OtherFileSystem {
    private let folder: TemporaryFolder

    var path: String { folder.path }

    /// Makes the folder, with this in its path.
    init(named name: String = "other") throws {
        folder = try TemporaryFolder(in: "/dev/shm", named: name)
    }

    /// Lets it have folders of an inbox for what is filed, all of them where none is named.
    convenience init(
        for inbox: WatchedInbox,
        having places: [String] = ["processed", "duplicates", "failed"]
    ) throws {
        // The calls of the system that are counted have this name in their paths.
        try self.init(named: inbox.base.url.lastPathComponent)
        for place in places {
            let folder = inbox.path("", in: place)
            try FileManager.default.createDirectory(
                atPath: "\(path)/\(place)",
                withIntermediateDirectories: false
            )
            try FileManager.default.removeItem(atPath: folder)
            try FileManager.default.createSymbolicLink(
                atPath: "\(inbox.path)/\(place)",
                withDestinationPath: "\(path)/\(place)"
            )
        }
    }
}
