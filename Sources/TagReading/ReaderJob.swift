internal import Synchronization

/// One picture on its way through a worker, and the handle by which it can be given up.
final class ReaderJob: Sendable {
    let image: TagImage

    private struct State {
        var isCancelled = false
        var process: ReaderProcess?
    }

    private let state = Mutex(State())

    init(_ image: TagImage) {
        self.image = image
    }

    /// Whether the picture was given up.
    var isCancelled: Bool {
        state.withLock { $0.isCancelled }
    }

    /// Gives the picture up.
    ///
    /// A process that holds it is killed, which wakes its worker.
    func cancel() {
        state.withLock { state in
            state.isCancelled = true
            state.process?.kill()
        }
    }

    /// Says which process will hold the picture.
    ///
    /// - Returns: Whether it may be handed over.
    func attach(_ process: ReaderProcess) -> Bool {
        state.withLock { state in
            guard !state.isCancelled else { return false }
            state.process = process
            return true
        }
    }

    /// Takes the picture back.
    ///
    /// From here on giving up kills nothing, and so never the process of another picture.
    ///
    /// - Returns: Whether the process is still to be used.
    func detach() -> Bool {
        state.withLock { state in
            state.process = nil
            return !state.isCancelled
        }
    }
}
