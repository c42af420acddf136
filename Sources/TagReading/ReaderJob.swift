internal import Synchronization

/// What a worker has to do with a reader process, as the handle by which it can be given up.
final class ReaderJob: Sendable {
    private struct State {
        var isCancelled = false
        var process: ReaderProcess?
    }

    private let state = Mutex(State())

    /// Whether the job was given up.
    var isCancelled: Bool {
        state.withLock { $0.isCancelled }
    }

    /// Gives the job up.
    ///
    /// A process that works on it is killed, which wakes its worker.
    func cancel() {
        state.withLock { state in
            state.isCancelled = true
            state.process?.kill()
        }
    }

    /// Says which process will work on it.
    ///
    /// - Returns: Whether it may be handed over.
    func attach(_ process: ReaderProcess) -> Bool {
        state.withLock { state in
            guard !state.isCancelled else { return false }
            state.process = process
            return true
        }
    }

    /// Takes it back.
    ///
    /// From here on giving up kills nothing, and so never the process of another job.
    ///
    /// - Returns: Whether the process is still to be used.
    func detach() -> Bool {
        state.withLock { state in
            state.process = nil
            return !state.isCancelled
        }
    }
}
