internal import SystemSupport

extension FolderLayout {
    /// Returns why a file of the service may not be at a path: the service would file it as a picture.
    ///
    /// - Parameters:
    ///   - path: The path of the file. Neither it nor any folder need exist.
    ///   - name: What it is, for a person.
    /// - Returns: The reason and what to do; nil if it is elsewhere.
    package func refusal(of path: String, _ name: String) -> String? {
        let folder = path.behindLinksOnceMade.parentPath
        // A folder that is mounted twice has several paths without links.
        let identity = FileStatus(at: folder)?.identity
        let folders =
            dropFolders.map { ($0.path.pathText, "people drop pictures") }
            + Destination.allCases.map { (self.path(of: $0), "the service puts pictures") }
        for (own, what) in folders {
            let isSame = identity != nil && FileStatus(at: own)?.identity == identity
            guard isSame || own.behindLinks == folder else { continue }
            return
                "\(name), \(path.onOneLine), is in \(own.onOneLine), where \(what); name a place "
                + "elsewhere"
        }
        return nil
    }
}
