/// A store with its model; it makes contexts.
public final class PersistentContainer: Sendable {
    /// The model of the objects.
    public let model: ManagedObjectModel

    /// The store of the rows, for features that only some stores have.
    package let store: any PersistentStore
    /// Reports what the contexts of this container, and others, save.
    let storeChanges: StoreChanges

    /// Joins a model and a store.
    ///
    /// - Parameters:
    ///   - model: The model.
    ///   - store: The store of its rows.
    ///   - history: How much of the history this container's saves keep.
    /// - Throws: ``StoreError`` if the store cannot keep the rows of this model.
    public init(
        model: ManagedObjectModel,
        store: any PersistentStore,
        history: HistoryKeeping = .all
    ) throws {
        self.model = model
        self.store = store
        storeChanges = StoreChanges(of: store, model, keeping: history)
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
            mergePolicy: mergePolicy,
            containerReport: storeChanges
        )
    }

    /// Reads one consistent state of the store, while others may save.
    ///
    /// - Parameter body: Reads in its own context, which ends with it and cannot save.
    /// - Returns: What `body` returns.
    /// - Throws: What `body` throws, or ``StoreError``, also if a property could not be read.
    public func read<Result>(_ body: (ManagedObjectContext) throws -> Result) throws -> Result {
        try store.read { reading in
            try run(
                body,
                in: TransactionSource(reading: reading),
                .error,
                HeldChanges(for: storeChanges, model)
            )
        }
    }

    /// Reads and saves any number of times in one transaction that no other writer interrupts.
    ///
    /// All saves in it become durable together when `body` returns; none does if `body` throws. So
    /// a save can record what an earlier one found, and many saves cost one write to the disk. The
    /// history shows one save, or several if the author changes, if `body` reads the history, or if
    /// it changes more than 10,000 objects.
    ///
    /// - Parameters:
    ///   - mergePolicy: How saves settle conflicts.
    ///   - body: The work, in its own context, which ends with it. It may read and change other
    ///     contexts, which show what was stored before, and other tasks may save them meanwhile. It
    ///     must not save another context or begin another transaction: that would wait for this
    ///     one, and is an error.
    /// - Returns: What `body` returns.
    /// - Throws: What `body` throws, or ``StoreError``.
    public func transaction<Result>(
        mergePolicy: MergePolicy = .mergeByPropertyObjectTrump,
        _ body: (ManagedObjectContext) throws -> Result
    ) throws -> Result {
        let held = HeldChanges(for: storeChanges, model)
        do {
            let result = try store.transaction { transaction in
                try run(body, in: TransactionSource(transaction), mergePolicy, held)
            }
            held.release()
            return result
        } catch {
            held.abandon()
            throw error
        }
    }

    private func run<Result>(
        _ body: (ManagedObjectContext) throws -> Result,
        in source: TransactionSource,
        _ mergePolicy: MergePolicy,
        _ report: any SaveReporting
    ) throws -> Result {
        defer { source.end() }
        let context = ManagedObjectContext(
            model: model,
            source: source,
            mergePolicy: mergePolicy,
            containerReport: report
        )
        let result = try body(context)
        try context.checkReads()
        try source.check()
        try context.recordRest()
        return result
    }
}
