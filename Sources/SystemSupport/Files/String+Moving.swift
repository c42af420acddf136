internal import CLinux
internal import Glibc

extension String {
    /// Moves the file or folder at this path to another path on the same file system.
    ///
    /// - Parameters:
    ///   - path: The new path.
    ///   - replaces: Whether a file, or an empty folder, that is there gives way.
    /// - Returns: 0; `EEXIST` if something is there that does not give way; or another error number.
    @discardableResult
    package func move(to path: String, replacing replaces: Bool) -> Int32 {
        if replaces { return unsafe rename(self, path) == 0 ? 0 : errno }
        return unsafe filing_move(AT_FDCWD, self, AT_FDCWD, path)
    }
}
