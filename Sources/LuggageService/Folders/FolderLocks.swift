internal import FoundationEssentials
internal import Glibc
internal import Synchronization

/// The locks of all folders that one service watches; renewed if someone removes one meanwhile.
final class FolderLocks: Sendable {
    private struct Kept {
        var lock: FolderLock
        /// Why it was lost, as already reported.
        var toldTrouble: Trouble?
    }

    /// Why a lock cannot be retaken.
    private enum Trouble: Equatable {
        /// Another process has it now.
        case inUse
        /// The system returned this error number.
        case error(Int32)
    }

    private struct State {
        var locks: [Kept] = []
        var news = News()
        /// Why filing has paused.
        var pause: FilingPause?
        /// What is left in dropped folders.
        var left: [String] = []

        mutating func lock(_ folder: String) throws -> FolderLock {
            let lock = try FolderLock(folder: folder)
            if pause != nil || !left.isEmpty { lock.tell(pause: pause, left: left) }
            news.folders.append(folder)
            return lock
        }

        mutating func tell(_ trouble: Trouble, _ error: any Error, of index: Int) {
            if locks[index].toldTrouble != trouble { news.troubles.append(error) }
            locks[index].toldTrouble = trouble
        }
    }

    /// What has not been reported yet.
    struct News {
        /// The folders that were locked, including at the start.
        var folders: [String] = []
        /// Who has a lock instead, or why it cannot be taken; each once.
        var troubles: [any Error] = []
    }

    private let state: Mutex<State>

    /// Locks folders.
    ///
    /// - Parameter folders: The watched folders, which exist.
    /// - Throws: ``FolderInUse``, or ``FilingError`` if a file cannot be made.
    init(folders: [String]) throws {
        var state = State()
        for folder in folders { state.locks.append(Kept(lock: try state.lock(folder))) }
        self.state = Mutex(state)
    }

    /// Retakes locks whose file was removed, or whose folder was replaced.
    ///
    /// If that fails, the next call retries. Pictures may be filed meanwhile: the record counts none
    /// twice, even if two services file it.
    ///
    /// - Returns: What is new since the last call.
    func renew() -> News {
        state.withLock { state in
            for index in state.locks.indices where !state.locks[index].lock.isInPlace {
                do {
                    let folder = state.locks[index].lock.folder
                    state.locks[index] = Kept(lock: try state.lock(folder))
                } catch let error as FolderInUse {
                    state.tell(.inUse, error, of: index)
                } catch let error as FilingError where error.meansAbsence {
                    // The watch reports that the folder is gone.
                } catch {
                    let number = (error as? FilingError)?.number ?? 0
                    state.tell(.error(number), LostLock(error), of: index)
                }
            }
            defer { state.news = News() }
            return state.news
        }
    }

    /// Releases all locks; none is retaken.
    func release() {
        state.withLock { $0.locks = [] }
    }

    /// Writes into the locks why filing has paused, or that it goes on.
    func tell(_ trouble: FilingTrouble?) {
        state.withLock { state in
            let since = state.pause?.since ?? Date()
            let pause = trouble.map { FilingPause(since: since, $0) }
            if pause == state.pause { return }
            state.pause = pause
            for kept in state.locks { kept.lock.tell(pause: pause, left: state.left) }
        }
    }

    /// Writes into the locks what is left in dropped folders.
    func tell(left: [String]) {
        state.withLock { state in
            state.left = LockWords.shortened(left)
            for kept in state.locks { kept.lock.tell(pause: state.pause, left: state.left) }
        }
    }
}

/// A lock that was removed and cannot be retaken.
private struct LostLock: Error, CustomStringConvertible {
    private let error: any Error

    init(_ error: any Error) {
        self.error = error
    }

    /// What it means.
    var description: String {
        "\(error); until this works, a second service can watch this folder too"
    }
}

extension FilingError {
    /// Whether nothing is at the path, and nothing can be.
    fileprivate var meansAbsence: Bool { number == ENOENT || number == ENOTDIR }
}
