internal import FolderWatch
internal import Glibc
internal import Synchronization
internal import TestFolders
internal import Testing

/// What happens to the folder itself.
@Suite(.serialized, .timeLimit(.minutes(30)))
struct FolderChangeTests {
    private let name = Array("tag.png".utf8)
    private let parent: TemporaryFolder
    private let elsewhere: TemporaryFolder
    private let inbox: [UInt8]
    private let time = ManualTime()

    init() throws {
        parent = try TemporaryFolder()
        elsewhere = try TemporaryFolder()
        inbox = try parent.makeFolder("inbox")
    }

    private func makeWatch() async -> FolderWatch {
        let watch = FolderWatch(folders: [inbox], options: .default, system: time.system)
        await watch.waitUntilWatching()
        return watch
    }

    private func put(_ name: [UInt8]) throws {
        try writeFile(elsewhere.path(name))
        try renameFile(elsewhere.path(name), to: inbox + [0x2F] + name)
    }

    /// The next file must be this one; it is removed, so that no later event tells of it again.
    private func expectNext(
        _ watch: FolderWatch,
        _ name: [UInt8],
        _ location: SourceLocation = #_sourceLocation
    ) async throws {
        let file = try #require(await watch.next(), sourceLocation: location)
        #expect(file.name == name, sourceLocation: location)
        try removeFile(file.path)
        watch.finish(file)
    }

    /// Waits until the status is as it should be; each time that it is not, so much time passes.
    private func waitForStatus(
        _ watch: FolderWatch,
        passing duration: Duration = .seconds(2),
        _ isWanted: (WatchStatus) -> Bool
    ) async {
        for await status in watch.statusChanges {
            if isWanted(status) { return }
            time.advance(by: duration)
        }
    }

    private func isAbsent(_ status: WatchStatus) -> Bool {
        if case .absent = status.folders[0].condition { true } else { false }
    }

    @Test("A folder that is absent is looked for, and watched within 2 s of being made")
    func absent() async throws {
        try removeFolder(inbox)
        let watch = FolderWatch(folders: [inbox], options: .default, system: time.system)
        await waitForStatus(watch, isAbsent)
        #expect(watch.status.folders[0].path == inbox)
        try makeFolder(inbox)
        try put(name)
        time.advance(by: .seconds(2))
        await watch.waitUntilWatching()
        #expect(watch.status.folders[0].condition == .events)
        #expect(watch.status.rearms == 0)
        try await expectNext(watch, name)
    }

    @Test("A folder that is removed and made again is watched again")
    func removed() async throws {
        let watch = await makeWatch()
        try removeFolder(inbox)
        // The kernel tells of that.
        await waitForStatus(watch, passing: .zero, isAbsent)
        try makeFolder(inbox)
        try put(name)
        time.advance(by: .seconds(2))
        try await expectNext(watch, name)
        #expect(watch.status.folders[0].condition == .events)
        #expect(watch.status.rearms == 1)
    }

    @Test("A folder that is renamed away is not heard any more, and the one in its place is")
    func renamed() async throws {
        let given = Mutex<[Int32]>([])
        let ended = Mutex<[Int32]>([])
        var system = time.system
        let (addWatch, removeWatch) = (system.addWatch, system.removeWatch)
        system.addWatch = { events, path in
            let result = addWatch(events, path)
            if case .success(let watch) = result { given.withLock { $0.append(watch) } }
            return result
        }
        system.removeWatch = { events, watch in
            ended.withLock { $0.append(watch) }
            removeWatch(events, watch)
        }
        let watch = FolderWatch(folders: [inbox], options: .default, system: system)
        await watch.waitUntilWatching()
        let old = parent.path(Array("old".utf8))
        try renameFile(inbox, to: old)
        try makeFolder(inbox)
        try writeFile(old + Array("/stale".utf8))
        // The folder may be missed before there is another in its place.
        await waitForStatus(watch, passing: .zero) { $0.rearms == 1 || isAbsent($0) }
        await waitForStatus(watch) { $0.rearms == 1 }
        #expect(watch.status.folders[0].replacements.folders == 1)
        try writeFile(old + Array("/stale too".utf8))
        try put(name)
        try await expectNext(watch, name)
        #expect(watch.status.folders[0].condition == .events)
        #expect(watch.status.pending == 0)
        let (first, others) = given.withLock { ($0.first, $0.dropFirst()) }
        #expect(ended.withLock { $0.count { $0 == first } } == 1)
        #expect(!others.contains { other in ended.withLock { $0.contains(other) } })
    }

