internal import CLinux
internal import Glibc
internal import SystemSupport

/// Checks permissions, so that users who drop pictures decide only which pictures are read.
///
/// A user who may write to a folder may rename what is in it, unless it has the sticky bit; its owner
/// always may. So a folder that contains others must belong to the service or root, and have the
/// sticky bit if others may write to it. Nobody else may write to the folders for filed pictures.
struct FolderRights: Sendable {
    /// The record's file, to or from whose folder no picture is moved; nil if it is in none.
    let record: String?
    /// The user as whom the service runs.
    var user = geteuid()

    init(besides record: String?) {
        self.record = record
    }

    /// The write permissions of everyone but the owner.
    static let writing: mode_t = 0o022

    // MARK: Folders that contain others

    /// Checks a watched folder, or one that contains others, and corrects it if that is ours to do.
    ///
    /// - Parameters:
    ///   - folder: The folder.
    ///   - takesPictures: Whether the service takes other users' pictures out of it.
    /// - Returns: What was done, for a person; nil if it was right.
    /// - Throws: ``FilingError`` that says what to do.
    func secure(
        namesIn folder: HeldFolder,
        takesPictures: Bool
    ) throws(FilingError) -> String? {
        let path = folder.path.onOneLine
        guard let status = folder.status else {
            throw FilingError(errno, "\(path) cannot be examined")
        }
        if takesPictures, let record, Self.folder(of: record) == folder.identity {
            throw FilingError(
                refusing: "\(path) is the folder of the record; drop pictures elsewhere"
            )
        }
        guard status.owner == user || status.owner == 0 else {
            throw FilingError(
                refusing: "\(path) belongs to \(Self.name(of: status.owner)), who could replace "
                    + "the folders in it; run 'chown \(Self.name(of: user)) \(path)', "
                    + "or have that user watch it"
            )
        }
        if status.permissions & Self.writing == 0 { return nil }
        if status.permissions & S_ISVTX == 0 {
            guard status.owner == user || user == 0, Self.makeSticky(folder, status) else {
                throw FilingError(
                    refusing:
                        "anyone who may write to \(path) could replace the folders in it; run "
                        + "'chown \(Self.name(of: user)) \(path)' and "
                        + "'chmod +t \(path)'"
                )
            }
            if takesPictures { filing_grant_new_files(folder.descriptor, user) }
            return "\(path) has the sticky bit now: people can remove only their own files from it"
        }
        if takesPictures && status.owner != user && user != 0 {
            throw FilingError(
                refusing:
                    "the service cannot take the pictures of others out of \(path), which has the "
                    + "sticky bit; "
                    + "run 'chown \(Self.name(of: user)) \(path)'"
            )
        }
        return nil
    }

    private static func makeSticky(_ folder: HeldFolder, _ status: FileStatus) -> Bool {
        let mode = status.permissions | S_ISVTX
        if fchmod(folder.descriptor, mode) == 0 { return true }
        // A service may be forbidden to set the group's bit, even if it is set already.
        return fchmod(folder.descriptor, mode & ~S_ISGID) == 0
    }

    /// Opens a folder within another one.
    ///
    /// Follows a link only if a trusted user has made it.
    ///
    /// - Parameters:
    ///   - name: Its name.
    ///   - root: The folder that it is in.
    ///   - users: The trusted users besides root.
    /// - Returns: The folder; nil if there is none.
    /// - Throws: ``FilingError`` that says what to do.
    static func open(
        _ name: [UInt8],
        in root: HeldFolder,
        trusting users: [uid_t]
    ) throws(FilingError) -> HeldFolder? {
        let place = FilePlace(name, in: root)
        guard let found = place.status else { return nil }
        let path = place.path.displayText.onOneLine
        let isLink = found.kind == .link
        if isLink && (!(users + [0]).contains(found.owner) || found.linkCount > 1) {
            throw FilingError(
                refusing:
                    "\(path) is a link that \(Self.name(of: found.owner)) has made; remove it"
            )
        }
        guard let folder = HeldFolder(place, followsLinks: isLink) else {
            throw FilingError(errno, "\(path) cannot be opened")
        }
        return folder
    }

    /// Opens a folder for dropping within the watched one, and checks it.
    ///
    /// - Returns: What was done about it, for a person.
    /// - Throws: ``FilingError`` that says what to do.
    func secure(_ folder: DropFolder, in root: HeldFolder) throws(FilingError) -> String? {
        guard folder.path != Array(root.path.utf8) else {
            return try secure(namesIn: root, takesPictures: true)
        }
        let held = try Self.open(folder.path.lastComponent, in: root, trusting: [user])
        guard let held else {
            throw FilingError(ENOENT, "\(folder.path.displayText) cannot be opened")
        }
        return try secure(namesIn: held, takesPictures: true)
    }

