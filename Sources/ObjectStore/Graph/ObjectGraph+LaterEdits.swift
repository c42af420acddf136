// Updates a graph that was edited while it was being saved: saved values become the stored ones,
// and later edits become changes of those.

extension ObjectGraph {
    /// Applies the result of a save, and keeps the edits made since the save began.
    ///
    /// - Parameters:
    ///   - outcome: The result.
    ///   - base: The graph that was saved.
    mutating func apply(_ outcome: SaveOutcome, savedFrom base: ObjectGraph) {
        let (edited, ids) = (rows, base.changed.union(changed))
        apply(outcome)
        repeatEdits(of: ids, edited, outcome, savedFrom: base)
    }

    /// Applies the result of a save to a graph that has some objects alone.
    ///
    /// - Parameters:
    ///   - saved: What the save has made.
    ///   - ids: The objects, by their identities before it.
    ///   - edited: All rows of that moment, also those that this graph does not have.
    mutating func apply(
        _ saved: SavedObjects,
        of ids: ObjectSet,
        from edited: ObjectMap<ObjectRow>
    ) {
        self = ObjectGraph(self, of: ObjectSet())
        var sources = ids
        for id in ids {
            let target = saved.outcome.forwarding[id] ?? id
            if let row = saved.rows[target] { register([row]) }
            // What was merged with it was edited meanwhile, too.
            sources.formUnion(saved.sources(of: target))
        }
        repeatEdits(of: sources, edited, saved.outcome, savedFrom: saved.base)
    }

    private mutating func repeatEdits(
        of ids: some Sequence<ObjectID>,
        _ rows: ObjectMap<ObjectRow>,
        _ outcome: SaveOutcome,
        savedFrom base: ObjectGraph
    ) {
        for id in ids {
            let target = outcome.forwarding[id] ?? id
            if var edited = rows[id], !outcome.concerns(target) && !base.changed.contains(id) {
                // The save did not include it.
                edited.forwardReferences(outcome.forwarding, in: edited.indices)
                set(edited, for: id)
            } else {
                edit(target, base.rows[id], rows[id], outcome.forwarding, since: base.time)
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
            guard saved != nil || edited != nil, var row = rows[id] else { return }
            // Set, because it is no edit of now: the step that it belongs to has it.
            row.delete(at: tick())
            set(row, for: id)
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
