internal import Glibc

extension String {
    /// Waits until the names in the folder at this path are on the disk.
    ///
    /// - Returns: 0, or the error number.
    @discardableResult
    package func synchronizeFolder() -> Int32 {
        let descriptor = unsafe open(self, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else { return errno }
        defer { close(descriptor) }
        return fsync(descriptor) == 0 ? 0 : errno
    }
}
