import Synchronization

/// Counts what is done, by several at a time.
final class Tally: Sendable {
    private let state = Mutex((now: 0, most: 0, done: 0))

    /// How much was done.
    var count: Int { state.withLock { $0.done } }

    /// How much was under way at most at the same time.
    var most: Int { state.withLock { $0.most } }

    func begin() {
        state.withLock { state in
            state.now += 1
            state.most = max(state.most, state.now)
        }
    }

    func end() {
        state.withLock { state in
            state.now -= 1
            state.done += 1
        }
    }

    func add() {
        begin()
        end()
    }
}
