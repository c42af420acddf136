internal import CLinux
internal import Glibc

/// The identity of a file in its file system; a removed file with the same number had another one.
package struct FileBirth: Hashable, Sendable {
    package let number: UInt64
    /// When it was made, in nanoseconds since 1970; 0 if the file system does not say.
    package let time: Int64

    /// Takes known values.
    package init(number: UInt64, time: Int64) {
        (self.number, self.time) = (number, time)
    }

    /// Identifies the file at a path; nil if it cannot be found.
    package init?(at path: String) {
        self.init(AT_FDCWD, path)
    }

    /// Identifies an open file; nil if the descriptor is not valid.
    package init?(of descriptor: Int32) {
        self.init(descriptor, "")
    }

    private init?(_ folder: Int32, _ path: String) {
        var (number, time): (UInt64, Int64) = (0, 0)
        guard unsafe system_file_birth(folder, path, &number, &time) == 0 else { return nil }
        self.init(number: number, time: time)
    }
}
