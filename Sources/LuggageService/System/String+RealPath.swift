internal import Glibc

extension String {
    /// The path without links and dots; works also for a path that does not exist.
    var realPath: String {
        var left = (hasPrefix("/") ? self : Self.currentFolder + "/" + self).pathComponents
        var path: [Substring] = []
        var links = 0
        while let name = left.popLast() {
            if name == "." { continue }
            if name == ".." {
                _ = path.popLast()
                continue
            }
            path.append(name)
            // A circular link leads nowhere.
            guard links < Self.mostLinks, let target = Self.join(path).linkTarget else {
                continue
            }
            links += 1
            path.removeLast()
            if target.hasPrefix("/") { path = [] }
            left += target.pathComponents
        }
        return Self.join(path)
    }

    /// The path of the folder that contains a real path.
    static func parent(ofRealPath path: String) -> String {
        join(path.split(separator: "/").dropLast())
    }

    /// The path of the folder that contains this one, as far as the path names it.
    var parentFolder: String {
        guard let slash = lastIndex(of: "/") else { return "." }
        return slash == startIndex ? "/" : String(self[..<slash])
    }

    /// The most links to follow, as in the kernel.
    private static let mostLinks = 40

    /// The components, last one first.
    private var pathComponents: [Substring] { split(separator: "/").reversed() }

    private static func join(_ path: some Sequence<Substring>) -> String {
        "/" + Array(path).joined(separator: "/")
    }

    private static var currentFolder: String {
        guard let path = unsafe getcwd(nil, 0) else { return "" }
        defer { unsafe free(path) }
        return unsafe String(cString: path)
    }

    /// Where a symbolic link at this path leads; nil if there is none.
    var linkTarget: String? {
        var bytes = [CChar](repeating: 0, count: Int(PATH_MAX))
        let count = unsafe readlink(self, &bytes, bytes.count)
        return count > 0
            ? String(decoding: bytes.prefix(count).map(UInt8.init(bitPattern:)), as: UTF8.self)
            : nil
    }
}
