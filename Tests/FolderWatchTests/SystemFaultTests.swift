internal import FolderWatch
internal import Glibc
internal import Synchronization
internal import SystemSupport
internal import TestFolders
internal import Testing

/// What the system refuses, loses, or takes its time with.
@Suite(.serialized, .timeLimit(.minutes(30)))
struct SystemFaultTests {
    private let name = Array("tag.png".utf8)

    private func reason(_ inbox: Inbox) -> WatchStatus.Reason? {
        switch inbox.watch.status.folders[0].condition {
        case .polling(let reason), .absent(let reason): reason
        case .starting, .events: nil
        }
    }

    @Test(
        "Without watches or descriptors a folder is polled, until there are some",
        arguments: [
            ("watch", ENOSPC), ("watch", ENOMEM), ("descriptor", EMFILE), ("descriptor", ENFILE),
        ]
    )
    func exhausted(what: String, number: Int32) async throws {
        let isShort = Switch(true)
        let inbox = try await Inbox(system: { system in
            let (addWatch, openEvents) = (system.addWatch, system.openEvents)
            system.addWatch = { events, path in
                isShort.isOn && what == "watch"
                    ? .failure(SystemError(number: number)) : addWatch(events, path)
            }
            system.openEvents = {
                isShort.isOn && what == "descriptor"
                    ? .failure(SystemError(number: number)) : openEvents()
            }
        })
        #expect(reason(inbox)?.code == .exhausted)
        #expect(reason(inbox)?.errorNumber == number)
        try inbox.put(name)
        inbox.time.advance(by: .seconds(2))
        inbox.watch.wait(for: try await inbox.expectNext(name))
        // A change is found by polling too, once the scan is over that has found the file.
        #expect(await inbox.watch.isResponding(within: .seconds(600)))
        try inbox.put(name, [2])
        inbox.time.advance(by: .seconds(2))
        inbox.watch.finish(try await inbox.expectNext(name, attempt: 2))
        #expect(await inbox.watch.isResponding(within: .seconds(600)))
        isShort.turn(false)
        inbox.time.advance(by: .seconds(2))
        _ = try await inbox.waitForStatus { $0.folders[0].condition == .events }
        // No time passes from now on.
        try await inbox.expectNothing()
    }

