internal import Synchronization

/// A request to come to an end: made once, from anywhere, and waited for by any number of tasks.
///
/// Other than a task's cancellation, it lets work that has begun be finished, and told how long it may take.
package final class StopRequest: Sendable {
    private struct State {
        var isMade = false
        var waiting: [AsyncStream<Never>.Continuation] = []
    }

    private let state = Mutex(State())

    /// Prepares a request that is not made.
    package init() {}

    /// Makes the request, if that is not done yet.
    package func make() {
        let waiting = state.withLock { state in
            state.isMade = true
            defer { state.waiting = [] }
            return state.waiting
        }
        for waiting in waiting { waiting.finish() }
    }

    /// Waits until the request is made.
    ///
    /// Until then the place of a task that was cancelled is kept too: few tasks wait.
    ///
    /// - Returns: True once it is made; false if the task was cancelled before.
    package func wait() async -> Bool {
        let (news, told) = AsyncStream.makeStream(of: Never.self)
        let isMade = state.withLock { state in
            if !state.isMade { state.waiting.append(told) }
            return state.isMade
        }
        if isMade { return true }
        for await _ in news {}
        return state.withLock { $0.isMade }
    }
}
