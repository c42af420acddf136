/// A store with its model, and the maker of contexts on it.
public final class PersistentContainer: Sendable {
    /// The model of the objects.
    public let model: ManagedObjectModel

    /// Where the rows are kept, for what only some stores can do.
    package let store: any PersistentStore
    /// Tells what the contexts of this container, and others, save.
    let storeChanges: StoreChanges

    /// Joins a model and a store.
    ///
    /// - Parameters:
    ///   - model: The model.
    ///   - store: Where its rows are kept.
    /// - Throws: ``StoreError`` where the store cannot keep the rows of this model.
    public init(model: ManagedObjectModel, store: any PersistentStore) throws {
        self.model = model
        self.store = store
        storeChanges = StoreChanges(of: store, model)
        try store.prepare(for: model)
    }

    func readStore<Result>(_ body: (any StoreReading) throws -> Result) throws -> Result {
        try store.read(body)
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

    /// Reads from one state of the store, whatever others save meanwhile.
    ///
    /// - Parameter body: Reads, in a context of its own that ends with it and cannot save.
    /// - Returns: What `body` returns.
    /// - Throws: What `body` throws, or ``StoreError``; also where a property could not be read.
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

    /// Reads and saves, as often as need be, in one transaction that no other writer interrupts.
    ///
    /// Everything that is saved in it becomes durable together when `body` returns, and none of it
    /// when `body` throws. What a save has found can thus be recorded by the next one, and many saves
    /// cost one write to the disk. The history has it as one save, or as several where authors take
    /// turns, where the history is read in it, or where it changes more than 10,000 objects.
    ///
    /// - Parameters:
    ///   - mergePolicy: How saves settle conflicts.
    ///   - body: The work, in a context of its own that ends with it. It may read and change other
    ///     contexts, whoever saves them meanwhile; they see what was stored before. Saving one in it,
    ///     or beginning another transaction, is an error: that would wait for this one.
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
