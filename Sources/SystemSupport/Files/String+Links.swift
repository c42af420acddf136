internal import Glibc

extension String {
    /// The absolute path of what a path leads to, also where there is nothing: links are followed as the system
    /// follows them, so the last may lead to what is missing.
    ///
    /// What the system refuses stays as it is: dots, or a slash at the end, after what is no folder, or one that this
    /// user may not search; and a link that it does not follow for this user, in a circle, or to more than text can
    /// name. So whoever opens the path is told why.
    package var behindLinks: String { followingLinks(isMade: false) }

    /// The same once what is missing before dots is made.
    package var behindLinksOnceMade: String { followingLinks(isMade: true) }

    private func followingLinks(isMade: Bool) -> String {
        var left = absolute.pathComponents
        var path: [Substring] = []
        var links = 0
        while let name = left.popLast() {
            path.append(name)
            if name.isEmpty || name == "." || name == ".." {
                let isRefused = !isMade && FileStatus(at: Self.join(path)) == nil
                // What is above the place that it leads to is not what is above the link.
                let isBehindLink = name == ".." && Self.join(path.dropLast()).isLink
                if isRefused || isBehindLink {
                    while let name = left.popLast() { path.append(name) }
                    break
                }
                path.removeLast()
                if name == ".." { _ = path.popLast() }
                continue
            }
            guard let target = Self.target(of: path) else { continue }
            links += 1
            // The system follows no more, in one path.
            if links > Self.mostLinks { return absolute }
            path.removeLast()
            if target.utf8.first == UInt8(ascii: "/") { path = [] }
            left += target.pathComponents
        }
        return Self.join(path)
    }

    /// What a link at a path says, if that is where the system goes; nil if there is no link.
    ///
    /// What a link of the kernel's own says, as those in `/proc/self`, need not be a path to where it leads.
    private static func target(of path: [Substring]) -> String? {
        let link = join(path)
        guard let target = link.linkTarget else { return nil }
        guard let found = FileStatus(at: link) else { return errno == ENOENT ? target : nil }
        let isAbsolute = target.utf8.first == UInt8(ascii: "/")
        let named = isAbsolute ? target : join(path.dropLast()) + "/" + target
        return FileStatus(at: named)?.identity == found.identity ? target : nil
    }

    /// Whether a symbolic link is at this path: one behind links is none that could be followed.
    package var isLink: Bool { FileStatus(at: self, followsLinks: false)?.kind == .link }

    /// The same path from the root on, whatever folder a program works in.
    package var absolute: String {
        utf8.first == UInt8(ascii: "/") ? self : Self.currentFolder + "/" + self
    }

    /// Where a symbolic link at this path leads; nil if there is none, or if it leads to what is no valid text.
    package var linkTarget: String? {
        var bytes = [CChar](repeating: 0, count: Int(PATH_MAX))
        let count = unsafe readlink(self, &bytes, bytes.count)
        return count > 0 ? String(validating: bytes.prefix(count), as: UTF8.self) : nil
    }

    /// The most links to follow, as in the kernel.
    private static let mostLinks = 40

    /// The components, last one first: an empty one for a slash at the end.
    private var pathComponents: [Substring] {
        let names = utf8.split(separator: UInt8(ascii: "/")).map { Substring($0) }
        return (utf8.last == UInt8(ascii: "/") ? names + [""] : names).reversed()
    }

    private static func join(_ path: some Sequence<Substring>) -> String {
        "/" + path.joined(separator: "/")
    }

    private static var currentFolder: String {
        // A folder that was removed has no path, and that of another one may be no text.
        let unnamed = "/proc/self/cwd"
        guard let path = unsafe getcwd(nil, 0) else { return unnamed }
        defer { unsafe free(path) }
        return unsafe String(validatingCString: path) ?? unnamed
    }
}
