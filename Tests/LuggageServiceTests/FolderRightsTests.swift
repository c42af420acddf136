import CLinux
import Foundation
import LuggageTags
import TagReading
import TestFolders
import Testing

@testable import LuggageService

/// What only root can try: that something belongs to somebody else.
private let isRoot = geteuid() == 0
private let somebody: uid_t = 65_534

@Suite("Whoever may drop pictures", .timeLimit(.minutes(30)))
struct FolderRightsTests {
    private let inbox: WatchedInbox
    private let layout: FolderLayout

    init() throws {
        inbox = try WatchedInbox()
        layout = FolderLayout(path: inbox.path)
    }

    private func mode(_ place: String) throws -> mode_t {
        var status = stat()
        try #require(
            unsafe lstat(place.isEmpty ? inbox.path : "\(inbox.path)/\(place)", &status) == 0
        )
        return status.st_mode & 0o7777
    }

    /// A folder elsewhere with a file in it that must stay as it is.
    private func makeVictim() throws -> String {
        let path = inbox.base.path("victim")
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
        return path
    }

    private func replace(_ place: String, byLinkTo target: String, of user: uid_t) throws {
        let path = "\(inbox.path)/\(place)"
        try? FileManager.default.removeItem(atPath: path)
        try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: target)
        try #require(unsafe lchown(path, user, user) == 0)
    }

    @Test(
        "cannot have pictures put elsewhere by a link, which is found at the start",
        .enabled(if: isRoot),
        arguments: ["processed", "duplicates", "failed", "origin", "destination"]
    )
    func linkAtStart(place: String) async throws {
        let victim = try makeVictim()
        try replace(place, byLinkTo: victim, of: somebody)
        let error = await #expect(throws: FilingError.self) { try await inbox.watch(isOnce: true) }
        #expect(error?.isRefusal == true)
        #expect(error?.message.hasPrefix("\(inbox.path)/\(place) is a link that") == true)
        #expect(error?.message.hasSuffix("remove it") == true)
    }

    @Test(
        "cannot have pictures put elsewhere by what takes the place of a folder while it is watched",
        .enabled(if: isRoot),
        arguments: [false, true]
    )
    func swapped(isLink: Bool) async throws {
        let victim = try makeVictim()
        let failed = "\(inbox.path)/failed"
        try await inbox.watch { events in
            try FileManager.default.removeItem(atPath: failed)
            if isLink {
                try replace("failed", byLinkTo: victim, of: somebody)
            } else {
                try FileManager.default.createDirectory(
                    atPath: failed,
                    withIntermediateDirectories: false
                )
                try #require(unsafe chown(failed, somebody, somebody) == 0)
            }
            try inbox.drop("luggage.sqlite-journal", Array("no picture".utf8))
            guard case .postponed(let why) = try await events.nextEnd().disposition else {
                Issue.record("it was not postponed")
                return
            }
            #expect(why.hasPrefix(failed), "\(why)")
            #expect(try FileManager.default.contentsOfDirectory(atPath: victim) == [])
            #expect(try inbox.names(in: "origin") == ["luggage.sqlite-journal"])
            try FileManager.default.removeItem(atPath: failed)
            var event = try await events.nextEnd()
            while case .postponed = event.disposition { event = try await events.nextEnd() }
            #expect(event.destination == .failed)
        }
        #expect(try inbox.names(in: "failed").contains("luggage.sqlite-journal"))
    }

    @Test(
        "gets no folder that belongs to somebody else",
        .enabled(if: isRoot),
        arguments: ["", "failed", "origin"]
    )
    func owner(place: String) throws {
        let path = place.isEmpty ? inbox.path : "\(inbox.path)/\(place)"
        try #require(unsafe chown(path, somebody, somebody) == 0)
        let error = #expect(throws: FilingError.self) { try layout.make() }
        #expect(error?.isRefusal == true)
        #expect(error?.message.hasPrefix("\(path) belongs to") == true, "\(error?.message ?? "")")
        #expect(error?.message.contains("run 'chown ") == true)
    }

    @Test(
        "may write into the folders for dropping alone, where they are the service's own",
        arguments: [
            ("processed", 0o2770, 0o2750), ("failed", 0o777, 0o755), ("duplicates", 0o3775, 0o3755),
            ("origin", 0o2770, 0o3770), ("", 0o2775, 0o3775), ("origin", 0o755, 0o755),
            ("", 0o700, 0o700),
        ] as [(String, mode_t, mode_t)]
    )
    func putRight(place: String, before: mode_t, after: mode_t) throws {
        let path = place.isEmpty ? inbox.path : "\(inbox.path)/\(place)"
        try #require(unsafe chmod(path, before) == 0)
        let changes = try layout.make()
        #expect(try mode(place) == after)
        #expect(changes.made == [])
        #expect(changes.putRight.count == (before == after ? 0 : 1))
        #expect(try layout.make().putRight == [])
    }

    @Test("gets folders with the rights that they are to have, whatever is inherited")
    func inherited() throws {
        let path = try makeVictim()
        try #require(unsafe chmod(path, 0o2750) == 0)
        let above = try HeldFolder(at: path)
        // As the whole group had it before: everything that is made in it is for them too.
        try #require(unsafe chmod(path, 0o2770) == 0)
        #expect(filing_grant_new_files(above.descriptor, geteuid()) == 0)
        try #require(unsafe chmod(path, 0o2750) == 0)
        let station = FolderLayout(path: "\(path)/gate")
        #expect(try station.make().made.count == 6)
        for place in ["", "/processed", "/duplicates", "/failed", "/origin", "/destination"] {
            var status = stat()
            try #require(unsafe stat("\(path)/gate\(place)", &status) == 0)
            #expect(status.st_mode & 0o2000 != 0, "\(place)")
            let isShared = status.st_mode & 0o022 != 0
            #expect(!isShared || status.st_mode & 0o1000 != 0, "\(place)")
            if !place.contains("orig") && !place.contains("dest") { #expect(!isShared, "\(place)") }
        }
    }

    @Test("cannot make names where they could lead to other folders")
    func others() throws {
        var rights = FolderRights(besides: nil)
        rights.user = somebody
        // It belongs to whoever runs this, who is not that user.
        try #require(unsafe chmod(inbox.path, 0o2775) == 0)
        let folder = try HeldFolder(at: inbox.path)
        let error = #expect(throws: FilingError.self) {
            try rights.secure(namesIn: folder, takesPictures: false)
        }
        #expect(error?.isRefusal == true)
        if !isRoot { return }
        #expect(error?.message.contains("chmod +t \(inbox.path)") == true)
        try #require(unsafe chmod(inbox.path, 0o3775) == 0)
        #expect(try rights.secure(namesIn: folder, takesPictures: false) == nil)
        let other = #expect(throws: FilingError.self) {
            try rights.secure(namesIn: folder, takesPictures: true)
        }
        #expect(other?.message.contains("which has the sticky bit; run 'chown ") == true)
    }

    @Test(
        "cannot reach the record through a folder, whoever has made it so",
        arguments: ["", "deep/er"]
    )
    func record(below: String) async throws {
        let folder = "\(inbox.path)/processed/\(below)"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        let record = "\(folder)/luggage.sqlite"
        let error = #expect(throws: FilingError.self) { try layout.make(besides: record) }
        #expect(error?.isRefusal == true)
        let words = "the record, \(record), is in \(inbox.path)/processed"
        #expect(error?.message.hasPrefix(words) == true, "\(error?.message ?? "")")
        // Beside the watched folder is where people keep it.
        try layout.make(besides: "\(inbox.path)/luggage.sqlite")
        try layout.make(besides: inbox.store)
    }

    @Test("cannot reach the record by a link to its folder, which is found before a move")
    func linkToRecord() throws {
        let victim = try makeVictim()
        let record = "\(victim)/luggage.sqlite"
        try Data("the record".utf8).write(to: URL(filePath: record))
        try replace("failed", byLinkTo: victim, of: geteuid())
        let name = "luggage.sqlite-journal"
        let source = try inbox.drop(name, Array("no picture".utf8))
        var moves = BatchOfMoves(layout: layout, besides: record)
        let error = try #require(throws: FilingError.self) {
            try moves.run(Array(source.utf8), TagImage(path: source), to: .failed, nil)
        }
        let words = "the record, \(record), is in \(inbox.path)/failed"
        #expect(error.isRefusal && error.message.hasPrefix(words), "\(error.message)")
        #expect(try FileManager.default.contentsOfDirectory(atPath: victim) == ["luggage.sqlite"])
        #expect(try inbox.names(in: "origin") == [name])
    }

    @Test(
        "cannot make names beside the record",
        arguments: [
            (0o755, true), (0o700, true), (0o2750, true), (0o775, false), (0o1777, false),
            (0o702, false),
        ] as [(mode_t, Bool)]
    )
    func besideRecord(mode: mode_t, isSafe: Bool) async throws {
        let victim = try makeVictim()
        try #require(unsafe chmod(victim, mode) == 0)
        let link = inbox.base.path("link.sqlite")
        let target = "\(victim)/luggage.sqlite"
        try Data().write(to: URL(filePath: target))
        try FileManager.default.createSymbolicLink(
            atPath: link,
            withDestinationPath: target
        )
        for path in [target, link] {
            let rights = FolderRights(besides: path)
            if isSafe {
                try rights.checkRecord()
                continue
            }
            let error = #expect(throws: FilingError.self) { try rights.checkRecord() }
            #expect(error?.isRefusal == true)
            let words = "run 'chmod go-w \(victim)', or name a record elsewhere"
            #expect(error?.message.hasSuffix(words) == true, "\(error?.message ?? "")")
        }
    }
}
