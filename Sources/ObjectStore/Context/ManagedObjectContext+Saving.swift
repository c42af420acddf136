internal import FoundationEssentials
internal import Synchronization
internal import SystemSupport

// A save holds no lock of the context while it waits for the store or runs in it. It takes a copy
// of the changes, and stores their result in the context when they are durable. So a thread that
// uses the context within a transaction never waits for a save that waits for that transaction.

extension ManagedObjectContext {
    /// Stores every change in one durable transaction.
    ///
    /// The ``mergePolicy`` settles conflicts, then the result is validated. Handles of objects that
    /// were merged into others stand for those from then on. Changes that other tasks make in this
    /// context during the save stay for the next save.
    ///
    /// - Returns: What happened to each object.
    /// - Throws: ``MergeConflictError``, ``ValidationError``, ``DeleteDeniedError`` if another
    ///   writer has meanwhile made an object point at a deleted one, or ``StoreError``. Nothing is
    ///   stored then, and the changes remain: the program can correct them and save again, or roll
    ///   back. What was assigned to an object that could not be read has to be assigned again.
    @discardableResult
    public func save() throws -> SaveResult {
        let isUnchanged = try state.withLock { state in
            try state.throwFailure()
            return state.isUnchanged
        }
        if isUnchanged { return SaveResult(changes: [:]) }
        // Checked before any wait: the current saver may wait for the transaction on this thread.
        try source.checkTurn()
        var notifications: [@Sendable () -> Void] = []
        defer { Self.send(notifications) }
        return try saving.withLock { try saveAlone(notifying: &notifications) }
    }

    /// Saves while no other task does so in this context.
    ///
    /// - Parameter notifications: The notifications for observers.
    /// - Returns: What happened to each object.
    /// - Throws: What ``save()`` throws.
    private func saveAlone(
        notifying notifications: inout [@Sendable () -> Void]
    ) throws -> SaveResult {
        guard case (var operation, let author)? = try state.withLock({ try $0.beginSave() }) else {
            return SaveResult(changes: [:])
        }
        let outcome: SaveOutcome
        do {
            outcome = try run(&operation, recordedAs: author)
        } catch {
            end(with: nil, notifying: &notifications)
            throw error
        }
        end(with: outcome, notifying: &notifications)
        let saved = SaveResult(changes: outcome.changes, token: outcome.token, author: author)
        hub.send(saved)
        containerReport.send(saved)
        return saved
    }

    /// Ends a save, of which nothing was stored if it has no outcome.
    private func end(
        with outcome: SaveOutcome?,
        notifying notifications: inout [@Sendable () -> Void]
    ) {
        // Handles, of which these may be the last references, are released without the lock of the state.
        _ = change(isStep: false, notifying: &notifications) { state in
            let (deferred, forwarding) = state.endSave(outcome)
            mergeDeferred(deferred, &state)
            return handles.withLock { $0.forward(forwarding) }
        }
    }

    private func run(
        _ operation: inout SaveOperation,
        recordedAs author: String?
    ) throws -> SaveOutcome {
        try containerReport.announcing { announce in
            try source.transaction { transaction in
                var outcome = try operation.run(in: transaction)
                outcome.token = try containerReport.record(
                    outcome,
                    by: author,
                    in: transaction
                )
                announce(outcome.token)
                return outcome
            }
        }
    }

    /// Runs what must not meet a save of this context that is under way.
    ///
    /// A reading could find an object twice, as changed here and as stored, and for what is taken back it is not
    /// known yet whether it is saved. Within a transaction it does not wait, because the save may be waiting for
    /// that transaction.
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

    /// Merges what other contexts saved while this context was being saved.
    private func mergeDeferred(_ saves: [SaveResult], _ state: inout ContextState) {
        for save in saves {
            do {
                try merge(save, into: &state)
            } catch {
                state.failure = error
            }
        }
    }
}

/// A save that is under way.
struct PendingSave: Sendable {
    /// The graph whose changes are being saved.
    var base: ObjectGraph
    /// What the context's graph had counted at the beginning.
    let revision: UInt64
    let policy: MergePolicy
    /// Whether the context has forgotten its objects since.
    var isForgotten = false
    /// What other contexts saved meanwhile, to merge afterwards.
    var deferred: [SaveResult] = []
}

extension ContextState {
    /// Whether there is nothing to save.
    var isUnchanged: Bool { graph.changed.isEmpty && graph.lost.isEmpty(in: graph) }

    /// Takes the changes to save; nil if there are none.
    fileprivate mutating func beginSave() throws -> (operation: SaveOperation, author: String?)? {
        try graph.lost.check(in: graph, of: model)
        if graph.changed.isEmpty { return nil }
        pendingSave = PendingSave(base: graph, revision: graph.revision, policy: mergePolicy)
        return (SaveOperation(model: model, policy: mergePolicy, graph: graph), author)
    }

    /// Applies the result of a save, or nothing if it is nil.
    ///
    /// - Returns: What other contexts saved meanwhile, and the present identities of saved or merged
    ///   objects.
    fileprivate mutating func endSave(
        _ outcome: SaveOutcome?
    ) -> (deferred: [SaveResult], forwarding: ObjectMap<ObjectID>) {
        guard let save = pendingSave.take() else { return ([], ObjectMap()) }
        guard let outcome, !save.isForgotten else { return (save.deferred, ObjectMap()) }
        undo.rebase(on: outcome, of: save, graph, model)
        // What was to be assigned to objects that are deleted now.
        graph.lost.subtract(save.base.lost)
        let deferred = save.deferred
        if graph.revision == save.base.revision {
            // Released, because the graph would otherwise copy everything that it changes.
            _ = consume save
            graph.apply(outcome)
        } else {
            graph.apply(outcome, savedFrom: save.base)
        }
        noteSaved(outcome.forwarding)
        return (deferred, outcome.forwarding)
    }

    /// Keeps the present identities of objects that were saved first or merged.
    private mutating func noteSaved(_ forwarding: ObjectMap<ObjectID>) {
        forwarded.updateProvisionalValues(from: forwarding)
        // Those to which nothing leads are not read together.
        for entity in model.entities
        where !entity.incoming.isEmpty && forwarding.count(of: entity.index) > 1 {
            let saved = forwarding.part(of: entity.index, provisional: true)
            companions.add(Array(ObjectSet(saved.lazy.map(\.value))), of: entity)
        }
    }
}

extension ManagedObjectContext {
    /// Stores every change in one durable transaction, without blocking other tasks.
    ///
    /// It does the same as the synchronous method, on a thread that may wait for the disk. Saves of
    /// several contexts that run at the same time share one write to the disk, if the store
    /// supports that. A task that was cancelled before does not save; a save that
    /// has begun is not interrupted.
    ///
    /// - Returns: What happened to each object.
    /// - Throws: The errors of the synchronous method, and `CancellationError`. In the context of a
    ///   ``PersistentContainer/transaction(mergePolicy:_:)``, which belongs to its thread, it
    ///   throws ``StoreError``.
    @discardableResult
    public func save() async throws -> SaveResult {
        // The closure is not asynchronous, so it calls the synchronous method.
        try await perform { try $0.save() }
    }
}
