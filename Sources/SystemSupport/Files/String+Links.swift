internal import Glibc

extension String {
    /// The absolute path of what a path leads to, also where there is nothing: links are followed as the system
    /// follows them, so the last may lead to what is missing.
    ///
    /// What the system refuses stays as it is: dots, or a slash at the end, after what is no folder, or one that this
    /// user may not search.
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
                if !isMade && FileStatus(at: Self.join(path)) == nil {
                    while let name = left.popLast() { path.append(name) }
                    break
                }
                path.removeLast()
                if name == ".." { _ = path.popLast() }
                continue
            }
            // A circular link leads nowhere.
            guard links < Self.mostLinks, let target = Self.join(path).linkTarget else {
                continue
            }
            links += 1
            path.removeLast()
            if target.utf8.first == UInt8(ascii: "/") { path = [] }
            left += target.pathComponents
        }
        return Self.join(path)
    }

    /// The same path from the root on, whatever folder a program works in.
    package var absolute: String {
        utf8.first == UInt8(ascii: "/") ? self : Self.currentFolder + "/" + self
    }

    /// Where a symbolic link at this path leads; nil if there is none.
    package var linkTarget: String? {
        var bytes = [CChar](repeating: 0, count: Int(PATH_MAX))
        let count = unsafe readlink(self, &bytes, bytes.count)
        return count > 0
            ? String(decoding: bytes.prefix(count).map(UInt8.init(bitPattern:)), as: UTF8.self)
            : nil
    }

    /// The most links to follow, as in the kernel.
    private static let mostLinks = 40

    /// The components, last one first: an empty one for a slash at the end.
    private var pathComponents: [Substring] {
        let names = utf8.split(separator: UInt8(ascii: "/")).map { Substring($0) }
        return (utf8.last == UInt8(ascii: "/") ? names + [""] : names).reversed()
    }

    private static func join(_ path: [Substring]) -> String {
        "/" + path.joined(separator: "/")
    }

    private static var currentFolder: String {
        // A folder that was removed has no path.
        guard let path = unsafe getcwd(nil, 0) else { return "/proc/self/cwd" }
        defer { unsafe free(path) }
        return unsafe String(cString: path)
    }
}
