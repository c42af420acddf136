internal import DequeModule

/// Threads for work that keeps them busy or waits for a disk, and so must not block tasks.
///
/// They run work in the order in which it comes. A thread without work sleeps until there is some, so
/// idle threads use no processor time.
package final class WorkThreads: Sendable {
    /// Threads for work that may wait for a long time.
    package static let waiting = WorkThreads(limit: 64)

    private struct State: Sendable {
        var work: Deque<@Sendable () -> Void> = []
        var threads = 0
        /// The threads that run work; the others wait for some, or begin.
        var busy = 0
        /// How much work was begun, and how much at the last check.
        var begun = 0
        var begunBefore = 0
        /// Whether a caller will call ``WorkThreads/relieve()``.
        var isLookedAfter = false
    }

    /// How long a thread that is not kept waits for work before it ends.
    private static let patience = Duration.seconds(5)

    private let kept: Int
    private let atOnce: Int
    private let most: Int
    private let state = TimedWait(State())

    /// Makes threads; each ends after some seconds without work.
    ///
    /// - Parameter limit: The greatest number of threads.
    package convenience init(limit: Int) {
        self.init(kept: 0, atOnce: limit, most: limit)
    }

    /// Makes threads, more of which can be started if all are blocked.
    ///
    /// - Parameters:
    ///   - kept: How many threads stay once they are started; the others end after some seconds without
    ///     work.
    ///   - atOnce: How many threads start as soon as there is work for them.
    ///   - most: The limit for threads that start one by one if all are blocked; see ``relieve()``.
    init(kept: Int, atOnce: Int, most: Int) {
        (self.kept, self.atOnce, self.most) = (kept, atOnce, most)
    }

    /// Runs work as soon as a thread is free.
    ///
    /// - Parameter work: The work.
    package func start(_ work: @escaping @Sendable () -> Void) {
        _ = add(work)
    }

    /// Runs work as soon as a thread is free, and waits until it is done.
    ///
    /// - Parameter work: The work.
    /// - Returns: Its result.
    package func run<Result: Sendable>(
        _ work: @escaping @Sendable () -> Result
    ) async -> Result {
        await withCheckedContinuation { continuation in
            start { continuation.resume(returning: work()) }
        }
    }

    private enum Means { case wake, start, wait(isLookedAfter: Bool) }

    /// Adds work.
    ///
    /// - Returns: Whether the caller must call ``relieve()`` after a while: the work waits for a free
    ///   thread, and no other caller will do so.
    func add(_ work: @escaping @Sendable () -> Void) -> Bool {
        let means = state.change { state -> (Means, TimedWait<State>.News) in
            state.work.append(work)
            if state.work.count <= state.threads - state.busy { return (.wake, .toTell) }
            if state.threads < atOnce {
                state.threads += 1
                return (.start, .none)
            }
            return (.wait(isLookedAfter: lookAfter(&state)), .none)
        }
        return switch means {
        case .wake: false
        case .start: !(start() || state.change { (lookAfter(&$0), .none) })
        case .wait(let isLookedAfter): !isLookedAfter
        }
    }

    /// Notes that a caller will call ``relieve()``.
    ///
    /// - Returns: Whether another caller already will, or nobody needs to.
    private func lookAfter(_ state: inout State) -> Bool {
        defer { state.isLookedAfter = true }
        return state.isLookedAfter || most <= atOnce
    }

    /// Adds a thread if work waits and none was begun since the last call, because all threads are blocked.
    ///
    /// - Returns: Whether to call this again after a while.
    func relieve() -> Bool {
        let (goesOn, starts) = state.change { state in
            state.isLookedAfter = !state.work.isEmpty
            let standsStill = state.isLookedAfter && state.begun == state.begunBefore
            state.begunBefore = state.begun
            let starts = standsStill && state.threads < most
            if starts { state.threads += 1 }
            return ((state.isLookedAfter, starts), .none)
        }
        if starts { _ = start() }
        return goesOn
    }

    /// Starts one more thread.
    ///
    /// - Returns: Whether the system could create one.
    private func start() -> Bool {
        if DetachedThread.start({ self.serve() }) { return true }
        let isAlone = state.change { state in
            if state.threads == 1 { return (true, .none) }
            state.threads -= 1
            return (false, .none)
        }
        // Other threads do the work; if there are none, it retries until it gets one.
        if isAlone { DetachedThread.startPatiently { self.serve() } }
        return isAlone
    }

    private func serve() {
        var isBack = false
        while let work = next(isBack) {
            work()
            isBack = true
        }
    }

    /// Waits for work.
    ///
    /// - Parameter isBack: Whether the thread has just done some.
    /// - Returns: The work; nil if the thread ends.
    private func next(_ isBack: Bool) -> (@Sendable () -> Void)? {
        var isBack = isBack
        var end: SuspendingClock.Instant?
        return state.wait { state in
            if isBack { state.busy -= 1 }
            isBack = false
            if let work = state.work.popFirst() {
                state.busy += 1
                state.begun &+= 1
                return .found(work)
            }
            guard state.threads > kept else { return .wait(until: nil) }
            let now = SuspendingClock.now
            let limit = end ?? now.advanced(by: Self.patience)
            guard now >= limit else {
                end = limit
                return .wait(until: limit)
            }
            state.threads -= 1
            return .found(nil)
        }
    }
}
