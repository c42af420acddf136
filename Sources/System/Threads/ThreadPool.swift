internal import DequeModule
internal import Dispatch
internal import Synchronization

/// Threads that do work in the order in which it comes.
///
/// A thread that has no work sleeps until there is some: at rest nothing happens here.
final class ThreadPool<Job: Sendable>: Sendable {
    /// How many threads there are.
    struct Size: Sendable {
        /// So many stay once they were started; the others end when they had no work for some seconds.
        var kept: Int
        /// So many are started as soon as there is work for them.
        var atOnce: Int
        /// So many are started one by one where work stands still; see ``ThreadPool/relieve()``.
        var most: Int
    }

    private struct State {
        var jobs: Deque<Job> = []
        var threads = 0
        /// The threads that wait for work, but for those that were woken.
        var idle = 0
        /// How many jobs were taken, and how many had been when that was last looked at.
        var taken = 0
        var takenBefore = 0
        /// Whether somebody is going to call ``ThreadPool/relieve()``.
        var isLookedAfter = false
    }

    /// How long a thread that is not kept waits for work before it ends.
    private static var patience: DispatchTimeInterval { .seconds(5) }

    private let size: Size
    private let perform: @Sendable (Job) -> Void
    private let state = Mutex(State())
    /// Wakes threads that wait, one for each signal.
    private let calls = DispatchSemaphore(value: 0)

    init(_ size: Size, perform: @escaping @Sendable (Job) -> Void) {
        self.size = size
        self.perform = perform
    }

    private enum Means { case wake, start, wait(isLookedAfter: Bool) }

    /// Has a job done.
    ///
    /// - Returns: Whether it has to wait until a thread is free, and ``relieve()`` is to be called after
    ///   a while, as nobody is going to yet.
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

    /// Says that somebody is going to call ``relieve()``.
    ///
    /// - Returns: Whether somebody was already, or nobody need to.
    private func lookAfter() -> Bool {
        state.withLock { state in
            defer { state.isLookedAfter = true }
            return state.isLookedAfter || size.most <= size.atOnce
        }
    }

    /// Adds a thread where no work was taken since the last time although there is some: those there
    /// are wait for something else.
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
    /// - Returns: Whether the system had one to give.
    private func start() -> Bool {
        if DetachedThread.start({ self.work() }) { return true }
        let isAlone = state.withLock { state in
            if state.threads == 1 { return true }
            state.threads -= 1
            return false
        }
        // Others do the work, unless there are none.
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
                    // Whoever counts on this thread has a signal for it.
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
