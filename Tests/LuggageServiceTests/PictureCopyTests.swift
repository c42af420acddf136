import Foundation
import TagReading
import Testing

@testable import LuggageService
import Glibc

@Suite("A picture that is moved to another file system", .timeLimit(.minutes(30)))
struct PictureCopyTests {
    private let inbox: WatchedInbox
    private let other: OtherFileSystem

    init() throws {
        inbox = try WatchedInbox()
        other = try OtherFileSystem()
    }

    private var source: String { inbox.path("tag.png") }

    /// Everything in the folder where it was dropped, hidden or not.
    private var left: [String] {
        get throws {
            try FileManager.default.contentsOfDirectory(atPath: "\(inbox.path)/origin").sorted()
        }
    }

    private var filed: [String] {
        get throws { try FileManager.default.contentsOfDirectory(atPath: other.path).sorted() }
    }

    private func move(observe: @escaping (PictureMove.Step) -> Void = { _ in }) throws
        -> PictureMove
    {
        PictureMove(
            source: Array(source.utf8),
            image: try TagImage(path: source),
            folder: other.path,
            observe: observe
        )
    }

    private func drop(_ text: String, at time: Int = 1_700_000_000) throws {
        try inbox.drop("tag.png", Array(text.utf8))
        // Down to the nanosecond, as `cp -p` has it.
        try setModificationTime(of: source, time, 123_456_789)
    }

    @Test("is copied past what somebody has put in the way", arguments: Obstacle.allCases)
    func obstacle(_ obstacle: Obstacle) throws {
        try drop("first")
        let victim = try inbox.drop("victim", Array("precious".utf8))
        let move = try move()
        let part = ".luggage-\(move.image.fileNumber).part"
        try obstacle.put(at: "\(other.path)/\(part)", linkingTo: victim)
        #expect(try move.run() == .moved(name: Array("tag.png".utf8)))
        #expect(try String(contentsOfFile: victim, encoding: .utf8) == "precious")
        let copy = "\(other.path)/tag.png"
        #expect(try String(contentsOfFile: copy, encoding: .utf8) == "first")
        let kind = try FileManager.default.attributesOfItem(atPath: copy)[.type]
        #expect(kind as? FileAttributeType == .typeRegular)
        #expect(try filed == (obstacle == .folder ? [part, "tag.png"] : ["tag.png"]))
        #expect(try left == ["victim"])
    }

    /// Moves the picture, and lets everything where it was dropped be as where the process was killed
    /// just before it would have been removed.
    private func cutOffMove() throws {
        let kept = "\(inbox.path)/kept"
        try FileManager.default.createDirectory(atPath: kept, withIntermediateDirectories: false)
        let move = try move { step in
            guard case .copied = step else { return }
            for name in (try? left) ?? [] {
                try? FileManager.default.linkItem(
                    atPath: inbox.path(name),
                    toPath: "\(kept)/\(name)"
                )
            }
        }
        #expect(try move.run() == .moved(name: Array("tag.png".utf8)))
        #expect(try left == [])
        for name in try FileManager.default.contentsOfDirectory(atPath: kept) {
            try #require(unsafe rename("\(kept)/\(name)", inbox.path(name)) == 0)
        }
        #expect(try left.count == 2)
    }

    @Test("is removed where a move was cut off before that", arguments: [false, true])
    func cutOff(isNextStart: Bool) throws {
        try drop("first")
        try cutOffMove()
        if isNextStart {
            #expect(ClaimedPicture.putBackAll(in: "\(inbox.path)/origin").isEmpty)
        } else {
            try #require(unsafe rename(inbox.path(".~luggage~tag.png"), source) == 0)
        }
        #expect(try inbox.names(in: "origin") == ["tag.png"])
        #expect(try move().run() == .moved(name: Array("tag.png".utf8)))
        #expect(try filed == ["tag.png"])
        #expect(try left == [])
    }

    @Test("is kept beside one with the same name, bytes and time that came before")
    func sameAgain() throws {
        for name in ["tag.png", "tag-2.png", "tag-3.png"] {
            try drop("first")
            #expect(try move().run() == .moved(name: Array(name.utf8)))
            #expect(try left == [])
        }
        #expect(try filed == ["tag-2.png", "tag-3.png", "tag.png"])
    }

    @Test("is kept where it has taken the place of one whose move was cut off")
    func sameAfterCutOff() throws {
        try drop("first")
        try cutOffMove()
        // Both are there for a moment, so that the other has another number.
        try drop("first")
        try FileManager.default.removeItem(atPath: inbox.path(".~luggage~tag.png"))
        #expect(try move().run() == .moved(name: Array("tag-2.png".utf8)))
        #expect(try filed == ["tag-2.png", "tag.png"])
        // The next start finds that the mark is of no use any more.
        #expect(try left.count == 1)
        #expect(ClaimedPicture.putBackAll(in: "\(inbox.path)/origin").isEmpty)
        #expect(try left == [])
    }

    @Test("is read again where somebody has written to it since its move was cut off")
    func writtenAfterCutOff() throws {
        try drop("first")
        try cutOffMove()
        try #require(unsafe rename(inbox.path(".~luggage~tag.png"), source) == 0)
        let file = try #require(FileHandle(forWritingAtPath: source))
        try file.write(contentsOf: Data("other".utf8))
        try file.close()
        #expect(try move().run() == .moved(name: Array("tag-2.png".utf8)))
        let text = try String(contentsOfFile: "\(other.path)/tag-2.png", encoding: .utf8)
        #expect(text == "other")
    }

    @Test("leaves no mark behind where its copy did not get its name")
    func noMark() throws {
        try drop("first")
        let file = try #require(FileHandle(forWritingAtPath: source))
        let move = try move { step in
            guard case .prepared = step else { return }
            try? file.write(contentsOf: Data("second".utf8))
        }
        #expect(try move.run() == .changed)
        #expect(try left == ["tag.png"])
        #expect(try filed == [])
    }
}
