internal import CLinux
internal import Glibc
internal import Synchronization

/// A signal with which other threads wake a thread that waits for descriptors.
package final class WakeSignal: Sendable {
    private enum State {
        case unopened, open(Int32), closed
    }

    private let state = Mutex(State.unopened)

    /// Makes a signal that is not raised.
    package init() {
        open()
    }

    deinit {
        close()
    }

    /// The descriptor to wait for; nil while the system could not open one.
    package var descriptor: Int32? {
        state.withLock { if case .open(let descriptor) = $0 { descriptor } else { nil } }
    }

    /// Tries again to open the descriptor if that has failed.
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

    /// Closes the descriptor, for good.
    package func close() {
        state.withLock { state in
            if case .open(let descriptor) = state { _ = Glibc.close(descriptor) }
            state = .closed
        }
    }
}
