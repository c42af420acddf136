extension MergePolicy {
    /// Merges an object that was never saved with a stored row that has the same unique values.
    ///
    /// - Returns: The values to store, or nil if the policy does not settle the conflict.
    func merge(
        inserted row: ObjectRow,
        into stored: StoredRow,
        of entity: ManagedObjectModel.Entity
    ) -> [AttributeValue]? {
        switch self {
        case .error: return nil
        case .overwrite: return row.values
        case .rollback: return Array(stored.values)
        case .mergeByPropertyObjectTrump, .custom:
            return row.values.indices.map { slot in
                guard row.isAssigned(slot) else { return stored.values[slot] }
                return entity.combine(stored.values[slot], row[slot], at: slot)
                    ?? row[slot]
            }
        case .mergeByPropertyStoreTrump:
            return row.values.indices.map { slot in
                let kept = stored.values[slot]
                guard row.isAssigned(slot) else { return kept }
                return entity.combine(kept, row[slot], at: slot)
                    ?? (kept.isNull ? row[slot] : kept)
            }
        }
    }

    /// Merges an object with its stored row, which has changed since the object read it.
    ///
    /// - Parameters:
    ///   - row: The object, whose `stored` is the row as it was read.
    ///   - cached: The row as it was read.
    ///   - stored: The row as it is now.
    ///   - entity: The entity of all of them.
    /// - Returns: The values to store, or nil if the policy does not settle the conflict.
    func merge(
        changed row: ObjectRow,
        from cached: ObjectRow.Stored,
        into stored: StoredRow,
        of entity: ManagedObjectModel.Entity
    ) -> [AttributeValue]? {
        switch self {
        case .error: return nil
        case .overwrite: return row.values
        case .rollback: return Array(stored.values)
        case .mergeByPropertyObjectTrump, .mergeByPropertyStoreTrump, .custom:
            return row.values.indices.map { slot in
                guard row.isAssigned(slot) else { return stored.values[slot] }
                if stored.values[slot] == cached.values[slot] { return row[slot] }
                if let combined = entity.combine(stored.values[slot], row[slot], at: slot) {
                    return combined
                }
                if isStoreTrump { return stored.values[slot] }
                return row[slot]
            }
        }
    }

    /// Merges two objects of one save that have the same unique values.
    ///
    /// - Parameters:
    ///   - earlier: The object that was inserted first, or that has a row.
    ///   - later: The other object.
    ///   - entity: The entity of both.
    /// - Returns: The values with their assignment times, or nil if the policy does not settle the
    ///   conflict.
    func merge(
        earlier: ObjectRow,
        later: ObjectRow,
        of entity: ManagedObjectModel.Entity
    ) -> ObjectRow? {
        var merged = earlier
        switch self {
        case .error: return nil
        case .rollback: return earlier
        case .overwrite:
            for slot in later.values.indices {
                merged.assign(later[slot], at: slot, time: later.assignmentTime(of: slot))
            }
        case .mergeByPropertyObjectTrump, .mergeByPropertyStoreTrump, .custom:
            for slot in earlier.values.indices where later.isAssigned(slot) {
                // A stored value counts as much as an assigned one.
                let isStored = earlier.stored != nil && !earlier[slot].isNull
                let isTaken = earlier.isAssigned(slot) || isStored
                var takesLater = !isTaken
                if !isStoreTrump {
                    takesLater = earlier.assignmentTime(of: slot) < later.assignmentTime(of: slot)
                }
                if isTaken,
                    let combined = entity.combine(
                        earlier[slot],
                        later[slot],
                        at: slot
                    )
                {
                    merged[slot] = combined
                } else if takesLater {
                    merged[slot] = later[slot]
                }
                merged.setAssignmentTime(
                    max(earlier.assignmentTime(of: slot), later.assignmentTime(of: slot)),
                    of: slot
                )
            }
        }
        return merged
    }
}

extension MergePolicy {
    private var isStoreTrump: Bool {
        if case .mergeByPropertyStoreTrump = self { true } else { false }
    }

    /// Lets a custom policy's closure resolve a conflict; other policies keep the values.
    ///
    /// - Returns: The values, or nil if the closure refuses.
    func settle(
        _ conflict: @autoclosure () -> MergeConflict,
        _ values: [AttributeValue],
        in model: ManagedObjectModel
    ) -> [AttributeValue]? {
        guard case .custom(let closure) = self else { return values }
        let conflict = conflict()
        var resolution = MergeResolution(
            values: values,
            model: model,
            entity: conflict.object.id.entity
        )
        closure(conflict, &resolution)
        return resolution.isRefused ? nil : resolution.values
    }
}

extension ManagedObjectModel.Entity {
    /// Combines two values by the attribute's own rule, or returns nil if the policy decides.
    fileprivate func combine(
        _ stored: AttributeValue,
        _ assigned: AttributeValue,
        at slot: Int
    ) -> AttributeValue? {
        guard case .attribute(let attribute) = columns[slot].kind else { return nil }
        return attribute.combination.combine(stored: stored, assigned: assigned)
    }
}
