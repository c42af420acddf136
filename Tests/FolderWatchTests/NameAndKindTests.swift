internal import FolderWatch
internal import Glibc
internal import TestFolders
internal import Testing

/// What may be in a folder.
@Suite(.serialized, .timeLimit(.minutes(30)))
struct NameAndKindTests {
    @Test(
        "A name is bytes, and any that a file can have is handed out as it is",
        arguments: [
            [0xFF, 0xFE], [0xC3, 0x28], Array("two\nlines".utf8), [0x01], [0x0D], [0x20], [0x5C],
            Array(repeating: 0x61, count: 255), Array(repeating: 0xC3, count: 255),
            Array("-rf *; $(id)".utf8), Array("e\u{301}".utf8), Array("\u{202E}gnp.tag".utf8),
        ] as [[UInt8]],
        [false, true]
    )
    func names(name: [UInt8], wasThereBefore: Bool) async throws {
        let inbox = try await Inbox(prepare: { folder in
            if wasThereBefore { try writeFile(folder.path(name)) }
        })
        if !wasThereBefore { try inbox.put(name) }
        inbox.watch.finish(try await inbox.expectNext(name))
        try await inbox.expectNothing()
    }

    enum Thing: CaseIterable {
        case fifo, socket, symbolicLink, danglingLink, folder, device

        func make(at path: [UInt8]) throws {
            switch self {
            case .fifo: try call("mkfifo", withPath(path) { unsafe mkfifo($0, 0o600) })
            case .socket:
                try call("mknod", withPath(path) { unsafe mknod($0, S_IFSOCK | 0o600, 0) })
            case .symbolicLink: try makeSymbolicLink(at: path, to: Array("/etc/passwd".utf8))
            case .danglingLink: try makeSymbolicLink(at: path, to: Array("/nowhere".utf8))
            case .folder: try makeFolder(path)
            // The null device.
            case .device:
                try call("mknod", withPath(path) { unsafe mknod($0, S_IFCHR | 0o600, 0x103) })
            }
        }

        func count(_ skipped: WatchStatus.Skipped) -> Int {
            switch self {
            case .fifo: skipped.fifos
            case .socket: skipped.sockets
            case .symbolicLink, .danglingLink: skipped.symbolicLinks
            case .folder: skipped.folders
            case .device: skipped.devices
            }
        }

        /// Whether this process may make it.
        var isPermitted: Bool {
            guard let folder = try? TemporaryFolder() else { return false }
            return (try? make(at: folder.path([0x61]))) != nil
        }
    }

    @Test(
        "What is no regular file is counted, and never handed out",
        arguments: [.fifo, .socket, .symbolicLink, .danglingLink, .folder] as [Thing],
        [false, true]
    )
    func kinds(thing: Thing, wasThereBefore: Bool) async throws {
        try await expectSkipped(thing, wasThereBefore)
    }

    @Test(
        "A device is counted, and never handed out",
        .enabled(if: Thing.device.isPermitted, "this process may not make devices"),
        arguments: [false, true]
    )
    func devices(wasThereBefore: Bool) async throws {
        try await expectSkipped(.device, wasThereBefore)
    }

    private func expectSkipped(_ thing: Thing, _ wasThereBefore: Bool) async throws {
        let name = Array("tag.png".utf8)
        let inbox = try await Inbox(prepare: { folder in
            if wasThereBefore { try thing.make(at: folder.path(name)) }
        })
        if !wasThereBefore { try thing.make(at: inbox.folder.path(name)) }
        try await inbox.expectNothing()
        #expect(thing.count(inbox.watch.status.skipped) == 1)
        #expect(inbox.watch.status.skipped.total == 1)
        #expect(inbox.watch.status.settled == 1)
        // A file in its place is handed out, and the thing is not counted again until then.
        var scans = inbox.time.scans.makeAsyncIterator()
        // The one at the start.
        _ = await scans.next()
        for _ in 1...2 {
            inbox.watch.reconcile()
            _ = await scans.next()
            try await inbox.expectNothing()
        }
        #expect(inbox.watch.status.skipped.total == 1)
        if thing == .folder {
            try removeFolder(inbox.folder.path(name))
        } else {
            try removeFile(inbox.folder.path(name))
        }
        try inbox.put(name)
        inbox.watch.finish(try await inbox.expectNext(name))
    }

    @Test("A file that a symbolic link has taken the place of is not handed out")
    func swapped() async throws {
        let name = Array("tag.png".utf8)
        let inbox = try await Inbox()
        try inbox.put(name)
        let file = try await inbox.expectNext(name)
        try removeFile(file.path)
        try makeSymbolicLink(at: file.path, to: Array("/etc/passwd".utf8))
        inbox.watch.wait(for: file)
        try await inbox.expectNothing()
        #expect(inbox.watch.status.skipped.symbolicLinks == 1)
    }

    @Test("Half-written files that were there before are waited for, each by itself")
    func backlog() async throws {
        let names = (0..<20 as Range<UInt8>).map { [0x61 + $0] }
        let inbox = try await Inbox(prepare: { folder in
            for name in names { try writeFile(folder.path(name)) }
        })
        var given: Set<[UInt8]> = []
        for _ in names {
            let file = try #require(await inbox.watch.next())
            given.insert(file.name)
            inbox.watch.wait(for: file)
        }
        #expect(given == Set(names))
        #expect(inbox.watch.status.waiting == 20)
        for name in names.shuffled() {
            let descriptor = try openFile(inbox.folder.path(name), O_WRONLY | O_APPEND)
            try writeBytes(descriptor, [2, 3])
            close(descriptor)
            let file = try await inbox.expectNext(name, attempt: 2)
            try removeFile(file.path)
            inbox.watch.finish(file)
        }
        #expect(inbox.watch.status.waiting == 0)
        #expect(inbox.watch.status.settled == 0)
    }
}
