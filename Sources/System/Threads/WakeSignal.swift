internal import CLinux
internal import Synchronization

#if canImport(Glibc)
internal import Glibc
#endif

/// By which other threads wake one that waits for descriptors.
package final class WakeSignal: Sendable {
    private enum State {
        case unopened, open(Int32), closed
    }

    private let state = Mutex(State.unopened)

    /// Makes one that is not raised.
    package init() {
        open()
    }

    deinit {
        close()
    }

    /// The descriptor to wait for; nil while the system has none to give.
    package var descriptor: Int32? {
        state.withLock { if case .open(let descriptor) = $0 { descriptor } else { nil } }
    }

    /// Tries once more where the system had none to give.
    package func open() {
        state.withLock { state in
            guard case .unopened = state else { return }
            let descriptor = system_open_wake_signal()
            if descriptor >= 0 { state = .open(descriptor) }
        }
    }

    /// Wakes the thread, now or as soon as it waits.
    package func raise() {
        state.withLock {
            if case .open(let descriptor) = $0 { system_raise_wake_signal(descriptor) }
        }
    }

    /// Lets the thread wait again.
    package func lower() {
        state.withLock {
            if case .open(let descriptor) = $0 { system_lower_wake_signal(descriptor) }
        }
    }

    /// Gives the descriptor back, for good.
    package func close() {
        state.withLock { state in
            if case .open(let descriptor) = state { _ = Glibc.close(descriptor) }
            state = .closed
        }
    }
}
