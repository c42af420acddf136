internal import Foundation
internal import Synchronization

/// Allows one transaction at a time in an in-memory store.
///
/// Not a `Mutex`, because its closures cannot pass on values that are not Sendable, which a
/// transaction may use.
final class WriterLock: Sendable {
    private let lock = NSLock()
    private let owner = Mutex<pthread_t?>(nil)

    /// Whether this thread is in a transaction.
    var isHeldByThisThread: Bool { owner.withLock { $0 == pthread_self() } }

    /// Runs a transaction when no other one is running.
    ///
    /// - Throws: What `body` throws; ``StoreError`` if the thread would wait for itself.
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
