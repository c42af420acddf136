#if canImport(Glibc)
internal import Glibc
#endif

/// Which file it is, and what changes when somebody writes to it: its length and its times.
struct FileState: Sendable {
    /// The number of the file in its file system.
    let number: UInt64
    let byteCount: Int
    let modified: Time
    /// When its content, its name or its rights were changed last.
    let changed: Time
    /// How many names it has.
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

    /// Whether nobody has written to the file between an earlier state and this one.
    ///
    /// A file whose last name was taken, as by another one of that name, or one of several names, has a
    /// new time of its state although its bytes are the same.
    func hasContent(of earlier: FileState) -> Bool {
        let hasOneName = linkCount == 1 && earlier.linkCount == 1
        return hasLengthAndTime(of: earlier) && (changed == earlier.changed || !hasOneName)
    }

    /// Whether it has the length and the time of an earlier state, which a new name leaves as they are.
    func hasLengthAndTime(of earlier: FileState) -> Bool {
        byteCount == earlier.byteCount && modified == earlier.modified
    }
}
