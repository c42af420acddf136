internal import CLinux
internal import Glibc
internal import SystemSupport

extension FolderLayout {
    /// What was done to make all folders exist with the right permissions.
    package struct Changes: Sendable {
        /// The paths of those that were missing.
        package var made: [String] = []
        /// What was corrected on the others, each in a sentence.
        package var putRight: [String] = []
    }

    /// Makes the missing folders, and keeps users who drop pictures from doing anything else.
    ///
    /// Users who may read the watched folder may read the new ones. Users who may write to the watched
    /// folder, or whom the umask allows, may write to those for dropping.
    ///
    /// - Parameter record: The record's file, whose folder must be none of these; nil if it is in none.
    /// - Returns: What was done.
    /// - Throws: ``FilingError`` that names the folder, and says what to do.
    @discardableResult
    package func make(besides record: String? = nil) throws(FilingError) -> Changes {
        let rights = FolderRights(besides: record)
        var changes = Changes()
        let isForDropping = dropFolders.contains { $0.path == Array(path.utf8) }
        // By their permissions, only the service makes names in a folder that contains others.
        let isNew = unsafe mkdir(path, isForDropping ? 0o777 | S_ISVTX : 0o755) == 0
        let number = isNew ? 0 : errno
        let root: HeldFolder
        do throws(FilingError) {
            root = try HeldFolder(at: path)
        } catch {
            // If it is there, opening it has failed, not making it.
            let isThere = [0, EEXIST].contains(number)
            throw FilingError(
                isThere ? error.number : number,
                isThere ? "the folder \(path) cannot be used" : "the folder \(path) cannot be made",
                remedy: isThere && error.number == ENOTDIR ? "name a folder" : nil
            )
        }
        if isNew {
            changes.made.append(path)
            Self.setRights(of: root, like: nil, isForDropping: isForDropping)
        }
        if let done = try rights.secure(namesIn: root, takesPictures: isForDropping) {
            changes.putRight.append(done)
        }
        for folder in dropFolders where folder.path != Array(path.utf8) {
            let name = folder.path.lastComponent
            if try Self.makeFolder(name, in: root, isForDropping: true) {
                changes.made.append(folder.path.pathText)
            }
            if let done = try rights.secure(folder, in: root) { changes.putRight.append(done) }
        }
        for destination in Destination.allCases {
            if try Self.make(destination, in: root) { changes.made.append(path(of: destination)) }
            guard let opened = try rights.open(destination, in: root) else { continue }
            if let done = opened.done { changes.putRight.append(done) }
            try Self.checkMoves(in: opened.folder)
        }
        for folder in dropFolders {
            try Self.checkMoves(in: HeldFolder(at: folder.path.pathText))
        }
        return changes
    }

    /// Opens a folder for filed pictures, for a program that is not the service.
    ///
    /// - Throws: ``FilingError``, also if it is a link by a user who does not decide about the folders.
    func held(_ destination: Destination) throws(FilingError) -> HeldFolder {
        let root = try HeldFolder(at: path)
        let users = [geteuid()] + (root.status.map { [$0.owner] } ?? [])
        let name = Array(destination.rawValue.utf8)
        guard let folder = try FolderRights.open(name, in: root, trusting: users) else {
            throw FilingError(ENOENT, "\(path(of: destination)) cannot be read")
        }
        return folder
    }

    /// Checks that the file system can move a picture without replacing another.
    ///
    /// Some file systems can neither rename without replacing nor give a file two names. There every move
    /// would always fail.
    ///
    /// - Throws: ``FilingError`` on such a file system.
    private static func checkMoves(in folder: HeldFolder) throws(FilingError) {
        let (name, other) = (".luggage-probe.part", ".luggage-probe-2.part")
        let number: Int32
        do throws(SystemError) {
            var file = try TemporaryFile(at: FilePlace(Array(name.utf8), in: folder), mode: 0o600)
            let place = FilePlace(Array(other.utf8), in: folder)
            place.remove()
            number = file.move(to: place)
            if number == 0 { place.remove() }
        } catch {
            // The caller that has something to write there reports that it cannot.
            return
        }
        if [EINVAL, ENOSYS, ENOTSUP, EPERM].contains(number) {
            throw FilingError(
                refusing: "the file system of \(folder.path.onOneLine) can neither rename a file "
                    + "without replacing another nor link it, so no picture can be moved safely; "
                    + "watch a folder on another one"
            )
        }
    }

    /// Makes the folder for a destination if it is missing.
    ///
    /// - Returns: Whether it was missing.
    /// - Throws: ``FilingError``.
    static func make(
        _ destination: Destination,
        in root: HeldFolder
    ) throws(FilingError) -> Bool {
        try makeFolder(Array(destination.rawValue.utf8), in: root, isForDropping: false)
    }

    private static func makeFolder(
        _ name: [UInt8],
        in root: HeldFolder,
        isForDropping: Bool
    ) throws(FilingError) -> Bool {
        let place = FilePlace(name, in: root)
        let mode = isForDropping ? 0o777 | S_ISVTX : 0o755
        guard unsafe mkdirat(root.descriptor, place.name, mode) == 0 else {
            let number = errno
            let found = FileStatus(of: place.name, in: root.descriptor, followsLinks: true)
            if found?.kind == .folder { return false }
            throw FilingError(number, "the folder \(place.path.displayText) cannot be made")
        }
        if let made = HeldFolder(place) {
            setRights(of: made, like: root, isForDropping: isForDropping)
        }
        return true
    }

    /// Gives a new folder the permissions for its users, whatever permissions it has inherited.
    ///
    /// The group's bit stays as it is: a service may be forbidden to set it.
    private static func setRights(
        of folder: HeldFolder,
        like parent: HeldFolder?,
        isForDropping: Bool
    ) {
        guard let made = folder.status else { return }
        // The umask must not shut out the group that the watched folder is shared with.
        let wanted = (parent?.status?.permissions ?? 0) & 0o777
        let rights =
            isForDropping
            ? made.permissions & 0o777 | wanted
            : (parent == nil ? made.permissions : wanted) & 0o755
        filing_set_rights(folder.descriptor, rights | 0o700)
        if rights & FolderRights.writing != 0 {
            filing_grant_new_files(folder.descriptor, geteuid())
        } else if made.permissions & S_ISVTX != 0 {
            // Useless if nobody else may write.
            fchmod(folder.descriptor, made.permissions & 0o6000 | rights | 0o700)
        }
    }
}
