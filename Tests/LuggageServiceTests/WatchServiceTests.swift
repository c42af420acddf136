import Foundation
import LuggageTags
import Testing

@testable import LuggageService

@Suite("The watch service", .timeLimit(.minutes(30)))
struct WatchServiceTests {
    @Test("files a dropped picture and moves it, and a copy of it to the duplicates")
    func filesAndMoves() async throws {
        let inbox = try WatchedInbox()
        let picture = try tagPicture()
        try await inbox.watch { events in
            for name in ["a.png", "b.png", "c.png"] {
                try inbox.drop(name, picture)
                let event = try await events.nextEnd()
                #expect(event.name == name)
                #expect(event.destination == (name == "a.png" ? .processed : .duplicates))
            }
            try inbox.drop("a.png", picture, in: "destination")
            #expect(try await events.nextEnd().destination == .processed)
        }
        #expect(try inbox.names(in: "processed") == ["a-2.png", "a.png"])
        #expect(try inbox.names(in: "duplicates") == ["b.png", "c.png"])
        #expect(try inbox.names(in: "origin") == [])
        #expect(try inbox.record().count == 3)
    }

    @Test(
        "takes a file however it comes",
        arguments: Arrival.allCases,
        [try! tagPicture(), try! tagJPEG()]
    )
    func arrivals(arrival: Arrival, picture: [UInt8]) async throws {
        let inbox = try WatchedInbox()
        try await inbox.watch { events in
            try await arrival.bring(picture, to: inbox.path("tag.png"), &events)
            #expect(try await events.nextEnd().destination == .processed)
        }
        #expect(try inbox.names(in: "processed") == ["tag.png"])
        #expect(try inbox.record().count == 2)
        let filed = try Data(contentsOf: URL(filePath: inbox.path("tag.png", in: "processed")))
        #expect(Array(filed) == picture)
    }

    @Test("files what was there before it started, and leaves what is half written")
    func backlog() async throws {
        let inbox = try WatchedInbox()
        for number in 0..<40 { try inbox.drop("\(number).png", tagPicture(number)) }
        let half = Array(try tagPicture(99).dropLast(9))
        try inbox.drop("half.png", half)
        try await inbox.watch(isOnce: true)
        #expect(try inbox.names(in: "processed").count == 40)
        #expect(try inbox.names(in: "origin") == ["half.png"])
        #expect(try inbox.record().count == 80)
    }

    @Test("gives an incomplete file up after the grace period, with the reason beside it")
    func incomplete() async throws {
        let inbox = try WatchedInbox()
        try inbox.drop("half.png", Array(try tagPicture().dropLast(9)))
        try inbox.drop("empty.png", [])
        try await inbox.watch { events in
            let ends = try await events.ends(2)
            #expect(ends.values.allSatisfy { $0.destination == .failed })
        } changing: { parts in
            parts.configuration.grace = .milliseconds(1)
        }
        let note = FailureNote.read(
            beside: Array("half.png".utf8),
            in: "\(inbox.path)/failed"
        )
        #expect(note?.reason == "incomplete")
        #expect(note?.message.contains("is not complete") == true)
        #expect(note?.point == .origin)
        #expect(try inbox.names(in: "failed").count == 4)
    }

