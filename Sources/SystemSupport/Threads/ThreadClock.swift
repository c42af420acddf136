/// A clock on which tasks can sleep without any thread of Swift's own.
///
/// Like `SuspendingClock`, it counts from the start of the system, and stops while it is suspended.
package struct ThreadClock: Clock {
    package typealias Instant = SuspendingClock.Instant

    let timekeeper: Timekeeper

    package var now: Instant { SuspendingClock.now }
    package var minimumResolution: Duration { SuspendingClock().minimumResolution }

    /// Sleeps until a time.
    ///
    /// - Parameters:
    ///   - deadline: The time.
    ///   - tolerance: Ignored.
    /// - Throws: `CancellationError` as soon as the task is cancelled.
    package func sleep(until deadline: Instant, tolerance: Duration?) async throws {
        let number = timekeeper.makeNumber()
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation {
                (continuation: CheckedContinuation<Void, any Error>) in
                // A task that is cancelled later cancels the plan.
                timekeeper.plan(number, at: deadline, unless: { Task.isCancelled }) { isCalledOff in
                    if isCalledOff {
                        continuation.resume(throwing: CancellationError())
                    } else {
                        continuation.resume()
                    }
                }
            }
        } onCancel: {
            timekeeper.callOff(number)
        }
    }
}
