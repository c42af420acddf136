internal import HashTreeCollections
internal import Synchronization

/// Objects that are being worked on: read from a store, changed in memory, saved as a whole.
///
/// Make one for each piece of work with ``PersistentContainer/makeContext(mergePolicy:)``. A context
/// may be used from any task; what several tasks do in one context at a time gets mixed up as with
/// any shared state, so give each its own.
public final class ManagedObjectContext: Sendable {
    /// The model of the objects.
    public let model: ManagedObjectModel

    let source: any RowSource
    let state: Mutex<ContextState>

    init(model: ManagedObjectModel, source: any RowSource, mergePolicy: MergePolicy) {
        self.model = model
        self.source = source
        state = Mutex(ContextState(mergePolicy: mergePolicy))
    }

    /// How saves settle conflicts.
    public var mergePolicy: MergePolicy {
        get { state.withLock { $0.mergePolicy } }
        set { state.withLock { $0.mergePolicy = newValue } }
    }

    /// Whether there are changes that are not saved.
    public var hasChanges: Bool {
        state.withLock { !$0.graph.changed.isEmpty }
    }

    /// Stores every change in one durable transaction.
    ///
    /// Conflicts are settled by the ``mergePolicy``, and the result is validated. Handles of objects
    /// that were merged into others stand for those from then on.
    ///
    /// - Returns: What happened to each object.
    /// - Throws: ``MergeConflictError``, ``ValidationError``, ``DeleteDeniedError`` where somebody else
    ///   has meanwhile made an object point at a deleted one, or ``StoreError``. Nothing is stored
    ///   then, and the changes are still there, to be mended and saved again or rolled back.
    @discardableResult
    public func save() throws -> SaveResult {
        try state.withLock { state in
            try state.throwFailure()
            let graph = state.graph
            if graph.changed.isEmpty { return SaveResult(changes: [:]) }
            let changed = graph.changed.compactMap { id in graph.rows[id].map { (id, $0) } }
            var operation = SaveOperation(model: model, policy: state.mergePolicy, changed: changed)
            let outcome = try source.transaction { try operation.run(in: $0) }
            state.graph.apply(outcome)
            state.forwardHandles(outcome.forwarding)
            return SaveResult(changes: outcome.changes)
        }
    }

    /// Throws where a property could not be read since the last fetch or save.
    ///
    /// A property cannot throw, so it has given an absent value then.
    ///
    /// - Throws: ``StoreError``.
    public func checkReads() throws {
        try state.withLock { try $0.throwFailure() }
    }

    /// Takes back every change since the last save.
    public func rollback() {
        state.withLock { $0.graph.rollback() }
    }

    /// Groups changes, so that an error that is thrown among them takes them all back.
    ///
    /// Nothing is stored: that is for ``save()``. Objects that were inserted in a group that failed
    /// are deleted. Where the group has saved, what it saved stays, and whatever is not saved is taken
    /// back.
    ///
    /// - Parameter body: Changes objects of this context.
    /// - Returns: What `body` returns.
    /// - Throws: What `body` throws.
    public func transaction<Result, Failure: Error>(
        _ body: () throws(Failure) -> Result
    ) throws(Failure) -> Result {
        let before = state.withLock { $0.graph }
        do throws(Failure) {
            return try body()
        } catch {
            state.withLock { $0.graph.restore(before) }
            throw error
        }
    }
}

extension ContextState {
    /// Throws what a property failed to read, once.
    mutating func throwFailure() throws {
        guard let failure else { return }
        self.failure = nil
        throw failure
    }

    /// Makes the handles of objects that were saved or merged stand for what they are now.
    fileprivate mutating func forwardHandles(_ forwarding: [ObjectID: ObjectID]) {
        for (source, target) in forwarding {
            if source.isProvisional { forwarded[source] = target }
            guard let object = handles.removeValue(forKey: source)?.object else { continue }
            object.forward(to: target)
            if handles[target]?.object == nil { handles[target] = WeakHandle(object: object) }
        }
    }
}
