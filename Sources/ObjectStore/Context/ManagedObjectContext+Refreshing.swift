internal import Synchronization

extension ManagedObjectContext {
    /// Reads an object again, as others have saved it meanwhile.
    ///
    /// - Parameters:
    ///   - object: An object of this context; one that was never saved stays as it is.
    ///   - keepingChanges: Whether what was assigned here and not saved stays assigned.
    /// - Throws: ``StoreError``; the object is then as it was.
    public func refresh(_ object: ManagedObject, keepingChanges: Bool = true) throws {
        try change(isStep: false) { state in
            let id = object.objectID
            guard !id.isProvisional else { return }
            let entity = model.entities[id.entity]
            let rows = try source.read { try $0.rows(of: entity, keys: [id.key]) }
            state.graph.refresh(id, rows.first, keepingChanges: keepingChanges)
            if !keepingChanges { state.pendingSave?.base.set(state.graph.row(id), for: id) }
            state.register(rows, of: entity)
            state.graph.forgetMembers(of: [id])
        }
    }
}

extension ObjectGraph {
    /// Takes over a row as it is in the store now; nil where it is gone.
    fileprivate mutating func refresh(_ id: ObjectID, _ stored: StoredRow?, keepingChanges: Bool) {
        let known = row(id)
        guard keepingChanges, var kept = known, kept.isAssigned || kept.isDeleted else {
            set(stored.map { ObjectRow($0, order: known?.order ?? tick()) }, for: id)
            return
        }
        // Without a row, the changes stay what they were: the merge policy decides at the save.
        guard let stored else { return }
        for slot in kept.values.indices where !kept.isAssigned(slot) {
            kept.values[slot] = stored.values[slot]
        }
        kept.stored = stored
        set(kept, for: id)
    }
}
