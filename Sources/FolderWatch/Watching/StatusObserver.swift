internal import Synchronization

/// An observer of every new status.
package final class StatusObserver<Status: Sendable>: Sendable {
    let continuation: AsyncStream<Status>.Continuation
    private let lastNumber = Mutex<UInt64>(0)

    package init(continuation: AsyncStream<Status>.Continuation) {
        self.continuation = continuation
    }

    /// Sends a status, unless a later one was sent.
    ///
    /// The thread that made a change sends its status after unlocking. One status may overtake
    /// another then, and the last to arrive would be taken for the present one.
    ///
    /// - Parameters:
    ///   - status: The status.
    ///   - number: Greater for later ones.
    package func tell(_ status: Status, _ number: UInt64) {
        lastNumber.withLock { lastNumber in
            guard number > lastNumber else { return }
            lastNumber = number
            continuation.yield(status)
        }
    }
}