    @Test(
        "keeps why a picture could not be filed",
        arguments: [
            ("text.png", Array("not a picture".utf8), "not-an-image"),
            ("heavy.png", try! tagPicture(1, weight: #""heavy""#), "type-mismatch"),
            ("negative.png", try! tagPicture(2, weight: "-1"), "out-of-range"),
        ]
    )
    func failures(name: String, bytes: [UInt8], reason: String) async throws {
        let inbox = try WatchedInbox()
        try inbox.drop(name, bytes)
        try await inbox.watch(isOnce: true)
        #expect(try inbox.names(in: "failed") == [name, "\(name).error.json"])
        let report = try FolderReport(FolderLayout(path: inbox.path))
        #expect(report.failed.map(\.note?.reason) == [reason])
        #expect(report.watchedBy == nil)
    }

    @Test("tries again what was put back, and says how things are")
    func retry() async throws {
        let inbox = try WatchedInbox()
        let layout = FolderLayout(path: inbox.path)
        try inbox.drop("blank.png", Array("nothing".utf8), in: "destination")
        try inbox.drop("tag.png", tagPicture())
        try await inbox.watch(isOnce: true)
        #expect(try FolderReport(layout).failed.count == 1)
        #expect(try FolderReport(layout).processed == 1)
        #expect(try FolderRetry(layout).run(.reason("no-code")).moved == [])
        let named = try FolderRetry(layout).run(.named([Array("other.png".utf8)]))
        #expect(named.missing == ["other.png"])
        #expect(try FolderRetry(layout).run(.all).moved == ["blank.png"])
        #expect(try FolderReport(layout).pending == ["origin": 0, "destination": 1])
        #expect(try inbox.names(in: "failed") == [])
        try await inbox.watch(isOnce: true)
        #expect(try FolderReport(layout).failed.map(\.displayName) == ["blank.png"])
    }

    @Test("makes the same record whatever the order", arguments: 0..<10)
    func order(seed: Int) async throws {
        let inbox = try WatchedInbox()
        try inbox.fill(seed: seed)
        // One after the other, in an order of its own.
        let names = try inbox.names(in: "origin").shuffled(seed: seed)
        for name in names {
            try FileManager.default.moveItem(
                atPath: inbox.path(name),
                toPath: inbox.path(".\(name)")
            )
        }
        try await inbox.watch { events in
            for name in names {
                try FileManager.default.moveItem(
                    atPath: inbox.path(".\(name)"),
                    toPath: inbox.path(name)
                )
                _ = try await events.nextEnd()
            }
        }
        let other = try WatchedInbox()
        try other.fill(seed: seed)
        try await other.watch(isOnce: true)
        #expect(try inbox.record() == other.record())
        #expect(try inbox.record().count > 10)
    }

    @Test("keeps no picture open that it has filed")
    func descriptors() async throws {
        let inbox = try WatchedInbox()
        let count = 100
        for number in 0..<count { try inbox.drop("\(number).png", tagPicture(number % 10)) }
        try await inbox.watch { events in
            _ = try await events.ends(count)
            // The last one is let go just after it is told of.
            while try Self.hasOpen(filesIn: inbox.path, where: { $0.hasSuffix(".png") }) {
                await Task.yield()
            }
        }
    }

    private static func hasOpen(
        filesIn folder: String,
        where isOne: (String) -> Bool
    ) throws -> Bool {
        try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").contains { number in
            let path = "/proc/self/fd/\(number)"
            let file = try? FileManager.default.destinationOfSymbolicLink(atPath: path)
            return file.map { $0.hasPrefix(folder) && isOne($0) } ?? false
        }
    }

    @Test("makes folders again that were removed while it runs")
    func removedFolders() async throws {
        let inbox = try WatchedInbox()
        try await inbox.watch { events in
            try FileManager.default.removeItem(atPath: "\(inbox.path)/processed")
            try inbox.drop("tag.png", tagPicture())
            #expect(try await events.nextEnd().destination == .processed)
        }
        #expect(try inbox.names(in: "processed") == ["tag.png"])
    }

    @Test("moves a picture to a folder on another file system")
    func otherFileSystem() async throws {
        let inbox = try WatchedInbox()
        let other = try OtherFileSystem()
        let processed = "\(inbox.path)/processed"
        try FileManager.default.removeItem(atPath: processed)
        try FileManager.default.createSymbolicLink(
            atPath: processed,
            withDestinationPath: other.path
        )
        let picture = try tagPicture()
        try inbox.drop("tag.png", picture)
        let date = Date(timeIntervalSince1970: 1_700_000_000)
        try FileManager.default.setAttributes(
            [.modificationDate: date],
            ofItemAtPath: inbox.path("tag.png")
        )
        try await inbox.watch(isOnce: true)
        let moved = URL(filePath: "\(other.path)/tag.png")
        #expect(try Data(contentsOf: moved) == Data(picture))
        let times = try FileManager.default.attributesOfItem(
            atPath: moved.path(percentEncoded: false)
        )
        #expect(times[.modificationDate] as? Date == date)
        #expect(try inbox.names(in: "origin") == [])
        #expect(try FileManager.default.contentsOfDirectory(atPath: other.path).count == 1)
    }
}
