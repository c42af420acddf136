/// What a save has made of the objects that it was given, for graphs from before it.
struct SavedObjects {
    let outcome: SaveOutcome
    /// The graph that was saved.
    let base: ObjectGraph
    /// The rows that are stored now.
    let rows: ObjectMap<StoredRow>
    private let model: ManagedObjectModel
    /// The changed objects that were saved as each: several where it merged them.
    private var changed = ObjectMap<[ObjectID]>()

    init(_ outcome: SaveOutcome, savedFrom base: ObjectGraph, _ model: ManagedObjectModel) {
        (self.outcome, self.base, self.model) = (outcome, base, model)
        rows = ObjectMap(Array(outcome.rows).lazy.map { ($0.id, $0) })
        for id in base.changed {
            let target = outcome.forwarding[id] ?? id
            changed[target] = (changed[target] ?? []) + [id]
        }
    }

    /// The objects that were saved as one, with that itself.
    func sources(of id: ObjectID) -> [ObjectID] {
        (changed[id] ?? []) + (base.changed.contains(id) ? [] : [id])
    }

    /// An object that the save was given, as it was at an earlier moment and as it was saved.
    private struct Source {
        let row: ObjectRow
        let saved: ObjectRow?

        /// Whether it would have changed nothing that is stored: its deletion was taken back.
        var isUnsaved: Bool {
            row.isDeleted ? saved?.isDeleted ?? false : !row.isChanged
        }

        /// Whether nothing was assigned since.
        func isSame(at slot: Int) -> Bool {
            row[slot] == saved?[slot] && row.isAssigned(slot) == saved?.isAssigned(slot)
        }
    }

    /// The row of an object as it was at an earlier moment, as changes of what is stored now.
    ///
    /// Only what the context itself has changed since is taken back: what others had saved, or the merge policy has
    /// made of it, stays.
    ///
    /// - Parameters:
    ///   - stored: What is stored now.
    ///   - earlier: The rows of that moment, by the identities before the save.
    ///   - time: The time of the graph's clock.
    /// - Returns: The row.
    func row(
        of stored: StoredRow,
        from earlier: ObjectMap<ObjectRow>,
        at time: UInt64
    ) -> ObjectRow {
        let id = stored.id
        // What was only read is as it was before.
        let before = outcome.changes[id].map { $0.before?.values } ?? stored.values
        let known = sources(of: id)
        let present = known.compactMap { id in
            earlier[id].map { Source(row: $0, saved: base.rows[id]) }
        }
        let others = known.filter { earlier[$0] == nil }.compactMap { base.rows[$0] }
        var row = ObjectRow(stored)
        if present.isEmpty {
            // Where an object is missing whose saved deletion was undone, it is deleted, even if others had inserted
            // it again and it was in the store.
            let isDeleted = outcome.restored.contains(id)
            if let values = before ?? base.rows[id]?.stored?.values, !isDeleted {
                // It was in the store and not read yet; others may have deleted it since.
                assign(Array(values), to: &row, at: time)
            } else {
                row.delete(at: 0)
            }
        } else if let before, present.allSatisfy(\.isUnsaved) {
            assign(Array(before), to: &row, at: time)
        } else if present.allSatisfy(\.row.isDeleted) {
            row.delete(at: present[0].row.deletedAt ?? 0)
        } else {
            let present = present.filter { !$0.row.isDeleted }
            let values = stored.values.indices.map { slot in
                value(slot, stored, before, present, others)
            }
            assign(values, to: &row, at: time)
        }
        return row
    }

    /// Makes values changes of a row, but for those that it has.
    private func assign(_ values: [AttributeValue], to row: inout ObjectRow, at time: UInt64) {
        for slot in values.indices {
            let value = forwarded(values[slot])
            if value != row[slot] { row.assign(value, at: slot, time: time) }
        }
    }

    /// A value with the identity that an object has after the save.
    private func forwarded(_ value: AttributeValue) -> AttributeValue {
        value.reference.flatMap { outcome.forwarding[$0] }.map(AttributeValue.reference) ?? value
    }

    /// The value of a column at the earlier moment.
    ///
    /// - Parameters:
    ///   - slot: The column.
    ///   - stored: What is stored now.
    ///   - before: What others had stored; nil if there was nothing.
    ///   - present: The objects that were there at that moment.
    ///   - others: What was inserted later.
    /// - Returns: The value.
    private func value(
        _ slot: Int,
        _ stored: StoredRow,
        _ before: RowValues?,
        _ present: [Source],
        _ others: [ObjectRow]
    ) -> AttributeValue {
        let now = stored.values[slot]
        let isSame = present.allSatisfy { $0.isSame(at: slot) }
        if isSame && !others.contains(where: { $0.isAssigned(slot) }) { return now }
        let entity = model.entities[stored.id.entity]
        // What was assigned last to any of them, or what all combine to.
        var last: (source: Source, value: AttributeValue)?
        for source in present
        where before == nil ? source.row.isAssigned(slot) : source.row.isOwnChange(slot) {
            let new = source.row[slot]
            // It was preferred to what was assigned later, too.
            if source.isSame(at: slot) && forwarded(new) == now { return now }
            guard let known = last else {
                last = (source, new)
                continue
            }
            let isLater =
                source.row.assignmentTime(of: slot) > known.source.row.assignmentTime(of: slot)
            let values = isLater ? (known.value, new) : (new, known.value)
            let value = entity.combine(values.0, values.1, at: slot) ?? values.1
            last = (isLater ? source : known.source, value)
        }
        // What others had comes back, where all was assigned later.
        guard let (source, value) = last else { return before?[slot] ?? present[0].row[slot] }
        guard let theirs = before?[slot] else { return value }
        let read = source.row.stored?.values[slot] ?? source.row.deletedValues?[slot] ?? .null
        if theirs != read, let combined = entity.combine(theirs, value, at: slot) {
            return combined
        }
        if theirs != now { return value }
        // What others had was preferred, and would have been then.
        for case let row? in present.map(\.saved) + others
        where row.isAssigned(slot) && forwarded(row[slot]) != now { return now }
        return value
    }
}
