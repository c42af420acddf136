import Foundation
import LuggageTags
import ObjectStore
import TagReading
import Testing

@testable import LuggageService

@Suite("Closing failed pictures")
struct FolderClosingTests {
    private let inbox: WatchedInbox
    private let layout: FolderLayout
    private let anna = Responsibility(author: "anna", reason: "empty belt")

    init() throws {
        inbox = try WatchedInbox()
        layout = FolderLayout(path: inbox.path)
    }

    private var closing: FolderClosing { FolderClosing(layout) }

    /// Has pictures fail that were dropped.
    private func fail(_ names: String...) async throws {
        for name in names { try inbox.drop(name, Array("\(name) is no picture".utf8)) }
        try await inbox.watch(isOnce: true)
    }

    private func find(_ names: String..., at point: Point? = nil) async throws -> (
        pictures: [FolderClosing.Picture], left: [String]
    ) {
        let found = try await closing.pictures(named: names.map { Array($0.utf8) }, at: point)
        return (found.pictures, found.left)
    }

    private func dismiss(_ picture: FolderClosing.Picture) throws {
        try RecordCorrector(container: inbox.makeContainer()).dismiss(picture.sight, by: anna)
    }

    private func findings() async throws -> [RecordFinding] {
        try await FolderCheckup([layout], inbox.makeContainer()).findings()
    }

    @Test("moves them to those that were processed, under a free name, and takes their notes away")
    func closes() async throws {
        try inbox.drop("b.png", tagPicture(1))
        try await fail("a.png")
        try inbox.drop("a.png", tagPicture(2))
        try await inbox.watch(isOnce: true)
        // A service that is at work changes nothing.
        let lock = try FolderLock(folder: inbox.path)
        let (pictures, left) = try await find("a.png")
        let picture = try #require(pictures.first)
        #expect(left.isEmpty && picture.displayName == "a.png")
        #expect(picture.sight.point == .origin && picture.sight.station == "origin")
        #expect(picture.sight.imageName == "a.png" && picture.date != nil)
        try dismiss(picture)
        #expect(try closing.close(picture) == "a-2.png")
        #expect(try inbox.names(in: "failed").isEmpty)
        #expect(try inbox.names(in: "processed") == ["a-2.png", "a.png", "b.png"])
        #expect(try FolderReport(layout).failed.isEmpty)
        #expect(try await findings().isEmpty)
        withExtendedLifetime(lock) {}
    }

    @Test("goes on where it was interrupted, before the move and after it")
    func interrupted() async throws {
        try await fail("a.png", "b.png")
        let (pictures, _) = try await find("a.png", "b.png")
        for picture in pictures { try dismiss(picture) }
        // Killed before the move of the first, and after that of the second.
        try FileManager.default.moveItem(
            atPath: inbox.path("b.png", in: "failed"),
            toPath: inbox.path("b.png", in: "processed")
        )
        let findings = try await findings()
        #expect(findings.map(\.code) == [.misplaced], "\(findings)")
        let (again, left) = try await find("a.png", "b.png")
        #expect(again.count == 2 && left.isEmpty, "\(left)")
        #expect(Set(again.map(\.sight)) == Set(pictures.map(\.sight)))
        for picture in again {
            try dismiss(picture)
            try closing.close(picture)
        }
        #expect(try inbox.names(in: "failed").isEmpty)
        #expect(try inbox.names(in: "processed") == ["a.png", "b.png"])
        let context = try inbox.makeContainer().makeContext()
        #expect(try context.count(FetchRequest(Correction.self)) == 2)
        #expect(try await self.findings().isEmpty)
    }

