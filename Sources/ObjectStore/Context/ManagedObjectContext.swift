internal import Foundation
internal import HashTreeCollections
internal import Synchronization

/// A working copy of objects: read from a store, changed in memory, saved as a whole.
///
/// Make one for each piece of work with ``PersistentContainer/makeContext(mergePolicy:)``. A
/// context may be used from any task. Changes of several tasks in one context mix, as in any shared
/// state, so give each task its own.
public final class ManagedObjectContext: Sendable {
    /// The model of the objects.
    public let model: ManagedObjectModel

    let source: any RowSource
    let state: Mutex<ContextState>
    /// Serialises the saves of this context; never locked while ``state`` is locked.
    let saving = NSLock()
    /// Reports what this context saves.
    let hub = ChangeHub()
    /// Reports what the contexts of the container save.
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

    /// Whether there are unsaved changes.
    public var hasChanges: Bool {
        state.withLock { !$0.graph.changed.isEmpty }
    }

    /// Runs a change under the lock, records the undo step, and notifies observers after unlocking.
    ///
    /// - Parameters:
    ///   - isStep: Whether edits in it can be undone.
    ///   - body: The change.
    /// - Returns: What `body` returns.
    /// - Throws: What `body` throws; observers are not notified then.
    func change<Result, Failure: Error>(
        isStep: Bool = true,
        _ body: (inout ContextState) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        let (result, notifications) = try noting(isStep: isStep, body)
        for notify in notifications { notify() }
        return result
    }

    /// Runs a change under the lock, and returns the notifications to send when no lock is held.
    func noting<Result, Failure: Error>(
        isStep: Bool,
        _ body: (inout ContextState) throws(Failure) -> Result
    ) throws(Failure) -> (Result, [@Sendable () -> Void]) {
        var notifications: [@Sendable () -> Void] = []
        let result = try state.withLock { state throws(Failure) -> Unlocked<Result> in
            // Keeping a reference to the graph makes the next edit copy what it touches.
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
        return (result.value, notifications)
    }

    /// Throws if a property could not be read since the last fetch or save.
    ///
    /// A property cannot throw, so it returned a missing value then.
    ///
    /// - Throws: ``StoreError``.
    public func checkReads() throws {
        try state.withLock { try $0.throwFailure() }
    }

    /// Discards every change since the last save, and the steps that could be undone.
    public func rollback() {
        change(isStep: false) { state in
            state.graph.rollback()
            state.undo.removeAll()
            // What a running save stores is no longer a change.
            state.pendingSave?.base = state.graph
        }
    }

    /// Groups changes, so that an error thrown among them discards them all.
    ///
    /// It stores nothing; call `save()` for that. If the group fails, objects inserted in it are
    /// deleted. If the group has saved, the saved part stays and the unsaved part is discarded. The
    /// changes of a group are undone together.
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

/// A value that leaves the lock.
///
/// Unchecked because the caller's closure made it and it returns to the caller: it never leaves the
/// task.
private struct Unlocked<Value>: @unchecked Sendable {
    let value: Value
}

extension ContextState {
    /// Keeps the state before an edit: for the open group, or as a step of its own.
    fileprivate mutating func keepStep(before: ObjectGraph) {
        guard undo.limit > 0, !undo.keepsForGroup(before: before) else { return }
        undo.push(named: nil, before: before, touched: graph.takeTouched())
    }

    /// Throws the failure of a property that could not be read, once.
    mutating func throwFailure() throws {
        guard let failure else { return }
        self.failure = nil
        throw failure
    }
}
