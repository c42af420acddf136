internal import Foundation

#if canImport(Glibc)
internal import Glibc
#endif

/// Where a file is, the same for all of its names.
struct FilePlace: Equatable {
    private let device: dev_t
    private let inode: ino_t
    /// The name in the folder that was found, where there is no file yet.
    private let name: String?

    /// Finds the file, or the folder in which it would be; nil where not even that is there.
    ///
    /// - Parameter path: The path; links are followed.
    init?(_ path: String) {
        var status = stat()
        if unsafe stat(path, &status) == 0 {
            name = nil
        } else {
            let url = URL(fileURLWithPath: path).resolvingSymlinksInPath()
            guard unsafe stat(url.deletingLastPathComponent().path, &status) == 0 else {
                return nil
            }
            name = url.lastPathComponent
        }
        device = status.st_dev
        inode = status.st_ino
    }
}
