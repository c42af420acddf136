internal import System

extension ManagedObjectContext {
    /// Not those on which tasks run, nor a dispatch queue, which starts hardly more threads than there
    /// are processors: savers that wait for one another's commit are to be many.
    private static let savers = WorkThreads(limit: 64)

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
            Self.savers.start {
                // Not asynchronous here, so this is the synchronous one.
                continuation.resume(with: Result { try self.save() })
            }
        }
    }
}
