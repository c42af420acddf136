internal import Foundation
internal import SystemSupport

/// The place of a file, the same for all of its names.
struct FilePlace: Equatable {
    private let identity: FileIdentity
    /// The file's name in the folder, if there is no file yet.
    private let name: String?

    /// Finds the file, or the folder in which it would be; nil if neither exists.
    ///
    /// - Parameter path: The path; links are followed.
    init?(_ path: String) {
        if let file = FileStatus(at: path)?.identity {
            identity = file
            name = nil
            return
        }
        let url = URL(fileURLWithPath: path).resolvingSymlinksInPath()
        guard let folder = FileStatus(at: url.deletingLastPathComponent().path)?.identity else {
            return nil
        }
        identity = folder
        name = url.lastPathComponent
    }
}
