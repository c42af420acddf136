internal import Glibc

/// What the system tells about a file.
///
/// If it tells nothing, there is no value, and `errno` says why.
package struct FileStatus: Sendable {
    /// The kinds of files.
    package enum Kind: Sendable {
        case file, folder, link, pipe, device, socket, other

        /// Takes the kind from a file's mode.
        init(mode: mode_t) {
            self =
                switch mode & S_IFMT {
                case S_IFREG: .file
                case S_IFDIR: .folder
                case S_IFLNK: .link
                case S_IFIFO: .pipe
                case S_IFCHR, S_IFBLK: .device
                case S_IFSOCK: .socket
                default: .other
                }
        }
    }

    private let status: stat

    /// Asks about an open file.
    package init?(of descriptor: Int32) {
        var status = stat()
        guard unsafe fstat(descriptor, &status) == 0 else { return nil }
        self.status = status
    }

    /// Asks about the file at a path given as text.
    ///
    /// - Parameters:
    ///   - path: The path.
    ///   - followsLinks: Whether to ask about the target if the path is a symbolic link.
    package init?(at path: String, followsLinks: Bool = true) {
        self.init(at: Array(path.utf8), followsLinks: followsLinks)
    }

    /// Asks about the file at a path in the system's bytes.
    ///
    /// - Parameters:
    ///   - path: The path.
    ///   - followsLinks: Whether to ask about the target if the path is a symbolic link.
    package init?(at path: [UInt8], followsLinks: Bool = true) {
        self.init(of: path.cString, in: AT_FDCWD, followsLinks: followsLinks)
    }

    /// Asks about the file with a name in an open folder.
    ///
    /// - Parameters:
    ///   - name: The name, or a path relative to the folder, with its terminating 0 byte.
    ///   - folder: The descriptor of the folder.
    ///   - followsLinks: Whether to ask about the target if the name is a symbolic link's.
    package init?(of name: [CChar], in folder: Int32, followsLinks: Bool = false) {
        var status = stat()
        let flags = followsLinks ? 0 : AT_SYMLINK_NOFOLLOW
        guard unsafe fstatat(folder, name, &status, flags) == 0 else { return nil }
        self.status = status
    }

    package var kind: Kind { Kind(mode: status.st_mode) }

    /// Which file it is.
    package var identity: FileIdentity {
        FileIdentity(device: UInt64(status.st_dev), number: UInt64(status.st_ino))
    }

    package var byteCount: Int { status.st_size }

    /// The number of its names (hard links).
    package var linkCount: Int { Int(status.st_nlink) }

    /// The user who owns it.
    package var owner: UInt32 { status.st_uid }

    /// The group that it belongs to.
    package var group: UInt32 { status.st_gid }

    /// Its permissions, with the set-user, set-group and sticky bits.
    package var permissions: UInt32 { status.st_mode & 0o7777 }

    /// Gives another file the owner, if that is allowed, and the permissions of this one, except to its group if the
    /// other file cannot be given to that group.
    ///
    /// - Parameter descriptor: The other file, which is open, and which this program has made.
    package func share(_ descriptor: Int32) {
        let isGroups =
            fchown(descriptor, owner, group) == 0
            || fchown(descriptor, UInt32.max, group) == 0
            || FileStatus(of: descriptor)?.group == group
        // Another group is given what all others are.
        let others = permissions & 0o007
        let mode = isGroups ? permissions & 0o777 : permissions & (0o707 | others << 3)
        _ = fchmod(descriptor, mode)
    }

    /// When it was last read, as far as the file system keeps that.
    package var accessed: FileTime { FileTime(status.st_atim) }

    /// When its content was last changed; programs can set it.
    package var modified: FileTime { FileTime(status.st_mtim) }

    /// When its content, its names or its permissions were last changed; no program can set it.
    package var changed: FileTime { FileTime(status.st_ctim) }
}

/// The identity of a file, whatever its names are: its device and inode numbers.
package struct FileIdentity: Hashable, Sendable {
    package let device: UInt64
    package let number: UInt64

    /// Takes known numbers.
    package init(device: UInt64, number: UInt64) {
        self.device = device
        self.number = number
    }
}

/// A time of the file system, since 1970.
package struct FileTime: Hashable, Sendable {
    /// The whole seconds, below 0 before 1970.
    package let seconds: Int
    /// What is to be added to them.
    package let nanoseconds: Int

    fileprivate init(_ time: timespec) {
        (seconds, nanoseconds) = (time.tv_sec, time.tv_nsec)
    }

    /// The whole time in seconds.
    package var inSeconds: Double { Double(seconds) + Double(nanoseconds) / 1_000_000_000 }
}
