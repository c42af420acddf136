internal import Glibc

/// A state that several threads change, and whose changes threads await, with a time limit.
///
/// Unlike libdispatch's semaphores it does not use the time of day, so setting the clock back does not
/// make anybody wait longer.
@safe
package final class TimedWait<State: Sendable>: @unchecked Sendable {
    // Every access to the state holds the lock, whose address is fixed while this exists.
    private var state: State
    private let lock = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
    private let change = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)

    package init(_ state: State) {
        self.state = state
        unsafe pthread_mutex_init(lock, nil)
        var attributes = pthread_condattr_t()
        unsafe pthread_condattr_init(&attributes)
        unsafe pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC)
        unsafe pthread_cond_init(change, &attributes)
        unsafe pthread_condattr_destroy(&attributes)
    }

    deinit {
        unsafe pthread_cond_destroy(change)
        unsafe pthread_mutex_destroy(lock)
        unsafe change.deallocate()
        unsafe lock.deallocate()
    }

    /// Whether to wake a waiting thread, so that it looks at the state again.
    package enum News { case toTell, none }

    package func change<Result>(_ body: (inout State) -> (Result, News)) -> Result {
        unsafe pthread_mutex_lock(lock)
        let (result, news) = body(&state)
        unsafe pthread_mutex_unlock(lock)
        // Only now, so that the thread need not wait again, for the lock.
        if news == .toTell { unsafe pthread_cond_signal(change) }
        return result
    }

    /// The result of a look at the state.
    package enum Look<Result> {
        case found(Result)
        case wait(until: SuspendingClock.Instant?)
    }

    /// Looks at the state, again after each change, until the look finds something.
    package func wait<Result>(_ look: (inout State) -> Look<Result>) -> Result {
        unsafe pthread_mutex_lock(lock)
        defer { unsafe pthread_mutex_unlock(lock) }
        while true {
            switch look(&state) {
            case .found(let result): return result
            case .wait(until: nil): unsafe pthread_cond_wait(change, lock)
            case .wait(until: .some(let limit)):
                var time = Self.time(of: limit)
                unsafe pthread_cond_timedwait(change, lock, &time)
            }
        }
    }

    /// Converts a moment to the time of CLOCK_MONOTONIC.
    private static func time(of limit: SuspendingClock.Instant) -> timespec {
        var now = timespec()
        unsafe clock_gettime(CLOCK_MONOTONIC, &now)
        let left = max(.zero, min(.seconds(1 << 31), SuspendingClock.now.duration(to: limit)))
        let (seconds, attoseconds) = left.components
        // Rounded up, because waking too early would find nothing to do.
        let nanoseconds = now.tv_nsec + Int(attoseconds / 1_000_000_000) + 1
        return timespec(
            tv_sec: now.tv_sec + Int(seconds) + nanoseconds / 1_000_000_000,
            tv_nsec: nanoseconds % 1_000_000_000
        )
    }
}
