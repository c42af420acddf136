import Foundation
import LuggageTags
import TagReading
import Testing

@testable import LuggageService

@Suite("A watched folder that is renamed while pictures are moved", .timeLimit(.minutes(30)))
struct RenamedFolderTests {
    private let inbox: WatchedInbox

    init() throws {
        inbox = try WatchedInbox()
    }

    private var away: String { "\(inbox.path)-away" }

    private func renameAway() { _ = unsafe rename(inbox.path, away) }

    private var source: [UInt8] { Array(inbox.path("tag.png").utf8) }

    private func drop() throws -> TagImage {
        try TagImage(path: inbox.drop("tag.png", Array("first".utf8)))
    }

    @Test(
        "is not made again, and its picture is put back once it is there",
        arguments: [false, true]
    )
    func renamed(isPrepared: Bool) throws {
        var moves = BatchOfMoves(layout: FolderLayout(path: inbox.path))
        let image = try drop()
        let error = try #require(throws: FilingError.self) {
            try moves.run(source, image, to: .processed, nil) { step in
                switch step {
                case .claimed where !isPrepared: renameAway()
                case .prepared where isPrepared: renameAway()
                default: break
                }
            }
        }
        #expect(!FileManager.default.fileExists(atPath: inbox.path))
        let words = "put the folder \(inbox.path)/origin back"
        #expect(error.message.hasSuffix(words), "\(error.message)")
        let stuck = StuckPictures()
        stuck.add(from: error)
        #expect(stuck.putBack() == [])
        try FileManager.default.moveItem(atPath: away, toPath: inbox.path)
        #expect(stuck.putBack() == [source])
        #expect(stuck.isEmpty)
        #expect(try inbox.names(in: "origin") == ["tag.png"])
    }

    @Test("gets no folders where it is another one by then")
    func replaced() throws {
        var moves = BatchOfMoves(layout: FolderLayout(path: inbox.path))
        renameAway()
        try FileManager.default.createDirectory(
            atPath: "\(inbox.path)/origin",
            withIntermediateDirectories: true
        )
        let image = try drop()
        let error = #expect(throws: FilingError.self) {
            try moves.run(source, image, to: .processed, nil)
        }
        #expect(error?.number == ENOENT)
        #expect(try FileManager.default.contentsOfDirectory(atPath: inbox.path) == ["origin"])
        #expect(try inbox.names(in: "origin") == ["tag.png"])
        try FileManager.default.removeItem(atPath: away)
    }

    @Test("has a folder made again that was removed from it, for those who share it to look into")
    func removedFolder() throws {
        var moves = BatchOfMoves(layout: FolderLayout(path: inbox.path))
        try FileManager.default.removeItem(atPath: "\(inbox.path)/processed")
        try #require(unsafe chmod(inbox.path, 0o3770) == 0)
        let moved = PictureMove.Outcome.moved(name: Array("tag.png".utf8))
        #expect(try moves.run(source, drop(), to: .processed, nil) == moved)
        #expect(try inbox.names(in: "processed") == ["tag.png"])
        let mode = try FileManager.default.attributesOfItem(atPath: "\(inbox.path)/processed")
        #expect(mode[.posixPermissions] as? Int == 0o2750)
    }

    @Test("stays away with all its pictures, and all are filed once it is back")
    func backlog() async throws {
        let count = 60
        for number in 0..<count {
            let picture = try tagPicture(number, weight: number % 2 == 0 ? "42.0" : "-1")
            try inbox.drop("\(number).png", picture)
        }
        try await inbox.watch { events in
            _ = try await events.ends(3)
            renameAway()
        }
        #expect(!FileManager.default.fileExists(atPath: inbox.path))
        try FileManager.default.moveItem(atPath: away, toPath: inbox.path)
        try await inbox.watch(isOnce: true)
        #expect(try inbox.names(in: "origin") == [])
        #expect(try inbox.names(in: "processed").count == count / 2)
        #expect(try inbox.names(in: "failed").count == count)
    }
}