    /// Whether the way to the folder gives signs of what becomes of it.
    static let signs = [true, false]

    /// Begins to watch, with signs or without.
    private func makeWatch(hasSigns: Bool) async -> FolderWatch {
        var system = time.system
        if !hasSigns { system.openMounts = { nil } }
        let watch = FolderWatch(folders: [inbox], options: .default, system: system)
        await watch.waitUntilWatching()
        return watch
    }

    @Test(
        "A folder that is replaced by way of its parent is found out, at once or in 2 s",
        arguments: signs
    )
    func parentRenamed(hasSigns: Bool) async throws {
        let watch = await makeWatch(hasSigns: hasSigns)
        let (path, away) = (parent.bytes, elsewhere.path(Array("away".utf8)))
        try renameFile(path, to: away)
        if hasSigns { await waitForStatus(watch, passing: .zero, isAbsent) }
        try makeFolder(path)
        try makeFolder(inbox)
        try put(name)
        time.advance(by: .seconds(2))
        try await expectNext(watch, name)
        #expect(watch.status.rearms == 1)
    }

    @Test(
        "A folder that others hold open is missed when it is removed, at once or in 2 s",
        arguments: signs
    )
    func removedWhileOpen(hasSigns: Bool) async throws {
        let watch = await makeWatch(hasSigns: hasSigns)
        let descriptor = try openFile(inbox, O_RDONLY | O_DIRECTORY)
        defer { close(descriptor) }
        try removeFolder(inbox)
        if !hasSigns { time.advance(by: .seconds(2)) }
        await waitForStatus(watch, passing: .zero, isAbsent)
    }

    @Test("What happens beside the folder is no sign of it")
    func neighbours() async throws {
        let looks = Counter()
        var system = time.system
        let identify = system.identify
        system.identify = { path in
            looks.increment()
            return identify(path)
        }
        // Others mount while this runs.
        system.openMounts = { unsafe open("/dev/null", O_RDONLY) }
        let watch = FolderWatch(folders: [inbox], options: .default, system: system)
        await watch.waitUntilWatching()
        let before = looks.value
        for number in 0..<100 {
            try removeFolder(try parent.makeFolder("neighbour\(number)"))
        }
        try put(name)
        try await expectNext(watch, name)
        #expect(looks.value == before)
    }

    @Test("A path that leads to no folder is absent, and says so", arguments: [false, true])
    func noFolder(isLoop: Bool) async throws {
        try removeFolder(inbox)
        if isLoop {
            try makeSymbolicLink(at: inbox, to: inbox)
        } else {
            try writeFile(inbox)
        }
        let watch = FolderWatch(folders: [inbox], options: .default, system: time.system)
        await waitForStatus(watch, isAbsent)
        guard case .absent(let reason) = watch.status.folders[0].condition else { return }
        #expect(reason.code == (isLoop ? .systemError : .notFolder))
        try removeFile(inbox)
    }

    @Test("A symbolic link to a folder is followed, also when it comes to lead elsewhere")
    func link() async throws {
        let (first, second) = (try parent.makeFolder("first"), try parent.makeFolder("second"))
        try removeFolder(inbox)
        try makeSymbolicLink(at: inbox, to: first)
        let watch = await makeWatch()
        try put(name)
        try await expectNext(watch, name)
        try removeFile(inbox)
        try makeSymbolicLink(at: inbox, to: second)
        try put(name)
        time.advance(by: .seconds(2))
        try await expectNext(watch, name)
        try put([0xFF])
        try await expectNext(watch, [0xFF])
    }

    @Test("No descriptor of a folder is held, which would keep its removal from being told")
    func noDescriptor() async throws {
        let watch = await makeWatch()
        try put(name)
        try await expectNext(watch, name)
        for descriptor in 0..<1024 as Range<Int32> {
            #expect(descriptorTarget(descriptor) != inbox)
        }
    }

