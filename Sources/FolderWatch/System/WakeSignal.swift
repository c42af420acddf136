internal import CFolderWatch
internal import Synchronization

#if canImport(Glibc)
internal import Glibc
#endif

/// Wakes the thread that watches.
final class WakeSignal: Sendable {
    private enum State {
        case unopened, open(Int32), closed
    }

    private let state = Mutex(State.unopened)

    init() {
        open()
    }

    deinit {
        close()
    }

    /// The descriptor to wait for; nil while the system has none to give.
    var descriptor: Int32? {
        state.withLock { if case .open(let descriptor) = $0 { descriptor } else { nil } }
    }

    /// Tries once more where the system had none to give.
    func open() {
        state.withLock { state in
            guard case .unopened = state else { return }
            let descriptor = folder_watch_open_signal()
            if descriptor >= 0 { state = .open(descriptor) }
        }
    }

    func raise() {
        state.withLock { if case .open(let descriptor) = $0 { folder_watch_raise(descriptor) } }
    }

    func lower() {
        state.withLock { if case .open(let descriptor) = $0 { folder_watch_lower(descriptor) } }
    }

    /// Gives the descriptor back, for good.
    func close() {
        state.withLock { state in
            if case .open(let descriptor) = state { _ = Glibc.close(descriptor) }
            state = .closed
        }
    }
}
