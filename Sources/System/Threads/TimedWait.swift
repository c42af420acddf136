#if canImport(Glibc)
internal import Glibc
#endif

/// A state that several threads change, and that one waits to see changed, for a limited time.
///
/// Unlike a semaphore of libdispatch it knows no time of day, so nobody waits for longer where that is
/// set back.
@safe
package final class TimedWait<State: Sendable>: @unchecked Sendable {
    // Every access to the state holds the lock, which neither moves nor goes before this does.
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

    /// Whether whoever waits is to look at the state again.
    package enum News { case toTell, none }

    /// Changes the state.
    package func change<Result>(_ body: (inout State) -> (Result, News)) -> Result {
        unsafe pthread_mutex_lock(lock)
        defer { unsafe pthread_mutex_unlock(lock) }
        let (result, news) = body(&state)
        if news == .toTell { unsafe pthread_cond_signal(change) }
        return result
    }

    /// What to do after a look at the state.
    package enum Look<Result> {
        case found(Result)
        case wait(until: SuspendingClock.Instant?)
    }

    /// Looks at the state until something is found there.
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

    /// What the clock of the system shows at that moment.
    private static func time(of limit: SuspendingClock.Instant) -> timespec {
        var now = timespec()
        unsafe clock_gettime(CLOCK_MONOTONIC, &now)
        let left = max(.zero, min(.seconds(1 << 31), SuspendingClock.now.duration(to: limit)))
        let (seconds, attoseconds) = left.components
        // Rounded up: before its time there is nothing to do yet.
        let nanoseconds = now.tv_nsec + Int(attoseconds / 1_000_000_000) + 1
        return timespec(
            tv_sec: now.tv_sec + Int(seconds) + nanoseconds / 1_000_000_000,
            tv_nsec: nanoseconds % 1_000_000_000
        )
    }
}
