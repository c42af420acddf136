import CFaultInjection
import Foundation
import LuggageTags
import SystemSupport
import TagReading
import Testing

@testable import LuggageService

@Suite("A picture that somebody changes while it is moved")
struct ClaimedPictureTests {
    private let inbox: WatchedInbox

    init() throws {
        inbox = try WatchedInbox()
    }

    private var path: String { inbox.path("tag.png") }

    private func move(
        to folder: String? = nil,
        _ observe: @escaping (PictureMove.Step) -> Void
    ) throws -> PictureMove {
        PictureMove(
            source: Array(path.utf8),
            image: try TagImage(path: path),
            folder: folder ?? "\(inbox.path)/processed",
            observe: observe
        )
    }

    private func contents(of place: String, exceptHidden: Bool = false) throws -> [String] {
        let names = try inbox.names(in: place).filter { !exceptHidden || $0.first != "." }
        return try names.map { name in
            try String(contentsOfFile: inbox.path(name, in: place), encoding: .utf8)
        }.sorted()
    }

    /// How somebody gets other bytes into a file.
    enum Writing: CaseIterable {
        case name
        /// Through a descriptor that was open before.
        case descriptor
    }

    @Test(
        "is left with what was written to it once its copy was on another file system",
        arguments: Writing.allCases
    )
    func writtenAfterCopying(way: Writing) throws {
        let other = try OtherFileSystem()
        try inbox.drop("tag.png", Array("first".utf8))
        let file = try #require(FileHandle(forWritingAtPath: path))
        let move = try move(to: other.path) { step in
            guard case .copied = step else { return }
            switch way {
            case .name: try? Data("second".utf8).write(to: URL(filePath: path))
            case .descriptor: try? file.write(contentsOf: Data("second".utf8))
            }
        }
        #expect(try move.run() == .moved(name: Array("tag.png".utf8)))
        let copy = try String(contentsOfFile: "\(other.path)/tag.png", encoding: .utf8)
        #expect(copy == "first")
        #expect(try contents(of: "origin") == ["second"])
        #expect(try FileManager.default.contentsOfDirectory(atPath: other.path) == ["tag.png"])
    }

    @Test("is put back under another name where its own was taken meanwhile")
    func takenName() throws {
        try inbox.drop("tag.png", Array("first".utf8))
        let move = try move { step in
            switch step {
            case .claiming: _ = try? inbox.drop("tag.png", Array("second".utf8))
            case .claimed: _ = try? inbox.drop("tag.png", Array("third".utf8))
            case .prepared, .copied: break
            }
        }
        #expect(try move.run() == .gone)
        #expect(try contents(of: "origin") == ["second", "third"])
        #expect(try inbox.names(in: "processed") == [])
    }

    @Test("is put back where it was written to while it was taken hold of")
    func writtenWhileClaimed() throws {
        try inbox.drop("tag.png", Array("first".utf8))
        let file = try #require(FileHandle(forWritingAtPath: path))
        let move = try move { step in
            guard case .claiming = step else { return }
            try? file.write(contentsOf: Data("second".utf8))
        }
        #expect(try move.run() == .changed)
        #expect(try contents(of: "origin") == ["second"])
        #expect(try inbox.names(in: "processed") == [])
    }

    @Test("is filed by the next start where a move was cut off", arguments: [false, true])
    func cutOff(isNameTaken: Bool) async throws {
        let picture = try inbox.drop("tag.png", tagPicture(1))
        try #require(unsafe rename(picture, inbox.path(".~luggage~tag.png")) == 0)
        if isNameTaken { try inbox.drop("tag.png", tagPicture(2)) }
        try await inbox.watch(isOnce: true)
        let names = isNameTaken ? ["tag-2.png", "tag.png"] : ["tag.png"]
        #expect(try inbox.names(in: "processed") == names)
        let left = try FileManager.default.contentsOfDirectory(atPath: "\(inbox.path)/origin")
        #expect(left == [".luggage-watch.lock"])
    }

    @Test("is told of where it cannot be put back, and is put back by the next start")
    func stuck() async throws {
        let picture = try inbox.drop("tag.png", tagPicture(1))
        let hidden = inbox.path(".~luggage~tag.png")
        try #require(unsafe rename(picture, hidden) == 0)
        // By the first ones the start tries in each folder whether pictures can be moved at all.
        let first = 6
        let run = try await FaultyRun(inbox, failing: FaultInjectionRename, first, with: EIO)
        #expect(
            run.output.contains(
                "\(hidden) cannot be put back: Input/output error; let the service write to that "
                    + "folder, or rename the file to tag.png; it will be tried again"
            ),
            "\(run.output)"
        )
        #expect(try inbox.names(in: "origin") == [".~luggage~tag.png"])
        try await inbox.watch(isOnce: true)
        #expect(try inbox.names(in: "processed") == ["tag.png"])
    }

    @Test("has a name of at most 255 bytes, and is put back under one that is free")
    func longName() throws {
        let name = String(repeating: "n", count: 251) + ".png"
        try inbox.drop("tag.png", Array("first".utf8))
        try #require(unsafe rename(path, inbox.path(name)) == 0)
        let claim = ClaimedPicture(source: Array(inbox.path(name).utf8))
        #expect(claim.path.lastComponent.count <= 255)
        #expect(try claim.take())
        #expect(try inbox.names(in: "origin") == [claim.path.lastComponent.displayText])
        try claim.putBack()
        #expect(try inbox.names(in: "origin") == [name])
        #expect(try claim.take())
        ClaimedPicture.putBackAll(in: "\(inbox.path)/origin")
        #expect(try contents(of: "origin", exceptHidden: true) == ["first"])
    }

    @Test("makes room for itself where a move was cut off, and ends one that has both names")
    func left() throws {
        let claim = ClaimedPicture(source: Array(path.utf8))
        try inbox.drop("tag.png", Array("first".utf8))
        #expect(try claim.take())
        try inbox.drop("tag.png", Array("second".utf8))
        #expect(try claim.take())
        #expect(try contents(of: "origin") == ["first", "second"])
        #expect(try contents(of: "origin", exceptHidden: true) == ["first"])
        try claim.putBack()
        #expect(try contents(of: "origin") == ["first", "second"])
        try FileManager.default.linkItem(atPath: path, toPath: claim.path.displayText)
        ClaimedPicture.putBackAll(in: "\(inbox.path)/origin")
        #expect(try contents(of: "origin", exceptHidden: true) == ["first", "second"])
        #expect(!FileManager.default.fileExists(atPath: claim.path.displayText))
    }

    @Test("is pending, and not missing, while it has its hidden name")
    func seen() async throws {
        try inbox.drop("tag.png", tagPicture())
        try await inbox.watch(isOnce: true)
        let claim = ClaimedPicture(source: Array(path.utf8))
        let filed = inbox.path("tag.png", in: "processed")
        try #require(unsafe rename(filed, claim.path.displayText) == 0)
        let layout = FolderLayout(path: inbox.path)
        #expect(try FolderReport(layout).pending["origin"] == 1)
        let findings = try await FolderCheckup([layout], inbox.makeContainer()).findings()
        #expect(findings.map(\.message) == [])
    }
}
