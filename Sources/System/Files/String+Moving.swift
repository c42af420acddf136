internal import CLinux

#if canImport(Glibc)
internal import Glibc
#endif

extension String {
    /// Gives the file at this path another path, unless something has that one.
    ///
    /// - Parameter path: The new path, on the same file system.
    /// - Returns: 0; `EEXIST` if something is at the new path; or the number of another error.
    package func moveWithoutReplacing(to path: String) -> Int32 {
        unsafe filing_move(AT_FDCWD, self, AT_FDCWD, path)
    }
}
