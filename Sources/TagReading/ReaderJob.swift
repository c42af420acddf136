internal import Synchronization

/// A worker's job with a reader process, through which it can be cancelled.
final class ReaderJob: Sendable {
    private struct State {
        var isCancelled = false
        var process: ReaderProcess?
    }

    private let state = Mutex(State())

    /// Cancels the job.
    ///
    /// If a process works on it, that is killed, which wakes its worker.
    func cancel() {
        state.withLock { state in
            state.isCancelled = true
            state.process?.kill()
        }
    }

    /// Sets the process that works on the job.
    ///
    /// - Returns: Whether the process may get the picture.
    func attach(_ process: ReaderProcess) -> Bool {
        state.withLock { state in
            guard !state.isCancelled else { return false }
            state.process = process
            return true
        }
    }

    /// Removes the process from the job.
    ///
    /// After this, cancelling kills no process, and so never that of another job.
    ///
    /// - Returns: Whether the process may be used again.
    func detach() -> Bool {
        state.withLock { state in
            state.process = nil
            return !state.isCancelled
        }
    }
}
