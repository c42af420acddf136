internal import CLinux

#if canImport(Glibc)
internal import Glibc
#endif

extension String {
    /// Moves the file at this path to another path, unless that is taken.
    ///
    /// - Parameter path: The new path, on the same file system.
    /// - Returns: 0; `EEXIST` if something is at the new path; or another error number.
    package func moveWithoutReplacing(to path: String) -> Int32 {
        unsafe filing_move(AT_FDCWD, self, AT_FDCWD, path)
    }
}
