/// What a save has made of the objects that it was given, for graphs from before it.
struct SavedObjects {
    let outcome: SaveOutcome
    /// The graph that was saved.
    let base: ObjectGraph
    /// The rows that are stored now.
    let rows: ObjectMap<StoredRow>
    /// What it has changed or deleted since others had made it lead to something deleted, by that.
    let consequences: [ObjectID: [ObjectID]]
    private let model: ManagedObjectModel
    private let policy: MergePolicy
    /// The objects that it concerns, by the identities before it and after it.
    private(set) var ids: ObjectSet
    /// The changed objects that were saved as each: several where it merged them.
    private var changed = ObjectMap<[ObjectID]>()

    init(_ outcome: SaveOutcome, of save: PendingSave, _ model: ManagedObjectModel) {
        (self.outcome, base, policy, self.model) = (outcome, save.base, save.policy, model)
        rows = ObjectMap(Array(outcome.rows).lazy.map { ($0.id, $0) })
        ids = outcome.removed
        ids.formUnion(rows.lazy.map(\.key))
        ids.formUnion(base.changed)
        var consequences: [ObjectID: [ObjectID]] = [:]
        for (id, change) in outcome.changes where !outcome.removed.isEmpty {
            for slot in model.entities[id.entity].referenceSlots {
                guard let target = change.before?.values[slot].reference,
                    outcome.removed.contains(target),
                    change.after?.values[slot].reference != target,
                    // Else a step has it.
                    !(base.rows[id].map {
                        $0.isDeleted ? outcome.removed.contains(id) : $0.isAssigned(slot)
                    } ?? false)
                else { continue }
                consequences[target, default: []].append(id)
            }
        }
        self.consequences = consequences
        for id in base.changed {
            let target = outcome.forwarding[id] ?? id
            changed[target] = (changed[target] ?? []) + [id]
        }
    }

    /// The objects that were saved as one, with that itself: those with a row are the first.
    func sources(of id: ObjectID) -> [ObjectID] {
        (base.changed.contains(id) ? [] : [id]) + (changed[id] ?? [])
    }

    /// The row of an object as it was at an earlier moment, as changes of what is stored now.
    ///
    /// It is what the save would have stored then: so only what the context itself has changed since is taken back.
    ///
    /// - Parameters:
    ///   - stored: What is stored now.
    ///   - earlier: The rows of that moment, by the identities before the save.
    ///   - time: The time of the graph's clock for what was deleted then.
    ///   - later: The time of the clock for what had other values.
    /// - Returns: The row.
    func row(
        of stored: StoredRow,
        from earlier: ObjectMap<ObjectRow>,
        deletedAt time: UInt64,
        assignedAt later: UInt64
    ) -> ObjectRow {
        var row = ObjectRow(stored)
        guard let values = values(of: stored, from: earlier) else {
            row.delete(at: time)
            return row
        }
        for (slot, value) in values.enumerated() {
            let value =
                value.reference.flatMap { outcome.forwarding[$0] }.map(AttributeValue.reference)
                ?? value
            if value != row[slot] { row.assign(value, at: slot, time: later) }
        }
        return row
    }

    /// An object that was saved, as it was at an earlier moment, and as it was when it was saved.
    private typealias Source = (id: ObjectID, row: ObjectRow?, saved: ObjectRow?)

    /// What the save would have stored of an object at an earlier moment, by the same policy; nil if nothing.
    private func values(
        of stored: StoredRow,
        from earlier: ObjectMap<ObjectRow>
    ) -> [AttributeValue]? {
        let id = stored.id
        // What was only read is as it was before.
        let before = outcome.changes[id].map { $0.before?.values } ?? stored.values
        let sources: [Source] = sources(of: id).map { ($0, earlier[$0], base.rows[$0]) }
        let known = sources.compactMap(\.row)
        let changed = sources.filter { $0.row.map { $0.isChanged && !$0.isDeleted } ?? false }
        if changed.isEmpty {
            // Where an object is missing whose saved deletion was undone, it was deleted, even if others had inserted
            // it again. Any other was in the store and not read yet.
            let isDeleted =
                known.isEmpty ? outcome.restored.contains(id) : known.allSatisfy(\.isDeleted)
            // The policy has taken the deletion back.
            let isKept = sources.contains { $0.saved?.isDeleted ?? false }
            if isDeleted && !isKept { return nil }
            // Others may have deleted it since.
            return (before ?? (known.first ?? base.rows[id])?.stored?.values).map(Array.init)
        }
        // What would be deleted is nothing to merge with.
        let theirs = earlier[id]?.isDeleted ?? false ? nil : before
        var row = merged(changed.compactMap(\.row), isOwn: changed[0].id == id, with: theirs, id)
        // It is not asked again: what was assigned since to none of them stays as it has decided.
        for slot in row.indices where policy.isCustom {
            if sources.allSatisfy({ isSame($0, at: slot) }) { row[slot] = stored.values[slot] }
        }
        return Array(row)
    }

    /// Merges changed objects with one another and with what others had stored, as a save does.
    ///
    /// - Parameters:
    ///   - changed: The objects, of which the first may have a row.
    ///   - isOwn: Whether that is the row that the save has stored.
    ///   - theirs: What others had stored; nil if nothing.
    ///   - id: The object that all of them are after the save.
    /// - Returns: The row to be stored.
    private func merged(
        _ changed: [ObjectRow],
        isOwn: Bool,
        with theirs: RowValues?,
        _ id: ObjectID
    ) -> ObjectRow {
        var row = changed[0]
        if isOwn, let theirs { row.meet(theirs) }
        // It leads again to what was deleted, where that was taken back.
        for slot in model.entities[id.entity].referenceSlots where row[slot].isNull {
            guard let value = row.stored?.values[slot], let target = value.reference,
                let time = base.rows[target]?.deletedAt, rows.contains(target),
                row.assignmentTime(of: slot) > time
            else { continue }
            row.assign(value, at: slot, time: 0)
        }
        let hasRow = row.stored != nil
        if hasRow { merge(&row, of: id, into: theirs) }
        for other in changed.dropFirst() {
            _ = policy.merge(other, into: &row, of: model.entities[id.entity])
        }
        if !hasRow { merge(&row, of: id, into: theirs) }
        return row
    }

    /// Merges the row of an object with what others had stored, as a save at that moment would have.
    func merge(_ row: inout ObjectRow, of id: ObjectID, into theirs: RowValues?) {
        guard let theirs, row.stored?.values != theirs else { return }
        let stored = StoredRow(id: id, version: 0, values: theirs)
        _ = policy.merge(&row, readAs: row.stored, into: stored, of: model.entities[id.entity])
    }

    /// Whether nothing was assigned since, nor the object inserted or deleted.
    private func isSame(_ source: Source, at slot: Int) -> Bool {
        guard let row = source.row, let saved = source.saved else {
            return source.row == nil && source.saved == nil
        }
        return row[slot] == saved[slot] && row.isAssigned(slot) == saved.isAssigned(slot)
            && row.isDeleted == saved.isDeleted
    }
}