    @Test("moves them to another file system as filing does, with their owners, rights and times")
    func otherFileSystem() async throws {
        let other = try OtherFileSystem(for: inbox, having: ["processed"])
        try await fail("a.png")
        let path = inbox.path("a.png", in: "failed")
        let owner: uid_t = geteuid() == 0 ? 65_534 : geteuid()
        try #require(unsafe chown(path, owner, getegid()) == 0 && chmod(path, 0o440) == 0)
        let date = Date(timeIntervalSince1970: 1_700_000_000)
        try FileManager.default.setAttributes([.modificationDate: date], ofItemAtPath: path)
        try inbox.drop("a.png", tagPicture(1), in: "processed")
        let picture = try #require(try await find("a.png").pictures.first)
        try dismiss(picture)
        #expect(try closing.close(picture) == "a-2.png")
        #expect(try FileManager.default.contentsOfDirectory(atPath: "\(inbox.path)/failed") == [])
        let filed = "\(other.path)/processed/a-2.png"
        #expect(
            try String(contentsOfFile: filed, encoding: .utf8) == "a.png is no picture"
        )
        var status = stat()
        try #require(unsafe lstat(filed, &status) == 0)
        #expect(status.st_uid == owner && status.st_gid == getegid())
        #expect(status.st_mode & 0o7777 == 0o440)
        let attributes = try FileManager.default.attributesOfItem(atPath: filed)
        #expect(attributes[.modificationDate] as? Date == date)
    }

    @Test("names one that was changed since it was closed")
    func changed() async throws {
        try await fail("a.png")
        let picture = try #require(try await find("a.png").pictures.first)
        try dismiss(picture)
        try closing.close(picture)
        try inbox.damage("a.png", in: "processed")
        let findings = try await findings()
        #expect(findings.map(\.code) == [.changed], "\(findings)")
    }

    @Test("knows them when they are dropped again, until that is taken back")
    func droppedAgain() async throws {
        try await fail("a.png")
        let picture = try #require(try await find("a.png").pictures.first)
        try dismiss(picture)
        try closing.close(picture)
        let bytes = Array("a.png is no picture".utf8)
        try inbox.drop("c.png", bytes)
        try await inbox.watch(isOnce: true)
        #expect(try inbox.names(in: "duplicates") == ["c.png"])
        _ = try ChangeUndoing(container: inbox.makeContainer()).undo(by: anna)
        // What lies among those that were processed counts for nothing now.
        let findings = try await findings()
        #expect(findings.map(\.code) == [.withdrawn, .withdrawn], "\(findings)")
        try inbox.drop("d.png", bytes)
        try await inbox.watch(isOnce: true)
        #expect(try FolderReport(layout).failed.map(\.displayName) == ["d.png"])
    }

    /// Finds two codes that describe no bag.
    private struct BadTags: TagReader {
        func read(_ image: TagImage) async throws(ReadError) -> Reading {
            let symbols = ["no tag", "nor this"].map { Symbol(payload: Array($0.utf8)) }
            return Reading(symbols: symbols, width: 100, height: 100, duration: .zero)
        }
    }

    @Test("keeps a picture among them until as many tags are typed as have failed")
    func severalTags() async throws {
        try inbox.drop("a.png", tagPicture(1))
        try await inbox.watch(reader: BadTags(), isOnce: true)
        let corrector = RecordCorrector(container: try inbox.makeContainer())
        for number in 1...2 {
            let picture = try #require(try await find("a.png").pictures.first)
            var tag = TypedTag(identifier: UUID(), point: .origin, date: Date(), weight: 1)
            tag.picture = picture.sight
            _ = try corrector.file(tag, by: anna)
            let progress = try corrector.progress(of: picture.sight)
            #expect(progress.typed == number && progress.failed == 2)
            #expect(progress.isClosed == (number == 2))
            if progress.isClosed { break }
            // Tried again meanwhile, it fails again, and is counted once.
            #expect(try FolderRetry(layout).run(.all).moved == ["a.png"])
            try await inbox.watch(reader: BadTags(), isOnce: true)
        }
        let picture = try #require(try await find("a.png").pictures.first)
        #expect(try closing.close(picture) == "a.png")
        #expect(try inbox.names(in: "processed") == ["a.png"])
        #expect(try await findings().isEmpty)
    }

    @Test("leaves alone what is not known, was changed, or belongs elsewhere")
    func left() async throws {
        try await fail("a.png", "b.png")
        try inbox.drop("c.png", [1], in: "failed")
        try inbox.drop("a.png", [2], in: "failed")
        let (pictures, left) = try await find("a.png", "c.png", "d.png", at: nil)
        #expect(pictures.isEmpty && left.count == 3, "\(left)")
        #expect(left.contains { $0.hasPrefix("a.png was changed since it failed") })
        #expect(left.contains { $0.hasPrefix("c.png: no note beside it says where its bags are") })
        #expect(left.contains("there is no failed picture called d.png"))
        #expect(try await find("b.png", at: .destination).left.first?.contains("at origin") == true)
        let pointed = try #require(try await find("c.png", at: .destination).pictures.first)
        #expect(pointed.sight.point == .destination && pointed.sight.station == "destination")
        #expect(try inbox.names(in: "failed").count == 5)
    }

    @Test("finds what nobody has dismissed, but nothing of which counts")
    func withdrawn() async throws {
        try inbox.drop("a.png", tagPicture(1))
        try inbox.drop("b.png", tagPicture(2))
        try await inbox.watch(isOnce: true)
        #expect(try await findings().isEmpty)
        let undoing = try ChangeUndoing(container: inbox.makeContainer())
        _ = try undoing.undo(#require(try undoing.changes(limit: 1).first).number, by: anna)
        let findings = try await findings()
        #expect(findings.map(\.code) == [.withdrawn], "\(findings)")
        #expect(
            findings.first?.message.contains(".png was filed, but nothing of it counts") == true
        )
        _ = try ChangeUndoing(container: inbox.makeContainer()).redo(by: anna)
        #expect(try await self.findings().isEmpty)
        // A failed picture that somebody has put there by hand.
        try await fail("c.png")
        for ending in ["", ".error.json"] {
            try FileManager.default.moveItem(
                atPath: inbox.path("c.png\(ending)", in: "failed"),
                toPath: ending.isEmpty ? inbox.path("c.png", in: "processed") : "\(inbox.path)/note"
            )
        }
        #expect(try await self.findings().map(\.code) == [.withdrawn])
    }
}
