internal import Glibc
internal import SystemSupport

/// The folders in which devices come and go, as the system reports it.
///
/// Its signs are hints: whoever gets one looks at all devices again.
final class DeviceFolders {
    /// Becomes readable when something has happened; nil while the system gives no such descriptor.
    private(set) var descriptor: Int32?

    /// The most links that are followed from a path, as many as the system follows.
    private static let mostLinks = 40

    /// Asks for the descriptor, again if there was none.
    func open() {
        if descriptor != nil { return }
        let events = inotify_init1(Int32(IN_NONBLOCK) | Int32(IN_CLOEXEC))
        if events >= 0 { descriptor = events }
    }

    deinit {
        if let descriptor { close(descriptor) }
    }

    /// Asks for signs of everything that may let a device come to a path, or make it usable there.
    ///
    /// - Parameter path: The path, which may have wildcards in its last part.
    func watch(_ path: String) {
        var path = path
        for _ in 0..<Self.mostLinks {
            watchFolder(of: path)
            // The target of a link may come to a folder in which nothing else happens.
            guard let target = path.linkTarget else { return }
            path = target.hasPrefix("/") ? target : "\(path.parentFolder)/\(target)"
        }
    }

    /// Asks for a sign when another program closes a device.
    ///
    /// Programs open serial lines for writing too. This one does not, so its own tries give no sign.
    func watchUse(of path: String) {
        guard let descriptor else { return }
        unsafe inotify_add_watch(descriptor, path, UInt32(IN_CLOSE_WRITE) | UInt32(IN_MASK_ADD))
    }

    /// Takes the signs; they tell nothing that a look at the devices does not.
    func drain() {
        guard let descriptor else { return }
        var events = [UInt8](repeating: 0, count: 16_384)
        while unsafe read(descriptor, &events, events.count) > 0 {}
    }

    /// Watches the folder of a path, or the nearest one above it that is there.
    private func watchFolder(of path: String) {
        guard let descriptor else { return }
        // `ATTRIB`, because a device becomes readable only after it has come.
        let wanted: [Int32] = [IN_CREATE, IN_MOVED_TO, IN_ATTRIB, IN_DELETE_SELF, IN_MOVE_SELF]
            .map { Int32($0) }
        let mask = wanted.reduce(UInt32(IN_ONLYDIR) | UInt32(IN_MASK_ADD)) { $0 | UInt32($1) }
        var folder = path.parentFolder
        var below: String?
        while true {
            let watch = unsafe inotify_add_watch(descriptor, folder, mask)
            if watch >= 0 {
                // What was missing may have come before the watch.
                guard let missing = below, FileStatus(at: missing)?.kind == .folder else { return }
                folder = path.parentFolder
                below = nil
            } else if [ENOENT, ENOTDIR].contains(errno), folder != "/", folder != "." {
                below = folder
                folder = folder.parentFolder
            } else {
                return
            }
        }
    }
}

extension ScannerWords.Named {
    /// The paths at which its devices may be: its own, or those in the folder that fit its wildcards.
    var paths: [String] {
        guard let slash = device.lastIndex(of: "/"),
            device[slash...].contains(where: "*?[".contains)
        else { return [device] }
        let (folder, pattern) = (device[...slash], String(device[slash...].dropFirst()))
        var names: [String] = []
        _ = FolderEntry.forEach(at: Array(folder.utf8)) { entry in
            // Devices have names in plain letters.
            if let name = String(validating: entry.name, as: UTF8.self),
                unsafe fnmatch(pattern, name, FNM_PERIOD) == 0
            {
                names.append(name)
            }
            return true
        }
        return names.sorted().map { folder + $0 }
    }
}
