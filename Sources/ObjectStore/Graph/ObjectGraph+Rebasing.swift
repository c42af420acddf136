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
            // What the store had and has no more does not come back.
            guard var row = earlier.rows[id], row.isChanged, known != nil || row.stored == nil
            else {
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

    /// Takes what a save has stored of objects, where that is not to be undone.
    mutating func take(_ settled: [SettledObject]) {
        for object in settled {
            guard var row = rows[object.id], !row.isDeleted else { continue }
            let slots = object.slots.filter { object.stays(of: row, at: $0) }
            if slots.isEmpty { continue }
            for slot in slots { row.assign(object.stored[slot], at: slot, time: tick()) }
            set(row, for: object.id)
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

/// An object of which a save has stored something else than the context had: values of others that the merge policy
/// has preferred, or that it has made.
struct SettledObject {
    /// The identity by which the graph that was saved knows it.
    let id: ObjectID
    /// The row that was saved.
    let saved: ObjectRow
    /// What is stored now.
    let stored: RowValues
    /// What others had stored before; nil if nobody had.
    let before: RowValues?
    /// Whether no other object was merged with it.
    let isAlone: Bool
    /// Where the stored values are not those that were saved.
    let slots: [Int]

    /// Whether the stored value stays if a row from before the save is restored.
    fileprivate func stays(of row: ObjectRow, at slot: Int) -> Bool {
        // Of several objects that were merged, each may be undone by itself.
        switch (row.isAssigned(slot), saved.isAssigned(slot)) {
        // Nobody has assigned it here.
        case (false, false): isAlone
        // What was assigned later is undone, and what others had comes back.
        case (false, true): false
        case (true, false): false
        // The same value, or another one that others' would have been preferred to as well.
        case (true, true):
            (isAlone && row[slot] == saved[slot]) || stored[slot] == before?[slot]
        }
    }
}

extension SaveOutcome {
    /// The objects of a graph of which the save has stored something else.
    func settled(savedFrom base: ObjectGraph) -> [SettledObject] {
        let stored = ObjectMap(Array(rows).lazy.map { ($0.id, $0) })
        var (targets, shared) = (ObjectSet(), ObjectSet())
        for id in base.changed {
            let target = forwarding[id] ?? id
            if targets.contains(target) { shared.insert(target) }
            targets.insert(target)
        }
        return base.changed.compactMap { id in
            let target = forwarding[id] ?? id
            guard let saved = base.rows[id], let now = stored[target]?.values else { return nil }
            // What was only read is as it was before.
            let before = changes[target].map { $0.before?.values } ?? now
            let slots = now.indices.filter { slot in
                let expected = saved.isAssigned(slot) ? saved[slot] : before?[slot] ?? saved[slot]
                let leadsTo = expected.reference.map { forwarding[$0] ?? $0 }
                return now[slot] != leadsTo.map(AttributeValue.reference) ?? expected
            }
            if slots.isEmpty { return nil }
            return SettledObject(
                id: id,
                saved: saved,
                stored: now,
                before: before,
                isAlone: !shared.contains(target),
                slots: slots
            )
        }
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
