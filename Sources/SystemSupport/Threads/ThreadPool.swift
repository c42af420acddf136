internal import DequeModule
internal import Dispatch
internal import Synchronization

/// Threads that run jobs in the order in which they come.
///
/// A thread without a job sleeps until there is one, so an idle pool uses no processor time.
final class ThreadPool<Job: Sendable>: Sendable {
    /// The numbers of threads.
    struct Size: Sendable {
        /// How many threads stay once they are started; the others end after some seconds without jobs.
        var kept: Int
        /// How many threads start as soon as there are jobs for them.
        var atOnce: Int
        /// The limit for threads that start one by one if all are blocked; see ``ThreadPool/relieve()``.
        var most: Int
    }

    private struct State {
        var jobs: Deque<Job> = []
        var threads = 0
        /// The threads that wait for jobs, without those that were already woken.
        var idle = 0
        /// How many jobs were taken, and how many at the last check.
        var taken = 0
        var takenBefore = 0
        /// Whether a caller will call ``ThreadPool/relieve()``.
        var isLookedAfter = false
    }

    /// How long a thread that is not kept waits for a job before it ends.
    private static var patience: DispatchTimeInterval { .seconds(5) }

    private let size: Size
    private let perform: @Sendable (Job) -> Void
    private let state = Mutex(State())
    /// Wakes waiting threads, one for each signal.
    private let calls = DispatchSemaphore(value: 0)

    init(_ size: Size, perform: @escaping @Sendable (Job) -> Void) {
        self.size = size
        self.perform = perform
    }

    private enum Means { case wake, start, wait(isLookedAfter: Bool) }

    /// Adds a job.
    ///
    /// - Returns: Whether the caller must call ``relieve()`` after a while: the job waits for a free thread,
    ///   and no other caller will do so.
    func add(_ job: Job) -> Bool {
        let means = state.withLock { state -> Means in
            state.jobs.append(job)
            if state.idle > 0 {
                state.idle -= 1
                return .wake
            }
            if state.threads < size.atOnce {
                state.threads += 1
                return .start
            }
            defer { state.isLookedAfter = true }
            return .wait(isLookedAfter: state.isLookedAfter || size.most <= size.atOnce)
        }
        switch means {
        case .wake:
            calls.signal()
            return false
        case .start:
            return start() ? false : !lookAfter()
        case .wait(let isLookedAfter):
            return !isLookedAfter
        }
    }

    /// Notes that a caller will call ``relieve()``.
    ///
    /// - Returns: Whether another caller already will, or nobody needs to.
    private func lookAfter() -> Bool {
        state.withLock { state in
            defer { state.isLookedAfter = true }
            return state.isLookedAfter || size.most <= size.atOnce
        }
    }

    /// Adds a thread if jobs wait and none was taken since the last call, because all threads are blocked.
    ///
    /// - Returns: Whether to call this again after a while.
    func relieve() -> Bool {
        let (goesOn, starts) = state.withLock { state in
            state.isLookedAfter = !state.jobs.isEmpty
            let standsStill = state.isLookedAfter && state.taken == state.takenBefore
            state.takenBefore = state.taken
            guard standsStill, state.threads < size.most else {
                return (state.isLookedAfter, false)
            }
            state.threads += 1
            return (true, true)
        }
        if starts { _ = start() }
        return goesOn
    }

    /// Starts one more thread.
    ///
    /// - Returns: Whether the system could create one.
    private func start() -> Bool {
        if DetachedThread.start({ self.work() }) { return true }
        let isAlone = state.withLock { state in
            if state.threads == 1 { return true }
            state.threads -= 1
            return false
        }
        // Other threads do the work; if there are none, it retries until it gets one.
        if isAlone { DetachedThread.startPatiently { self.work() } }
        return isAlone
    }

    private enum Turn { case job(Job), wait(isKept: Bool) }

    private func work() {
        while true {
            let turn = state.withLock { state -> Turn in
                if let job = state.jobs.popFirst() {
                    state.taken &+= 1
                    return .job(job)
                }
                state.idle += 1
                return .wait(isKept: state.threads <= size.kept)
            }
            switch turn {
            case .job(let job): perform(job)
            case .wait(isKept: true): calls.wait()
            case .wait(isKept: false):
                if calls.wait(timeout: .now() + Self.patience) == .success { continue }
                let ends = state.withLock { state in
                    // A caller that has counted on this thread has already sent a signal for it.
                    if state.idle == 0 || state.threads <= size.kept { return false }
                    state.idle -= 1
                    state.threads -= 1
                    return true
                }
                if ends { return }
                calls.wait()
            }
        }
    }
}
