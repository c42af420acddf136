internal import Synchronization

/// Lets only so many services be watching at a time, of however many tests run.
///
/// The kernel gives a user 128 instances of inotify by default, of which a service takes three, and a
/// service without one polls. Nor could all of them be in time on a machine with few cores.
public enum ServiceTurns {
    private struct State: Sendable {
        var free = 16
        var waiting: [CheckedContinuation<Void, Never>] = []
    }

    private static let state = Mutex(State())

    /// Waits for a turn.
    public static func take() async {
        await withCheckedContinuation { continuation in
            let isFree = state.withLock { state in
                guard state.free > 0 else {
                    state.waiting.append(continuation)
                    return false
                }
                state.free -= 1
                return true
            }
            if isFree { continuation.resume() }
        }
    }

    /// Gives a turn to the one who has waited longest.
    public static func giveBack() {
        let next = state.withLock { state -> CheckedContinuation<Void, Never>? in
            guard state.waiting.isEmpty else { return state.waiting.removeFirst() }
            state.free += 1
            return nil
        }
        next?.resume()
    }
}
