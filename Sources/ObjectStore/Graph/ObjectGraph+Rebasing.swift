extension ObjectGraph {
    /// Keeps the values of this graph, as changes of the rows that a save has stored since.
    ///
    /// Restoring the graph then undoes the saved changes with a later save: inserted objects are
    /// deleted, deleted ones inserted again under their identity, and changed ones changed back.
    ///
    /// - Parameters:
    ///   - saved: What the save has made.
    ///   - ids: The objects of the save that matter, by their identities after it.
    ///   - earlier: All rows of that moment, also those that this graph does not have.
    mutating func rebase(
        on saved: SavedObjects,
        of ids: ObjectSet,
        from earlier: ObjectMap<ObjectRow>
    ) {
        let outcome = saved.outcome
        forward(outcome.forwarding)
        let time = tick()
        for id in ids {
            if let stored = saved.rows[id] {
                let row = saved.row(of: stored, from: earlier, deletedAt: time, assignedAt: tick())
                set(row, for: id)
            } else if outcome.removed.contains(id) {
                set(saved.row(ofRemoved: id, from: earlier, assignedAt: tick()), for: id)
            }
        }
    }

    /// Restores some objects from an earlier graph, and keeps what was read since.
    ///
    /// - Parameters:
    ///   - earlier: The graph.
    ///   - ids: The objects.
    ///   - gone: Objects that are no longer in the store, to which nothing is to lead again.
    mutating func goBack(
        to earlier: ObjectGraph,
        of ids: ObjectSet,
        without gone: ObjectSet = ObjectSet()
    ) {
        advance(to: earlier.time)
        for id in ids {
            let known = rows[id]
            // What the store had and has no more does not come back.
            guard var row = earlier.rows[id], row.isChanged, known != nil || row.stored == nil
            else {
                set(known?.withoutChanges, for: id)
                continue
            }
            // Values that others saved since, and that were read, stay.
            if let stored = known?.stored { row.base(on: stored) }
            for slot in row.indices where row[slot].reference.map(gone.contains) ?? false {
                let present = row.stored?.values[slot] ?? .null
                // An assignment of nothing, where another one is on record.
                let isChange = row.isAssigned(slot) && !present.isNull
                if !isChange { row.setAssignmentTime(0, of: slot) }
                row[slot] = isChange ? .null : present
            }
            set(row, for: id)
        }
    }

    /// Moves rows to the present identities of their objects.
    private mutating func forward(_ forwarding: ObjectMap<ObjectID>) {
        // A step has few rows, of a save that may have forwarded many.
        let sources = rows.count < forwarding.count ? rows.map(\.key) : forwarding.map(\.key)
        for source in sources {
            guard let row = rows[source], let target = forwarding[source] else { continue }
            set(nil, for: source)
            if rows[target] == nil { set(row, for: target) }
        }
        forwardReferences(forwarding)
    }
}
