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
    /// Tells what this context saves.
    let hub = ChangeHub()
    /// Tells what the contexts of the container save.
    let containerReport: any SaveReporting

    init(
        model: ManagedObjectModel,
        source: any RowSource,
        mergePolicy: MergePolicy,
        containerReport: any SaveReporting
    ) {
        self.model = model
        self.source = source
        self.containerReport = containerReport
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
        let result = try change(isStep: false) { state in
            try state.throwFailure()
            if state.graph.changed.isEmpty { return SaveResult(changes: [:]) }
            var operation = SaveOperation(
                model: model,
                policy: state.mergePolicy,
                graph: state.graph
            )
            let outcome = try containerReport.announcing { announce in
                try source.transaction { transaction in
                    let outcome = try operation.run(in: transaction, recordedAs: state.author)
                    announce(outcome.token)
                    return outcome
                }
            }
            state.graph.apply(outcome)
            state.undo.rebase(on: outcome)
            state.forwardHandles(outcome.forwarding, model)
            return SaveResult(
                changes: outcome.changes,
                token: outcome.token,
                author: state.author
            )
        }
        hub.send(result)
        containerReport.send(result)
        return result
    }

    /// Runs a change under the lock, keeps the step back, and tells observers when the lock is free.
    ///
    /// - Parameters:
    ///   - isStep: Whether edits in it can be undone.
    ///   - body: The change.
    /// - Returns: What `body` returns.
    /// - Throws: What `body` throws; observers are then not told.
    func change<Result, Failure: Error>(
        isStep: Bool = true,
        _ body: (inout ContextState) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        var notifications: [@Sendable () -> Void] = []
        let result = try state.withLock { state throws(Failure) -> Unlocked<Result> in
            // Holding on to the graph makes the next edit copy what it touches.
            let isWatched = state.undo.limit > 0 || !state.observers.isEmpty
            let before = isWatched ? state.graph : nil
            let result = try body(&state)
            if let before {
                if isStep && state.graph.edits != before.edits { state.keepStep(before: before) }
                notifications = state.notifications(since: before)
                state.forwardObservers()
            }
            return Unlocked(value: result)
        }
        for notify in notifications { notify() }
        return result.value
    }

    /// Throws where a property could not be read since the last fetch or save.
    ///
    /// A property cannot throw, so it has given an absent value then.
    ///
    /// - Throws: ``StoreError``.
    public func checkReads() throws {
        try state.withLock { try $0.throwFailure() }
    }

    /// Takes back every change since the last save, and forgets the steps that could be undone.
    public func rollback() {
        change(isStep: false) { state in
            state.graph.rollback()
            state.undo.removeAll()
        }
    }

    /// Groups changes, so that an error that is thrown among them takes them all back.
    ///
    /// Nothing is stored: that is for `save()`. Objects that were inserted in a group that failed
    /// are deleted. Where the group has saved, what it saved stays, and whatever is not saved is taken
    /// back. The changes of a group are undone together.
    ///
    /// - Parameter body: Changes objects of this context.
    /// - Returns: What `body` returns.
    /// - Throws: What `body` throws.
    public func transaction<Result, Failure: Error>(
        _ body: () throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try undoGroup(body)
    }
}

/// A value on its way out of the lock.
///
/// Unchecked because it was made by the closure that the caller gave, and goes back to the caller: it
/// never leaves the task.
private struct Unlocked<Value>: @unchecked Sendable {
    let value: Value
}

extension ContextState {
    /// Keeps what was there before an edit: for the open group, or as a step of its own.
    fileprivate mutating func keepStep(before: ObjectGraph) {
        guard undo.limit > 0, !undo.keepsForGroup(before: before) else { return }
        undo.push(named: nil, before: before, touched: graph.takeTouched())
    }

    /// Throws what a property failed to read, once.
    mutating func throwFailure() throws {
        guard let failure else { return }
        self.failure = nil
        throw failure
    }

    /// Makes the handles of objects that were saved or merged stand for what they are now.
    fileprivate mutating func forwardHandles(
        _ forwarding: [ObjectID: ObjectID],
        _ model: ManagedObjectModel
    ) {
        handles.reserveCapacity(handles.count + forwarding.count)
        var saved: [Int: [ObjectID]] = [:]
        for (source, target) in forwarding {
            if source.isProvisional {
                forwarded[source] = target
                saved[target.entity, default: []].append(target)
            }
            guard let object = handles.removeValue(forKey: source)?.object else { continue }
            object.forward(to: target)
            if handles[target]?.object == nil { handles[target] = WeakHandle(object: object) }
        }
        for (entity, ids) in saved { companions.add(ids.sorted(), of: model.entities[entity]) }
    }
}
