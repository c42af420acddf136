internal import HashTreeCollections

extension ObjectGraph {
    /// Keeps the values of this graph, as changes of what a save has stored since.
    ///
    /// Going back to it then undoes what was saved, by a later save: objects that were inserted are
    /// deleted, deleted ones inserted again under their identity, and changed ones changed back.
    mutating func rebase(on outcome: SaveOutcome) {
        forward(outcome.forwarding)
        for (id, stored) in outcome.rows {
            if let row = rows[id] {
                set(row.rebased(on: stored, at: tick()), for: id)
            } else if let before = outcome.changes[id]?.before {
                // It was in the store and not looked at yet.
                var row = ObjectRow(stored, order: tick())
                row.values = before.values
                set(row.rebased(on: stored, at: tick()), for: id)
            } else {
                var row = ObjectRow(stored, order: tick())
                row.isDeleted = true
                set(row, for: id)
            }
        }
        for id in outcome.removed {
            guard let values = rows[id]?.values ?? outcome.changes[id]?.before?.values,
                rows[id]?.isDeleted != true
            else {
                set(nil, for: id)
                continue
            }
            var row = ObjectRow(inserting: values, order: tick())
            row.assignedAt = row.assignedAt.map { _ in row.order }
            set(row, for: id)
        }
    }

    /// Goes back to an earlier graph, and keeps what was read since.
    mutating func goBack(to earlier: ObjectGraph) {
        for id in changed.union(earlier.changed) {
            if let row = earlier.rows[id] {
                set(row, for: id)
            } else if let stored = rows[id]?.stored {
                set(ObjectRow(stored, order: tick()), for: id)
            } else {
                set(nil, for: id)
            }
        }
    }

    /// Gives objects the identities that they have now.
    private mutating func forward(_ forwarding: [ObjectID: ObjectID]) {
        for (source, target) in forwarding {
            guard let row = rows[source] else { continue }
            set(nil, for: source)
            if rows[target] == nil { set(row, for: target) }
        }
        forwardReferences(forwarding)
    }
}

extension ObjectRow {
    /// The same values, as changes of another stored row.
    fileprivate func rebased(on stored: StoredRow, at time: UInt64) -> ObjectRow {
        var row = self
        row.stored = stored
        row.assignedAt = values.indices.map { values[$0] == stored.values[$0] ? 0 : time }
        return row
    }
}