    // MARK: Folders for filed pictures

    /// Opens the folder for a destination, and checks it.
    ///
    /// - Parameters:
    ///   - destination: The destination.
    ///   - root: The watched folder, which is secure.
    /// - Returns: The folder, and what was done about it, for a person; nil if there is none.
    /// - Throws: ``FilingError`` that says what to do.
    func open(
        _ destination: FolderLayout.Destination,
        in root: HeldFolder
    ) throws(FilingError) -> (folder: HeldFolder, done: String?)? {
        let name = Array(destination.rawValue.utf8)
        guard let folder = try Self.open(name, in: root, trusting: [user]) else { return nil }
        // A link may lead to a folder in which others decide about the names.
        let above = HeldFolder(FilePlace(Array("..".utf8), in: folder))
        if let above, above.identity != root.identity {
            _ = try secure(namesIn: above, takesPictures: false)
        }
        return (folder, try secure(filed: folder))
    }

    /// Checks a folder for filed pictures, and corrects it if that is ours to do.
    private func secure(filed folder: HeldFolder) throws(FilingError) -> String? {
        let path = folder.path.onOneLine
        guard let status = folder.status else {
            throw FilingError(errno, "\(path) cannot be examined")
        }
        guard status.owner == user || status.owner == 0 else {
            throw FilingError(
                refusing:
                    "\(path) belongs to \(Self.name(of: status.owner)), who could change what "
                    + "is filed; move it away, or run 'chown \(Self.name(of: user)) \(path)'"
            )
        }
        if let record, let place = folder.identity, Self.isOrContains(place, record) {
            throw FilingError(
                refusing:
                    "the record, \(record.onOneLine), is in \(path), where the service moves "
                    + "pictures; name a place elsewhere"
            )
        }
        if status.permissions & Self.writing == 0 { return nil }
        let rights = status.permissions & 0o777 & ~Self.writing
        guard status.owner == user || user == 0,
            filing_set_rights(folder.descriptor, rights) == 0
        else {
            throw FilingError(
                refusing: "others may write to \(path), and could change what is filed; "
                    + "run 'chmod go-w \(path)'"
            )
        }
        return "now only the service may write to \(path), where it moves pictures"
    }

    // MARK: The record

    /// Checks that nobody else can make files beside the record, which SQLite would take for its own.
    ///
    /// - Throws: ``FilingError`` that says what to do.
    func checkRecord() throws(FilingError) {
        guard let record else { return }
        for path in Set([record, record.behindLinks]) {
            let folder = path.parentFolder
            // A missing folder is made for the service alone, or cannot be used.
            guard let status = FileStatus(at: folder) else { continue }
            let shown = folder.onOneLine
            let owners = [user, 0] + (user == 0 ? [FileStatus(at: path)?.owner ?? 0] : [])
            guard owners.contains(status.owner) else {
                throw FilingError(
                    refusing: "the folder of the record, \(shown), belongs to "
                        + "\(Self.name(of: status.owner)), who could change the record through "
                        + "a file beside it; run 'chown \(Self.name(of: user)) \(shown)', or name a record "
                        + "elsewhere"
                )
            }
            guard status.permissions & Self.writing == 0 else {
                throw FilingError(
                    refusing:
                        "others may write to the folder of the record, \(shown), and could change "
                        + "the record through a file beside it; run 'chmod go-w \(shown)', or "
                        + "name a record "
                        + "elsewhere"
                )
            }
        }
    }

    private static func folder(of record: String) -> FileIdentity? {
        FileStatus(at: record.behindLinks.parentPath)?.identity
    }

    /// Whether a folder is the record's, or one above that.
    private static func isOrContains(_ folder: FileIdentity, _ record: String) -> Bool {
        var path = record.behindLinks.parentPath
        var last: FileIdentity?
        while let place = FileStatus(at: path)?.identity, place != last {
            if place == folder { return true }
            last = place
            path += "/.."
        }
        return false
    }

    /// The name of a user, or the number if there is no name.
    static func name(of user: uid_t) -> String {
        // In a user namespace that maps no other users, each appears as this one.
        if user == overflowUser { return "somebody else" }
        guard let entry = unsafe getpwuid(user), let name = unsafe entry.pointee.pw_name else {
            return "user \(user)"
        }
        return unsafe String(cString: name)
    }

    private static let overflowUser: uid_t = 65_534
}
