/// A clock on which tasks can sleep without any thread of Swift's own.
///
/// It has a thread that runs closures at certain times, and sleeps between them; that starts with the
/// first plan, and never ends. Like `SuspendingClock`, the clock counts from the start of the system, and
/// stops while that is suspended.
package final class ThreadClock: Clock {
    package typealias Instant = SuspendingClock.Instant

    /// A closure to run; it must be short, because the next ones wait for it.
    typealias Deed = @Sendable (_ isCalledOff: Bool) -> Void

    private struct State: Sendable {
        /// There are few: one for each sleeping task and pool with waiting work.
        var plans: [UInt64: (deadline: Instant, deed: Deed)] = [:]
        var lastNumber: UInt64 = 0
        var hasThread = false
        /// The time until which the thread sleeps; nil for ever.
        var sleepsUntil: Instant?
    }

    private let state = TimedWait(State())

    package var now: Instant { SuspendingClock.now }
    package var minimumResolution: Duration { SuspendingClock().minimumResolution }

    /// Sleeps until a time.
    ///
    /// - Parameters:
    ///   - deadline: The time.
    ///   - tolerance: Ignored.
    /// - Throws: `CancellationError` as soon as the task is cancelled.
    package func sleep(until deadline: Instant, tolerance: Duration?) async throws {
        let number = makeNumber()
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation {
                (continuation: CheckedContinuation<Void, any Error>) in
                // A task that is cancelled later cancels the plan.
                plan(number, at: deadline, unless: { Task.isCancelled }) { isCalledOff in
                    if isCalledOff {
                        continuation.resume(throwing: CancellationError())
                    } else {
                        continuation.resume()
                    }
                }
            }
        } onCancel: {
            callOff(number)
        }
    }

    /// Makes a number with which a plan can be cancelled, even before it is made.
    func makeNumber() -> UInt64 {
        state.change { state in
            state.lastNumber += 1
            return (state.lastNumber, .none)
        }
    }

    /// Runs a closure at a time, or now if the time has passed.
    ///
    /// - Parameters:
    ///   - number: A number from ``makeNumber()``.
    ///   - deadline: The time.
    ///   - isCalledOff: Whether the plan was cancelled before it was made.
    ///   - deed: The closure.
    func plan(
        _ number: UInt64,
        at deadline: Instant,
        unless isCalledOff: () -> Bool = { false },
        _ deed: @escaping Deed
    ) {
        let (isCalledOff, isFirst) = state.change { state in
            if isCalledOff() { return ((true, false), .none) }
            state.plans[number] = (deadline, deed)
            let isFirst = !state.hasThread
            state.hasThread = true
            let isSooner = state.sleepsUntil.map { deadline < $0 } ?? true
            return ((false, isFirst), isSooner ? .toTell : .none)
        }
        if isCalledOff { deed(true) }
        if isFirst { DetachedThread.startPatiently { self.keepTime() } }
    }

    /// Cancels a plan if its closure has not run yet; the closure then runs with true.
    func callOff(_ number: UInt64) {
        let plan = state.change { ($0.plans.removeValue(forKey: number), .none) }
        plan?.deed(true)
    }

    /// The number of plans.
    var planned: Int { state.change { ($0.plans.count, .none) } }

    private func keepTime() {
        while true {
            let due: [Deed] = state.wait { state in
                let now = self.now
                let due = state.plans.filter { $0.value.deadline <= now }
                if due.isEmpty {
                    state.sleepsUntil = state.plans.values.map(\.deadline).min()
                    return .wait(until: state.sleepsUntil)
                }
                for number in due.keys { state.plans[number] = nil }
                return .found(due.values.sorted { $0.deadline < $1.deadline }.map(\.deed))
            }
            for deed in due { deed(false) }
        }
    }
}
