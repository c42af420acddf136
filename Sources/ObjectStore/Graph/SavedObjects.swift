/// What a save has made of the objects that it was given, for graphs from before it.
struct SavedObjects {
    let outcome: SaveOutcome
    /// The graph that was saved.
    let base: ObjectGraph
    /// The rows that are stored now.
    let rows: ObjectMap<StoredRow>
    /// By each removed object, what had led there until the save, which has changed or deleted it.
    private(set) var consequences: [ObjectID: [ObjectID]] = [:]
    private let model: ManagedObjectModel
    private let policy: MergePolicy
    /// The objects that it concerns, by the identities before it and after it.
    private(set) var ids: ObjectSet
    /// The changed objects that were saved as each: several where it merged them.
    private var sourcesByTarget = ObjectMap<[ObjectID]>()

    init(_ outcome: SaveOutcome, of save: PendingSave, _ model: ManagedObjectModel) {
        (self.outcome, base, policy, self.model) = (outcome, save.base, save.policy, model)
        rows = ObjectMap(Array(outcome.rows).lazy.map { ($0.id, $0) })
        ids = outcome.removed
        ids.formUnion(rows.lazy.map(\.key))
        ids.formUnion(base.changed)
        if !outcome.removed.isEmpty { noteConsequences() }
        for id in base.changed {
            let target = outcome.forwarding[id] ?? id
            // Changed in its place: as many as there are may be saved as one.
            let known: Void? = sourcesByTarget.modifyValue(of: target) { $0.append(id) }
            if known == nil { sourcesByTarget[target] = [id] }
        }
    }

    private mutating func noteConsequences() {
        for (id, change) in outcome.changes {
            for slot in model.entities[id.entity].referenceSlots {
                guard let target = change.before?.values[slot].reference,
                    outcome.removed.contains(target),
                    change.after?.values[slot].reference != target
                else { continue }
                consequences[target, default: []].append(id)
            }
        }
    }

    /// The objects that were saved as one, of which that is the first.
    func sources(of id: ObjectID) -> [ObjectID] {
        [id] + (sourcesByTarget[id] ?? []).filter { $0 != id }
    }

    /// Takes what had led to some removed objects, for the step with which it comes back.
    ///
    /// - Parameters:
    ///   - consequences: Those of the save that are left.
    ///   - ids: Objects, of which some were removed.
    ///   - earlier: The rows of the moment to which the step leads back: only with what it restores others come back.
    /// - Returns: The objects that had led to them, or to one another.
    func take(
        _ consequences: inout [ObjectID: [ObjectID]],
        of ids: ObjectSet,
        from earlier: ObjectMap<ObjectRow>
    ) -> ObjectSet {
        var objects = ObjectSet()
        if consequences.isEmpty { return objects }
        var open = ids.intersection(outcome.removed).filter {
            !(earlier[$0]?.isDeleted ?? false)
        }
        while let id = open.popLast() {
            guard let leading = consequences.removeValue(forKey: id) else { continue }
            objects.formUnion(leading)
            open += leading
        }
        return objects
    }

    /// The row of an object as it was at an earlier moment, as changes of what is stored now.
    ///
    /// It is what the save would have stored then: so only what the context itself has changed since is taken back.
    ///
    /// - Parameters:
    ///   - stored: What is stored now.
    ///   - earlier: The rows of that moment, by the identities before the save.
    ///   - time: The time of the graph's clock for what would not be there.
    ///   - later: The time of the clock for what had other values without having been assigned.
    /// - Returns: The row, with the times that its deletion and its values had: what caused what, and which of two
    ///   values is the later one, is told by them.
    func row(
        of stored: StoredRow,
        from earlier: ObjectMap<ObjectRow>,
        deletedAt time: UInt64,
        assignedAt later: UInt64
    ) -> ObjectRow {
        var row = ObjectRow(stored)
        guard let values = values(of: stored, from: earlier) else {
            row.delete(at: earlier[stored.id]?.deletedAt ?? time)
            return row
        }
        for (slot, value) in values.enumerated() {
            let value = forwarded(value)
            if value == row[slot] { continue }
            // Perhaps of what had no key then.
            let times = sources(of: stored.id).map { earlier[$0]?.assignmentTime(of: slot) ?? 0 }
            let known = times.max() ?? 0
            row.assign(value, at: slot, time: known == 0 ? later : known)
        }
        return row
    }

    /// The row of a removed object as it was at an earlier moment, to be inserted again.
    ///
    /// - Parameters:
    ///   - id: The object.
    ///   - earlier: The rows of that moment, by the identities before the save.
    ///   - time: The time of the graph's clock for its values.
    /// - Returns: The row; nil if it was not there, or the save would have removed it then, too.
    func row(
        ofRemoved id: ObjectID,
        from earlier: ObjectMap<ObjectRow>,
        assignedAt time: UInt64
    ) -> ObjectRow? {
        let (before, known) = (outcome.changes[id]?.before?.values, base.rows[id])
        // An edit that is lost, since others have deleted the object, leaves nothing to undo.
        if before == nil && !(known?.isDeleted ?? true) { return nil }
        let read = known?.stored?.values
        let deleted = before ?? earlier[id]?.deletedValues ?? read ?? earlier[id]?.stored?.values
        guard var row = earlier[id] ?? deleted.map({ ObjectRow(inserting: $0) }) else { return nil }
        if row.isDeleted {
            // Its deletion would have been taken back for what others had changed, had nothing else removed it.
            guard policy.keepsStoredRows, let before, before != read else { return nil }
            row = ObjectRow(inserting: before)
        }
        if let deleted { merge(&row, of: id, into: deleted) }
        for slot in model.entities[id.entity].referenceSlots {
            guard let target = row[slot].reference, outcome.removed.contains(target),
                earlier[target]?.isDeleted ?? false
            else { continue }
            if rule(from: id, slot, to: target) == .cascade { return nil }
        }
        row.forwardReferences(outcome.forwarding, in: row.indices)
        return ObjectRow(inserting: row, after: deleted, assignedAt: time)
    }

