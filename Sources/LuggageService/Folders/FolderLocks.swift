internal import Synchronization

/// The locks of all folders that one service watches, which somebody may remove while it runs.
final class FolderLocks: Sendable {
    private struct Kept {
        var lock: FolderLock
        /// Whether it was said already that another has it now.
        var wasToldOf = false
    }

    private struct State {
        var locks: [Kept] = []
        /// What nobody was told of yet.
        var troubles: [any Error] = []

        /// Whoever has the lock puts back what the last one who had it was moving.
        mutating func lock(_ folder: String) throws -> FolderLock {
            let lock = try FolderLock(folder: folder)
            troubles += ClaimedPicture.putBackAll(in: folder)
            return lock
        }
    }

    private let state: Mutex<State>

    /// Locks folders.
    ///
    /// - Parameter folders: The watched folders, which exist.
    /// - Throws: ``FolderInUse``, or ``FilingError`` where a file cannot be made.
    init(folders: [String]) throws {
        var state = State()
        for folder in folders { state.locks.append(Kept(lock: try state.lock(folder))) }
        self.state = Mutex(state)
    }

    /// Takes locks again whose file was removed, or whose folder is another one now.
    ///
    /// Where that fails it is tried again the next time. Pictures may go on being filed meanwhile: the
    /// record counts none twice, whoever files it.
    ///
    /// - Returns: What is wrong, each thing once: who has a lock instead, and what was being moved when
    ///   the last service ended and cannot be put back.
    func renew() -> [any Error] {
        state.withLock { state in
            for index in state.locks.indices where !state.locks[index].lock.isInPlace {
                do {
                    let folder = state.locks[index].lock.folder
                    state.locks[index] = Kept(lock: try state.lock(folder))
                } catch let error as FolderInUse {
                    if !state.locks[index].wasToldOf { state.troubles.append(error) }
                    state.locks[index].wasToldOf = true
                } catch {
                    // The folder is gone, which the watch tells of.
                }
            }
            defer { state.troubles = [] }
            return state.troubles
        }
    }
}
