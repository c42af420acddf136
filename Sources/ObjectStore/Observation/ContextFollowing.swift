internal import HashTreeCollections
internal import Synchronization

extension ManagedObjectContext {
    /// Takes over what others have saved about the objects that this context has read.
    ///
    /// Objects with changes that are not saved keep them and what they were read as: the
    /// ``mergePolicy`` settles that when they are saved. Properties that are observed with
    /// ``ObservableManagedObject/observe(_:_:)`` tell of what is taken over.
    ///
    /// While another task saves this context, it is put off until that is done; a failure to read is
    /// then thrown by the next fetch or save.
    ///
    /// - Parameter save: A change set of ``PersistentContainer/changes``.
    /// - Throws: ``StoreError``; the objects are then as they were.
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
        if !save.isComplete { state.graph.forgetMembers(of: nil) }
        let outdated = state.graph.outdated(by: save)
        for (entity, ids) in Dictionary(grouping: outdated, by: \.entity) {
            let entity = model.entities[entity]
            let rows = try source.read {
                try $0.rows(of: entity, keys: ids.map(\.key).sorted())
            }
            state.register(rows, of: entity)
            for id in Set(ids).subtracting(rows.map(\.id)) { state.graph.set(nil, for: id) }
        }
    }

    /// Whether the context takes over what other contexts and processes save, as they do.
    ///
    /// It does so as ``mergeChanges(of:)`` does, in a task of its own. A failure to read is thrown by
    /// the next fetch or save.
    public var automaticallyMergesChanges: Bool {
        get { state.withLock { $0.following != nil } }
        set {
            guard newValue != automaticallyMergesChanges else { return }
            let following = newValue ? follow() : nil
            state.withLock { $0.following = following }
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

/// Keeps a context following what others save, for as long as it is held.
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
    /// The objects without changes of their own that are not here as a save has left them.
    fileprivate func outdated(by save: SaveResult) -> [ObjectID] {
        if !save.isComplete { return rows.keys.filter { !changed.contains($0) } }
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
