// Updates a graph that was edited while it was being saved: saved values become the stored ones,
// and later edits become changes of those.

extension ObjectGraph {
    /// Applies the result of a save, and keeps the edits made since the save began.
    ///
    /// - Parameters:
    ///   - outcome: The result.
    ///   - base: The graph that was saved.
    ///   - undone: The objects whose insertion was undone since.
    mutating func apply(
        _ outcome: SaveOutcome,
        savedFrom base: ObjectGraph,
        undone: ObjectSet
    ) {
        let rows = base.changed.union(changed).map { id in
            (id: id, saved: base.rows[id], edited: self.rows[id])
        }
        apply(outcome)
        for (id, saved, edited) in rows {
            let target = outcome.forwarding[id] ?? id
            if var edited, !outcome.concerns(target) && !base.changed.contains(id) {
                // The save did not include it.
                edited.forwardReferences(outcome.forwarding, in: edited.indices)
                set(edited, for: id)
            } else if undone.contains(id), let before = outcome.changes[target]?.before {
                takeBack(target, to: before.values)
            } else {
                let deleted = outcome.changes[id]?.before?.values
                edit(target, saved, edited, deleted, outcome.forwarding, since: base.time)
            }
        }
    }

    /// Gives a row that an insertion was merged with its own values back.
    private mutating func takeBack(_ id: ObjectID, to values: RowValues) {
        guard var row = rows[id] else { return }
        for slot in values.indices where row[slot] != values[slot] {
            row.assign(values[slot], at: slot, time: tick())
        }
        set(row, for: id)
    }

    /// Repeats on a saved row the edits made since.
    private mutating func edit(
        _ id: ObjectID,
        _ saved: ObjectRow?,
        _ edited: ObjectRow?,
        _ deleted: RowValues?,
        _ forwarding: ObjectMap<ObjectID>,
        since time: UInt64
    ) {
        guard var edited, !edited.isDeleted else {
            if let saved, saved.isDeleted { return }
            if saved != nil || edited != nil { delete(id) }
            return
        }
        let slots = edited.slots(editedSince: time, saved)
        edited.forwardReferences(forwarding, in: edited.indices)
        if var row = rows[id] {
            if slots.isEmpty { return }
            for slot in slots {
                let time = edited.assignmentTime(of: slot)
                row.assign(edited[slot], at: slot, time: time > 0 ? time : tick())
            }
            set(row, for: id)
        } else if let saved, saved.isDeleted {
            // The deletion was undone after it was saved.
            let deleted = deleted ?? saved.stored?.values
            set(ObjectRow(inserting: edited, after: deleted, assignedAt: tick()), for: id)
        }
    }
}

extension ObjectRow {
    /// The slots that were assigned, or whose assignment was undone, since a save began.
    fileprivate func slots(editedSince time: UInt64, _ saved: ObjectRow?) -> [Int] {
        indices.filter { slot in
            if assignmentTime(of: slot) > time { return true }
            guard let saved, isAssigned(slot) || saved.isAssigned(slot) else { return false }
            return self[slot] != saved[slot]
        }
    }
}
