internal import LuggageTags
internal import Synchronization

/// The locks of all folders that one service watches, which somebody may remove while it runs.
final class FolderLocks: Sendable {
    private struct Kept {
        var lock: FolderLock
        /// Whether it was said already that another has it now.
        var wasToldOf = false
    }

    private let locks: Mutex<[Kept]>

    /// Locks folders.
    ///
    /// - Parameter folders: The watched folders, which exist.
    /// - Throws: ``FolderInUse``, or ``FilingError`` where a file cannot be made.
    init(folders: [String]) throws {
        locks = Mutex(try folders.map { Kept(lock: try Self.lock($0)) })
    }

    /// Whoever has the lock puts back what the last one who had it was moving.
    private static func lock(_ folder: String) throws -> FolderLock {
        let lock = try FolderLock(folder: folder)
        ClaimedPicture.putBackAll(in: folder)
        return lock
    }

    /// Takes locks again whose file was removed, or whose folder is another one now.
    ///
    /// Where that fails it is tried again the next time. Pictures may go on being filed meanwhile: the
    /// record counts none twice, whoever files it.
    ///
    /// - Returns: Who has them instead, once.
    func renew() -> [FolderInUse] {
        locks.withLock { locks in
            locks.indices.compactMap { index in
                guard !locks[index].lock.isInPlace else { return nil }
                do {
                    locks[index] = Kept(lock: try Self.lock(locks[index].lock.folder))
                    return nil
                } catch let error as FolderInUse {
                    defer { locks[index].wasToldOf = true }
                    return locks[index].wasToldOf ? nil : error
                } catch {
                    // The folder is gone, which the watch tells of.
                    return nil
                }
            }
        }
    }
}
