internal import Synchronization

extension ManagedObjectContext {
    /// The saves of this context from now on, one change set for each.
    ///
    /// None is lost: a listener that does not read its change sets keeps them in memory. The
    /// sequence ends with the context.
    public var changes: some AsyncSequence<SaveResult, Never> & Sendable { hub.stream() }

    /// Merges another context's save into the objects that this context has read.
    ///
    /// Objects with unsaved changes keep them, and the state they were read in: the ``mergePolicy``
    /// settles these when they are saved. Observers set with
    /// ``ObservableManagedObject/observe(_:_:)`` are notified of merged changes.
    ///
    /// While another task saves this context, the merge waits for the save to end; the next fetch
    /// or save then throws an error that occurs in reading.
    ///
    /// - Parameter save: A change set of ``PersistentContainer/changes``.
    /// - Throws: ``StoreError``; the objects are then unchanged, or some of them where the save is not complete.
    public func mergeChanges(of save: SaveResult) throws {
        try change(isStep: false) { state in
            if state.pendingSave == nil {
                try merge(save, into: &state)
            } else {
                state.pendingSave?.deferred.append(save)
            }
        }
    }

    func merge(_ save: SaveResult, into state: inout ContextState) throws {
        if !save.isComplete { state.graph.members.setUnloaded(nil) }
        let outdated = Dictionary(grouping: state.graph.outdated(by: save), by: \.entity)
        // All from one state of the store, and before any of them changes here.
        let read = try source.read { store in
            try outdated.map { entity, ids in
                let entity = model.entities[entity]
                let rows = try store.rows(of: entity, keys: ids.map(\.key).sorted())
                return (entity: entity, rows: rows, gone: Set(ids).subtracting(rows.map(\.id)))
            }
        }
        for (entity, rows, gone) in read {
            state.register(rows, of: entity)
            for id in gone { state.graph.set(nil, for: id) }
        }
        if save.isComplete { return }
        // What has come is in none of the rows that are here.
        for (place, owners) in state.graph.watched.owners {
            for batch in owners.filter({ !$0.isProvisional }).sorted()
                .pages(of: Companions.largestBatch)
            {
                try state.loadMembers(of: Array(batch), place)
            }
        }
    }

    /// Whether the context merges the saves of other contexts and processes automatically.
    ///
    /// It does so as ``mergeChanges(of:)`` does, in its own task. The next fetch or save throws an
    /// error that occurs in reading.
    public var automaticallyMergesChanges: Bool {
        get { state.withLock { $0.following != nil } }
        set {
            guard newValue != automaticallyMergesChanges else { return }
            // The old one is released without the lock: it ends a task.
            var following = newValue ? follow() : nil
            state.withLock { swap(&$0.following, &following) }
        }
    }

    private func follow() -> ContextFollowing {
        let saves = containerReport.stream()
        return ContextFollowing(
            Task { [weak self] in
                for await save in saves {
                    guard let self else { return }
                    do {
                        try mergeChanges(of: save)
                    } catch {
                        state.withLock { $0.failure = error }
                    }
                }
            }
        )
    }
}

/// Makes a context follow the saves of others, until this object is released.
final class ContextFollowing: Sendable {
    private let task: Task<Void, Never>

    init(_ task: Task<Void, Never>) {
        self.task = task
    }

    deinit {
        task.cancel()
    }
}

extension ObjectGraph {
    /// The unchanged objects whose values differ from a save.
    fileprivate func outdated(by save: SaveResult) -> [ObjectID] {
        if !save.isComplete { return rows.lazy.map(\.key).filter { !changed.contains($0) } }
        return save.changes.compactMap { id, change in
            // A new member of an object whose members are here.
            if let after = change.after, lacks(id, after.values) { return id }
            guard let row = rows[id], !changed.contains(id),
                row.stored?.values != change.after?.values
            else { return nil }
            return id
        }
    }
}
