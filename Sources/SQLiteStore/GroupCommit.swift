internal import Dispatch
internal import FoundationEssentials
internal import Glibc
internal import ObjectStore
internal import Synchronization

/// Lets concurrent savers share one commit, and so one wait for the disk.
///
/// Each saver runs on its own thread, one after the other, within one open transaction. Each but
/// the first uses a savepoint, so that it can fail alone. A saver that finds nobody waiting commits
/// for all earlier ones, and no saver returns before that commit. A single saver begins and commits
/// as if there were no groups. While one group is being written to the disk, the next one forms.
final class GroupCommit: Sendable {
    /// The most savers that share one commit.
    private static let sizeLimit = 256
    /// The time from its first saver's begin during which a group accepts more.
    private static let timeLimit = Duration.milliseconds(50)

    private let pool: ConnectionPool
    private let turns: WriterTurns
    private let state = Mutex(State())

    private struct State: Sendable {
        /// The thread whose turn it is.
        var owner: pthread_t?
        /// Threads that wait for their turn, in order of arrival.
        var waiting: [Waiter] = []
        /// When the open transaction began, if there is one; only the thread whose turn it is may use it.
        var start: ContinuousClock.Instant?
        /// Savers in it that have finished but are not yet durable.
        var members: [Member] = []
    }

    private final class Waiter: Sendable {
        let thread: pthread_t
        let semaphore = DispatchSemaphore(value: 0)

        init(_ thread: pthread_t) {
            self.thread = thread
        }
    }

    /// A saver that waits for the commit of its group.
    private final class Member: Sendable {
        private let semaphore = DispatchSemaphore(value: 0)
        private let failure = Mutex<(any Error)?>(nil)

        func settle(_ failure: (any Error)?) {
            self.failure.withLock { $0 = failure }
            semaphore.signal()
        }

        func wait() throws {
            semaphore.wait()
            if let failure = failure.withLock({ $0 }) { throw failure }
        }
    }

    /// Groups the savers of a store, which takes turns with other processes.
    init(_ pool: ConnectionPool, _ turns: WriterTurns) {
        self.pool = pool
        self.turns = turns
    }

    // MARK: Turns

    /// Whether it is the turn of this thread.
    var isTurnOfThisThread: Bool {
        state.withLock { $0.owner.map { pthread_equal($0, pthread_self()) != 0 } ?? false }
    }

    private func takeTurn() throws {
        let thread = pthread_self()
        let waiter = try state.withLock { state -> Waiter? in
            guard let owner = state.owner else {
                state.owner = thread
                return nil
            }
            guard pthread_equal(owner, thread) == 0 else { throw StoreError.isInTransaction }
            let waiter = Waiter(thread)
            state.waiting.append(waiter)
            return waiter
        }
        waiter?.semaphore.wait()
    }

    private func passTurn() {
        let next = state.withLock { state -> Waiter? in
            let next = state.waiting.isEmpty ? nil : state.waiting.removeFirst()
            state.owner = next?.thread
            return next
        }
        next?.semaphore.signal()
    }

    // MARK: Transactions

    /// Runs a transaction that is durable when this returns.
    func transaction<Result>(_ body: (SQLiteConnection) throws -> Result) throws -> Result {
        try takeTurn()
        let result: Result
        var member: Member?
        do {
            defer { passTurn() }
            do {
                result = try join(pool.writer, body)
            } catch {
                // The others of the group get the error of their commit; this one has its own.
                if isComplete { _ = commit(pool.writer) }
                throw error
            }
            if !isComplete {
                member = addMember()
            } else if let failure = commit(pool.writer) {
                throw failure
            }
        }
        try member?.wait()
        pool.noteSave()
        return result
    }

    /// Runs work outside any transaction, when no group is open.
    func alone<Result>(_ body: (SQLiteConnection) throws -> Result) throws -> Result {
        try takeTurn()
        defer { passTurn() }
        // If the commit fails, the members of the group get the error.
        _ = commit(pool.writer)
        return try body(pool.writer)
    }

    /// Whether the group must commit now, or there is none.
    private var isComplete: Bool {
        state.withLock { state in
            guard let start = state.start else { return true }
            return state.waiting.isEmpty || state.members.count + 1 >= Self.sizeLimit
                || ContinuousClock.now - start > Self.timeLimit
        }
    }

    private func addMember() -> Member {
        let member = Member()
        state.withLock { $0.members.append(member) }
        return member
    }

    /// Runs the work of one saver, in a new transaction or in that of the open group.
    private func join<Result>(
        _ db: SQLiteConnection,
        _ body: (SQLiteConnection) throws -> Result
    ) throws -> Result {
        let isFirst = state.withLock { $0.start == nil }
        if isFirst {
            try turns.take { try SQLiteStatement(.begin, in: db).finish() }
            db.keys.begin(at: db.version)
            state.withLock { $0.start = .now }
        } else {
            try SQLiteStatement("SAVEPOINT saver", in: db).finish()
        }
        let keys = db.keys
        do {
            let result = try body(db)
            try db.checkTransaction()
            if !isFirst { try SQLiteStatement("RELEASE saver", in: db).finish() }
            return result
        } catch {
            // The first error is the one to report. SQLite may already have rolled everything back.
            let isOpen = db.isInTransaction
            if !isFirst && isOpen && takeBack(db) {
                db.keys = keys
                throw error
            }
            db.rollback()
            // What happened since SQLite rolled back is not known, nor what the others of a group have taken.
            if isFirst && isOpen { db.keys.takeBack(to: keys) } else { db.keys = KeyReserve() }
            settle(error)
            throw error
        }
    }

    /// Rolls back the work of one saver within a group, and returns whether that succeeded.
    private func takeBack(_ db: SQLiteConnection) -> Bool {
        do {
            try SQLiteStatement("ROLLBACK TO saver", in: db).finish()
            try SQLiteStatement("RELEASE saver", in: db).finish()
            return true
        } catch {
            return false
        }
    }

    /// Commits the open group, if there is one.
    ///
    /// - Returns: The error, if it failed; its members get it too.
    private func commit(_ db: SQLiteConnection) -> (any Error)? {
        guard state.withLock({ $0.start != nil }) else { return nil }
        var failure: (any Error)?
        do {
            try db.commit()
            db.keys.commit(at: db.version)
        } catch {
            failure = error
            db.keys = KeyReserve()
        }
        settle(failure)
        return failure
    }

    /// Ends the group and lets its members return.
    private func settle(_ failure: (any Error)?) {
        let members = state.withLock { state in
            defer { (state.start, state.members) = (nil, []) }
            return state.members
        }
        for member in members { member.settle(failure) }
    }
}
