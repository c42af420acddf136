internal import CLinux

#if canImport(Glibc)
internal import Glibc
#endif

/// Which file of a file system it is, told apart also from one that had the same number and was removed.
package struct FileBirth: Hashable, Sendable {
    package let number: UInt64
    /// When it was made, in nanoseconds since 1970; 0 where the file system does not say.
    package let time: Int64

    /// Takes what somebody has told.
    package init(number: UInt64, time: Int64) {
        (self.number, self.time) = (number, time)
    }

    /// Asks about the file at a path; nil where it cannot be found.
    package init?(at path: String) {
        self.init(AT_FDCWD, path)
    }

    /// Asks about an open file; nil where the descriptor is none.
    package init?(of descriptor: Int32) {
        self.init(descriptor, "")
    }

    private init?(_ folder: Int32, _ path: String) {
        var (number, time): (UInt64, Int64) = (0, 0)
        guard unsafe system_file_birth(folder, path, &number, &time) == 0 else { return nil }
        self.init(number: number, time: time)
    }
}
