internal import CLinux
internal import Glibc

/// An open file or folder that is locked until the last reference to this ends.
///
/// The lock belongs to the open file and not to the process, so it always ends with the process.
package final class FileLock: Sendable {
    /// The open file.
    package let descriptor: Int32

    /// Takes over an open file that is locked.
    package init(adopting descriptor: Int32) { self.descriptor = descriptor }

    /// Waits until nobody else holds a folder, and holds it.
    ///
    /// - Throws: The error if it cannot be opened.
    package convenience init(holdingFolder path: String) throws(SystemError) {
        self.init(adopting: unsafe open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC))
        if descriptor < 0 { throw .last }
        while flock(descriptor, LOCK_EX) != 0, errno == EINTR {}
    }

    deinit {
        // A process that was forked meanwhile may have it open for longer.
        filing_unlock(descriptor)
        flock(descriptor, LOCK_UN)
        close(descriptor)
    }
}
