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
            damage = try copy(to: partial, for: destination)
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
        Self.give(file?.status, to: partial)
        if let own = FileStatus(at: partial), let earlier = FileStatus(at: destination) {
            _ = unsafe chmod(partial, own.permissions & earlier.permissions & 0o777)
        }
        try Self.synchronize(partial)
        let number = partial.move(to: destination, replacing: replacing)
        if number == EEXIST && !replacing { throw Self.exists(destination) }
        if number != 0 { throw Self.failure(destination, number) }
        try Self.synchronizeFolder(of: destination)
    }

    /// Copies the stored pages to a file, and names the destination where that fails.
    ///
    /// - Returns: The damage in the copy; `ok` if there is none.
    private func copy(to partial: String, for destination: String) throws -> [String] {
        try StoreError.translating(destination) {
            let copy = try Self.makePrivate(partial, for: destination)
            try StoreError.translating(path) {
                try pool.read { db in
                    try StoreError.translating(destination) { try db.copy(to: copy) }
                }
            }
            // One file, which can be read from a read-only medium.
            try copy.execute("PRAGMA journal_mode = DELETE")
            let damage = try copy.rows("PRAGMA integrity_check").map { $0[0].text }
            try copy.close()
            return damage
        }
    }

    /// Makes a database, at the path of its temporary file, that only its owner may read until it is known who
    /// else may; errors name the path that it gets.
    static func makePrivate(_ partial: String, for path: String) throws -> SQLiteConnection {
        let descriptor = unsafe open(partial, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else {
            let error = failure(path)
            throw error.code == .full ? error : StoreError.cannotOpen(path, error)
        }
        Glibc.close(descriptor)
        return try SQLiteConnection(partial)
    }

    private func checkDestination(_ destination: String, _ replacing: Bool) throws {
        // SQLite would take a log beside the new file for the new file's log.
        if let error = Self.refusal(ofLogWithoutFileAt: destination) { throw error }
        let place = Self.place(of: destination)
        try Self.refuseLink(place)
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
        let isOwn = file?.identity == status.identity
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

    /// Lets those use a file of this program who may use another one.
    static func give(_ status: FileStatus?, to other: String) {
        guard let status else { return }
        let descriptor = unsafe open(other, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return }
        status.share(descriptor)
        Glibc.close(descriptor)
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
