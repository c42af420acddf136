internal import FolderWatch
internal import Glibc
internal import TestFolders
internal import Testing

/// Folders in a watched one.
@Suite(.serialized, .timeLimit(.minutes(30)))
struct HandedOutFolderTests {
    private let name = Array("card".utf8)

    private func makeInbox(most: Int = 256) async throws -> Inbox {
        var options = FolderWatch.Options.default
        options.handsOutFolders = true
        options.mostInnerWatches = most
        return try await Inbox(options: options)
    }

    @Test("A folder is handed out as a file is, and again by each scan as long as it stays")
    func scanned() async throws {
        let inbox = try await makeInbox()
        try makeFolder(inbox.folder.path(name))
        for _ in 1...3 {
            let folder = try await inbox.expectNext(name)
            #expect(folder.isFolder)
            inbox.watch.finish(folder)
            // No event tells of what is in it.
            try writeFile(inbox.folder.path(name + Array("/tag.png".utf8)))
            try await inbox.expectNothing()
            inbox.time.advance(by: .seconds(60))
        }
        let folder = try await inbox.expectNext(name)
        inbox.watch.finish(folder)
        try removeFile(inbox.folder.path(name + Array("/tag.png".utf8)))
        try removeFolder(inbox.folder.path(name))
        inbox.time.advance(by: .seconds(60))
        try await inbox.expectNothing()
        #expect(inbox.watch.status.skipped.total == 0)
    }

    @Test("A folder that is listened to is handed out again at news of what is in it")
    func listened() async throws {
        let inbox = try await makeInbox()
        let inner = name + Array("/inner".utf8)
        try makeFolder(inbox.folder.path(name))
        try makeFolder(inbox.folder.path(inner))
        let paths = [name, inner].map(inbox.folder.path)
        /// Takes the folder as often as it is handed out, until something that comes later is.
        func takeAll(_ location: SourceLocation = #_sourceLocation) async throws -> Int {
            let last = Array("last".utf8)
            try inbox.put(last)
            var count = 0
            while let file = await inbox.watch.next() {
                if file.name == last {
                    try removeFile(file.path)
                    inbox.watch.finish(file)
                    break
                }
                #expect(file.name == name && file.isFolder, sourceLocation: location)
                count += 1
                inbox.watch.listen(to: file, at: paths)
                inbox.watch.finish(file)
            }
            return count
        }
        let folder = try await inbox.expectNext(name)
        inbox.watch.listen(to: folder, at: paths)
        inbox.watch.finish(folder)
        // There may have been news before it was listened to.
        let again = try await inbox.expectNext(name, attempt: 1)
        inbox.watch.finish(again)
        _ = try await takeAll()
        let changes: [() throws -> Void] = [
            { try writeFile(inbox.folder.path(inner + Array("/tag.png".utf8))) },
            {
                try renameFile(
                    inbox.folder.path(inner + Array("/tag.png".utf8)),
                    to: inbox.folder.path(name + Array("/tag.png".utf8))
                )
            },
            { try makeFolder(inbox.folder.path(inner + Array("/deep".utf8))) },
            { try changeRights(of: inbox.folder.path(inner), to: 0o700) },
        ]
        for change in changes {
            try change()
            #expect(try await takeAll() > 0)
            // On a busy machine its parts are heard one after the other: making a file, and closing it.
            var later = 0
            while later < 3, try await takeAll() > 0 { later += 1 }
            #expect(later < 3)
        }
        // What a program has not finished is no news.
        try writeFile(inbox.folder.path(inner + Array("/.tag.png".utf8)))
        #expect(try await takeAll() == 0)
    }

    @Test("Of no more folders is news heard than are allowed, the last ones")
    func limited() async throws {
        let inbox = try await makeInbox(most: 2)
        let names = (0..<4 as Range<UInt8>).map { [0x61 + $0] }
        for (number, name) in names.enumerated() {
            try makeFolder(inbox.folder.path(name))
            // One that takes the place of another is not looked at again: they would take turns for ever.
            for _ in 0..<(number < 2 ? 2 : 1) {
                let folder = try await inbox.expectNext(name)
                inbox.watch.listen(to: folder, at: [folder.path])
                inbox.watch.finish(folder)
            }
        }
        for name in names[..<2] {
            try writeFile(inbox.folder.path(name + Array("/tag.png".utf8)))
            try await inbox.expectNothing()
        }
        for name in names[2...] {
            try writeFile(inbox.folder.path(name + Array("/tag.png".utf8)))
            // A file that is made and one that is closed are news each, where the watch is quick.
            while true {
                let folder = try #require(await inbox.watch.next())
                inbox.watch.finish(folder)
                #expect(names[2...].contains(folder.name) && folder.isFolder)
                #expect(folder.path == inbox.folder.path(folder.name))
                #expect(folder.folder == 0 && !folder.isOverdue && folder.attempt == 1)
                if folder.name == name { break }
            }
        }
    }

    @Test("What is said to be expected is handed out, and nothing is idle until then")
    func expected() async throws {
        let inbox = try await makeInbox()
        try makeFolder(inbox.folder.path(name))
        let folder = try await inbox.expectNext(name)
        try writeFile(inbox.folder.path([0x61]))
        inbox.watch.expect([0x61], in: 0)
        inbox.watch.finish(folder)
        #expect(inbox.watch.status.pending == 1)
        inbox.watch.finish(try await inbox.expectNext([0x61]))
    }
}
