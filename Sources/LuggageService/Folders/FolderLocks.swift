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
        var news = News()

        mutating func lock(_ folder: String) throws -> FolderLock {
            let lock = try FolderLock(folder: folder)
            news.folders.append(folder)
            return lock
        }
    }

    /// What nobody was told of yet.
    struct News {
        /// The folders that were locked, at the start too.
        var folders: [String] = []
        /// Who has a lock instead, each once.
        var troubles: [FolderInUse] = []
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
    /// - Returns: What is new since the last time.
    func renew() -> News {
        state.withLock { state in
            for index in state.locks.indices where !state.locks[index].lock.isInPlace {
                do {
                    let folder = state.locks[index].lock.folder
                    state.locks[index] = Kept(lock: try state.lock(folder))
                } catch let error as FolderInUse {
                    if !state.locks[index].wasToldOf { state.news.troubles.append(error) }
                    state.locks[index].wasToldOf = true
                } catch {
                    // The folder is gone, which the watch tells of.
                }
            }
            defer { state.news = News() }
            return state.news
        }
    }
}
