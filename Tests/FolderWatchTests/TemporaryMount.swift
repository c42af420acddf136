internal import Glibc
internal import TestFolders

/// A mount that is gone when the test has ended.
final class TemporaryMount {
    private let path: [UInt8]
    private var isMounted = false

    init(_ path: [UInt8]) {
        self.path = path
    }

    deinit {
        try? unmount()
    }

    func mount() throws {
        try mountMemory(on: path)
        isMounted = true
    }

    func bind() throws {
        try bindMount(path)
        isMounted = true
    }

    func unmount() throws {
        guard isMounted else { return }
        isMounted = false
        try FolderWatchTests.unmount(path)
    }
}

/// Two folders in memory laid over one another, gone when the test has ended.
final class Overlay {
    /// The folder in which both are seen.
    let merged: [UInt8]
    /// The one that takes what is written.
    let upper: [UInt8]

    private let base: TemporaryFolder
    private let memory: TemporaryMount
    private var isMounted = false

    init() throws {
        base = try TemporaryFolder()
        // An overlay cannot lie upon another one.
        memory = TemporaryMount(base.bytes)
        try memory.mount()
        for name in ["lower", "upper", "work", "merged"] { _ = try base.makeFolder(name) }
        merged = base.path(Array("merged".utf8))
        upper = base.path(Array("upper".utf8))
        let layers =
            "lowerdir=\(base.path)/lower,upperdir=\(base.path)/upper,workdir=\(base.path)/work"
        try call(
            "mount",
            withPath(merged) { path in
                withPath(Array(layers.utf8)) { layers in
                    unsafe Glibc.mount("overlay", path, "overlay", 0, layers)
                }
            }
        )
        isMounted = true
    }

    deinit {
        try? unmount()
    }

    func unmount() throws {
        guard isMounted else { return }
        isMounted = false
        try FolderWatchTests.unmount(merged)
        try memory.unmount()
    }
}

func mountMemory(on path: [UInt8]) throws {
    try call("mount", withPath(path) { unsafe mount("tmpfs", $0, "tmpfs", 0, nil) })
}

func bindMount(_ path: [UInt8]) throws {
    let flags = UInt(MS_BIND)
    try call("mount", withPath(path) { unsafe mount($0, $0, nil, flags, nil) })
}

func unmount(_ path: [UInt8]) throws {
    try call("umount", withPath(path) { unsafe umount2($0, Int32(MNT_DETACH)) })
}
