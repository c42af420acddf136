/// Threads for work that keeps one busy, or waits for a disk, and so must not hold up tasks.
package struct WorkThreads: Sendable {
    /// For work that may wait for long.
    package static let waiting = WorkThreads(limit: 64)

    private let pool: ThreadPool<@Sendable () -> Void>

    /// Makes threads; each ends when it had nothing to do for some seconds.
    ///
    /// - Parameter limit: How many there are at most.
    package init(limit: Int) {
        pool = ThreadPool(.init(kept: 0, atOnce: limit, most: limit)) { $0() }
    }

    /// Does work in the order in which it comes, as soon as a thread is free for it.
    ///
    /// - Parameter work: What to do.
    package func start(_ work: @escaping @Sendable () -> Void) {
        _ = pool.add(work)
    }

    /// Does work, and waits until it is done.
    ///
    /// - Parameter work: What to do.
    /// - Returns: What came of it.
    package func run<Result: Sendable>(
        _ work: @escaping @Sendable () -> Result
    ) async -> Result {
        await withCheckedContinuation { continuation in
            start { continuation.resume(returning: work()) }
        }
    }
}
