internal import Foundation
internal import GRDB
internal import ObjectStore
internal import System

#if canImport(Glibc)
internal import Glibc
#endif

extension SQLiteStore {
    /// Copies the store to another file, while others read and save.
    ///
    /// The copy is one state of the store. It comes into being beside its place and is moved there
    /// when it is whole, free of damage and on the disk, so that there is never half a copy.
    ///
    /// - Parameters:
    ///   - destination: The path of the copy, whose folder exists.
    ///   - replacing: Whether a file that is there is replaced. It must not be a store in use.
    ///   - scratch: The path of an empty folder beside the destination, in which the copy comes into
    ///     being, and which the caller removes; for programs that clear it away when they are
    ///     interrupted.
    /// - Throws: `StoreError`, of the code `exists` where there is a file that is not to
    ///   be replaced, of the code `cannotOpen` where there is something else than a file; what was at
    ///   the destination is then as it was.
    public func backup(
        to destination: String,
        replacing: Bool = false,
        in scratch: String? = nil
    ) throws {
        let destination = URL(fileURLWithPath: destination).path
        try checkDestination(destination, replacing)
        let partial = Self.partialPath(of: destination, in: scratch)
        defer { Self.removeFiles(of: partial) }
        let damage: [String]
        do {
            damage = try StoreError.translating(destination) { try copy(to: partial) }
        } catch let error as StoreError where error.code == .damaged {
            damage = ["it cannot be read to its end"]
        }
        if damage != ["ok"] {
            throw StoreError(
                .damaged,
                "\(path) is damaged, and so is a copy of it: \(damage[0]); put an earlier copy in its "
                    + "place"
            )
        }
        // Whoever may not read the store is not to read it here.
        Self.giveAttributes(of: path, to: partial)
        try Self.synchronize(partial)
        if replacing {
            guard unsafe rename(partial, destination) == 0 else { throw Self.failure(destination) }
        } else {
            let number = Self.place(partial, at: destination)
            if number == EEXIST { throw Self.exists(destination) }
            if number != 0 { throw Self.failure(destination, number) }
        }
        try Self.synchronize(URL(fileURLWithPath: destination).deletingLastPathComponent().path)
    }

    /// Copies what is on record.
    ///
    /// - Returns: What is wrong with the copy; `ok` for nothing.
    private func copy(to partial: String) throws -> [String] {
        let copy = try DatabaseQueue(path: partial)
        try pool.backup(to: copy)
        try copy.writeWithoutTransaction { db in
            // One file, which can be read from a medium that cannot be written.
            try db.execute(sql: "PRAGMA journal_mode = DELETE")
        }
        try checkReading()
        let damage = try copy.read { try String.fetchAll($0, sql: "PRAGMA integrity_check") }
        try copy.close()
        return damage
    }

    private func checkDestination(_ destination: String, _ replacing: Bool) throws {
        var status = stat()
        guard unsafe lstat(destination, &status) == 0 else {
            if errno == ENOENT { return }
            throw Self.failure(destination)
        }
        guard replacing else { throw Self.exists(destination) }
        // Whoever may rename over a device takes it from all other programs.
        guard [S_IFREG, S_IFLNK].contains(status.st_mode & S_IFMT) else {
            let kind = status.st_mode & S_IFMT == S_IFDIR ? "a folder" : "not a regular file"
            throw StoreError(.cannotOpen, "\(destination) is \(kind); name a file")
        }
        var own = stat()
        let isOwn =
            unsafe stat(path, &own) == 0 && own.st_ino == status.st_ino
            && own.st_dev == status.st_dev
        // SQLite would take a log that is left beside the new file for its own.
        let isInUse = ["-wal", "-journal"].contains {
            FileManager.default.fileExists(atPath: destination + $0)
        }
        guard !isOwn && !isInUse else {
            throw StoreError(
                .locked,
                "\(destination) is a store in use, and cannot be replaced; name another file"
            )
        }
    }

    /// Gives a file its name, where nothing has that name yet.
    ///
    /// - Returns: The system's number of an error; 0 for none.
    static func place(_ partial: String, at destination: String) -> Int32 {
        // Unlike a renaming, a link never replaces a file that has come meanwhile.
        guard unsafe link(partial, destination) != 0 else { return 0 }
        let number = errno
        // A FAT file system, as sticks and cards have, knows no links.
        guard [EPERM, EOPNOTSUPP, ENOSYS].contains(number) else { return number }
        var status = stat()
        if unsafe lstat(destination, &status) == 0 { return EEXIST }
        return unsafe rename(partial, destination) == 0 ? 0 : errno
    }

    /// The path at which a file comes into being.
    static func partialPath(of path: String, in scratch: String?) -> String {
        let name = "partial-\(UUID().uuidString)"
        return scratch.map { "\($0)/\(name)" } ?? "\(path).\(name)"
    }

    /// Removes a database with what SQLite may have left beside it.
    static func removeFiles(of path: String) {
        for suffix in [""] + companionSuffixes { unsafe unlink(path + suffix) }
    }

    static func exists(_ destination: String) -> StoreError {
        StoreError(
            .exists,
            "\(destination) exists; name another file, or allow that it is replaced"
        )
    }

    static func failure(_ path: String, _ number: Int32 = errno) -> StoreError {
        let error = POSIXError(POSIXErrorCode(rawValue: number) ?? .EIO)
        return StoreError(
            error.code == .ENOSPC ? .full : .ioFailed,
            "\(path) cannot be written: \(describe(errorNumber: number))",
            underlying: error
        )
    }

    /// Gives a file the permissions of another one, and its owner where that is allowed.
    static func giveAttributes(of path: String, to other: String) {
        var status = stat()
        guard unsafe stat(path, &status) == 0 else { return }
        _ = unsafe chmod(other, status.st_mode & 0o777)
        _ = unsafe chown(other, status.st_uid, status.st_gid)
    }

    /// Waits until a file, or the list of files of a folder, is on the disk.
    static func synchronize(_ path: String) throws {
        let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw failure(path) }
        defer { Glibc.close(descriptor) }
        guard fsync(descriptor) == 0 else { throw failure(path) }
    }

    /// Gives the room that deleted rows have left back to the disk, and merges the write-ahead log.
    ///
    /// It writes the whole file anew, and needs as much room again meanwhile; others can read, and
    /// wait with saving. While somebody reads, the log stays.
    ///
    /// - Returns: Whether the log is empty now, so that nothing that was deleted is left in the files.
    /// - Throws: `StoreError`; the store is then as it was.
    @discardableResult
    public func compact() throws -> Bool {
        try StoreError.translating(path) {
            try commits.alone { db in
                try db.execute(sql: "VACUUM")
                // Says by its answer, not by an error, that readers are in the way.
                let answer = try Row.fetchOne(db, sql: "PRAGMA wal_checkpoint(TRUNCATE)")
                return answer.map { $0[0] == 0 } ?? false
            }
        }
    }
}
