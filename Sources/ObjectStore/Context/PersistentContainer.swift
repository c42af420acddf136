/// A store with its model, and the maker of contexts on it.
public final class PersistentContainer: Sendable {
    /// The model of the objects.
    public let model: ManagedObjectModel

    private let store: any PersistentStore

    /// Joins a model and a store.
    ///
    /// - Parameters:
    ///   - model: The model.
    ///   - store: Where its rows are kept.
    /// - Throws: ``StoreError`` where the store cannot keep the rows of this model.
    public init(model: ManagedObjectModel, store: any PersistentStore) throws {
        self.model = model
        self.store = store
        try store.prepare(for: model)
    }

    /// Makes an empty context.
    ///
    /// - Parameter mergePolicy: How its saves settle conflicts.
    /// - Returns: The context.
    public func makeContext(
        mergePolicy: MergePolicy = .mergeByPropertyObjectTrump
    ) -> ManagedObjectContext {
        ManagedObjectContext(
            model: model,
            source: StoreSource(store: store),
            mergePolicy: mergePolicy
        )
    }

    /// Reads and saves, as often as need be, in one transaction that no other writer interrupts.
    ///
    /// Everything that is saved in it becomes durable together when `body` returns, and none of it
    /// when `body` throws. What a save has found can thus be recorded by the next one, and many saves
    /// cost one write to the disk.
    ///
    /// - Parameters:
    ///   - mergePolicy: How saves settle conflicts.
    ///   - body: The work, in a context of its own that ends with it.
    /// - Returns: What `body` returns.
    /// - Throws: What `body` throws, or ``StoreError``.
    public func transaction<Result>(
        mergePolicy: MergePolicy = .mergeByPropertyObjectTrump,
        _ body: (ManagedObjectContext) throws -> Result
    ) throws -> Result {
        try store.transaction { transaction in
            let source = TransactionSource(transaction)
            defer { source.end() }
            return try body(
                ManagedObjectContext(model: model, source: source, mergePolicy: mergePolicy)
            )
        }
    }
}
