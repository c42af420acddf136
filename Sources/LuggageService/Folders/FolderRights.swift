internal import CLinux
internal import LuggageTags
internal import System

#if canImport(Glibc)
internal import Glibc
#endif

/// Sees to it that whoever may drop pictures decides nothing but which pictures are read.
///
/// Names in a folder can be given to others by whoever may write to it, unless it has the sticky bit,
/// and by its owner. So folders in which names lead to others are the service's own or root's, and have
/// that bit where others may write to them. Into those for what was filed nobody else may write.
struct FolderRights: Sendable {
    /// The file that the record is in, whose folder no picture comes to or from; nil where it is in none.
    let record: String?
    /// Whose service it is.
    var user = geteuid()

    init(besides record: String?) {
        self.record = record
    }

    /// Anybody but the owner may write.
    static let writing: mode_t = 0o022

    // MARK: Folders in which names lead to others

    /// Checks a folder that is watched, or in which others are, and puts it right where that is ours to do.
    ///
    /// - Parameters:
    ///   - folder: The folder.
    ///   - takesPictures: Whether pictures of others are taken out of it.
    /// - Returns: What was done, for a person; nil where it was right.
    /// - Throws: ``FilingError`` which says what to do.
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
        guard status.st_uid == user || status.st_uid == 0 else {
            throw FilingError(
                refusing: "\(path) belongs to \(Self.name(of: status.st_uid)), who could put other "
                    + "folders in the place of those in it; run 'chown \(Self.name(of: user)) \(path)', "
                    + "or have that user watch it"
            )
        }
        if status.st_mode & Self.writing == 0 { return nil }
        if status.st_mode & S_ISVTX == 0 {
            guard status.st_uid == user || user == 0, Self.makeSticky(folder, status) else {
                throw FilingError(
                    refusing:
                        "whoever may write to \(path) could put other folders in the place of "
                        + "those in it; run 'chown \(Self.name(of: user)) \(path)' and "
                        + "'chmod +t \(path)'"
                )
            }
            if takesPictures { filing_grant_new_files(folder.descriptor, user) }
            return "\(path) has the sticky bit now: in it, people take away only what is their own"
        }
        if takesPictures && status.st_uid != user && user != 0 {
            throw FilingError(
                refusing:
                    "pictures of others cannot be taken out of \(path), which has the sticky bit; "
                    + "run 'chown \(Self.name(of: user)) \(path)'"
            )
        }
        return nil
    }

    private static func makeSticky(_ folder: HeldFolder, _ status: stat) -> Bool {
        let mode = status.st_mode & 0o7777 | S_ISVTX
        if fchmod(folder.descriptor, mode) == 0 { return true }
        // A service may be kept from setting the group's bit, even where it is set.
        return fchmod(folder.descriptor, mode & ~S_ISGID) == 0
    }

    /// Opens a folder within another one.
    ///
    /// A link leads elsewhere only where somebody who is trusted has put it there.
    ///
    /// - Parameters:
    ///   - name: Its name.
    ///   - root: The folder that it is in.
    ///   - users: Who is trusted besides root.
    /// - Returns: The folder; nil where there is none.
    /// - Throws: ``FilingError`` which says what to do.
    static func open(
        _ name: [UInt8],
        in root: HeldFolder,
        trusting users: [uid_t]
    ) throws(FilingError) -> HeldFolder? {
        let place = FilePlace(name, in: root)
        guard let found = place.status else { return nil }
        let path = place.path.displayText.onOneLine
        let isLink = found.st_mode & S_IFMT == S_IFLNK
        if isLink && (!(users + [0]).contains(found.st_uid) || found.st_nlink > 1) {
            throw FilingError(
                refusing:
                    "\(path) is a link that \(Self.name(of: found.st_uid)) has made; remove it"
            )
        }
        let flags = O_RDONLY | O_DIRECTORY | O_CLOEXEC | (isLink ? 0 : O_NOFOLLOW)
        let descriptor = unsafe openat(root.descriptor, place.name, flags)
        guard descriptor >= 0 else { throw FilingError(errno, "\(path) cannot be opened") }
        return HeldFolder(adopting: descriptor, path: place.path.pathText)
    }

    /// Opens a folder for dropping within the watched one, and checks it.
    ///
    /// - Returns: What was done about it, for a person.
    /// - Throws: ``FilingError`` which says what to do.
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

    // MARK: Folders for what was filed

    /// Opens the folder for what was filed, and checks it.
    ///
    /// - Parameters:
    ///   - destination: What becomes of the pictures.
    ///   - root: The watched folder, which is secure.
    /// - Returns: The folder, and what was done about it, for a person; nil where there is none.
    /// - Throws: ``FilingError`` which says what to do.
    func open(
        _ destination: FolderLayout.Destination,
        in root: HeldFolder
    ) throws(FilingError) -> (folder: HeldFolder, done: String?)? {
        let name = Array(destination.rawValue.utf8)
        guard let folder = try Self.open(name, in: root, trusting: [user]) else { return nil }
        // A link may lead to where others decide what the names are.
        let above = unsafe openat(folder.descriptor, "..", O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        if above >= 0 {
            let above = HeldFolder(adopting: above, path: "\(folder.path)/..")
            if above.identity != root.identity {
                _ = try secure(namesIn: above, takesPictures: false)
            }
        }
        return (folder, try secure(filed: folder))
    }

    /// Checks a folder for what was filed, and puts it right where that is ours to do.
    private func secure(filed folder: HeldFolder) throws(FilingError) -> String? {
        let path = folder.path.onOneLine
        guard let status = folder.status else {
            throw FilingError(errno, "\(path) cannot be examined")
        }
        guard status.st_uid == user || status.st_uid == 0 else {
            throw FilingError(
                refusing:
                    "\(path) belongs to \(Self.name(of: status.st_uid)), who could change what "
                    + "is filed; move it away, or run 'chown \(Self.name(of: user)) \(path)'"
            )
        }
        if let record, let place = folder.identity, Self.isOrContains(place, record) {
            throw FilingError(
                refusing:
                    "the record, \(record.onOneLine), is in \(path), where pictures are moved; "
                    + "name a place elsewhere"
            )
        }
        if status.st_mode & Self.writing == 0 { return nil }
        let rights = status.st_mode & 0o777 & ~Self.writing
        guard status.st_uid == user || user == 0,
            filing_set_rights(folder.descriptor, rights) == 0
        else {
            throw FilingError(
                refusing: "others may write to \(path), and could change what is filed; "
                    + "run 'chmod go-w \(path)'"
            )
        }
        return "nobody else may write to \(path) any more, where pictures are moved"
    }

    // MARK: The record

    /// Checks that nobody else can make names beside the record, which SQLite would take for its own.
    ///
    /// - Throws: ``FilingError`` which says what to do.
    func checkRecord() throws(FilingError) {
        guard let record else { return }
        for path in Set([record, Self.resolved(record)]) {
            let folder = Self.parent(of: path)
            var status = stat()
            // One that is missing is made for the service alone, or cannot be used.
            guard unsafe stat(folder, &status) == 0 else { continue }
            let shown = folder.onOneLine
            let owners = [user, 0] + (user == 0 ? [Self.owner(of: path) ?? 0] : [])
            guard owners.contains(status.st_uid) else {
                throw FilingError(
                    refusing: "the folder of the record, \(shown), belongs to "
                        + "\(Self.name(of: status.st_uid)), who could change the record by a file "
                        + "beside it; run 'chown \(Self.name(of: user)) \(shown)', or name a record "
                        + "elsewhere"
                )
            }
            guard status.st_mode & Self.writing == 0 else {
                throw FilingError(
                    refusing:
                        "others may write to the folder of the record, \(shown), and could change "
                        + "the record by a file beside it; run 'chmod go-w \(shown)', or name a record "
                        + "elsewhere"
                )
            }
        }
    }

    private static func owner(of path: String) -> uid_t? {
        var status = stat()
        return unsafe stat(path, &status) == 0 ? status.st_uid : nil
    }

    /// The path to which links lead.
    private static func resolved(_ path: String) -> String {
        guard let real = unsafe realpath(path, nil) else { return path }
        defer { unsafe free(real) }
        return unsafe String(cString: real)
    }

    private static func parent(of path: String) -> String {
        guard let slash = path.lastIndex(of: "/") else { return "." }
        return slash == path.startIndex ? "/" : String(path[..<slash])
    }

    private static func folder(of record: String) -> FileIdentity? {
        FileIdentity(at: parent(of: resolved(record)))
    }

    /// Whether a folder is that of the record, or one above that.
    private static func isOrContains(_ folder: FileIdentity, _ record: String) -> Bool {
        var path = parent(of: resolved(record))
        var last: FileIdentity?
        while let place = FileIdentity(at: path), place != last {
            if place == folder { return true }
            last = place
            path += "/.."
        }
        return false
    }

    /// The name of a user, or the number where there is no name.
    static func name(of user: uid_t) -> String {
        // A service that sees no other users sees this one in place of each.
        if user == overflowUser { return "somebody else" }
        guard let entry = unsafe getpwuid(user), let name = unsafe entry.pointee.pw_name else {
            return "user \(user)"
        }
        return unsafe String(cString: name)
    }

    private static let overflowUser: uid_t = 65_534
}
