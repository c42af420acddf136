internal import CSQLite
internal import FoundationEssentials
internal import ObjectStore

extension StoreError {
    /// Runs work on a file and translates SQLite's errors into those of a store.
    static func translating<Result>(_ path: String, _ body: () throws -> Result) throws -> Result {
        do {
            return try body()
        } catch let error as SQLiteError {
            throw StoreError(error, path: path)
        }
    }

    /// Runs work on a temporary file, and makes errors name the final file instead.
    ///
    /// A reader of the error does not know the temporary file.
    static func naming<Result>(
        _ path: String,
        insteadOf partial: String,
        _ body: () throws -> Result
    ) throws -> Result {
        do {
            return try body()
        } catch let error as StoreError {
            let message = error.message.replacing(partial, with: path)
            throw StoreError(error.code, message, underlying: error.underlying)
        }
    }

    /// The error for a store that another process keeps locked.
    static func locked(_ path: String) -> StoreError {
        let index = FileHold(heldAt: SQLiteStore.place(of: path) + "-shm")
        var who = "another process"
        if let owner = index?.owner(ofLockAt: LogIndex.writeLock), owner > 0 {
            let file = "/proc/\(owner)/comm"
            let name = try? String(contentsOfFile: file, encoding: .utf8).split(separator: "\n")
                .first
            who = "process \(owner)" + (name.map { " (\($0))" } ?? "")
        }
        return StoreError(
            .locked,
            "\(who) keeps \(path) locked; try again, or end that process"
        )
    }

    /// The error for a store, or a file of it, that does not exist.
    static func cannotOpen(_ path: String, _ error: any Error) -> StoreError {
        StoreError(
            .cannotOpen,
            "\(path) cannot be opened or made; check that its folder exists and is writable",
            underlying: error
        )
    }

    private init(_ error: SQLiteError, path: String) {
        let (code, message): (Code, String) =
            switch error.primaryCode {
            case SQLITE_BUSY, SQLITE_LOCKED: (.locked, Self.locked(path).message)
            case SQLITE_NOTADB, SQLITE_CORRUPT:
                (
                    .damaged,
                    "\(path) is damaged, or its disk cannot read it; check the disk, then put a backup in its place"
                )
            case SQLITE_READONLY, SQLITE_PERM, SQLITE_AUTH:
                (.readOnly, "\(path) or its folder may not be written; check their permissions")
            case SQLITE_CANTOPEN: (.cannotOpen, Self.cannotOpen(path, error).message)
            case SQLITE_FULL:
                (.full, "the disk that holds \(path) is full; make room and try again")
            case SQLITE_IOERR where error.code == sqlite3_ioerr_shmsize:
                (
                    .ioFailed,
                    "\(path) could not be written; check whether its disk is full, or fails"
                )
            case SQLITE_IOERR:
                (.ioFailed, "\(path) could not be read or written; check the disk")
            default:
                (.failed, "\(path): \(error.message)")
            }
        self.init(code, message, underlying: error)
    }
}
