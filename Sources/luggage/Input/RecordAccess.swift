internal import Glibc
internal import ProgramSupport
internal import SQLiteStore
internal import SystemSupport

/// What this user may do with a record, and who may do more.
struct RecordAccess {
    private let path: String
    /// The error number of reading the file's status; 0 if it is there.
    private let errorNumber: Int32
    /// The status of the file, or of the innermost folder around it that this user can see; nil if
    /// there is none.
    private let seen: FileStatus?
    private let seenPath: String

    init(_ path: String) {
        self.path = path
        var seenPath = path.absolute
        var seen = FileStatus(at: seenPath)
        errorNumber = seen == nil ? errno : 0
        while seen == nil && seenPath != "/" {
            seenPath = seenPath.parentPath
            seen = FileStatus(at: seenPath)
        }
        (self.seen, self.seenPath) = (seen, seenPath)
    }

    /// Whether there is a record, or there may be one that this user cannot see.
    var mayBeThere: Bool { errorNumber == 0 || errorNumber == EACCES }

    /// Whether the system refuses this user an access to the file.
    ///
    /// - Parameter mode: The access, as for `access(2)`.
    /// - Returns: False if the file is not there.
    func isRefused(_ mode: Int32) -> Bool {
        unsafe faccessat(AT_FDCWD, path, mode, AT_EACCESS) != 0 && errno == EACCES
    }

    /// Whether another user must make the record.
    ///
    /// If the administrator made it in a folder of that user, that user could not write to it.
    var isOthersToMake: Bool {
        errorNumber == ENOENT && geteuid() == 0 && seen?.owner ?? 0 != 0
    }

    /// The owner of the file, or of the folder that hides it.
    var owner: String { Self.name(of: seen?.owner ?? 0) }

    static func name(of user: uid_t) -> String { knownName(of: user) ?? "the user \(user)" }

    /// The name of a user; nil if the machine knows none.
    private static func knownName(of user: uid_t) -> String? {
        unsafe getpwuid(user).map { unsafe String(cString: $0.pointee.pw_name) }
    }

    /// What commands call a user, or with `#` before a number as `sudo` wants it.
    static func argument(_ user: uid_t, numberSign: String = "") -> String {
        knownName(of: user) ?? "\(numberSign)\(user)"
    }

    /// The group that may read, if it is one to which users are added.
    var readers: String? {
        guard let seen, seen.group != 0, seen.permissions & S_IRGRP != 0 else { return nil }
        return unsafe getgrgid(seen.group).map { unsafe String(cString: $0.pointee.gr_name) }
    }

    /// The way in which this user can still ask.
    var wayToAsk: String {
        let group = readers.map {
            "; or ask an administrator to run `sudo usermod -aG \($0) NAME`, and log in again"
        }
        return "ask as that user: \(command)\(group ?? "")"
    }

    /// The command to act as the owner of the file.
    var command: String {
        "`sudo -u \(Self.argument(seen?.owner ?? 0, numberSign: "\\#")) luggage …`"
    }

    /// Whether nobody can write or make the file, because its file system is mounted read-only.
    var isOnReadOnlyMount: Bool {
        unsafe faccessat(AT_FDCWD, seenPath, W_OK, AT_EACCESS) != 0 && errno == EROFS
    }
}

extension RecordFile {
    /// Refuses to read a record that this user may not read, and names its owner.
    func refuseReadingOfOthers() throws {
        let access = RecordAccess(path)
        guard access.isRefused(R_OK) else { return }
        throw Failure(
            .cannotCreate,
            "you may not read the record \(path.onOneLine), which belongs to \(access.owner); "
                + access.wayToAsk
        )
    }

    /// Refuses to change a record that this user may not change, and names its owner.
    func refuseWritingToOthers() throws {
        let access = RecordAccess(path)
        if access.isRefused(W_OK) {
            throw Failure(
                .cannotCreate,
                "you may not change the record \(path.onOneLine), which belongs to \(access.owner); do "
                    + "it as that user: \(access.command)"
            )
        }
        if access.isOnReadOnlyMount {
            throw Failure(
                .cannotCreate,
                "the record \(path.onOneLine) is on a file system that is mounted read-only; "
                    + "mount it for writing, or name a file elsewhere with --store"
            )
        }
        if isOfService && access.isOthersToMake {
            throw Failure(
                .cannotCreate,
                "there is no record at \(path.onOneLine) yet, and only \(access.owner), who owns "
                    + "the folder, can make it; start the service, or do this as that user: "
                    + access.command
            )
        }
    }

    /// Refuses a record if a stranger owns a file beside it that SQLite would take for its own.
    ///
    /// A stranger is a user who may not write to the record itself.
    func refuseFilesOfOthers() throws {
        let place = path.behindLinks
        let record = FileStatus(at: place)
        if let record, record.permissions & (S_IWGRP | S_IWOTH) != 0 { return }
        let owners = [record?.owner ?? geteuid(), geteuid(), 0]
        for suffix in SQLiteStore.companionSuffixes {
            let file = place + suffix
            guard let user = FileStatus(at: file, followsLinks: false)?.owner,
                !owners.contains(user)
            else { continue }
            let owner = RecordAccess.name(of: user)
            throw Failure(
                .cannotCreate,
                "\(file.onOneLine) belongs to \(owner), who may not write to the record, but "
                    + "could change it through this file; move it aside, or, if you trust it, run 'chown "
                    + "\(RecordAccess.argument(owners[0])) \(file.onOneLine)'"
            )
        }
    }
}
