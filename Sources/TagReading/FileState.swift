#if canImport(Glibc)
internal import Glibc
#endif

/// The identity of a file, and what changes when it is written: its length and its times.
struct FileState: Sendable {
    /// The inode number of the file.
    let number: UInt64
    let byteCount: Int
    let modified: Time
    /// When its content, its name or its permissions were last changed.
    let changed: Time
    /// The number of its hard links.
    let linkCount: UInt64

    /// A time of the file system.
    struct Time: Equatable {
        private let wholeSeconds: Int
        private let nanoseconds: Int

        init(_ time: timespec) {
            wholeSeconds = time.tv_sec
            nanoseconds = time.tv_nsec
        }

        /// Seconds since 1970.
        var seconds: Double { Double(wholeSeconds) + Double(nanoseconds) / 1_000_000_000 }
    }

    init(_ status: stat) {
        number = UInt64(status.st_ino)
        byteCount = Int(status.st_size)
        modified = Time(status.st_mtim)
        changed = Time(status.st_ctim)
        linkCount = UInt64(status.st_nlink)
    }

    /// Whether no process has written to the file between an earlier state and this one.
    ///
    /// A change of its names gives the file a new state-change time although its bytes are the
    /// same: that happens if another file takes its last name, or if one of several names is
    /// removed.
    func hasContent(of earlier: FileState) -> Bool {
        let hasOneName = linkCount == 1 && earlier.linkCount == 1
        return hasLengthAndTime(of: earlier) && (changed == earlier.changed || !hasOneName)
    }

    /// Whether it has the length and modification time of an earlier state, which a new name does
    /// not change.
    func hasLengthAndTime(of earlier: FileState) -> Bool {
        byteCount == earlier.byteCount && modified == earlier.modified
    }
}
