internal import CSQLite
internal import Glibc
public import ObjectStore
internal import SystemSupport

extension SQLiteStore {
    /// Replaces a store that no process has open by a copy.
    ///
    /// The copy is checked and migrated to the model before anything is changed. The old file is
    /// kept under another name. If it is a database, its pages are replaced in one transaction, so
    /// an interruption leaves either the old store or the new one. If it is too damaged for that,
    /// the new file takes its name in one step.
    ///
    /// - Parameters:
    ///   - path: The location, whose folder exists.
    ///   - copy: The path of the copy, which stays.
    ///   - model: The model of the restored store.
    ///   - aside: The path under which the old file is kept, and its logs beside it, also those whose file is gone;
    ///     there must be no file.
    ///   - scratch: The path of an empty folder beside the location, for temporary files. The
    ///     caller removes it; it is for programs that clean up when they are interrupted.
    ///   - migrations: The changes of older copies that cannot be derived from the model.
    ///   - duplicates: What a migration of the copy does with objects that violate a constraint.
    ///   - willReplace: Is called just before the old file is replaced, after all checks; not if
    ///     there is no old file.
    /// - Returns: The paths of what is kept: the old file if there was one, and logs whose file is gone or no database.
    /// - Throws: `StoreError`, with the code `damaged` if the copy is damaged, `locked` if a
    ///   process has the store open, or `exists` if there is a file at `aside`. The old file and its
    ///   logs are then unchanged.
    @discardableResult
    public static func restore(
        _ path: String,
        from copy: String,
        for model: ManagedObjectModel,
        keeping aside: String,
        in scratch: String? = nil,
        migrations: [MigrationStep] = [],
        duplicates: DuplicateHandling = .refuse,
        willReplace: () -> Void = {}
    ) throws -> [String] {
        // SQLite keeps its other files beside the target of a symbolic link.
        let place = Self.place(of: path)
        let aside = aside.absolute
        // SQLite would take a log there for one of the file that is kept.
        for name in [""] + logSuffixes where FileStatus(at: aside + name) != nil {
            throw exists(aside + name)
        }
        let partial = partialPath(of: place, in: scratch)
        defer { removeFiles(of: partial) }
        try StoreError.naming(path, insteadOf: partial) {
            try prepareCopy(copy, at: partial) {
                let store = try SQLiteStore(
                    path: partial,
                    migrations: migrations,
                    duplicates: duplicates
                )
                try store.prepare(for: model)
                try store.fill(for: model)
                return store
            }
        }
        switch try SQLiteFileHeader(FileHold(path: place, isMade: false), path: place) {
        case .missing:
            giveOwner(ofFolderOf: place, to: partial)
            // These belong to a file that is gone; SQLite would take them for a part of the copy.
            let kept = try keep(logSuffixes, of: place, at: aside) {
                $0.move(to: $1, replacing: false)
            } undo: {
                _ = $1.move(to: $0, replacing: false)
            }
            unsafe unlink(place + "-shm")
            let number = partial.move(to: place, replacing: false)
            if number != 0 {
                // To a file that has come meanwhile they do not belong either.
                if number != EEXIST { kept.giveBack() }
                throw failure(place, number)
            }
            try synchronizeFolder(of: place)
            return kept.paths
        case .database(let applicationID, _) where applicationID != SQLiteFileHeader.applicationID:
            throw StoreError(
                .foreign,
                "\(path) is a database of another program; name another file"
            )
        case .database:
            do {
                try replacePages(
                    of: place,
                    from: partial,
                    keeping: aside,
                    in: scratch,
                    willReplace
                )
            } catch let error as StoreError where error.code == .damaged {
                return try replaceFile(place, with: partial, keeping: aside, willReplace)
            }
            return [aside]
        case .other, .empty:
            return try replaceFile(place, with: partial, keeping: aside, willReplace)
        }
    }

    /// Makes a usable single-file copy of the copy.
    private static func prepareCopy(
        _ copy: String,
        at partial: String,
        preparedBy prepare: () throws -> SQLiteStore
    ) throws {
        // From an empty file nothing would be copied, and the error would then name the temporary copy.
        if try SQLiteFileHeader(FileHold(path: copy, isMade: false), path: copy) == .empty {
            throw StoreError(.damaged, "there is nothing in \(copy); take another copy")
        }
        let source = try SQLiteStore(path: copy, access: .read)
        try source.backup(to: partial)
        try source.close()
        // A copy on a shelf may be for reading only.
        if let status = FileStatus(at: partial) {
            _ = unsafe chmod(partial, status.permissions & 0o777 | 0o600)
        }
        // An older copy is migrated here, not at its final location.
        let store = try prepare()
        let damage = try store.checkForDamage()
        try store.close()
        if let first = damage.first {
            throw StoreError(.damaged, "\(copy) is damaged: \(first); take another copy")
        }
        try StoreError.translating(partial) {
            let db = try SQLiteConnection(partial)
            try db.execute("PRAGMA journal_mode = DELETE")
            try db.close()
        }
        try synchronize(partial)
    }

