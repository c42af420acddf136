internal import Foundation
internal import GRDB
public import ObjectStore
internal import System

#if canImport(Glibc)
internal import Glibc
#endif

extension SQLiteStore {
    /// Puts a copy of a store in the place of one that nobody has open.
    ///
    /// The copy is checked, and brought to the model, before anything is touched. What is at the place is
    /// kept under another name. Where it is a database, its pages are replaced in one transaction, so
    /// that whatever interrupts this leaves the old store or the new one; where it is too damaged for
    /// that, the new file takes its name at once.
    ///
    /// - Parameters:
    ///   - path: The place, whose folder exists.
    ///   - copy: The path of the copy, which stays.
    ///   - model: The model that the restored store is to have.
    ///   - aside: The path under which what was there is kept; there must be no file.
    ///   - scratch: The path of an empty folder beside the place, in which files come into being, and
    ///     which the caller removes; for programs that clear it away when they are interrupted.
    ///   - willReplace: Is called just before what is at the place is replaced, when nothing else keeps it
    ///     from that; not where nothing is there.
    /// - Returns: Whether anything was there, and is kept.
    /// - Throws: `StoreError`: of the code `damaged` where the copy is, of the code `locked` where
    ///   somebody has the store open, of the code `exists` where there is a file at `aside`; what was at
    ///   the place is then as it was.
    @discardableResult
    public static func restore(
        _ path: String,
        from copy: String,
        for model: ManagedObjectModel,
        keeping aside: String,
        in scratch: String? = nil,
        willReplace: () -> Void = {}
    ) throws -> Bool {
        // SQLite keeps its files beside the one to which a link leads.
        let place = URL(fileURLWithPath: path).resolvingSymlinksInPath().path
        let aside = URL(fileURLWithPath: aside).path
        if FileManager.default.fileExists(atPath: aside) { throw exists(aside) }
        let partial = partialPath(of: place, in: scratch)
        defer { removeFiles(of: partial) }
        try StoreError.naming(path, insteadOf: partial) {
            try prepareCopy(copy, at: partial, for: model)
        }
        switch try SQLiteFileHeader(FileHold(path: place, isMade: false), path: place) {
        case .missing:
            giveOwner(ofFolderOf: place, to: partial)
            // Of one that is gone; SQLite would take it for a part of the copy.
            for suffix in ["-wal", "-journal"] { unsafe rename(place + suffix, aside + suffix) }
            unsafe unlink(place + "-shm")
            let number = partial.moveWithoutReplacing(to: place)
            if number != 0 { throw failure(place, number) }
            try synchronizeFolder(of: place)
            return false
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
                try replaceFile(place, with: partial, keeping: aside, willReplace)
            }
        case .other, .empty:
            try replaceFile(place, with: partial, keeping: aside, willReplace)
        }
        return true
    }

    /// Makes a copy of the copy, as one file, of which is known that it can be used.
    private static func prepareCopy(
        _ copy: String,
        at partial: String,
        for model: ManagedObjectModel
    ) throws {
        // Nothing would be copied from an empty file, and the copy of it be blamed.
        if try SQLiteFileHeader(FileHold(path: copy, isMade: false), path: copy) == .empty {
            throw StoreError(.damaged, "there is nothing in \(copy); take another copy")
        }
        let source = try SQLiteStore(path: copy, access: .read)
        try source.backup(to: partial)
        try source.close()
        let store = try SQLiteStore(path: partial)
        // A copy of an older version is brought up to date here rather than at its place.
        try store.prepare(for: model)
        let damage = try store.checkIntegrity()
        try store.close()
        if let first = damage.first {
            throw StoreError(.damaged, "\(copy) is damaged: \(first); take another copy")
        }
        try StoreError.translating(partial) {
            let queue = try DatabaseQueue(path: partial)
            try queue.writeWithoutTransaction {
                try $0.execute(sql: "PRAGMA journal_mode = DELETE")
            }
            try queue.close()
        }
        try synchronize(partial)
    }

    /// Replaces the contents of a database in one transaction, while nobody else has it open.
    private static func replacePages(
        of place: String,
        from partial: String,
        keeping aside: String,
        in scratch: String?,
        _ willReplace: () -> Void
    ) throws {
        let kept = partialPath(of: aside, in: scratch)
        defer { removeFiles(of: kept) }
        try StoreError.translating(place) {
            var configuration = Configuration()
            configuration.busyMode = .immediateError
            let queue = try DatabaseQueue(path: place, configuration: configuration)
            do {
                // The log can only be left by whoever is alone, and stays left as long as this is open.
                try queue.writeWithoutTransaction { db in
                    try db.execute(sql: "PRAGMA synchronous = FULL")
                    try db.execute(sql: "PRAGMA locking_mode = EXCLUSIVE")
                    try db.execute(sql: "PRAGMA journal_mode = DELETE")
                    try db.execute(sql: "BEGIN EXCLUSIVE; COMMIT")
                }
            } catch let error as DatabaseError where error.resultCode == .SQLITE_BUSY {
                throw StoreError(
                    .locked,
                    "another process has \(place) open; stop it first, and try again",
                    underlying: error
                )
            }
            let old = try DatabaseQueue(path: kept)
            try queue.backup(to: old)
            try old.close()
            giveAttributes(of: place, to: kept)
            try StoreError.naming(aside, insteadOf: kept) { try synchronize(kept) }
            guard unsafe link(kept, aside) == 0 else {
                throw errno == EEXIST ? exists(aside) : failure(aside)
            }
            try synchronizeFolder(of: aside)
            let new = try DatabaseQueue(path: partial)
            willReplace()
            try new.backup(to: queue)
            try new.close()
            try queue.close()
        }
    }

    /// Gives the name of a file that is no usable database to another one.
    private static func replaceFile(
        _ place: String,
        with partial: String,
        keeping aside: String,
        _ willReplace: () -> Void
    ) throws {
        guard unsafe link(place, aside) == 0 else {
            throw errno == EEXIST ? exists(aside) : failure(aside)
        }
        for suffix in ["-wal", "-journal"] { unsafe link(place + suffix, aside + suffix) }
        giveAttributes(of: place, to: partial)
        willReplace()
        // SQLite would take a log that is left beside the new file for its own.
        for suffix in companionSuffixes { unsafe unlink(place + suffix) }
        guard unsafe rename(partial, place) == 0 else { throw failure(place) }
        try synchronizeFolder(of: place)
    }

    /// A service whose folder this is must be able to use a file that somebody else has made.
    private static func giveOwner(ofFolderOf place: String, to path: String) {
        let folder = URL(fileURLWithPath: place).deletingLastPathComponent().path
        var status = stat()
        guard unsafe stat(folder, &status) == 0 else { return }
        _ = unsafe chown(path, status.st_uid, status.st_gid)
    }

    private static func synchronizeFolder(of path: String) throws {
        try synchronize(URL(fileURLWithPath: path).deletingLastPathComponent().path)
    }
}
