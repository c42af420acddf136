internal import Foundation
internal import LuggageTags
internal import ProgramSupport

#if canImport(Glibc)
internal import Glibc
#endif

/// What this user may do with a record, and who may do more.
struct RecordAccess {
    private let path: String
    /// What the system says to looking at the file; 0 where it is there.
    private let errorNumber: Int32
    /// The file, or the innermost of the folders around it that this user can see.
    private var seen = stat()

    init(_ path: String) {
        self.path = path
        var url = URL(fileURLWithPath: path)
        errorNumber = unsafe stat(url.path, &seen) == 0 ? 0 : errno
        if errorNumber == 0 { return }
        while url.path != "/" {
            url.deleteLastPathComponent()
            if unsafe stat(url.path, &seen) == 0 { return }
        }
    }

    /// Whether a record is there, or may be where this user cannot see it.
    var mayBeThere: Bool { errorNumber == 0 || errorNumber == EACCES }

    /// Whether the system refuses this user something with the file.
    ///
    /// - Parameter mode: What, as `access` has it.
    /// - Returns: False where the file is not there.
    func isRefused(_ mode: Int32) -> Bool {
        unsafe faccessat(AT_FDCWD, path, mode, AT_EACCESS) != 0 && errno == EACCES
    }

    /// Whether it is for another user to make the record: what the administrator makes in a folder of
    /// that user, that user could not write to.
    var isOthersToMake: Bool {
        errorNumber == ENOENT && geteuid() == 0 && seen.st_uid != 0
    }

    /// The user to whom the file belongs, or the folder that hides it.
    var owner: String { Self.name(of: seen.st_uid) }

    static func name(of user: uid_t) -> String {
        unsafe getpwuid(user).map { unsafe String(cString: $0.pointee.pw_name) }
            ?? "the user \(user)"
    }

    /// The group that may read, where it is one that people are made members of.
    var readers: String? {
        guard seen.st_gid != 0, seen.st_mode & S_IRGRP != 0 else { return nil }
        return unsafe getgrgid(seen.st_gid).map { unsafe String(cString: $0.pointee.gr_name) }
    }
}

extension RecordFile {
    /// Refuses to read a record that is not for this user, and says for whom it is.
    func refuseReadingOfOthers() throws {
        let access = RecordAccess(path)
        guard access.isRefused(R_OK) else { return }
        let group = access.readers.map {
            "; or have `sudo usermod -aG \($0) NAME` done for you, and log in again"
        }
        throw Failure(
            .cannotCreate,
            "you may not read the record \(path.onOneLine), which belongs to \(access.owner); ask as "
                + "that user: \(Self.command(as: access.owner))\(group ?? "")"
        )
    }

    /// Refuses to change a record that is not for this user to change, and says for whom it is.
    func refuseWritingToOthers() throws {
        let access = RecordAccess(path)
        if access.isRefused(W_OK) {
            throw Failure(
                .cannotCreate,
                "you may not change the record \(path.onOneLine), which belongs to \(access.owner); do "
                    + "it as that user: \(Self.command(as: access.owner))"
            )
        }
        if isOfService && access.isOthersToMake {
            throw Failure(
                .cannotCreate,
                "there is no record at \(path.onOneLine) yet, and it is for \(access.owner) to make, who "
                    + "owns the folder; start the service, or do this as that user: "
                    + Self.command(as: access.owner)
            )
        }
    }

    /// Refuses files beside the record that SQLite would take for its own, of somebody who may not write to
    /// the record itself.
    func refuseFilesOfOthers() throws {
        let place = URL(fileURLWithPath: path).resolvingSymlinksInPath().path
        var record = stat()
        let isThere = unsafe stat(place, &record) == 0
        if isThere && record.st_mode & (S_IWGRP | S_IWOTH) != 0 { return }
        let owners = [isThere ? record.st_uid : geteuid(), geteuid(), 0]
        for suffix in ["-wal", "-shm", "-journal"] {
            var status = stat()
            guard unsafe lstat(place + suffix, &status) == 0, !owners.contains(status.st_uid)
            else { continue }
            let owner = RecordAccess.name(of: status.st_uid)
            throw Failure(
                .cannotCreate,
                "\(place.onOneLine)\(suffix) belongs to \(owner), who could change the record by it; "
                    + "remove it, and keep the record in a folder to which nobody else may write"
            )
        }
    }

    private static func command(as user: String) -> String { "`sudo -u \(user) luggage …`" }
}
