internal import FolderWatch
internal import Glibc
internal import TestFolders
internal import Testing

/// How files come to a folder that is watched.
@Suite(.serialized, .timeLimit(.minutes(30)))
struct FileEventTests {
    private let name = Array("tag.png".utf8)

    @Test("A file that is written and closed is handed out")
    func written() async throws {
        let inbox = try await Inbox()
        try writeFile(inbox.folder.path(name))
        let file = try await inbox.expectNext(name)
        try removeFile(file.path)
        inbox.watch.finish(file)
        try await inbox.expectNothing()
    }

    @Test("A file that is renamed into the folder is handed out")
    func renamed() async throws {
        let inbox = try await Inbox()
        try inbox.put(name)
        inbox.watch.finish(try await inbox.expectNext(name))
        try await inbox.expectNothing()
    }

    @Test(
        "A file that loses its unfinished name is handed out, and not before",
        arguments: [
            "tag.png.part", ".tag.png", "tag.png.CRDOWNLOAD", "tag.png~", ".tag.png.aB3xY9",
        ]
    )
    func unfinishedName(hidden: String) async throws {
        let inbox = try await Inbox()
        try writeFile(inbox.folder.path(Array(hidden.utf8)))
        try await inbox.expectNothing()
        try renameFile(inbox.folder.path(Array(hidden.utf8)), to: inbox.folder.path(name))
        _ = try await inbox.expectNext(name)
    }

    @Test("A hard link is handed out")
    func hardLink() async throws {
        let inbox = try await Inbox()
        try writeFile(inbox.elsewhere.path(name))
        try makeLink(to: inbox.elsewhere.path(name), at: inbox.folder.path(name))
        inbox.watch.finish(try await inbox.expectNext(name))
        try await inbox.expectNothing()
    }

    @Test("A file made without a name is handed out when it is given one")
    func unnamedFile() async throws {
        let inbox = try await Inbox()
        let descriptor = try openFile(inbox.folder.bytes, O_WRONLY | 0o20200000)
        defer { close(descriptor) }
        try writeBytes(descriptor, [1, 2, 3])
        let source = Array("/proc/self/fd/\(descriptor)".utf8)
        try makeLink(to: source, at: inbox.folder.path(name), follow: true)
        _ = try await inbox.expectNext(name)
    }

    @Test("A file whose rights are changed while it is waited for is handed out again")
    func rights() async throws {
        let inbox = try await Inbox()
        try inbox.put(name)
        inbox.watch.wait(for: try await inbox.expectNext(name))
        try changeRights(of: inbox.folder.path(name), to: 0o600)
        inbox.watch.finish(try await inbox.expectNext(name, attempt: 2))
        try await inbox.expectNothing()
    }

    @Test("An empty file is waited for, and handed out when it is written later")
    func placeholder() async throws {
        let inbox = try await Inbox()
        let descriptor = try openFile(inbox.folder.path(name), O_WRONLY | O_CREAT)
        try await inbox.expectNothing()
        close(descriptor)
        inbox.watch.wait(for: try await inbox.expectNext(name))
        inbox.time.advance(by: .seconds(40))
        try writeFile(inbox.folder.path(name), [1, 2, 3])
        inbox.watch.finish(try await inbox.expectNext(name, attempt: 2))
        try await inbox.expectNothing()
    }

    @Test("A file without news is handed out as overdue after the grace period")
    func overdue() async throws {
        let inbox = try await Inbox()
        try inbox.put(name)
        inbox.watch.wait(for: try await inbox.expectNext(name))
        inbox.time.advance(by: .seconds(59))
        try await inbox.expectNothing()
        inbox.time.advance(by: .seconds(1))
        let file = try await inbox.expectNext(name, isOverdue: true, attempt: 2)
        inbox.watch.retry(file, after: .seconds(5))
        inbox.time.advance(by: .seconds(5))
        inbox.watch.finish(try await inbox.expectNext(name, isOverdue: true, attempt: 3))
        try await inbox.expectNothing()
    }

    @Test("A file that is being written without being closed is never overdue")
    func slowWriter() async throws {
        let inbox = try await Inbox()
        let descriptor = try openFile(inbox.folder.path(name), O_WRONLY | O_CREAT)
        defer { close(descriptor) }
        try await inbox.expectNothing()
        try writeBytes(descriptor, [1])
        for attempt in 1...5 {
            inbox.time.advance(by: .seconds(60))
            inbox.watch.wait(for: try await inbox.expectNext(name, attempt: attempt))
            try writeBytes(descriptor, [1])
        }
    }

    @Test("A file that is finished and stays is not handed out again as it is")
    func staying() async throws {
        let inbox = try await Inbox()
        try inbox.put(name)
        inbox.watch.finish(try await inbox.expectNext(name))
        var scans = inbox.time.scans.makeAsyncIterator()
        // The one at the start.
        _ = await scans.next()
        for _ in 1...3 {
            inbox.watch.reconcile()
            _ = await scans.next()
            try await inbox.expectNothing()
        }
        try inbox.put(name, [2])
        inbox.watch.finish(try await inbox.expectNext(name))
        try await inbox.expectNothing()
    }

    @Test("A file that is replaced while it is in work is handed out again when that is done")
    func replaced() async throws {
        let inbox = try await Inbox()
        try inbox.put(name)
        let file = try await inbox.expectNext(name)
        try inbox.put(name, [2])
        try await inbox.expectNothing()
        inbox.watch.finish(file)
        inbox.watch.finish(try await inbox.expectNext(name))
        try await inbox.expectNothing()
    }

    @Test("A watch is a sequence of files, which ends when it is stopped, as its statuses do")
    func sequence() async throws {
        let inbox = try await Inbox()
        let watch = inbox.watch
        async let statuses = {
            var count = 0
            for await status in watch.statusChanges where status.folders.count == 1 { count += 1 }
            return count
        }()
        for number in 0..<3 as Range<UInt8> { try inbox.put([0x61 + number]) }
        var names: [[UInt8]] = []
        for await file in watch {
            names.append(file.name)
            watch.finish(file)
            if names.count == 3 { watch.stop() }
        }
        #expect(names == [[0x61], [0x62], [0x63]])
        #expect(await statuses >= 1)
        // Whoever asks later is told how it ended.
        await watch.waitUntilStopped()
        var last: [WatchStatus] = []
        for await status in watch.statusChanges { last.append(status) }
        #expect(last.count == 1)
        #expect(last.first?.settled == 3)
    }

    @Test("Stopping ends every wait")
    func stopping() async throws {
        let inbox = try await Inbox()
        await withTaskGroup(of: WatchedFile?.self) { group in
            for _ in 0..<10 { group.addTask { await inbox.watch.next() } }
            inbox.watch.stop()
            for await file in group { #expect(file == nil) }
        }
        await inbox.watch.waitUntilStopped()
        await inbox.watch.waitUntilWatching()
        #expect(await inbox.watch.next() == nil)
        #expect(await !inbox.watch.isResponding(within: .seconds(600)))
    }
}
