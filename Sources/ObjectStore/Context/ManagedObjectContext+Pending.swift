internal import Synchronization

// What the next save is going to store.

extension ManagedObjectContext {
    /// The objects that were inserted since the last save: entity by entity, first those whose saved deletion was
    /// undone, then the others in the order of insertion.
    public var insertedObjects: [ManagedObject] {
        pending { !$0.isDeleted && $0.stored == nil }
    }

    /// The objects with a row whose values were assigned since the last save, by identity.
    public var updatedObjects: [ManagedObject] {
        pending { !$0.isDeleted && $0.stored != nil }
    }

    /// The objects with a row that were deleted since the last save, by identity.
    public var deletedObjects: [ManagedObject] {
        pending { $0.isDeleted }
    }

    private func pending(_ isWanted: (ObjectRow) -> Bool) -> [ManagedObject] {
        let ids = state.withLock { state in
            state.graph.changed.filter { state.graph.rows.withValue(of: $0, isWanted) ?? false }
        }
        return ids.map { anyObject(id: $0) }
    }

    /// The handle of an object of whatever class.
    private func anyObject(id: ObjectID) -> ManagedObject {
        func object<Object: ManagedObject>(_ type: Object.Type) -> ManagedObject {
            self.object(type, id: id)
        }
        return object(model.entities[id.entity].type)
    }

    fileprivate func changedValues(
        of object: ManagedObject
    ) -> [String: PropertyChange<AttributeValue>] {
        state.withLock { state in
            let id = object.objectID
            guard let row = state.graph.rows[id], row.isChanged else { return [:] }
            var changes: [String: PropertyChange<AttributeValue>] = [:]
            for (slot, column) in model.entities[id.entity].columns.enumerated() {
                let old = row.stored?.values[slot] ?? .null
                let new = row.isDeleted ? .null : row[slot]
                if old != new { changes[column.name] = PropertyChange(old: old, new: new) }
            }
            return changes
        }
    }

    fileprivate func isChanged(_ object: ManagedObject) -> Bool {
        state.withLock { $0.graph.changed.contains(object.objectID) }
    }
}

extension ManagedObject {
    /// Whether there are changes of the object for the next save.
    public var hasChanges: Bool { context.isChanged(self) }

    /// The values that the next save changes, by the names of attributes and to-one relationships.
    ///
    /// The old value is the one on record when the object was read, and missing for a new object.
    public var changedValues: [String: PropertyChange<AttributeValue>] {
        context.changedValues(of: self)
    }
}
