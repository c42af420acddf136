extension ObjectGraph {
    /// Keeps the values of this graph, as changes of the rows that a save has stored since.
    ///
    /// Restoring the graph then undoes the saved changes with a later save: inserted objects are
    /// deleted, deleted ones inserted again under their identity, and changed ones changed back.
    ///
    /// - Parameters:
    ///   - outcome: The result of the save.
    ///   - base: The graph that was saved.
    mutating func rebase(on outcome: SaveOutcome, savedFrom base: ObjectGraph) {
        takeSettled(outcome, savedFrom: base)
        // Where an object is missing whose saved deletion was undone, it is deleted, even if others had inserted it
        // again and it was in the store.
        var deleted = ObjectSet()
        for id in outcome.restored where rows[id] == nil { deleted.insert(id) }
        forward(outcome.forwarding)
        for stored in outcome.rows {
            let id = stored.id
            // An undone deletion stored nothing.
            let change = outcome.changes[id] ?? ObjectChange(unchanged: stored)
            if var row = rows[id] {
                if let before = change.before {
                    row.meet(before.values)
                    row.takeUnassigned(before.values)
                }
                set(row.rebased(on: stored, at: tick()), for: id)
            } else if let before = change.before?.values ?? base.rows[id]?.stored?.values,
                !deleted.contains(id)
            {
                // It was in the store and not read yet; others may have deleted it since.
                var row = ObjectRow(stored)
                row.replaceValues(with: before)
                set(row.rebased(on: stored, at: tick()), for: id)
            } else {
                var row = ObjectRow(stored)
                row.delete(at: 0)
                set(row, for: id)
            }
        }
        for id in outcome.removed {
            let known = base.rows[id]
            let deleted =
                outcome.changes[id]?.before?.values ?? rows[id]?.deletedValues
                ?? rows[id]?.stored?.values ?? known?.stored?.values
            // An edit that is lost, since others have deleted the object, leaves nothing to undo.
            let isLost = outcome.changes[id] == nil && !(known?.isDeleted ?? true)
            let before = rows[id] ?? deleted.map { ObjectRow(inserting: $0) }
            if !isLost, let row = before, !row.isDeleted {
                set(ObjectRow(inserting: row, after: deleted, assignedAt: tick()), for: id)
            } else {
                set(nil, for: id)
            }
        }
    }

    /// Restores some objects from an earlier graph, and keeps what was read since.
    mutating func goBack(to earlier: ObjectGraph, of ids: ObjectSet) {
        advance(to: earlier)
        for id in ids {
            let known = rows[id]
            guard var row = earlier.rows[id], row.isChanged else {
                set(known?.withoutChanges, for: id)
                continue
            }
            // Values that others saved since, and that were read, stay.
            if let stored = known?.stored {
                row.meet(stored.values)
                row.stored = stored
                row.takeUnassigned(stored.values)
            }
            set(row, for: id)
        }
    }

    /// Takes what a save has stored in the place of an assigned value that is the same here: the merge policy may have
    /// preferred another one, which is not to be undone.
    private mutating func takeSettled(_ outcome: SaveOutcome, savedFrom base: ObjectGraph) {
        var sources: [ObjectID: [ObjectID]] = [:]
        for id in base.changed { sources[outcome.forwarding[id] ?? id, default: []].append(id) }
        // Of several objects that were merged, each may be undone by itself.
        for (target, ids) in sources where ids.count == 1 {
            let id = ids[0]
            guard let stored = outcome.changes[target]?.after?.values, let saved = base.rows[id],
                var row = rows[id]
            else { continue }
            let others = stored.indices.filter { slot in
                row.isAssigned(slot) && saved.isAssigned(slot) && row[slot] == saved[slot]
                    && row[slot] != stored[slot]
            }
            if others.isEmpty { continue }
            for slot in others { row[slot] = stored[slot] }
            set(row, for: id)
        }
    }

    /// Moves rows to the present identities of their objects.
    private mutating func forward(_ forwarding: ObjectMap<ObjectID>) {
        for (source, target) in forwarding {
            guard let row = rows[source] else { continue }
            set(nil, for: source)
            if rows[target] == nil { set(row, for: target) }
        }
        forwardReferences(forwarding)
    }
}

extension ObjectChange {
    /// The change of a row that stays the same.
    fileprivate init(unchanged row: StoredRow) {
        self.init(before: row.snapshot, after: row.snapshot)
    }
}

extension ObjectRow {
    /// The same values, as changes of another stored row.
    fileprivate func rebased(on stored: StoredRow, at time: UInt64) -> ObjectRow {
        var row = self
        row.stored = Stored(stored)
        for slot in stored.values.indices {
            row.setAssignmentTime(self[slot] == stored.values[slot] ? 0 : time, of: slot)
        }
        return row
    }
}
