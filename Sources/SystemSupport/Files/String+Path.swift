extension String {
    /// The folder of a path: `/a` of `/a/b`, `/` of `/a`, and nothing of `a`.
    package var parentPath: String {
        let path = withoutLastSlashes
        guard let slash = path.lastIndex(of: UInt8(ascii: "/")) else { return "" }
        return String(String(Substring(path[...slash])).withoutLastSlashes)
    }

    /// The folder of a path, which is that of the program if the path names none.
    package var parentFolder: String { parentPath.isEmpty ? "." : parentPath }

    /// The name at the end of a path: `b` of `/a/b`, and of `/a/b/`.
    package var lastPathComponent: String {
        let path = withoutLastSlashes
        guard let slash = path.lastIndex(of: UInt8(ascii: "/")),
            path.index(after: slash) < path.endIndex
        else { return String(path) }
        return String(Substring(path[path.index(after: slash)...]))
    }

    /// The path without slashes at its end, but for one that is all of it.
    ///
    /// By its bytes: to Swift, a slash and an accent after it are one character.
    private var withoutLastSlashes: Substring.UTF8View {
        var path = self[...].utf8
        while path.last == UInt8(ascii: "/"), path.dropFirst().first != nil { path.removeLast() }
        return path
    }
}

extension String {
    fileprivate init(_ bytes: Substring.UTF8View) { self = String(Substring(bytes)) }
}
