internal import Foundation

#if canImport(Glibc)
internal import Glibc
#endif

/// Where something will be, and where it is until it is whole: beside that, under a hidden name.
struct AtomicPlace {
    /// The path of the place.
    let path: String
    /// The path beside it.
    let temporary: String

    /// Finds the place; a link leads to the one that is meant.
    init(_ path: String) {
        let url = URL(fileURLWithPath: path).resolvingSymlinksInPath()
        let name = ".\(url.lastPathComponent).\(UUID().uuidString.prefix(8))"
        self.path = url.path
        temporary = url.deletingLastPathComponent().appendingPathComponent(name).path
    }

    /// The folder that both are in.
    var folder: String { (path as NSString).deletingLastPathComponent }

    /// Waits until the names in a folder are on the disk, where the file system can do that.
    static func synchronize(_ folder: String) {
        let descriptor = unsafe open(folder, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return }
        fsync(descriptor)
        close(descriptor)
    }
}
