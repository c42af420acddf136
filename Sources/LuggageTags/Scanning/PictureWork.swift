internal import Foundation
internal import System

/// Work on files of pictures that keeps a thread busy, or waits for a disk.
///
/// Tasks share a few threads, in the order in which they come: many pictures at once would hold up
/// whatever comes behind them, and so this work has threads of its own, of which there are few too.
package enum PictureWork {
    private static let threads = WorkThreads(
        limit: max(2, ProcessInfo.processInfo.activeProcessorCount)
    )

    /// Does it there.
    ///
    /// - Parameter work: What to do.
    /// - Returns: What came of it.
    package static func run<Result: Sendable>(
        _ work: @escaping @Sendable () -> Result
    ) async -> Result {
        await threads.run(work)
    }
}
