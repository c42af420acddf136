import Foundation
import LuggageTags
import ObjectStore
import SQLiteStore
import Synchronization
import SystemSupport
import TestFolders
import Testing

@testable import LuggageService

@Suite("A folder that is dropped", .timeLimit(.minutes(30)))
struct DroppedFolderTests {
    private let inbox: WatchedInbox

    init() throws {
        inbox = try WatchedInbox()
    }

    private func write(_ bytes: [UInt8], to path: String) throws {
        let url = URL(filePath: path)
        try FileManager.default.createDirectory(
            at: url.deletingLastPathComponent(),
            withIntermediateDirectories: true
        )
        try Data(bytes).write(to: url)
    }

    private func exists(_ name: String) -> Bool {
        FileManager.default.fileExists(atPath: inbox.path(name))
    }

    @Test("is filed like its pictures, under names that tell where they come from")
    func card() async throws {
        let begin = SuspendingClock.now
        for (number, folder) in ["DCIM/100CANON", "DCIM/101CANON", "a/b/c/d"].enumerated() {
            try write(try tagPicture(number), to: inbox.path("\(folder)/IMG_0001.PNG"))
        }
        try write(try tagPicture(0), to: inbox.path("again/x.png"))
        try write(Array("no picture".utf8), to: inbox.path("again/notes.txt"))
        try await inbox.watch(isOnce: true)
        let names = [
            "DCIM_100CANON_IMG_0001.PNG", "DCIM_101CANON_IMG_0001.PNG", "a_b_c_d_IMG_0001.PNG",
        ]
        let filed = try inbox.names(in: "processed") + inbox.names(in: "duplicates")
        #expect(filed.count == 4)
        #expect(Set(filed).isSubset(of: Set(names + ["again_x.png"])))
        #expect(
            try inbox.names(in: "failed") == ["again_notes.txt", "again_notes.txt.error.json"]
        )
        #expect(try inbox.record().filter { $0.count == 6 && $0[3] == "filed" }.count == 3)
        // What has just changed may be about to be filled; on a busy machine it is no longer new.
        #expect(exists("DCIM/100CANON") || SuspendingClock.now - begin >= .seconds(60))
    }

    /// How a folder comes to be in the drop folder.
    enum Way: CaseIterable {
        /// Moved there whole.
        case moved
        /// Made, and filled when it was looked at already.
        case filledLater
        /// Made with a folder in it, which is filled when both were looked at.
        case nested
        /// Renamed when it is complete.
        case renamed
    }

    @Test("while the service runs is filed at once, however it comes", arguments: Way.allCases)
    func running(way: Way) async throws {
        let elsewhere = inbox.base.path("elsewhere")
        let picture = try tagPicture()
        try await inbox.watch { events in
            switch way {
            case .moved:
                try write(picture, to: "\(elsewhere)/a.png")
                #expect(unsafe rename(elsewhere, inbox.path("card")) == 0)
            case .filledLater, .nested:
                let folder = way == .nested ? "card/inner" : "card"
                try FileManager.default.createDirectory(
                    atPath: inbox.path(folder),
                    withIntermediateDirectories: true
                )
                // Once it was looked at, and once more since news of it is heard.
                for _ in 1...2 {
                    #expect(try await events.nextEnd().name == "card")
                }
                try write(picture, to: inbox.path("\(folder)/a.png"))
            case .renamed:
                try write(picture, to: inbox.path(".card/a.png"))
                #expect(unsafe rename(inbox.path(".card"), inbox.path("card")) == 0)
            }
            var end = try await events.nextEnd()
            while end.name == "card" { end = try await events.nextEnd() }
            #expect(end.name == (way == .nested ? "card_inner_a.png" : "card_a.png"))
            #expect(end.destination == .processed)
        }
    }

    @Test("is waited for where a picture in it is not complete, which stays until it is")
    func slow() async throws {
        let picture = try tagPicture()
        try await inbox.watch { events in
            try write(Array(picture.prefix(100)), to: inbox.path("card/a.png"))
            var isWaited = false
            while !isWaited {
                guard case .visited(let visit, _) = try await events.nextEnd().disposition else {
                    throw CancellationError()
                }
                #expect(visit.moved == 0)
                isWaited = visit.isUnfinished
            }
            let file = try #require(FileHandle(forWritingAtPath: inbox.path("card/a.png")))
            try file.seekToEnd()
            try file.write(contentsOf: Data(picture.dropFirst(100)))
            try file.close()
            var end = try await events.nextEnd()
            while end.name == "card" { end = try await events.nextEnd() }
            #expect(end.name == "card_a.png" && end.destination == .processed)
        } changing: { parts in
            // However long it takes on a busy machine.
            parts.configuration.grace = .seconds(3600)
        }
    }

    @Test("that cannot be emptied is told of by whoever is asked for the status")
    func status() async throws {
        let layout = FolderLayout(path: inbox.path)
        try write(try tagPicture(), to: inbox.path("card/2/3/4/5/a.png"))
        try write(Array(try tagPicture().dropLast(1)), to: inbox.path("card/2/half.png"))
        let before = try FolderReport(layout)
        #expect(before.left == [] && before.pending == ["origin": 1, "destination": 0])
        try await inbox.watch { events in
            #expect(try await events.nextEnd().name == "card")
            let report = try FolderReport(layout)
            #expect(report.left.count == 1)
            let words = try #require(report.left.first)
            #expect(words.contains("origin/card/2/3/4/5 is more than 4 folders deep"))
            #expect(report.pending == ["origin": 1, "destination": 0])
            #expect(report.pause == nil && report.watchedBy != nil)
        }
        #expect(try FolderReport(layout).left == [])
    }

    @Test("is told of in the order in which things came to be, whoever tells of another meanwhile")
    func order() throws {
        let folders = DroppedFolders(ownFiles: [])
        let point = FolderLayout(path: inbox.path).dropFolders[0]
        let look = { @Sendable (name: String) in
            _ = folders.empty(
                DroppedFile(folder: point, name: Array(name.utf8)),
                grace: .zero
            ) { _ in }
        }
        for name in ["first", "second"] {
            try write([], to: inbox.path("\(name)/2/3/4/5/a.png"))
        }
        let told = Mutex<[Int]>([])
        let second = DispatchSemaphore(value: 0)
        look("first")
        folders.tellNews { left in
            #expect(
                DetachedThread.start {
                    look("second")
                    folders.tellNews { left in told.withLock { $0.append(left.count) } }
                    second.signal()
                }
            )
            // Where it did not wait, it would be told by now.
            let isWaiting = second.wait(timeout: .now() + 0.2) == .timedOut
            #expect(isWaiting)
            if !isWaiting { second.signal() }
            told.withLock { $0.append(left.count) }
        }
        second.wait()
        #expect(told.withLock { $0 } == [1, 2])
        folders.tellNews { _ in Issue.record("told twice") }
    }

    @Test("of the same name as one before has other names for its pictures")
    func sameName() async throws {
        for number in 1...2 {
            try write(try tagPicture(number), to: inbox.path("100CANON/IMG_0001.png"))
            try await inbox.watch(isOnce: true)
        }
        #expect(
            try inbox.names(in: "processed")
                == ["100CANON_IMG_0001-2.png", "100CANON_IMG_0001.png"]
        )
    }

    @Test("is removed with what a system has put into it, when nothing else is in it")
    func removed() async throws {
        let kept = ["hidden/.keep", "note/x.part", "empty"]
        for folder in ["card/deep", "hidden", "note"] {
            try write(try tagPicture(), to: inbox.path("\(folder)/a.png"))
            try write([], to: inbox.path("\(folder)/Thumbs.db"))
        }
        for name in ["card/desktop.ini", "card/.DS_Store", "hidden/.keep", "note/x.part"] {
            try write([], to: inbox.path(name))
        }
        try FileManager.default.createDirectory(
            atPath: inbox.path("empty"),
            withIntermediateDirectories: true
        )
        try await inbox.watch(isOnce: true, changing: { $0.folderQuiet = .zero })
        #expect(!exists("card"))
        for name in kept { #expect(exists(name)) }
        // Only what would be in the way of a removal is removed.
        #expect(exists("hidden/Thumbs.db"))
        #expect(try inbox.names(in: "processed").count == 1)
        #expect(try inbox.names(in: "duplicates").count == 2)
        #expect(try inbox.names(in: "failed") == [])
    }

    @Test("with --at is none of the service's own, nor one that has its record or is watched")
    func own() async throws {
        let picture = try tagPicture()
        let (store, lock) = (inbox.path("state/luggage.sqlite"), "watched/.luggage-watch.lock")
        let left = [
            "processed/a.png", "failed/x/a.png", "state/a.png", "watched/a.png", "other/a.png",
        ]
        for name in left + [lock] { try write(picture, to: inbox.path(name)) }
        for folder in ["processed", "duplicates", "failed"] {
            try write([], to: inbox.path("other/\(folder)/.x"))
        }
        var configuration = WatchConfiguration(folder: inbox.path("."))
        configuration.point = .origin
        try await inbox.watch(
            isOnce: true,
            changing: { parts in
                parts.configuration = configuration
                parts.storePath = store
                // There is none yet, though something was filed.
                parts.acceptsRecordAsItIs = true
                parts.openStore = {
                    try PersistentContainer(
                        model: LuggageModel.make(),
                        store: SQLiteStore(path: store)
                    )
                }
            }
        )
        for name in left + ["state/luggage.sqlite"] { #expect(exists(name), "\(name)") }
    }
}
