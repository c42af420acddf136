#if canImport(Glibc)
internal import Glibc
#endif

/// The identity of a file, whatever its names are: its device and inode numbers.
package struct FileIdentity: Hashable, Sendable {
    package let device: UInt64
    package let number: UInt64

    /// Takes known numbers.
    package init(device: UInt64, number: UInt64) {
        self.device = device
        self.number = number
    }

    /// Identifies an open file; nil if the descriptor is not valid.
    package init?(of descriptor: Int32) {
        var status = stat()
        guard unsafe fstat(descriptor, &status) == 0 else { return nil }
        self.init(status)
    }

    /// Identifies the file at a path; nil if it cannot be found.
    ///
    /// - Parameters:
    ///   - path: The path in the system's bytes.
    ///   - followsLinks: Whether to identify the target if the path is a symbolic link.
    package init?(at path: [UInt8], followsLinks: Bool = true) {
        var status = stat()
        let path = path.cString
        let result = unsafe followsLinks ? stat(path, &status) : lstat(path, &status)
        guard result == 0 else { return nil }
        self.init(status)
    }

    /// Identifies the file with a name in an open folder, without following a link; nil if there is none.
    ///
    /// - Parameters:
    ///   - name: The name, or a path relative to the folder, with its terminating 0 byte.
    ///   - folder: The descriptor of the folder.
    package init?(of name: [CChar], in folder: Int32) {
        var status = stat()
        guard unsafe fstatat(folder, name, &status, AT_SYMLINK_NOFOLLOW) == 0 else { return nil }
        self.init(status)
    }

    /// Identifies the file at a path given as text.
    package init?(at path: String, followsLinks: Bool = true) {
        self.init(at: Array(path.utf8), followsLinks: followsLinks)
    }

    private init(_ status: stat) {
        self.init(device: UInt64(status.st_dev), number: UInt64(status.st_ino))
    }
}
