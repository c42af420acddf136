internal import FolderWatch
internal import Testing

#if canImport(Glibc)
internal import Glibc
#endif

/// How files come to a folder that is watched.
@Suite(.serialized, .timeLimit(.minutes(10)))
struct FileEventTests {
    let folder: TemporaryFolder
    let elsewhere: TemporaryFolder
    let time = ManualTime()
    let watch: FolderWatch

    init() async throws {
        folder = try TemporaryFolder()
        elsewhere = try TemporaryFolder()
        watch = FolderWatch(folders: [folder.bytes], options: .default, system: time.system)
        await watch.waitUntilWatching()
    }

    private let name = Array("tag.png".utf8)

    /// The next file, which must be this one.
    private func expectNext(
        _ name: [UInt8],
        isOverdue: Bool = false,
        attempt: Int = 1,
        _ location: SourceLocation = #_sourceLocation
    ) async throws -> WatchedFile {
        let file = try #require(await watch.next(), sourceLocation: location)
        #expect(file.name == name, sourceLocation: location)
        #expect(file.path == folder.path(name), sourceLocation: location)
        #expect(file.folder == 0, sourceLocation: location)
        #expect(file.isOverdue == isOverdue, sourceLocation: location)
        #expect(file.attempt == attempt, sourceLocation: location)
        return file
    }

    /// Puts a whole file into the folder, of which there is one event.
    private func put(_ name: [UInt8], _ bytes: [UInt8] = [1]) throws {
        try writeFile(elsewhere.path(name), bytes)
        try renameFile(elsewhere.path(name), to: folder.path(name))
    }

    /// Nothing but a file that is written now is handed out.
    private func expectNothing(_ location: SourceLocation = #_sourceLocation) async throws {
        let last = Array("last".utf8)
        try put(last)
        let file = try await expectNext(last, location)
        try removeFile(file.path)
        watch.finish(file)
    }

    @Test("A file that is written and closed is handed out")
    func written() async throws {
        try writeFile(folder.path(name))
        let file = try await expectNext(name)
        try removeFile(file.path)
        watch.finish(file)
        try await expectNothing()
    }

    @Test("A file that is renamed into the folder is handed out")
    func renamed() async throws {
        try put(name)
        watch.finish(try await expectNext(name))
        try await expectNothing()
    }

    @Test(
        "A file that loses its unfinished name is handed out, and not before",
        arguments: [
            "tag.png.part", ".tag.png", "tag.png.CRDOWNLOAD", "tag.png~", ".tag.png.aB3xY9",
        ]
    )
    func unfinishedName(hidden: String) async throws {
        try writeFile(folder.path(Array(hidden.utf8)))
        try await expectNothing()
        try renameFile(folder.path(Array(hidden.utf8)), to: folder.path(name))
        _ = try await expectNext(name)
    }

    @Test("A hard link is handed out")
    func hardLink() async throws {
        try writeFile(elsewhere.path(name))
        try makeLink(to: elsewhere.path(name), at: folder.path(name))
        watch.finish(try await expectNext(name))
        try await expectNothing()
    }

    @Test("A file made without a name is handed out when it is given one")
    func unnamedFile() async throws {
        let descriptor = try openFile(folder.bytes, O_WRONLY | 0o20200000)
        defer { close(descriptor) }
        try writeBytes(descriptor, [1, 2, 3])
        let source = Array("/proc/self/fd/\(descriptor)".utf8)
        try makeLink(to: source, at: folder.path(name), follow: true)
        _ = try await expectNext(name)
    }

    @Test("A file whose rights are changed while it is waited for is handed out again")
    func rights() async throws {
        try put(name)
        watch.wait(for: try await expectNext(name))
        try changeRights(of: folder.path(name), to: 0o600)
        watch.finish(try await expectNext(name, attempt: 2))
        try await expectNothing()
    }

    @Test("An empty file is waited for, and handed out when it is written later")
    func placeholder() async throws {
        let descriptor = try openFile(folder.path(name), O_WRONLY | O_CREAT)
        try await expectNothing()
        close(descriptor)
        watch.wait(for: try await expectNext(name))
        time.advance(by: .seconds(40))
        try writeFile(folder.path(name), [1, 2, 3])
        watch.finish(try await expectNext(name, attempt: 2))
        try await expectNothing()
    }

    @Test("A file without news is handed out as overdue after the grace period")
    func overdue() async throws {
        try put(name)
        watch.wait(for: try await expectNext(name))
        time.advance(by: .seconds(59))
        try await expectNothing()
        time.advance(by: .seconds(1))
        let file = try await expectNext(name, isOverdue: true, attempt: 2)
        watch.retry(file, after: .seconds(5))
        time.advance(by: .seconds(5))
        watch.finish(try await expectNext(name, isOverdue: true, attempt: 3))
        try await expectNothing()
    }

    @Test("A file that is being written without being closed is never overdue")
    func slowWriter() async throws {
        let descriptor = try openFile(folder.path(name), O_WRONLY | O_CREAT)
        defer { close(descriptor) }
        try await expectNothing()
        try writeBytes(descriptor, [1])
        for attempt in 1...5 {
            time.advance(by: .seconds(60))
            watch.wait(for: try await expectNext(name, attempt: attempt))
            try writeBytes(descriptor, [1])
        }
    }

    @Test("A file that is finished and stays is not handed out again as it is")
    func staying() async throws {
        try put(name)
        watch.finish(try await expectNext(name))
        for _ in 1...3 {
            var scans = time.scans.makeAsyncIterator()
            watch.reconcile()
            _ = await scans.next()
            try await expectNothing()
        }
        try put(name, [2])
        watch.finish(try await expectNext(name))
        try await expectNothing()
    }

    @Test("A file that is replaced while it is in work is handed out again when that is done")
    func replaced() async throws {
        try put(name)
        let file = try await expectNext(name)
        try put(name, [2])
        try await expectNothing()
        watch.finish(file)
        watch.finish(try await expectNext(name))
        try await expectNothing()
    }

    @Test("Stopping ends every wait")
    func stopping() async throws {
        await withTaskGroup(of: WatchedFile?.self) { group in
            for _ in 0..<10 { group.addTask { await watch.next() } }
            watch.stop()
            for await file in group { #expect(file == nil) }
        }
        await watch.waitUntilStopped()
        await watch.waitUntilWatching()
        #expect(await watch.next() == nil)
        #expect(await !watch.isResponding(within: .seconds(600)))
    }
}
