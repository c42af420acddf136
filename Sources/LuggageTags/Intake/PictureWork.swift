internal import SystemSupport

/// Runs work on picture files that keeps a thread busy or waits for a disk, on threads of its own.
///
/// Swift's tasks share a few threads. This work would block them, and all tasks behind it, if many
/// pictures came at once. There are only a few of these threads too.
package enum PictureWork {
    private static let threads = WorkThreads(
        limit: max(2, availableProcessors())
    )

    /// Runs a closure on one of the threads.
    ///
    /// - Parameter work: The closure.
    /// - Returns: Its result.
    package static func run<Result: Sendable>(
        _ work: @escaping @Sendable () -> Result
    ) async -> Result {
        await threads.run(work)
    }
}
