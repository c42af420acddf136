internal import Foundation
internal import Synchronization

/// Lets one transaction at a time into a store in memory.
///
/// Not a `Mutex`, whose closures may not pass on values that are not sendable, as those of a
/// transaction need not be.
final class WriterLock: Sendable {
    private let lock = NSLock()
    private let owner = Mutex<pthread_t?>(nil)

    /// Whether a transaction is under way on this thread.
    var isHeldByThisThread: Bool { owner.withLock { $0 == pthread_self() } }

    /// Runs a transaction when no other one is under way.
    ///
    /// - Throws: What `body` throws; ``StoreError`` where the thread would wait for itself.
    func withLock<Result>(_ body: () throws -> Result) throws -> Result {
        let thread = pthread_self()
        if isHeldByThisThread { throw StoreError.isInTransaction }
        lock.lock()
        owner.withLock { $0 = thread }
        defer {
            owner.withLock { $0 = nil }
            lock.unlock()
        }
        return try body()
    }
}
