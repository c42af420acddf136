/// Threads for work that keeps them busy or waits for a disk, and so must not block tasks.
package struct WorkThreads: Sendable {
    /// Threads for work that may wait for a long time.
    package static let waiting = WorkThreads(limit: 64)

    private let pool: ThreadPool<@Sendable () -> Void>

    /// Makes threads; each ends after some seconds without work.
    ///
    /// - Parameter limit: The greatest number of threads.
    package init(limit: Int) {
        pool = ThreadPool(.init(kept: 0, atOnce: limit, most: limit)) { $0() }
    }

    /// Runs work in the order in which it comes, as soon as a thread is free.
    ///
    /// - Parameter work: The work.
    package func start(_ work: @escaping @Sendable () -> Void) {
        _ = pool.add(work)
    }

    /// Runs work, and waits until it is done.
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
}
