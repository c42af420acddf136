internal import SystemSupport

extension ManagedObjectContext {
    /// Threads of its own, because the threads of tasks must not block and a dispatch queue starts
    /// hardly more threads than there are processors.
    private static let savers = WorkThreads(limit: 64)

    /// Stores every change in one durable transaction, without blocking other tasks.
    ///
    /// It does the same as the synchronous method, on a thread that may wait for the disk. Saves of
    /// several contexts that run at the same time share one write to the disk, if the store
    /// supports that. A task that is cancelled before its save begins does not save; a save that
    /// has begun is not interrupted.
    ///
    /// - Returns: What happened to each object.
    /// - Throws: The errors of the synchronous method, and `CancellationError`. In the context of a
    ///   ``PersistentContainer/transaction(mergePolicy:_:)``, which belongs to its thread, it
    ///   throws ``StoreError``.
    @discardableResult
    public func save() async throws -> SaveResult {
        try Task.checkCancellation()
        return try await withCheckedThrowingContinuation { continuation in
            Self.savers.start {
                // This closure is not asynchronous, so this calls the synchronous method.
                continuation.resume(with: Result { try self.save() })
            }
        }
    }
}
