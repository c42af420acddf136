import Foundation
import TagReading
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
        let outcome = try move(open()).run { _ in
            try? Data("second and longer".utf8).write(to: URL(filePath: inbox.path("tag.png")))
            return true
        }
        #expect(outcome == .changed)
        #expect(try inbox.names(in: "origin") == ["tag.png"])
    }

    @Test("leaves another file that has taken its name, before or at the last moment")
    func replaced() throws {
        try inbox.drop("tag.png", Array("first".utf8))
        let image = try open()
        try inbox.drop("tag.png", Array("second".utf8))
        #expect(try move(image).run() == .gone)
        let late = try move(open()).run { _ in (try? inbox.drop("tag.png", [3])) != nil }
        #expect(late == .gone)
        #expect(try inbox.names(in: "origin") == ["tag.png"])
        #expect(try inbox.names(in: "processed") == [])
    }

    @Test("is gone where somebody has taken it away")
    func takenAway() throws {
        try inbox.drop("tag.png", Array("first".utf8))
        let image = try open()
        try FileManager.default.removeItem(atPath: inbox.path("tag.png"))
        #expect(try move(image).run() == .gone)
    }
}
