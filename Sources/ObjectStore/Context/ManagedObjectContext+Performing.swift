internal import Synchronization
internal import SystemSupport

extension ManagedObjectContext {
    /// Runs work that may wait for the disk on a thread of its own, without blocking other tasks.
    ///
    /// The work is synchronous: it fetches, changes and saves in one go, as often as need be.
    ///
    /// ```swift
    /// let count = try await context.perform { context in
    ///     for bag in try context.fetch(FetchRequest(Bag.self)) { bag.weight += 1 }
    ///     try context.save()
    ///     return try context.count(FetchRequest(Bag.self))
    /// }
    /// ```
    ///
    /// - Parameter body: The work. Handles stay in it; its result may have identities and snapshots.
    /// - Returns: What `body` returns.
    /// - Throws: What `body` throws; `CancellationError` if the task was cancelled before.
    public func perform<Result: Sendable>(
        _ body: @escaping @Sendable (ManagedObjectContext) throws -> Result
    ) async throws -> Result {
        try Task.checkCancellation()
        return try await withCheckedThrowingContinuation { continuation in
            containerReport.waiters.start {
                continuation.resume(with: Swift.Result { try body(self) })
            }
        }
    }

    /// Fetches objects as the synchronous method does, without blocking other tasks.
    ///
    /// - Parameter request: The objects, and their order.
    /// - Returns: The objects.
    /// - Throws: The errors of the synchronous method, and `CancellationError`.
    public func fetch<Object: ManagedObject>(
        awaiting request: FetchRequest<Object>
    ) async throws -> [Object] {
        objects(Object.self, ids: try await perform { try $0.fetchIDs(request) })
    }
}

extension ObservableManagedObject {
    /// The value of a property, or the error for which it cannot be read.
    ///
    /// A property cannot throw: if what it has cannot be read, it has the absent value of its type, no object or
    /// no objects, and the next fetch or save throws.
    ///
    /// - Parameter keyPath: An attribute or a relationship.
    /// - Returns: The value.
    /// - Throws: ``StoreError``; why another property could not be read before is left to the next fetch or save.
    public func value<Value>(of keyPath: KeyPath<Self, Value>) throws -> Value {
        let (earlier, count) = context.state.withLock { ($0.failure, $0.failureCount) }
        let value = self[keyPath: keyPath]
        let failure: (any Error)? = context.state.withLock { state in
            guard state.failureCount != count, let failure = state.failure else { return nil }
            state.failure = earlier
            return failure
        }
        if let failure { throw failure }
        return value
    }
}
