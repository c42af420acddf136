internal import Synchronization

/// Somebody who is told of every new status.
package final class StatusObserver<Status: Sendable>: Sendable {
    let continuation: AsyncStream<Status>.Continuation
    private let lastNumber = Mutex<UInt64>(0)

    package init(continuation: AsyncStream<Status>.Continuation) {
        self.continuation = continuation
    }

    /// Tells a status, unless a later one was told.
    ///
    /// Statuses are told by whoever has changed something, once the lock is free again: one may
    /// overtake another on the way, and the last to come would be taken for the present one.
    ///
    /// - Parameters:
    ///   - status: The status.
    ///   - number: Larger for later ones.
    package func tell(_ status: Status, _ number: UInt64) {
        lastNumber.withLock { lastNumber in
            guard number > lastNumber else { return }
            lastNumber = number
            continuation.yield(status)
        }
    }
}
