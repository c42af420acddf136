internal import System

extension FolderLayout {
    /// Sees to it that nothing is filed again that a service has filed, by another one.
    ///
    /// - Throws: ``FolderInUse`` where a service runs that puts what it has filed into the watched folder,
    ///   or that watches one into which that is to be put.
    func refuseFiledPictures() throws(FolderInUse) {
        // The system's word for the folder above, whatever this one's path is and leads through.
        let above = FolderLayout(path: "\(path)/..")
        let place = FileIdentity(at: path)
        let isForFiled = Destination.allCases.contains { destination in
            place != nil && FileIdentity(at: above.path(of: destination)) == place
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
