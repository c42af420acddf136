internal import Foundation
internal import HashTreeCollections
internal import Synchronization

// A save holds no lock of the context while it waits for the store or runs in it. It takes the changes
// as they are, and puts in place what became of them when they are durable. A transaction in which a
// thread uses the context thus never waits for a save that waits for that transaction.

extension ManagedObjectContext {
    /// Stores every change in one durable transaction.
    ///
    /// Conflicts are settled by the ``mergePolicy``, and the result is validated. Handles of objects
    /// that were merged into others stand for those from then on. What other tasks change in this
    /// context meanwhile is left for the next save.
    ///
    /// - Returns: What happened to each object.
    /// - Throws: ``MergeConflictError``, ``ValidationError``, ``DeleteDeniedError`` where somebody else
    ///   has meanwhile made an object point at a deleted one, or ``StoreError``. Nothing is stored
    ///   then, and the changes are still there, to be mended and saved again or rolled back.
    @discardableResult
    public func save() throws -> SaveResult {
        let isUnchanged = try state.withLock { state in
            try state.throwFailure()
            return state.graph.changed.isEmpty
        }
        if isUnchanged { return SaveResult(changes: [:]) }
        // Before any waiting: whoever is saving may wait for the transaction on this thread.
        try source.checkTurn()
        let (result, notifications) = saving.withLock { saveAlone() }
        for notify in notifications { notify() }
        return try result.get()
    }

    /// Saves while no other task does so in this context.
    ///
    /// - Returns: What came of it, and what observers are to be told.
    private func saveAlone() -> (Result<SaveResult, any Error>, [@Sendable () -> Void]) {
        let begun = state.withLock { $0.beginSave(of: model) }
        guard let begun else { return (.success(SaveResult(changes: [:])), []) }
        let outcome = Result { try run(begun.operation, recordedAs: begun.author) }
        let (_, notifications) = noting(isStep: false) { state in
            let deferred = state.endSave(try? outcome.get(), of: model)
            mergeDeferred(deferred, &state)
        }
        let result = outcome.map { outcome in
            SaveResult(changes: outcome.changes, token: outcome.token, author: begun.author)
        }
        if case .success(let saved) = result {
            hub.send(saved)
            containerReport.send(saved)
        }
        return (result, notifications)
    }

    private func run(
        _ operation: consuming SaveOperation,
        recordedAs author: String?
    ) throws -> SaveOutcome {
        var operation = operation
        return try containerReport.announcing { announce in
            try source.transaction { transaction in
                var outcome = try operation.run(in: transaction)
                outcome.token = try containerReport.record(
                    outcome.changes,
                    by: author,
                    in: transaction
                )
                announce(outcome.token)
                return outcome
            }
        }
    }

    /// Runs what reads the store while no save of this context is under way: an object would be found
    /// twice, as it was changed here and as it is stored.
    ///
    /// In a transaction, for which the save may be waiting, it does not wait.
    func whenSaved<Success, Failure: Error>(
        isStep: Bool = false,
        _ body: (inout ContextState) throws(Failure) -> Success
    ) throws(Failure) -> Success {
        while true {
            let result = try change(isStep: isStep) { state throws(Failure) -> Success? in
                let waits = state.pendingSave != nil && !source.isInTransaction
                return waits ? nil : try body(&state)
            }
            if let result { return result }
            saving.withLock {}
        }
    }

    /// Takes over what others have saved while this context was being saved.
    private func mergeDeferred(_ saves: [SaveResult], _ state: inout ContextState) {
        do {
            for save in saves { try merge(save, into: &state) }
        } catch {
            state.failure = error
        }
    }
}

/// A save that is under way.
struct PendingSave: Sendable {
    /// The graph whose changes are being saved.
    var base: ObjectGraph
    /// Whether the context has forgotten its objects since.
    var isForgotten = false
    /// What others have saved meanwhile, to be taken over afterwards.
    var deferred: [SaveResult] = []
}

extension ContextState {
    /// Takes the changes to be saved; nil where there are none.
    fileprivate mutating func beginSave(
        of model: ManagedObjectModel
    ) -> (operation: SaveOperation, author: String?)? {
        if graph.changed.isEmpty { return nil }
        pendingSave = PendingSave(base: graph)
        return (SaveOperation(model: model, policy: mergePolicy, graph: graph), author)
    }

    /// Takes over what was saved; nil where nothing was.
    ///
    /// - Returns: What others have saved meanwhile.
    fileprivate mutating func endSave(
        _ outcome: SaveOutcome?,
        of model: ManagedObjectModel
    ) -> [SaveResult] {
        guard var save = pendingSave else { return [] }
        pendingSave = nil
        guard let outcome, !save.isForgotten else { return save.deferred }
        if graph.revision == save.base.revision {
            // Let go of, since the graph would otherwise copy all that it changes.
            save.base = ObjectGraph()
            graph.apply(outcome)
        } else {
            graph.apply(outcome, savedFrom: save.base)
        }
        undo.rebase(on: outcome)
        forwardHandles(outcome.forwarding, model)
        return save.deferred
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
