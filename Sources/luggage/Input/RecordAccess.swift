internal import Foundation
internal import LuggageTags
internal import ProgramSupport
internal import SQLiteStore
internal import System

#if canImport(Glibc)
internal import Glibc
#endif

/// What this user may do with a record, and who may do more.
struct RecordAccess {
    private let path: String
    /// What the system says to looking at the file; 0 where it is there.
    private let errorNumber: Int32
    /// The file, or the innermost of the folders around it that this user can see.
    private let seen: stat
    private let seenPath: String

    init(_ path: String) {
        self.path = path
        var url = URL(fileURLWithPath: path)
        var status = stat()
        errorNumber = unsafe stat(url.path, &status) == 0 ? 0 : errno
        var isSeen = errorNumber == 0
        while !isSeen && url.path != "/" {
            url.deleteLastPathComponent()
            isSeen = unsafe stat(url.path, &status) == 0
        }
        (seen, seenPath) = (status, url.path)
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

    /// How this user can ask all the same.
    var wayToAsk: String {
        let group = readers.map {
            "; or have `sudo usermod -aG \($0) NAME` done for you, and log in again"
        }
        return "ask as that user: \(command)\(group ?? "")"
    }

    /// The way to do something as the user to whom the file belongs.
    var command: String { "`sudo -u \(owner) luggage …`" }

    /// Whether nobody can write the file, or make it, as what it lies on is mounted for reading alone.
    var isOnReadOnlyMount: Bool {
        unsafe faccessat(AT_FDCWD, seenPath, W_OK, AT_EACCESS) != 0 && errno == EROFS
    }
}

extension RecordFile {
    /// Refuses to read a record that is not for this user, and says for whom it is.
    func refuseReadingOfOthers() throws {
        let access = RecordAccess(path)
        guard access.isRefused(R_OK) else { return }
        throw Failure(
            .cannotCreate,
            "you may not read the record \(path.onOneLine), which belongs to \(access.owner); "
                + access.wayToAsk
        )
    }

    /// Refuses to change a record that is not for this user to change, and says for whom it is.
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
                "the record \(path.onOneLine) is on a file system that is mounted read-only, and "
                    + "cannot be changed there; have it mounted for writing, or name a file elsewhere "
                    + "with --store"
            )
        }
        if isOfService && access.isOthersToMake {
            throw Failure(
                .cannotCreate,
                "there is no record at \(path.onOneLine) yet, and it is for \(access.owner) to make, who "
                    + "owns the folder; start the service, or do this as that user: "
                    + access.command
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
        for suffix in SQLiteStore.companionSuffixes {
            var status = stat()
            guard unsafe lstat(place + suffix, &status) == 0, !owners.contains(status.st_uid)
            else { continue }
            let (owner, file) = (RecordAccess.name(of: status.st_uid), place + suffix)
            throw Failure(
                .cannotCreate,
                "\(file.onOneLine) belongs to \(owner), who may not write to the record, and could change it "
                    + "by that; move it aside, or, where it is right, run 'chown "
                    + "\(RecordAccess.name(of: owners[0])) \(file.onOneLine)'"
            )
        }
    }
}
