internal import Foundation
internal import Synchronization

extension ManagedObjectContext {
    /// Stores every change in one durable transaction, without holding up other tasks meanwhile.
    ///
    /// The same as the synchronous one, on a thread that may wait for the disk. Saves of several
    /// contexts that are under way at the same time share one write to the disk where the store can do
    /// that. A task that is cancelled before the save has begun does not save; one that has begun is
    /// not interrupted.
    ///
    /// - Returns: What happened to each object.
    /// - Throws: As the synchronous one; also `CancellationError`. In the context of a
    ///   ``PersistentContainer/transaction(mergePolicy:_:)``, which belongs to its thread, it throws
    ///   ``StoreError``.
    @discardableResult
    public func save() async throws -> SaveResult {
        try Task.checkCancellation()
        return try await withCheckedThrowingContinuation { continuation in
            SavingThreads.shared.run {
                // Not asynchronous here, so this is the synchronous one.
                continuation.resume(with: Result { try self.save() })
            }
        }
    }
}

/// Threads that may wait for a disk or a lock, unlike those on which tasks run.
///
/// Not a dispatch queue, which starts hardly more threads than there are processors: savers that
/// wait for one another's commit are to be many.
final class SavingThreads: Sendable {
    static let shared = SavingThreads(limit: 64)

    /// How long a thread waits for work before it ends.
    private static let patience = DispatchTimeInterval.seconds(5)

    private struct State: Sendable {
        var jobs: ArraySlice<@Sendable () -> Void> = []
        var threads = 0
        /// The threads that wait for work.
        var idle = 0
    }

    private let state = Mutex(State())
    /// Counts the jobs that nobody has taken.
    private let open = DispatchSemaphore(value: 0)
    private let limit: Int

    init(limit: Int) {
        self.limit = limit
    }

    /// Runs work on one of the threads, after whatever was given before.
    func run(_ job: @escaping @Sendable () -> Void) {
        let isShort = state.withLock { state in
            state.jobs.append(job)
            guard state.jobs.count > state.idle, state.threads < limit else { return false }
            state.threads += 1
            return true
        }
        open.signal()
        if isShort { Thread { self.work() }.start() }
    }

    private func work() {
        while true {
            state.withLock { $0.idle += 1 }
            let isSignalled = open.wait(timeout: .now() + Self.patience) == .success
            let (job, ends) = state.withLock { state -> ((@Sendable () -> Void)?, Bool) in
                state.idle -= 1
                if isSignalled { return (state.jobs.popFirst(), false) }
                // Work that came in this moment has a signal that is still to be taken.
                guard state.jobs.isEmpty else { return (nil, false) }
                state.threads -= 1
                return (nil, true)
            }
            job?()
            if ends { return }
        }
    }
}