    /// What the deletion of an object does to one that leads to it.
    private func rule(from id: ObjectID, _ slot: Int, to target: ObjectID) -> DeleteRule? {
        model.entities[target.entity].incoming.first { ($0.entity, $0.slot) == (id.entity, slot) }?
            .rule
    }

    /// A value with the identity that an object has after the save.
    private func forwarded(_ value: AttributeValue) -> AttributeValue {
        value.reference.flatMap { outcome.forwarding[$0] }.map(AttributeValue.reference) ?? value
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
        // The policy has taken the deletion back.
        let isKept = base.rows[id]?.isDeleted ?? false
        if changed.isEmpty {
            // Where an object is missing whose saved deletion was undone, it was deleted, even if others had inserted
            // it again. Any other was in the store and not read yet.
            let isRestored = base.rows[id].map { $0.stored == nil && !id.isProvisional } ?? false
            let isDeleted = known.isEmpty ? isRestored : known.allSatisfy(\.isDeleted)
            if isDeleted && !isKept { return nil }
            // Others may have deleted it since.
            let read = base.rows[id]?.stored ?? known.first?.stored
            return (before ?? read?.values).map(Array.init)
        }
        // What would be deleted is nothing to merge with.
        let isDeleted = earlier[id]?.isDeleted ?? false && !isKept
        let version = before == stored.values ? stored.version : stored.version &- 1
        let theirs = before.map { StoredRow(id: id, version: version, values: $0) }
        guard let merged = merged(changed, with: isDeleted ? nil : theirs, id, from: earlier)
        else { return before.map(Array.init) }
        var row = merged.row
        // It is not asked again: what was assigned since to none of them stays as it has decided.
        for slot in row.indices where policy.isCustom && merged.haveMet {
            if sources.allSatisfy({ isSame($0, at: slot) }) { row[slot] = stored.values[slot] }
        }
        return Array(row)
    }

    /// Merges changed objects with one another and with what others had stored, as a save does.
    ///
    /// - Parameters:
    ///   - changed: The objects.
    ///   - theirs: What others had stored; nil if nothing.
    ///   - id: The object that all of them are after the save.
    ///   - earlier: The rows of that moment.
    /// - Returns: The row to be stored, and whether all had unique values in common; nil if none had with what others
    ///   had stored.
    private func merged(
        _ changed: [Source],
        with theirs: StoredRow?,
        _ id: ObjectID,
        from earlier: ObjectMap<ObjectRow>
    ) -> (row: ObjectRow, haveMet: Bool)? {
        let entity = model.entities[id.entity]
        var rows = changed.compactMap(\.row)
        for index in rows.indices { read(&rows[index], of: changed[index].id) }
        let isOwn = changed[0].id == id
        var first: Int? = 0
        if !isOwn, let theirs { first = rows.firstIndex { meets($0, theirs.values, entity) } }
        // If they had nothing in common then, only what others had can be shown.
        guard let first else { return nil }
        var row = rows.remove(at: first)
        if isOwn, let theirs { row.meet(theirs.values) }
        // It leads again to what was deleted, where that was taken back.
        for slot in entity.referenceSlots where row[slot].isNull {
            guard let value = row.stored?.values[slot], let target = value.reference,
                let time = earlier[target]?.deletedAt, row.assignmentTime(of: slot) > time,
                base.rows[target]?.isDeleted ?? false, self.rows.contains(target),
                rule(from: id, slot, to: target) == .nullify
            else { continue }
            row.assign(value, at: slot, time: 0)
        }
        if isOwn, let theirs, row.stored?.version != theirs.version {
            _ = policy.merge(&row, readAs: row.stored, into: theirs, of: entity)
        }
        // Each may give it unique values, by which it meets another one.
        func join() {
            var count: Int
            repeat {
                count = rows.count
                rows.removeAll { other in
                    guard meets(other, row, entity) else { return false }
                    return policy.merge(other, into: &row, of: entity)
                }
            } while rows.count < count
        }
        join()
        if !isOwn, let theirs {
            _ = policy.merge(&row, readAs: nil, into: theirs, of: entity)
            join()
        }
        return (row, rows.isEmpty)
    }

    /// Whether an object, by an earlier moment's identities, has unique values of another one.
    private func meets(
        _ row: ObjectRow,
        _ other: some RandomAccessCollection<AttributeValue>,
        _ entity: ManagedObjectModel.Entity
    ) -> Bool {
        entity.constraints.contains { slots in
            row.key(of: slots).map { $0.map(forwarded) == other.key(of: slots)?.map(forwarded) }
                ?? false
        }
    }

    /// The row of an object at an earlier moment as a change of what the context had read last, before the save.
    private func read(_ row: inout ObjectRow, of id: ObjectID) {
        if let stored = base.rows[id]?.stored { row.base(on: stored) }
    }

    /// What the save would have stored of a row of an earlier moment, of which others had stored something else.
    private func merge(_ row: inout ObjectRow, of id: ObjectID, into theirs: RowValues) {
        read(&row, of: id)
        guard row.stored != nil, row.stored?.values != theirs else { return }
        let theirs = StoredRow(id: id, version: 0, values: theirs)
        _ = policy.merge(&row, readAs: row.stored, into: theirs, of: model.entities[id.entity])
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