    @Test("A path with a zero byte leads nowhere")
    func zeroByte() async throws {
        let watch = FolderWatch(
            folders: [inbox + [0] + Array("more".utf8)],
            options: .default,
            system: time.system
        )
        await waitForStatus(watch, isAbsent)
    }

    @Test("Several folders are watched at once, and the oldest file of all comes first")
    func several() async throws {
        let second = try parent.makeFolder("second")
        let watch = FolderWatch(
            folders: [inbox, second + [0x2F]],
            options: .default,
            system: time.system
        )
        await watch.waitUntilWatching()
        for number in 0..<6 as Range<UInt8> {
            try writeFile(elsewhere.path([0x61 + number]))
            let folder = number % 2 == 0 ? inbox : second
            try renameFile(elsewhere.path([0x61 + number]), to: folder + [0x2F, 0x61 + number])
        }
        for number in 0..<6 as Range<UInt8> {
            let file = try #require(await watch.next())
            #expect(file.name == [0x61 + number])
            #expect(file.folder == Int(number) % 2)
            #expect(file.path == (number % 2 == 0 ? inbox : second) + [0x2F, 0x61 + number])
        }
    }

    /// Whether this process may mount.
    private static let mayMount: Bool = {
        guard let folder = try? TemporaryFolder(), (try? mountMemory(on: folder.bytes)) != nil
        else {
            return false
        }
        try? unmount(folder.bytes)
        return true
    }()

    @Test(
        "A folder that is mounted over, unmounted and mounted over again is the one that is seen",
        .enabled(if: mayMount, "this process may not mount")
    )
    func mountedOver() async throws {
        let watch = await makeWatch()
        let mounted = TemporaryMount(inbox)
        for round in 1...2 {
            try mounted.mount()
            try writeFile(inbox + Array("/inside".utf8))
            // The list of mounts tells of it, but not soon after it has told of another.
            if round == 2 { time.advance(by: .seconds(2)) }
            try await expectNext(watch, Array("inside".utf8))
            #expect(watch.status.rearms == 2 * round - 1)
            #expect(watch.status.folders[0].replacements.mounts == 2 * round - 1)
            try mounted.unmount()
            await waitForStatus(watch) { $0.rearms == 2 * round }
            try put(Array("beneath\(round)".utf8))
            try await expectNext(watch, Array("beneath\(round)".utf8))
        }
    }

    /// Whether this process may mount layers over one another, here.
    private static let mayOverlay: Bool = {
        guard mayMount, let folder = try? Overlay() else { return false }
        return (try? folder.unmount()) != nil
    }()

    @Test(
        "On an overlay, what is done through it is told at once, and what is done beneath in 2 s",
        .enabled(if: mayOverlay, "this process may not mount an overlay")
    )
    func overlay() async throws {
        let overlay = try Overlay()
        let watch = FolderWatch(
            folders: [overlay.merged],
            options: .default,
            system: time.system
        )
        await watch.waitUntilWatching()
        guard case .polling(let reason) = watch.status.folders[0].condition else {
            Issue.record("It is \(watch.status.folders[0].condition)")
            return
        }
        #expect(reason.description == "overlay does not tell of every change")
        try writeFile(overlay.merged + Array("/through".utf8))
        try await expectNext(watch, Array("through".utf8))
        try writeFile(overlay.upper + Array("/beneath".utf8))
        time.advance(by: .seconds(2))
        try await expectNext(watch, Array("beneath".utf8))
        watch.stop()
        try overlay.unmount()
    }

    @Test(
        "A folder that is mounted upon itself is another mount of the same folder",
        .enabled(if: mayMount, "this process may not mount")
    )
    func mountedUponItself() async throws {
        let watch = await makeWatch()
        let mounted = TemporaryMount(inbox)
        try mounted.bind()
        time.advance(by: .seconds(2))
        await waitForStatus(watch) { $0.rearms == 1 }
        try writeFile(inbox + [0x2F] + name)
        try await expectNext(watch, name)
        try mounted.unmount()
    }
}
