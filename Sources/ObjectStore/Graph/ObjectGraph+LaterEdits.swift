// Updates a graph that was edited while it was being saved: saved values become the stored ones,
// and later edits become changes of those.

extension ObjectGraph {
    /// Applies the result of a save, and keeps the edits made since the save began.
    ///
    /// - Parameters:
    ///   - outcome: The result.
    ///   - base: The graph that was saved.
    mutating func apply(_ outcome: SaveOutcome, savedFrom base: ObjectGraph) {
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
            } else {
                edit(target, saved, edited, outcome.forwarding, since: base.time)
            }
        }
    }

    /// Repeats on a saved row the edits made since.
    private mutating func edit(
        _ id: ObjectID,
        _ saved: ObjectRow?,
        _ edited: ObjectRow?,
        _ forwarding: ObjectMap<ObjectID>,
        since time: UInt64
    ) {
        guard var edited, !edited.isDeleted else {
            if let saved, saved.isDeleted { return }
            if saved != nil || edited != nil { delete(id) }
            return
        }
        let slots = edited.indices.filter { edited.assignmentTime(of: $0) > time }
        // Of a row that is gone, since others have deleted it, so are the edits.
        guard !slots.isEmpty, var row = rows[id] else { return }
        edited.forwardReferences(forwarding, in: slots)
        for slot in slots {
            row.assign(edited[slot], at: slot, time: edited.assignmentTime(of: slot))
        }
        set(row, for: id)
    }
}
