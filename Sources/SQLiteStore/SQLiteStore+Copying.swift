internal import FoundationEssentials
internal import Glibc
internal import ObjectStore
internal import SystemSupport

extension SQLiteStore {
    /// Copies the store to another file, while others read and save.
    ///
    /// The copy is one consistent state. It is written to a temporary file beside the destination,
    /// and moved there when it is complete, undamaged and on the disk, so there is never half a
    /// copy.
    ///
    /// - Parameters:
    ///   - destination: The path of the copy, whose folder exists.
    ///   - replacing: Whether to replace an existing file. It must not be a store in use.
    ///   - scratch: The path of an empty folder beside the destination, for the temporary file. The
    ///     caller removes it; it is for programs that clean up when they are interrupted.
    /// - Throws: `StoreError`, with the code `exists` if there is a file that must not be replaced,
    ///   or with the code `cannotOpen` if there is something other than a file; the destination is
    ///   then unchanged.
    public func backup(
        to destination: String,
        replacing: Bool = false,
        in scratch: String? = nil
    ) throws {
        try checkDestination(destination, replacing)
        // A link stays, and what it leads to is replaced.
        let destination = Self.place(of: destination)
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
        // The copy must not be readable by users who cannot read the store, or the copy before.
        Self.giveAttributes(of: path, to: partial)
        if let own = FileStatus(at: partial), let earlier = FileStatus(at: destination) {
            _ = unsafe chmod(partial, own.permissions & earlier.permissions & 0o777)
        }
        try Self.synchronize(partial)
        let number = partial.move(to: destination, replacing: replacing)
        if number == EEXIST && !replacing { throw Self.exists(destination) }
        if number != 0 { throw Self.failure(destination, number) }
        try Self.synchronizeFolder(of: destination)
    }

    /// Copies the stored pages.
    ///
    /// - Returns: The damage in the copy; `ok` if there is none.
    private func copy(to partial: String) throws -> [String] {
        let copy = try SQLiteConnection(partial)
        try pool.read { try $0.copy(to: copy) }
        // One file, which can be read from a read-only medium.
        try copy.execute("PRAGMA journal_mode = DELETE")
        let damage = try copy.rows("PRAGMA integrity_check").map { $0[0].text }
        try copy.close()
        return damage
    }

    private func checkDestination(_ destination: String, _ replacing: Bool) throws {
        // SQLite would take a log beside the new file for the new file's log.
        if let error = Self.refusal(ofLogWithoutFileAt: destination) { throw error }
        let place = Self.place(of: destination)
        func isThere(_ suffix: String) -> Bool { FileStatus(at: place + suffix) != nil }
        guard let status = FileStatus(at: destination) else {
            guard errno == ENOENT else { throw Self.failure(destination) }
            guard let other = Self.companionSuffixes.first(where: isThere) else { return }
            throw StoreError(
                .incomplete,
                "\(place)\(other) is of a store whose file is gone, and which may be open still; move it away, "
                    + "or name another file"
            )
        }
        // Renaming over a device, such as the one that /dev/stdout leads to, would take it from all other
        // programs.
        guard status.kind == .file else {
            let kind = status.kind == .folder ? "a folder" : "not a regular file"
            throw StoreError(.cannotOpen, "\(destination) is \(kind); name a file")
        }
        guard replacing else { throw Self.exists(destination) }
        let isOwn = FileStatus(at: path)?.identity == status.identity
        guard !isOwn && !Self.logSuffixes.contains(where: isThere) else {
            throw StoreError(
                .locked,
                "\(destination) is a store in use, and cannot be replaced; name another file"
            )
        }
    }

    /// The path of the temporary file.
    static func partialPath(of path: String, in scratch: String?) -> String {
        let name = "partial-\(UUID().uuidString)"
        return scratch.map { "\($0)/\(name)" } ?? "\(path).\(name)"
    }

    /// Removes a database and the files that SQLite may have left beside it.
    static func removeFiles(of path: String) {
        for suffix in [""] + companionSuffixes { unsafe unlink(path + suffix) }
    }

    static func exists(_ destination: String) -> StoreError {
        StoreError(
            .exists,
            "\(destination) exists; name another file, or allow replacing it"
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

    /// Gives a file the permissions of another, and its owner if that is allowed.
    static func giveAttributes(of path: String, to other: String) {
        guard let status = FileStatus(at: path) else { return }
        _ = unsafe chmod(other, status.permissions & 0o777)
        _ = unsafe chown(other, status.owner, status.group)
    }

    /// Waits until a file, or the directory entries of a folder, are on the disk.
    static func synchronize(_ path: String) throws {
        let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw failure(path) }
        defer { Glibc.close(descriptor) }
        guard fsync(descriptor) == 0 else { throw failure(path) }
    }

    /// Waits until the directory entry of a file is on the disk.
    static func synchronizeFolder(of path: String) throws {
        try synchronize(folder(of: path))
    }

    static func folder(of path: String) -> String {
        path.absolute.parentPath
    }
}
