internal import CLinux
internal import LuggageTags
internal import System

#if canImport(Glibc)
internal import Glibc
#endif

extension FolderLayout {
    /// What was done so that all folders are there, and as they are to be.
    public struct Changes: Sendable {
        /// The paths of those that were missing.
        public var made: [String] = []
        /// What was put right of the others, each in a sentence.
        public var putRight: [String] = []
    }

    /// Makes the folders that are missing, and sees to it that whoever drops pictures can do no more.
    ///
    /// New ones may be looked at by whoever may look at the watched folder. Those for dropping may be
    /// written to by whoever may write to that, or whom the mask of the process lets.
    ///
    /// - Parameter record: The file that the record is in, whose folder must be none of these; nil where
    ///   it is in none.
    /// - Returns: What was done.
    /// - Throws: ``FilingError`` which names the folder, and says what to do.
    @discardableResult
    public func make(besides record: String? = nil) throws(FilingError) -> Changes {
        let rights = FolderRights(besides: record)
        var changes = Changes()
        let isForDropping = dropFolders.contains { $0.path == Array(path.utf8) }
        // By their rights, only the service makes names in a folder that others are in.
        let isNew = unsafe mkdir(path, isForDropping ? 0o777 | S_ISVTX : 0o755) == 0
        let number = isNew ? 0 : errno
        let root: HeldFolder
        do throws(FilingError) {
            root = try HeldFolder(at: path)
        } catch {
            // Where it is there, that is what has failed.
            let isThere = [0, EEXIST].contains(number)
            throw FilingError(
                isThere ? error.number : number,
                "the folder \(path) cannot be made"
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

    /// Opens a folder for what was filed, for who is not the service.
    ///
    /// - Throws: ``FilingError``, where it is a link that is nobody's who decides about the folders, too.
    func held(_ destination: Destination) throws(FilingError) -> HeldFolder {
        let root = try HeldFolder(at: path)
        let users = [geteuid()] + (root.status.map { [$0.st_uid] } ?? [])
        let name = Array(destination.rawValue.utf8)
        guard let folder = try FolderRights.open(name, in: root, trusting: users) else {
            throw FilingError(ENOENT, "\(path(of: destination)) cannot be read")
        }
        return folder
    }

    /// Sees to it that pictures can be moved at all without one taking the place of another.
    ///
    /// Some file systems can neither rename without replacing nor give a file two names. Every move would
    /// fail there, for ever.
    ///
    /// - Throws: ``FilingError`` where it is so.
    private static func checkMoves(in folder: HeldFolder) throws(FilingError) {
        let (name, other) = (".luggage-probe.part", ".luggage-probe-2.part")
        let number: Int32
        do throws(TemporaryFile.SystemFailure) {
            var file = try TemporaryFile(at: FilePlace(Array(name.utf8), in: folder), mode: 0o600)
            let place = FilePlace(Array(other.utf8), in: folder)
            place.remove()
            number = file.move(to: place)
            if number == 0 { place.remove() }
        } catch {
            // Whoever has something to write there says that it cannot be.
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

    /// Makes the folder for what is filed, where it is missing.
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
            var status = stat()
            let isFolder =
                unsafe fstatat(root.descriptor, place.name, &status, 0) == 0
                && status.st_mode & S_IFMT == S_IFDIR
            if isFolder { return false }
            throw FilingError(number, "the folder \(place.path.displayText) cannot be made")
        }
        let flags = O_RDONLY | O_DIRECTORY | O_CLOEXEC | O_NOFOLLOW
        let descriptor = unsafe openat(root.descriptor, place.name, flags)
        if descriptor >= 0 {
            let made = HeldFolder(adopting: descriptor, path: place.path.pathText)
            setRights(of: made, like: root, isForDropping: isForDropping)
        }
        return true
    }

    /// Lets a new folder be used by whom it is for, whatever it has inherited.
    ///
    /// The group's bit stays as it is, which a service may be kept from setting.
    private static func setRights(
        of folder: HeldFolder,
        like parent: HeldFolder?,
        isForDropping: Bool
    ) {
        guard let made = folder.status else { return }
        // The mask of the process must not shut out the group that the watched folder is shared with.
        let wanted = (parent?.status?.st_mode ?? 0) & 0o777
        let rights =
            isForDropping
            ? made.st_mode & 0o777 | wanted : (parent == nil ? made.st_mode : wanted) & 0o755
        filing_set_rights(folder.descriptor, rights | 0o700)
        if rights & FolderRights.writing != 0 {
            filing_grant_new_files(folder.descriptor, geteuid())
        } else if made.st_mode & S_ISVTX != 0 {
            // Of no use where nobody else may write.
            fchmod(folder.descriptor, made.st_mode & 0o6000 | rights | 0o700)
        }
    }
}
