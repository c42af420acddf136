#if canImport(Glibc)
internal import Glibc
#endif

/// Which file it is, whatever its names are: the number of its file system, and its number there.
package struct FileIdentity: Hashable, Sendable {
    package let device: UInt64
    package let number: UInt64

    /// Takes numbers that somebody has told.
    package init(device: UInt64, number: UInt64) {
        self.device = device
        self.number = number
    }

    /// Asks about an open file; nil where the descriptor is none.
    package init?(of descriptor: Int32) {
        var status = stat()
        guard unsafe fstat(descriptor, &status) == 0 else { return nil }
        self.init(status)
    }

    /// Asks about the file at a path; nil where it cannot be found.
    ///
    /// - Parameters:
    ///   - path: The path as the system knows it.
    ///   - followsLinks: Whether, at a symbolic link, the file is meant to which it leads.
    package init?(at path: [UInt8], followsLinks: Bool = true) {
        var status = stat()
        let path = path.cString
        let result = unsafe followsLinks ? stat(path, &status) : lstat(path, &status)
        guard result == 0 else { return nil }
        self.init(status)
    }

    /// Asks about what has a name in an open folder, no link followed; nil where nothing has.
    ///
    /// - Parameters:
    ///   - name: The name, or a path from there, with the zero at its end.
    ///   - folder: The descriptor of the folder.
    package init?(of name: [CChar], in folder: Int32) {
        var status = stat()
        guard unsafe fstatat(folder, name, &status, AT_SYMLINK_NOFOLLOW) == 0 else { return nil }
        self.init(status)
    }

    /// Asks about the file at a path that is text.
    package init?(at path: String, followsLinks: Bool = true) {
        self.init(at: Array(path.utf8), followsLinks: followsLinks)
    }

    private init(_ status: stat) {
        self.init(device: UInt64(status.st_dev), number: UInt64(status.st_ino))
    }
}
