internal import SystemSupport

extension FolderLayout {
    /// Refuses to watch a folder if one service would file again what another has filed.
    ///
    /// - Throws: ``FolderInUse`` if a running service puts what it has filed into the watched folder, or
    ///   watches a folder into which this one would put what it has filed.
    func refuseFiledPictures() throws(FolderInUse) {
        // The kernel resolves "..", whatever links the path goes through.
        let above = FolderLayout(path: "\(path)/..")
        let place = FileStatus(at: path)?.identity
        let isForFiled = Destination.allCases.contains { destination in
            place != nil && FileStatus(at: above.path(of: destination))?.identity == place
        }
        if isForFiled, let owner = FolderLock.owner(of: above.path) {
            throw FolderInUse(folder: path, owner: owner, isForFiled: true)
        }
        for destination in Destination.allCases {
            let folder = path(of: destination)
            if let owner = FolderLock.owner(of: folder) {
                throw FolderInUse(folder: folder, owner: owner)
            }
        }
    }
}
