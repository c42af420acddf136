internal import FolderWatch
internal import TestFolders
internal import Testing

/// A folder that is watched, with a clock that only the test moves.
final class Inbox: Sendable {
    let folder: TemporaryFolder
    /// Another one on the same file system.
    let elsewhere: TemporaryFolder
    let time: ManualTime
    let watch: FolderWatch

    /// Begins to watch, and waits until that has begun.
    ///
    /// - Parameters:
    ///   - options: How it is watched.
    ///   - system: Changes the calls of the system.
    ///   - prepare: Puts files into the folder before it is watched.
    /// - Throws: What preparing it has thrown, or making the folders.
    init(
        options: FolderWatch.Options = .default,
        system: (inout WatchSystem) -> Void = { _ in },
        prepare: (TemporaryFolder) throws -> Void = { _ in }
    ) async throws {
        folder = try TemporaryFolder()
        elsewhere = try TemporaryFolder()
        time = ManualTime()
        try prepare(folder)
        var calls = time.system
        system(&calls)
        watch = FolderWatch(folders: [folder.bytes], options: options, system: calls)
        await watch.waitUntilWatching()
    }

    deinit {
        watch.stop()
    }

    /// The next file, which must be this one.
    func expectNext(
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
    func put(_ name: [UInt8], _ bytes: [UInt8] = [1]) throws {
        try writeFile(elsewhere.path(name), bytes)
        try renameFile(elsewhere.path(name), to: folder.path(name))
    }

    /// Nothing but a file that is put there now is handed out.
    func expectNothing(_ location: SourceLocation = #_sourceLocation) async throws {
        let last = Array("last".utf8)
        try put(last)
        let file = try await expectNext(last, location)
        try removeFile(file.path)
        watch.finish(file)
    }

    /// Waits for a status that is as it should be.
    func waitForStatus(_ isWanted: (WatchStatus) -> Bool) async throws -> WatchStatus {
        for await status in watch.statusChanges where isWanted(status) { return status }
        throw Stopped()
    }

    struct Stopped: Error {}
}
