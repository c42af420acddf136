internal import FoundationEssentials
internal import Glibc
internal import ObjectStore
internal import Synchronization

/// Lets processes that save without pause take turns.
///
/// SQLite gives its lock to the process that asks at the right moment. The process that has just
/// released it asks first, and one that sleeps between two attempts may never get it. Here, one
/// waiting process is the next one: it holds another lock, a file lock on the write-ahead log,
/// which SQLite does not use. A process that has written for a while checks whether there is a next
/// one, and if so, goes behind it.
///
/// For a single process, this costs two system calls once in a while.
final class WriterTurns: Sendable {
    /// How long a process writes before it checks whether others wait.
    private static let slice = Duration.milliseconds(5)

    /// How long to wait for the next one, which needs only to begin.
    private static let patience = Duration.milliseconds(50)

    /// A wait of one thread for a lock.
    private struct Wait: Sendable {
        let begin: ContinuousClock.Instant
        var isTold = false
    }

    private struct State: Sendable {
        /// The thread that begins a transaction.
        var beginner: pthread_t?
        /// The last wait of each thread, even if it is over.
        var waits: [pthread_t: Wait] = [:]
        /// When to check whether others wait.
        var sliceEnd = ContinuousClock.now
        /// The log; nil until it is needed.
        var log: Int32?
        /// Whether this process is the next one.
        var isNext = false
        /// The end of all waits, even if their timeout is later.
        var end: ContinuousClock.Instant?
        /// Whether the thread in turn gives up its work rather than wait.
        var isUnwilling = false
        /// The files, which must be closed after the connections.
        var files: [FileHold?] = []
    }

    /// How long a wait lasts before it is reported.
    private static let noticePatience = Duration.seconds(5)

    private let path: String
    private let logPath: String
    let timeout: Duration
    private let notice: (@Sendable (StoreError) -> Void)?
    private let state = Mutex(State())

    /// Prepares to take turns at a store.
    ///
    /// - Parameters:
    ///   - path: The path of the store.
    ///   - timeout: How long to wait.
    ///   - notice: Is called when a wait has lasted some seconds.
    init(path: String, timeout: Duration, notice: (@Sendable (StoreError) -> Void)?) {
        self.path = path
        self.notice = notice
        logPath = path + "-wal"
        self.timeout = timeout
    }

    deinit {
        if let log = state.withLock({ $0.log }) { close(log) }
    }

    /// Keeps files open until this object is released.
    func hold(_ files: [FileHold?]) {
        state.withLock { $0.files += files }
    }

    /// Limits all present and future waits to a time from now on.
    func giveUp(after patience: Duration) {
        state.withLock { $0.end = .now + patience }
    }

    /// Runs work that fails rather than waits if others are in the way.
    func withoutWaiting<Result>(_ body: () throws -> Result) rethrows -> Result {
        state.withLock { $0.isUnwilling = true }
        defer { state.withLock { $0.isUnwilling = false } }
        return try body()
    }

    /// Begins a transaction when it is this process's turn; only one thread may do so at a time.
    func take<Result>(_ begin: () throws -> Result) rethrows -> Result {
        let now = ContinuousClock.now
        let isSliceOver = state.withLock { state in
            state.beginner = pthread_self()
            guard now >= state.sliceEnd else { return false }
            state.sliceEnd = now + Self.slice
            return true
        }
        if isSliceOver { letOthersGoFirst() }
        defer { leave() }
        return try begin()
    }

    /// Waits while another connection writes, as the busy handler of SQLite.
    ///
    /// - Parameter attempt: The number of earlier calls for the same lock.
    /// - Returns: Whether to try again.
    func wait(_ attempt: Int) -> Bool {
        let (now, thread) = (ContinuousClock.now, pthread_self())
        let (isBeginner, isOver, isToBeTold) = state.withLock { state in
            let isBeginner = state.beginner.map { pthread_equal($0, thread) != 0 } ?? false
            var wait = (attempt == 0 ? nil : state.waits[thread]) ?? Wait(begin: now)
            let time = now - wait.begin
            let isToBeTold = time >= Self.noticePatience && !wait.isTold
            if isToBeTold { wait.isTold = true }
            state.waits[thread] = wait
            let isEnded = state.end.map { now >= $0 } ?? false
            return (isBeginner, state.isUnwilling || isEnded || time >= timeout, isToBeTold)
        }
        if isToBeTold { notice?(.locked(path)) }
        if isOver { return false }
        if !isBeginner {
            // A lock other than the one for beginning to write.
            Self.sleep(.milliseconds(1))
        } else if becomeNext(now + Self.patience) {
            // Even if this process is not the next one, it tries once in a while: the next one may
            // be blocked itself.
            Self.sleep(Self.pause(attempt))
        }
        return true
    }

    /// The sleep between two attempts: short at first, when the other writer may soon finish.
    private static func pause(_ attempt: Int) -> Duration {
        .microseconds(attempt < 100 ? 200 : attempt < 500 ? 1000 : 5000)
    }

    private static func sleep(_ duration: Duration) {
        usleep(UInt32(duration / .microseconds(1)))
    }

    // MARK: The next one

    private func letOthersGoFirst() {
        guard let log = openLog() else { return }
        if flock(log, LOCK_EX | LOCK_NB) == 0 {
            flock(log, LOCK_UN)
        } else {
            // The next process holds that lock until it writes, unless it is blocked.
            let isNext = becomeNext(.now + Self.patience)
            if !isNext { state.withLock { $0.sliceEnd = .now + .seconds(1) } }
        }
    }

    /// Waits until this process is the next one.
    ///
    /// - Returns: Whether it is, before the deadline.
    private func becomeNext(_ deadline: ContinuousClock.Instant) -> Bool {
        if state.withLock({ $0.isNext }) { return true }
        guard let log = openLog() else {
            Self.sleep(.milliseconds(1))
            return false
        }
        while flock(log, LOCK_EX | LOCK_NB) != 0 {
            if ContinuousClock.now >= deadline { return false }
            Self.sleep(.microseconds(200))
        }
        state.withLock { $0.isNext = true }
        return true
    }

    private func leave() {
        let log = state.withLock { state -> Int32? in
            state.beginner = nil
            guard state.isNext else { return nil }
            state.isNext = false
            // It has waited, and may now write for a while.
            state.sliceEnd = .now + Self.slice
            return state.log
        }
        if let log { flock(log, LOCK_UN) }
    }

    /// The log as a file; nil if it cannot be opened, so that turns are not possible.
    private func openLog() -> Int32? {
        if let log = state.withLock({ $0.log }) { return log }
        let log = unsafe open(logPath, O_RDONLY | O_CLOEXEC)
        guard log >= 0 else { return nil }
        state.withLock { $0.log = log }
        return log
    }
}
