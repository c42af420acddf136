internal import FoundationEssentials
internal import Glibc

extension String {
    /// The absolute path of what a path leads to, also where there is nothing: links are followed as the system
    /// follows them, so the last may lead to what is missing.
    package var behindLinks: String {
        var path = self
        // No more of them than the system follows.
        for _ in 0..<40 {
            if let present = path.realPath { return present }
            let parent = path.parentPath
            guard let folder = (parent.isEmpty ? "." : parent).realPath else { break }
            let start = folder == "/" ? folder : folder + "/"
            path = start + path.lastPathComponent
            guard let target = path.linkTarget else { return path }
            path = target.hasPrefix("/") ? target : start + target
        }
        return URL(fileURLWithPath: path).path
    }

    /// The path without links, if all of it is there.
    private var realPath: String? {
        guard let path = unsafe realpath(self, nil) else { return nil }
        defer { unsafe free(path) }
        return unsafe String(cString: path)
    }

    /// What a link leads to; nil if this is the path of no link.
    private var linkTarget: String? {
        try? FileManager.default.destinationOfSymbolicLink(atPath: self)
    }
}
