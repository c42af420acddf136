internal import Foundation
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
    /// Lets one save of this context after the other; never asked for while ``state`` is locked.
    let saving = NSLock()
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
        let (result, notifications) = try noting(isStep: isStep, body)
        for notify in notifications { notify() }
        return result
    }

    /// Runs a change under the lock, and gives what observers are to be told when no lock is held.
    func noting<Result, Failure: Error>(
        isStep: Bool,
        _ body: (inout ContextState) throws(Failure) -> Result
    ) throws(Failure) -> (Result, [@Sendable () -> Void]) {
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
        return (result.value, notifications)
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
            // What is on its way into the store is no longer a change.
            state.pendingSave?.base = state.graph
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
}