    @Test(
        "A folder that cannot be opened for want of descriptors is tried again, and keeps nobody busy"
    )
    func noDescriptorForScan() async throws {
        let isShort = Switch(true)
        let inbox = try TemporaryFolder()
        let time = ManualTime()
        var system = time.system
        let scan = system.scan
        let scanned = Counter()
        system.scan = { path, body in
            scanned.increment()
            return isShort.isOn ? .failure(SystemError(number: EMFILE)) : scan(path, body)
        }
        try writeFile(inbox.path(name))
        let watch = FolderWatch(folders: [inbox.bytes], options: .default, system: system)
        for await status in watch.statusChanges {
            guard case .polling(let reason) = status.folders[0].condition else { continue }
            #expect(reason.code == .exhausted)
            break
        }
        for _ in 1...50 { #expect(await watch.isResponding(within: .seconds(600))) }
        #expect(scanned.value == 1)
        isShort.turn(false)
        time.advance(by: .seconds(2))
        #expect(await watch.next()?.name == name)
    }

    @Test(
        "Where changes may come without a word, they are found in 2 s, and those with one at once",
        arguments: [0x6969, 0x6573_5546, 0x794C_7630] as [UInt32]
    )
    func silent(magic: UInt32) async throws {
        let isSilent = Switch(false)
        let inbox = try await Inbox(system: { system in
            let readEvents = system.readEvents
            system.readEvents = { events in isSilent.isOn ? [] : readEvents(events) }
            system.fileSystem = { _ in .success(FileSystemKind(magic: magic)) }
        })
        #expect(reason(inbox)?.code == .silentFileSystem)
        try await inbox.expectNothing()
        isSilent.turn(true)
        try inbox.put(name)
        inbox.time.advance(by: .seconds(2))
        inbox.watch.finish(try await inbox.expectNext(name))
    }

    @Test("When the kernel has lost events, nothing is missed")
    func overflow() async throws {
        let limit = try mostQueuedEvents()
        let isHeld = Switch(false)
        let inbox = try await Inbox(system: { system in
            let readEvents = system.readEvents
            system.readEvents = { events in
                isHeld.waitUntilOff()
                return readEvents(events)
            }
        })
        try inbox.put(name)
        inbox.watch.wait(for: try await inbox.expectNext(name))
        isHeld.turn(true)
        let (first, second) = (inbox.folder.path([0x61]), inbox.folder.path([0x62]))
        try writeFile(first)
        // Each time the name is another one, so that the kernel does not take two events for one.
        for _ in 0..<limit {
            try renameFile(first, to: second)
            try renameFile(second, to: first)
        }
        try removeFile(first)
        try inbox.put(Array("lost".utf8))
        try inbox.put(name, [2, 3])
        isHeld.turn(false)
        var names: Set<[UInt8]> = []
        for _ in 1...2 {
            let file = try #require(await inbox.watch.next())
            names.insert(file.name)
            inbox.watch.finish(file)
        }
        #expect(names == [name, Array("lost".utf8)])
        #expect(inbox.watch.status.overflows >= 1)
        try await inbox.expectNothing()
    }

    private func mostQueuedEvents() throws -> Int {
        let descriptor = try openFile(
            Array("/proc/sys/fs/inotify/max_queued_events".utf8),
            O_RDONLY
        )
        defer { close(descriptor) }
        var bytes = [UInt8](repeating: 0, count: 32)
        let count = unsafe try call("read", read(descriptor, &bytes, bytes.count))
        let text = String(decoding: bytes.prefix(count), as: UTF8.self)
        return try #require(Int(text.split(whereSeparator: \.isNewline).first ?? ""))
    }

    @Test("A watch that the kernel has given up is asked for again")
    func watchEnded() async throws {
        let asked = Counter()
        let given = Mutex<Int32?>(nil)
        let inbox = try await Inbox(system: { system in
            let (addWatch, readEvents) = (system.addWatch, system.readEvents)
            system.addWatch = { events, path in
                let result = addWatch(events, path)
                if asked.value == 0 { given.withLock { $0 = try? result.get() } }
                asked.increment()
                return result
            }
            system.readEvents = { events in
                let found = readEvents(events)
                let watch = given.withLock { given -> Int32? in
                    guard found.contains(where: { $0.watch == given }) else { return nil }
                    defer { given = nil }
                    return given
                }
                guard let watch else { return found }
                return found + [KernelEvent(watch: watch, mask: UInt32(IN_IGNORED))]
            }
        })
        #expect(asked.value == 1)
        try await inbox.expectNothing()
        _ = try await inbox.waitForStatus { $0.rearms == 1 }
        #expect(asked.value == 2)
        try await inbox.expectNothing()
    }

    @Test("News of a file that comes together is one reason to hand it out")
    func batch() async throws {
        let isHeld = Switch(false)
        let inbox = try await Inbox(system: { system in
            let readEvents = system.readEvents
            system.readEvents = { events in
                isHeld.waitUntilOff()
                return readEvents(events)
            }
        })
        async let next = inbox.watch.next()
        isHeld.turn(true)
        // Begun, written and closed: two events.
        try writeFile(inbox.folder.path(name))
        isHeld.turn(false)
        let file = try #require(await next)
        #expect(file.name == name)
        inbox.watch.finish(file)
        try await inbox.expectNothing()
    }

    @Test("An event that never comes is made up for by the scan every 60 s")
    func missingEvent() async throws {
        let inbox = try await Inbox(system: { $0.readEvents = { _ in [] } })
        try inbox.put(name)
        inbox.time.advance(by: .seconds(60))
        inbox.watch.finish(try await inbox.expectNext(name))
    }

    @Test("Whoever asks for a scan need not wait for it to be due")
    func askedFor() async throws {
        let inbox = try await Inbox(system: { $0.readEvents = { _ in [] } })
        try inbox.put(name)
        inbox.watch.reconcile()
        inbox.watch.finish(try await inbox.expectNext(name))
    }

    @Test("A file that cannot be looked at is looked at again in 2 s")
    func unknowable() async throws {
        let isBlind = Switch(true)
        let inbox = try await Inbox(system: { system in
            let look = system.look
            system.look = { path in isBlind.isOn ? .failed : look(path) }
        })
        try inbox.put(name)
        async let next = inbox.watch.next()
        _ = await { while inbox.watch.status.delayed == 0 { await Task.yield() } }()
        isBlind.turn(false)
        inbox.time.advance(by: .seconds(2))
        #expect(await next?.name == name)
    }

    @Test("A folder that does not answer is noticed by a watchdog, and stops nobody")
    func hanging() async throws {
        let isHeld = Switch(false)
        let inbox = try await Inbox(system: { system in
            let identify = system.identify
            system.identify = { path in
                isHeld.waitUntilOff()
                return identify(path)
            }
        })
        #expect(await inbox.watch.isResponding(within: .seconds(600)))
        isHeld.turn(true)
        // The kernel tells of changes of the way; what it has not told of is found once a minute.
        inbox.time.advance(by: .seconds(60))
        await isHeld.waitUntilSomebodyWaits()
        #expect(await !inbox.watch.isResponding(within: .milliseconds(1)))
        async let next = inbox.watch.next()
        inbox.watch.stop()
        #expect(await next == nil)
        isHeld.turn(false)
        await inbox.watch.waitUntilStopped()
    }

    @Test("Stopping gives back the descriptors that events and signs come from")
    func closing() async throws {
        let opened = Counter()
        let closed = Counter()
        let inbox = try await Inbox(system: { system in
            let (openEvents, close) = (system.openEvents, system.close)
            system.openEvents = {
                opened.increment()
                return openEvents()
            }
            system.openMounts = {
                opened.increment()
                return unsafe open("/dev/null", O_RDONLY)
            }
            system.close = { descriptor in
                closed.increment()
                close(descriptor)
            }
        })
        #expect((opened.value, closed.value) == (2, 0))
        inbox.watch.stop()
        await inbox.watch.waitUntilStopped()
        #expect((opened.value, closed.value) == (2, 2))
    }

    @Test("A watch that nobody has any more ends by itself")
    func abandoned() async throws {
        let folder = try TemporaryFolder()
        let closed = Switch(true)
        var system = WatchSystem.live
        let close = system.close
        system.close = { descriptor in
            close(descriptor)
            closed.turn(false)
        }
        do {
            let watch = FolderWatch(folders: [folder.bytes], options: .default, system: system)
            await watch.waitUntilWatching()
        }
        await closed.waitUntilOffAsynchronously()
    }

    /// Where a folder may be, and what the kernel has to give.
    enum Way: CaseIterable {
        case folders, madeLater, symbolicLink, noMounts, noPlaces
    }

    @Test(
        "At rest it wakes once a minute for the scan, and 30 times where nothing tells of the way",
        arguments: Way.allCases
    )
    func wakeUps(way: Way) async throws {
        // Nobody else does anything on the way to the folder.
        let base = try TemporaryFolder()
        let (folder, link) = (try base.makeFolder("inbox"), base.path(Array("link".utf8)))
        try makeSymbolicLink(at: link, to: folder)
        let time = ManualTime()
        var system = time.system
        let addPlaceWatch = system.addPlaceWatch
        // Nothing is mounted.
        system.openMounts = { way == .noMounts ? nil : unsafe open("/dev/null", O_RDONLY) }
        system.addPlaceWatch = { events, path, isParent in
            way == .noPlaces && isParent
                ? .failure(SystemError(number: ENOSPC)) : addPlaceWatch(events, path, isParent)
        }
        if way == .madeLater { try removeFolder(folder) }
        let watch = FolderWatch(
            folders: [way == .symbolicLink ? link : folder],
            options: .default,
            system: system
        )
        if way == .madeLater {
            for await status in watch.statusChanges {
                if case .absent = status.folders[0].condition { break }
            }
            try makeFolder(folder)
            time.advance(by: .seconds(2))
        }
        await watch.waitUntilWatching()
        // What it is told of the beginning may come late on a busy machine.
        _ = try await time.wakeUps(during: .seconds(180))
        let wakeUps = try await time.wakeUps(during: .seconds(600))
        let isTold = way == .folders || way == .madeLater
        #expect((isTold ? 10...12 : 290...313).contains(wakeUps))
        #expect(watch.status.folders[0].condition == .events)
    }
}
