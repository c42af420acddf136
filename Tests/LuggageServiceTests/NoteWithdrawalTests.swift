import Foundation
import TagReading
import Testing

@testable import LuggageService

@Suite("The note on a picture that does not come to be beside it")
struct NoteWithdrawalTests {
    private let inbox: WatchedInbox

    init() throws {
        inbox = try WatchedInbox()
    }

    /// A note as a service writes it.
    private func makeNote() async throws -> FailureNote {
        let other = try WatchedInbox()
        try other.drop("no.png", Array("no picture".utf8))
        try await other.watch(isOnce: true)
        return try #require(
            FailureNote.read(beside: Array("no.png".utf8), in: "\(other.path)/failed")
        )
    }

    private func move(_ whenPrepared: @escaping () -> Void) throws -> PictureMove {
        PictureMove(
            source: Array(inbox.path("tag.png").utf8),
            image: try TagImage(path: inbox.path("tag.png")),
            folder: "\(inbox.path)/failed",
            observe: { step in if case .prepared = step { whenPrepared() } }
        )
    }

    @Test("goes where somebody writes to the picture, or takes it away", arguments: [false, true])
    func notMoved(isTakenAway: Bool) async throws {
        let note = try await makeNote()
        try inbox.drop("tag.png", Array("first".utf8))
        let file = try #require(FileHandle(forWritingAtPath: inbox.path("tag.png")))
        var names: [String] = []
        let move = try move {
            names = (try? inbox.names(in: "failed")) ?? []
            if isTakenAway {
                _ = unsafe unlink(inbox.path(".~luggage~tag.png"))
            } else {
                try? file.write(contentsOf: Data("second".utf8))
            }
        }
        #expect(try move.run(with: note) == (isTakenAway ? .gone : .changed))
        #expect(names == ["tag.png.error.json"])
        #expect(try inbox.names(in: "failed") == [])
        #expect(try inbox.names(in: "origin") == (isTakenAway ? [] : ["tag.png"]))
    }

    @Test("goes where another file gets its name, and is beside the next one")
    func taken() async throws {
        let note = try await makeNote()
        try inbox.drop("tag.png", Array("first".utf8))
        var isFirst = true
        let move = try move {
            if isFirst { _ = try? inbox.drop("tag.png", Array("theirs".utf8), in: "failed") }
            isFirst = false
        }
        #expect(try move.run(with: note) == .moved(name: Array("tag-2.png".utf8)))
        #expect(
            try inbox.names(in: "failed") == ["tag-2.png", "tag-2.png.error.json", "tag.png"]
        )
    }

    @Test("stays where it is somebody else's by then")
    func replaced() async throws {
        let note = try await makeNote()
        try inbox.drop("tag.png", Array("first".utf8))
        let move = try move {
            _ = try? inbox.drop("tag.png.error.json", Array("theirs".utf8), in: "failed")
            _ = unsafe unlink(inbox.path(".~luggage~tag.png"))
        }
        #expect(try move.run(with: note) == .gone)
        let text = try String(
            contentsOfFile: inbox.path("tag.png.error.json", in: "failed"),
            encoding: .utf8
        )
        #expect(text == "theirs")
    }
}
