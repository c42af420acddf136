extension MergePolicy {
    /// Merges an object with a stored row: its own, which has changed since the object read it, or one
    /// with the same unique values.
    ///
    /// - Parameters:
    ///   - row: The object; takes the values to store.
    ///   - cached: Its own row as it was read; nil if it was never saved.
    ///   - stored: The row.
    ///   - entity: The entity of both.
    /// - Returns: Whether the policy settles the conflict; nothing changes otherwise.
    func merge(
        _ row: inout ObjectRow,
        readAs cached: ObjectRow.Stored?,
        into stored: StoredRow,
        of entity: ManagedObjectModel.Entity
    ) -> Bool {
        switch self {
        case .error: return false
        case .overwrite: return true
        case .rollback:
            row.replaceValues(with: stored.values)
            return true
        case .mergeByPropertyObjectTrump, .mergeByPropertyStoreTrump, .custom:
            for slot in row.indices {
                let kept = stored.values[slot]
                if !row.isAssigned(slot) {
                    row[slot] = kept
                } else if kept == cached?.values[slot] ?? .null {
                    // Nobody else has changed it.
                    continue
                } else if let combined = entity.combine(kept, row[slot], at: slot) {
                    row[slot] = combined
                } else if isStoreTrump {
                    row[slot] = kept
                }
            }
            return true
        }
    }

    /// Merges two objects of one save that have the same unique values.
    ///
    /// - Parameters:
    ///   - later: The object that was inserted second.
    ///   - earlier: The object that was inserted first, or that has a row; takes the values with their
    ///     assignment times.
    ///   - entity: The entity of both.
    /// - Returns: Whether the policy settles the conflict; nothing changes otherwise.
    func merge(
        _ later: ObjectRow,
        into earlier: inout ObjectRow,
        of entity: ManagedObjectModel.Entity
    ) -> Bool {
        switch self {
        case .error: return false
        case .rollback: return true
        case .overwrite:
            for slot in later.indices {
                earlier.assign(later[slot], at: slot, time: later.assignmentTime(of: slot))
            }
        case .mergeByPropertyObjectTrump, .mergeByPropertyStoreTrump, .custom:
            let hasRow = earlier.stored != nil
            for slot in earlier.indices where later.isAssigned(slot) {
                let (mine, others) = (
                    earlier.assignmentTime(of: slot), later.assignmentTime(of: slot)
                )
                // A stored value counts as much as an assigned one.
                let isTaken = mine != 0 || hasRow && !earlier[slot].isNull
                if isTaken, let combined = entity.combine(earlier[slot], later[slot], at: slot) {
                    earlier[slot] = combined
                } else if isStoreTrump ? !isTaken : mine < others {
                    earlier[slot] = later[slot]
                }
                earlier.setAssignmentTime(max(mine, others), of: slot)
            }
        }
        return true
    }
}

extension MergePolicy {
    private var isStoreTrump: Bool {
        if case .mergeByPropertyStoreTrump = self { true } else { false }
    }

    /// Whether an object is written with what was not assigned.
    var writesWhole: Bool {
        if case .overwrite = self { true } else { false }
    }

    /// Whether a closure decides, which gets to see the sides of a conflict as they were.
    var isCustom: Bool {
        if case .custom = self { true } else { false }
    }

    /// Settles a conflict.
    ///
    /// - Parameters:
    ///   - row: The row of an object; takes the values to store.
    ///   - conflict: The conflict, which a custom policy needs.
    ///   - model: The model.
    ///   - merge: Merges the row by the rules of this policy, and returns whether these settle it.
    /// - Returns: Whether it is settled; the row stays as it was otherwise.
    func settle(
        _ row: inout ObjectRow,
        _ conflict: MergeConflict?,
        in model: ManagedObjectModel,
        by merge: (inout ObjectRow) -> Bool
    ) -> Bool {
        guard case .custom(let closure) = self, let conflict else { return merge(&row) }
        let before = row
        guard merge(&row) else { return false }
        var resolution = MergeResolution(
            values: Array(row),
            model: model,
            entity: conflict.object.id.entity
        )
        closure(conflict, &resolution)
        if resolution.isRefused {
            row = before
        } else {
            row.replaceValues(with: resolution.values)
        }
        return !resolution.isRefused
    }
}

extension ManagedObjectModel.Entity {
    /// Combines two values by the attribute's own rule, or returns nil if the policy decides.
    func combine(
        _ stored: AttributeValue,
        _ assigned: AttributeValue,
        at slot: Int
    ) -> AttributeValue? {
        guard case .attribute(let attribute) = columns[slot].kind else { return nil }
        return attribute.combination.combine(stored: stored, assigned: assigned)
    }
}
