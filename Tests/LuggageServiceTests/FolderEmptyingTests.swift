import Foundation
import LuggageTags
import ObjectStore
import SQLiteStore
import SystemSupport
import TestFolders
import Testing

@testable import LuggageService

@Suite("Emptying a folder")
struct FolderEmptyingTests {
    private let scratch: TemporaryFolder
    private let rules: FolderEmptying.Rules

    init() throws {
        scratch = try TemporaryFolder()
        rules = FolderEmptying.Rules(
            path: Array(scratch.path("inbox").utf8),
            grace: .seconds(60),
            quiet: .seconds(600)
        )
        try make("inbox")
    }

    private func make(_ folder: String) throws {
        try FileManager.default.createDirectory(
            atPath: scratch.path(folder),
            withIntermediateDirectories: true
        )
    }

    private func names(_ folder: String = "inbox") throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: scratch.path(folder)).sorted()
    }

    private func run(
        _ name: String = "card",
        tell: @escaping ([UInt8]) -> Void = { _ in }
    ) -> FolderVisit {
        FolderEmptying.run(Array(name.utf8), rules, tell: tell)
    }

    @Test("names what it does not enter or take, once of a kind")
    func refusals() throws {
        try make("inbox/card/2/3/4/5")
        try make("inbox/card/2/3/4/6")
        try make("outside")
        for name in ["outside/a.png", "inbox/card/2/3/4/b.png", "inbox/card/2/3/4/5/c.png"] {
            try scratch.write("a picture", to: name)
        }
        for link in ["link", "2/link"] {
            try FileManager.default.createSymbolicLink(
                atPath: scratch.path("inbox/card/\(link)"),
                withDestinationPath: scratch.path("outside")
            )
        }
        try #require(unsafe mkfifo(scratch.path("inbox/card/pipe"), 0o600) == 0)
        let visit = run()
        #expect(visit.moved == 1)
        let refusals = Dictionary(grouping: visit.refusals, by: \.cause)
        #expect(Set(refusals.keys) == [.tooDeep, .link, .special])
        #expect(refusals[.tooDeep]?.first?.count == 2)
        #expect(refusals[.link]?.first?.count == 2)
        let words = try #require(refusals[.special]?.first?.words)
        #expect(words.hasPrefix(scratch.path("inbox/card/pipe")))
        #expect(try names() == ["card", "card_2_3_4_b.png"])
        #expect(try names("outside") == ["a.png"])
    }

    @Test("follows no link that somebody puts in the place of a folder meanwhile")
    func swapped() throws {
        try make("outside")
        try scratch.write("secret", to: "outside/a.png")
        for number in 1...20 {
            try make("inbox/card/\(number)")
            try scratch.write("a picture", to: "inbox/card/\(number)/a.png")
        }
        var isFirst = true
        let scratch = scratch
        let visit = run { _ in
            guard isFirst else { return }
            isFirst = false
            for number in 1...20 {
                _ = unsafe rename(
                    scratch.path("inbox/card/\(number)"),
                    scratch.path("inbox/card/.\(number)")
                )
                _ = unsafe symlink(scratch.path("outside"), scratch.path("inbox/card/\(number)"))
            }
        }
        #expect(visit.moved >= 1)
        #expect(try names("outside") == ["a.png"])
        let moved = try names().filter { $0 != "card" }
        for name in moved { #expect(try scratch.text(of: "inbox/\(name)") == "a picture") }
        // Nor one in its own place.
        #expect(unsafe rename(scratch.path("inbox/card"), scratch.path("inbox/.card")) == 0)
        #expect(unsafe symlink(scratch.path("outside"), scratch.path("inbox/card")) == 0)
        #expect(run().moved == 0)
        #expect(try names("outside") == ["a.png"])
    }

    @Test("enters no other file system that is mounted in the drop folder")
    func mounted() throws {
        var rules = rules
        rules.path = [UInt8(ascii: "/")]
        let visit = FolderEmptying.run(Array("proc".utf8), rules)
        #expect(visit.refusals.map(\.cause) == [.otherFileSystem])
        #expect(visit.moved == 0 && visit.folders == [])
    }

    @Test("moves so many at a time, and the rest the next times")
    func many() throws {
        try make("inbox/card")
        for number in 1...2500 {
            try scratch.write("x\(number)picture", to: "inbox/card/\(number)")
        }
        let visits = (1...3).map { _ in run() }
        #expect(visits.map(\.moved) == [1000, 1000, 500])
        #expect(visits.map(\.hasMore) == [true, true, false])
        #expect(try names().count == 2501)
    }

    @Test("leaves what is not complete, until it had no news for as long as is waited for")
    func unfinished() throws {
        try make("inbox/card")
        let picture = try tagPicture()
        let jpeg = try tagJPEG()
        let files: [(String, [UInt8])] = [
            ("half.png", Array(picture.dropLast(1))), ("empty.png", []),
            ("reserved.png", [UInt8](repeating: 0, count: 500)),
            ("begun.png", Array(picture.prefix(5))), ("half.jpg", Array(jpeg.dropLast(1))),
        ]
        for (name, bytes) in files + [
            ("whole.png", picture), ("whole.jpg", jpeg), ("other.heic", Array("some data".utf8)),
        ] {
            try Data(bytes).write(to: scratch.url.appending(path: "inbox/card/\(name)"))
        }
        let visit = run()
        #expect(visit.isUnfinished)
        #expect(try names() == ["card", "card_other.heic", "card_whole.jpg", "card_whole.png"])
        var later = rules
        later.grace = .zero
        #expect(FolderEmptying.run(Array("card".utf8), later).moved == 5)
        #expect(try names("inbox/card") == [])
    }

    /// The names of folders, and the name of a file in the last.
    static let longNames: [(folders: [[UInt8]], file: [UInt8])] = {
        func many(_ text: String, _ count: Int) -> [UInt8] {
            Array(String(repeating: text, count: count).utf8)
        }
        let picture = Array("IMG_0001.png".utf8)
        return [
            ([many("a", 255)], picture), ([many("a", 100)], many("b", 255)),
            ([[0xFF, 0xFE], many("\n", 1)], [0xC3, 0x28]),
            ([many("é", 1) + [UInt8](repeating: 0xC3, count: 253)], picture),
            ([many("a", 130) + many(".", 120)], many("b", 98)),
            ([many("図", 80), many("é", 127)], Array("図.png".utf8)),
        ]
    }()

    @Test(
        "makes names that a file can have, that are not hidden, and that end as the file's does",
        arguments: longNames
    )
    func names(folders: [[UInt8]], file: [UInt8]) throws {
        let name = FolderEmptying.name(file, in: folders)
        var names = FreeNames(for: name, at: FreeNames.present)
        for number in 1...20 {
            let next = names.next()
            let free = try #require(next)
            #expect(free.count <= 255 && free.first != UInt8(ascii: "."))
            #expect(!free.contains(0) && !free.contains(UInt8(ascii: "/")))
            if number == 1, file.count < 200 { #expect(free.suffix(file.count) == file[...]) }
        }
        let isText = (folders + [file]).allSatisfy { String(validating: $0, as: UTF8.self) != nil }
        if isText { #expect(String(validating: name, as: UTF8.self) != nil) }
    }

    @Test("keeps apart what is called the same in one drop folder")
    func apart() throws {
        for name in ["a_b/c.png", "a/b_c.png", "a/b/c.png"] {
            try make("inbox/\((name as NSString).deletingLastPathComponent)")
            try scratch.write(name, to: "inbox/\(name)")
        }
        _ = (run("a_b"), run("a"))
        let texts = try names().filter { $0.hasSuffix(".png") }.map {
            try scratch.text(of: "inbox/\($0)")
        }
        #expect(Set(texts) == ["a_b/c.png", "a/b_c.png", "a/b/c.png"])
    }

    @Test("tells of what is left once, and again when it was gone meanwhile")
    func told() throws {
        let folders = DroppedFolders(ownFiles: [])
        let point = DropFolder(path: rules.path, point: .origin)
        let card = DroppedFile(folder: point, name: Array("card".utf8))
        func news() -> [FolderRefusal.Cause] {
            folders.empty(card, grace: .seconds(60)) { _ in }.news.map(\.cause)
        }
        try make("inbox/card/2/3/4/5")
        #expect(news() == [.tooDeep])
        #expect(news() == [])
        #expect(folders.refusals.map(\.cause) == [.tooDeep])
        try FileManager.default.removeItem(atPath: scratch.path("inbox/card/2/3/4/5"))
        #expect(news() == [])
        #expect(folders.refusals == [])
        try make("inbox/card/2/3/4/6")
        #expect(news() == [.tooDeep])
        try FileManager.default.removeItem(atPath: scratch.path("inbox/card"))
        #expect(folders.refusals == [])
    }
}
