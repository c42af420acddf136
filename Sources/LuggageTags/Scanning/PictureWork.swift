internal import Foundation

/// Work on files of pictures that keeps a thread busy, or waits for a disk.
///
/// Tasks share a few threads, in the order in which they come: many pictures at once would hold up
/// whatever comes behind them, and so this work has threads of its own, of which there are few too.
package enum PictureWork {
    private static let queue = {
        let queue = OperationQueue()
        queue.name = "luggage.picture-work"
        queue.maxConcurrentOperationCount = max(2, ProcessInfo.processInfo.activeProcessorCount)
        return queue
    }()

    /// Does it there.
    ///
    /// - Parameter work: What to do.
    /// - Returns: What came of it.
    package static func run<Result: Sendable>(
        _ work: @escaping @Sendable () -> Result
    ) async -> Result {
        await withCheckedContinuation { continuation in
            queue.addOperation { continuation.resume(returning: work()) }
        }
    }
}
