internal import Foundation
internal import ObjectStore
internal import Synchronization

#if canImport(Glibc)
internal import Glibc
#endif

/// Lets processes that save without pause take turns.
///
/// SQLite's lock goes to whoever asks at the right moment. Whoever has just let go of it asks first,
/// and whoever sleeps between two attempts may never be lucky. Here, one of those that wait is the
/// next one: it holds another lock, that of the write-ahead log as a file, which SQLite does not use.
/// Who has written for a while looks whether there is a next one, and if so goes behind it.
///
/// A process that is alone makes two calls of the system for that, once in a while.
final class WriterTurns: Sendable {
    /// How long one writes before looking whether others wait.
    private static let slice = Duration.milliseconds(5)

    /// How long to wait for the next one, which has nothing to do but to begin.
    private static let patience = Duration.milliseconds(50)

    /// Somebody who waits for a lock.
    private struct Wait: Sendable {
        let begin: ContinuousClock.Instant
        var isTold = false
    }

    private struct State: Sendable {
        /// The thread that begins a transaction.
        var beginner: pthread_t?
        /// The last wait of each thread, whether or not it is over.
        var waits: [pthread_t: Wait] = [:]
        /// When to look whether others wait.
        var sliceEnd = ContinuousClock.now
        /// The log; nil while nobody needed it.
        var log: Int32?
        /// Whether this one is the next.
        var isNext = false
        /// When nobody waits any more, however long there would be to wait.
        var end: ContinuousClock.Instant?
        /// Whether the one whose turn it is rather leaves its work than waits.
        var isUnwilling = false
        /// The files, which must not be closed before the connections.
        var files: [FileHold?] = []
    }

    /// How long somebody waits before it is told of.
    private static let noticePatience = Duration.seconds(5)

    private let path: String
    private let logPath: String
    private let timeout: Duration
    private let notice: (@Sendable (StoreError) -> Void)?
    private let state = Mutex(State())

    /// Prepares for taking turns at a store.
    ///
    /// - Parameters:
    ///   - path: The path of the store.
    ///   - timeout: How long to wait.
    ///   - notice: Is told when one has waited for some seconds.
    init(path: String, timeout: Duration, notice: (@Sendable (StoreError) -> Void)?) {
        self.path = path
        self.notice = notice
        logPath = URL(fileURLWithPath: path).resolvingSymlinksInPath().path + "-wal"
        self.timeout = timeout
    }

    deinit {
        if let log = state.withLock({ $0.log }) { close(log) }
    }

    /// Keeps files open for as long as there are turns to be taken.
    func hold(_ files: [FileHold?]) {
        state.withLock { $0.files += files }
    }

    /// Has those who wait, and all who come, wait no longer than this from now on.
    func giveUp(after patience: Duration) {
        state.withLock { $0.end = .now + patience }
    }

    /// Does something that is left undone where others are in the way.
    func withoutWaiting<Result>(_ body: () throws -> Result) rethrows -> Result {
        state.withLock { $0.isUnwilling = true }
        defer { state.withLock { $0.isUnwilling = false } }
        return try body()
    }

    /// Begins a transaction when it is this one's turn; only one thread may do so at a time.
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

    /// Waits while another one writes, as the busy handler of SQLite does.
    ///
    /// - Parameter attempt: How often this was called for the same lock before.
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
            // Something else than beginning to write.
            Self.sleep(.milliseconds(1))
        } else if becomeNext(now + Self.patience) {
            // Without being the next, one tries once in a while: the next one may be held up itself.
            Self.sleep(Self.pause(attempt))
        }
        return true
    }

    /// How long to sleep between two attempts: hardly at first, when the other one is about to go.
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
            // Whoever is the next holds that lock until it writes, unless it is held up.
            let isNext = becomeNext(.now + Self.patience)
            if !isNext { state.withLock { $0.sliceEnd = .now + .seconds(1) } }
        }
    }

    /// Waits until this one is the next.
    ///
    /// - Returns: Whether it is, before the time is over.
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
            // It has waited, and may write for a while now.
            state.sliceEnd = .now + Self.slice
            return state.log
        }
        if let log { flock(log, LOCK_UN) }
    }

    /// The log as a file; nil where it cannot be opened, and turns cannot be taken.
    private func openLog() -> Int32? {
        if let log = state.withLock({ $0.log }) { return log }
        let log = unsafe open(logPath, O_RDONLY | O_CLOEXEC)
        guard log >= 0 else { return nil }
        state.withLock { $0.log = log }
        return log
    }
}