    /// Replaces the contents of a database in one transaction, while no other process has it open.
    private static func replacePages(
        of place: String,
        from partial: String,
        keeping aside: String,
        in scratch: String?,
        _ willReplace: () -> Void
    ) throws {
        let kept = partialPath(of: aside, in: scratch)
        defer { removeFiles(of: kept) }
        // Held until the connection is closed.
        let file = try FileHold(path: place, isMade: false)
        defer { file?.endUse() }
        if let file {
            let name = StoreName(place)
            try name.use(file)
            if SQLiteFileHeader.usesLog(file) { try name.refuseOthers(of: file) }
        }
        try StoreError.translating(place) {
            let db = try SQLiteConnection(place)
            do {
                // Only a single connection can leave the log mode, and no other can enter it while
                // this is open.
                try db.execute("PRAGMA locking_mode = EXCLUSIVE")
                try db.execute("PRAGMA journal_mode = DELETE")
                try db.execute("BEGIN EXCLUSIVE; COMMIT")
            } catch let error as SQLiteError where error.primaryCode == SQLITE_BUSY {
                throw StoreError(
                    .locked,
                    "another process has \(place) open; stop it first, and try again",
                    underlying: error
                )
            }
            let old = try makePrivate(kept, for: aside)
            try db.copy(to: old)
            try old.close()
            give(file?.status, to: kept)
            try StoreError.naming(aside, insteadOf: kept) { try synchronize(kept) }
            guard unsafe link(kept, aside) == 0 else {
                throw errno == EEXIST ? exists(aside) : failure(aside)
            }
            try synchronizeFolder(of: aside)
            let new = try SQLiteConnection(partial)
            willReplace()
            do {
                try new.copy(to: db)
            } catch {
                try? db.close()
                // Nothing is kept where nothing was replaced, so that the same can be tried again. Who opens the
                // file takes back what was written, unless the disk does not allow that.
                if (try? SQLiteConnection(place).close()) != nil,
                    FileStatus(at: place + "-journal") == nil
                {
                    unsafe unlink(aside)
                }
                throw error
            }
            try new.close()
            try db.close()
        }
    }

    /// Gives the name of a file that is not a usable database to the new file.
    ///
    /// - Returns: The paths of what is kept.
    private static func replaceFile(
        _ place: String,
        with partial: String,
        keeping aside: String,
        _ willReplace: () -> Void
    ) throws -> [String] {
        let kept = try keep([""] + logSuffixes, of: place, at: aside) {
            unsafe link($0, $1) == 0 ? 0 : errno
        } undo: {
            // The log may have been removed since. What has come in its place is another file: then both stay.
            let isBack =
                unsafe link($1, $0) == 0
                || FileStatus(at: $0)?.identity == FileStatus(at: $1)?.identity
            if isBack { unsafe unlink($1) }
        }
        give(FileStatus(at: place), to: partial)
        willReplace()
        // SQLite would take a log beside the new file for the new file's log.
        for suffix in companionSuffixes { unsafe unlink(place + suffix) }
        let number = partial.move(to: place, replacing: true)
        if number != 0 {
            kept.giveBack()
            throw failure(place, number)
        }
        try synchronizeFolder(of: place)
        return kept.paths
    }

    /// Files that have other names now.
    private struct Kept {
        /// What they are called.
        var paths: [String] = []
        /// Gives one its own name again, from the last on.
        var returns: [() -> Void] = []

        func giveBack() {
            for giveBack in returns.reversed() { giveBack() }
        }
    }

    /// Gives files of a store other names: all of those that are there, or none.
    private static func keep(
        _ suffixes: [String],
        of place: String,
        at aside: String,
        by giveName: (String, String) -> Int32,
        undo: @escaping (String, String) -> Void
    ) throws -> Kept {
        var kept = Kept()
        for suffix in suffixes where FileStatus(at: place + suffix) != nil {
            let (own, other) = (place + suffix, aside + suffix)
            let number = giveName(own, other)
            if number != 0 {
                kept.giveBack()
                throw number == EEXIST ? exists(other) : failure(other, number)
            }
            kept.paths.append(other)
            kept.returns.append { undo(own, other) }
        }
        return kept
    }

    /// The service that owns the folder must be able to use a file that another user made.
    private static func giveOwner(ofFolderOf place: String, to path: String) {
        guard let status = FileStatus(at: folder(of: place)) else { return }
        if unsafe chown(path, status.owner, status.group) == 0 { return }
        // Only the superuser may give a file away.
        _ = unsafe chown(path, UInt32.max, status.group)
    }
}
