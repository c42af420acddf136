/// The time since the system was started, by which tasks sleep without any thread of Swift's own.
///
/// As `SuspendingClock`, it stands still while the system is suspended.
package struct ThreadClock: Clock {
    package typealias Instant = SuspendingClock.Instant

    let timekeeper: Timekeeper

    package var now: Instant { SuspendingClock.now }
    package var minimumResolution: Duration { SuspendingClock().minimumResolution }

    /// Sleeps until a time.
    ///
    /// - Parameters:
    ///   - deadline: Until when.
    ///   - tolerance: Not made use of.
    /// - Throws: `CancellationError` as soon as the task is cancelled.
    package func sleep(until deadline: Instant, tolerance: Duration?) async throws {
        let number = timekeeper.makeNumber()
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation {
                (continuation: CheckedContinuation<Void, any Error>) in
                // A task that is cancelled later calls it off.
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
