internal import Synchronization

extension ManagedObjectContext {
    /// Reads an object again, with what others saved meanwhile.
    ///
    /// - Parameters:
    ///   - object: An object of this context; an object that was never saved stays as it is.
    ///   - keepingChanges: Whether unsaved assignments stay.
    /// - Throws: ``StoreError``; the object is then unchanged.
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
    /// Applies a row as it is in the store now; nil if it is gone.
    fileprivate mutating func refresh(_ id: ObjectID, _ stored: StoredRow?, keepingChanges: Bool) {
        let known = row(id)
        guard keepingChanges, var kept = known, kept.isAssigned || kept.isDeleted else {
            set(stored.map { ObjectRow($0, order: known?.order ?? tick()) }, for: id)
            return
        }
        // If the row is gone, the changes stay: the merge policy decides at the save.
        guard let stored else { return }
        for slot in kept.values.indices where !kept.isAssigned(slot) {
            kept.values[slot] = stored.values[slot]
        }
        kept.stored = stored
        set(kept, for: id)
    }
}
