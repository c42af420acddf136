import Foundation
import SystemSupport
import TestFolders
import Testing

@Suite("What the system tells about a file")
struct FileStatusTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    /// What may be at a path.
    enum Thing: CaseIterable {
        case file, folder, link, danglingLink, pipe, device

        var kind: FileStatus.Kind {
            switch self {
            case .file: .file
            case .folder: .folder
            case .link, .danglingLink: .link
            case .pipe: .pipe
            case .device: .device
            }
        }

        /// Its path, once it is there.
        func put(in folder: TemporaryFolder) throws -> String {
            let path = folder.path("thing")
            switch self {
            case .file: try folder.write("bytes", to: "thing")
            case .folder: try #require(unsafe mkdir(path, 0o700) == 0)
            case .link: try #require(unsafe symlink("/dev/null", path) == 0)
            case .danglingLink: try #require(unsafe symlink("nothing", path) == 0)
            case .pipe: try #require(unsafe mkfifo(path, 0o600) == 0)
            case .device: return "/dev/null"
            }
            return path
        }
    }

    @Test("includes its kind, also for one in a list of a folder", arguments: Thing.allCases)
    func kinds(thing: Thing) throws {
        let path = try thing.put(in: folder)
        #expect(FileStatus(at: path, followsLinks: false)?.kind == thing.kind)
        let followed = FileStatus(at: path)?.kind
        switch thing {
        case .link: #expect(followed == .device)
        case .danglingLink: #expect(followed == nil)
        default: #expect(followed == thing.kind)
        }
        if thing == .device { return }
        var listed: [FileStatus.Kind?] = []
        let number = FolderEntry.forEach(at: Array(folder.path.utf8)) { entry in
            listed.append(entry.kind)
            return true
        }
        #expect(number == 0 && listed == [thing.kind])
    }

    @Test("is the same by its path, by another name, by its name in a folder, and when it is open")
    func ways() throws {
        let path = try folder.write("bytes", to: "one")
        try #require(unsafe link(path, folder.path("two")) == 0)
        try #require(unsafe symlink("one", folder.path("three")) == 0)
        // Write permission for a file's group is not given by a umask.
        try #require(unsafe chmod(path, 0o4626) == 0)
        let opened = unsafe open(path, O_RDONLY)
        let inside = unsafe open(folder.path, O_RDONLY)
        try #require(opened >= 0 && inside >= 0)
        defer {
            close(opened)
            close(inside)
        }
        let name: [CChar] = Array("two".utf8).cString
        let linking: [CChar] = Array("three".utf8).cString
        let found = [
            FileStatus(at: path), FileStatus(at: folder.path("two")),
            FileStatus(at: Array(path.utf8), followsLinks: false), FileStatus(of: opened),
            FileStatus(of: name, in: inside),
            FileStatus(of: linking, in: inside, followsLinks: true),
        ]
        let first = try #require(FileStatus(at: path))
        for status in found {
            let status = try #require(status)
            #expect(status.kind == .file && status.byteCount == 5 && status.linkCount == 2)
            #expect(status.owner == geteuid() && status.permissions == 0o4626)
            #expect(status.identity == first.identity && status.changed == first.changed)
            #expect(status.modified == first.modified)
        }
        #expect(FileStatus(of: linking, in: inside)?.kind == .link)
        #expect(FileStatus(at: folder.path)?.identity != first.identity)
    }

    @Test("has times to the nanosecond, also before 1970")
    func times() throws {
        let path = try folder.write("", to: "old")
        let times = [
            timespec(tv_sec: 1, tv_nsec: 0), timespec(tv_sec: -2, tv_nsec: 500_000_001),
        ]
        try #require(unsafe utimensat(AT_FDCWD, path, times, 0) == 0)
        let status = try #require(FileStatus(at: path))
        #expect(status.accessed.seconds == 1 && status.accessed.nanoseconds == 0)
        #expect(status.modified.seconds == -2 && status.modified.nanoseconds == 500_000_001)
        #expect(status.modified.inSeconds == -1.499999999)
    }

    @Test(
        "is not there where the system refuses, which tells why",
        arguments: [("none", ENOENT), ("file/none", ENOTDIR), ("loop", ELOOP)]
    )
    func refusal(name: String, number: Int32) throws {
        try folder.write("", to: "file")
        try #require(unsafe symlink("loop", folder.path("loop")) == 0)
        errno = 0
        let isThere = FileStatus(at: folder.path(name)) != nil
        #expect(errno == number)
        #expect(!isThere)
        #expect(FileStatus(of: -1) == nil)
    }

    @Test(
        "gives another file what it allows, but to no other group",
        .enabled(if: geteuid() == 0, "only root can act for another user"),
        arguments: [
            // The permissions, who makes the other file, and what that allows in the end.
            (0o640, false, 0o640), (0o664, false, 0o664), (0o640, true, 0o600),
            (0o664, true, 0o644), (0o2675, true, 0o655),
        ]
    )
    func sharing(permissions: mode_t, isGuests: Bool, expected: UInt32) throws {
        let path = try folder.write("", to: "file")
        let group: gid_t = 4242
        try #require(unsafe chown(path, 65_533, group) == 0 && chmod(path, permissions) == 0)
        try #require(unsafe chmod(folder.path, 0o777) == 0)
        let status = try #require(FileStatus(at: path))
        let other = folder.path("other")
        let share = { @Sendable () throws -> FileStatus in
            let descriptor = unsafe open(other, O_CREAT | O_WRONLY | O_EXCL, 0o666)
            try #require(descriptor >= 0)
            defer { close(descriptor) }
            status.share(descriptor)
            return try #require(FileStatus(of: descriptor))
        }
        let shared = try isGuests ? Guest().run(share) : share()
        #expect(shared.permissions == expected)
        #expect((shared.group == group) == !isGuests)
    }

    @Test("is had of a file whose name is no text")
    func bytes() throws {
        let path = Array(folder.path("").utf8) + [0xFF, 0xFE]
        let made = unsafe open(path.cString, O_WRONLY | O_CREAT, 0o600)
        try #require(made >= 0)
        close(made)
        #expect(FileStatus(at: path)?.kind == .file)
    }
}
