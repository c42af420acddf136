// Undoes a deletion that loses against another writer's edit, together with the effects of the
// delete rules.

extension SaveOperation {
    /// Undoes the deletions of rows that other writers changed, if the policy keeps stored values.
    ///
    /// Objects that were deleted together with such a row stay too, and cleared references lead to
    /// it again. All other changes remain.
    mutating func takeBackDeletions(_ transaction: any StoreTransaction) throws {
        guard !deletions.isEmpty, policy.keepsStoredRows else { return }
        var current = ObjectMap<StoredRow>()
        for (entity, ids) in Dictionary(grouping: deletions.keys, by: \.entity) {
            let keys = ids.map(\.key).sorted()
            for row in try transaction.rows(of: model.entities[entity], keys: keys) {
                current[row.id] = row
            }
        }
        var queue = current.filter { $0.value.version != deletions[$0.key]?.version }.map(\.key)
        if queue.isEmpty { return }
        let (led, cleared) = (cascades(), clearedReferences())
        while let id = queue.popLast() {
            guard deletions.removeValue(forKey: id) != nil else { continue }
            refreshed[id] = current[id]
            // If another writer deleted it too, it stays deleted, even if the deletion that caused
            // this one is undone.
            if current[id] == nil { dropped.insert(id) }
            guard let time = deletedRows[id]?.deletedAt else { continue }
            // What was undone after a save, and redone, was deleted all at once.
            queue += (led[id] ?? []).filter { deletedRows[$0]?.deletedAt ?? 0 >= time }
            for (origin, position, slot) in cleared[id] ?? []
            where candidates[origin][position].row.assignmentTime(of: slot) > time {
                candidates[origin][position].row.assign(.reference(id), at: slot, time: 0)
            }
        }
    }

    /// By each object, the deleted ones that led to it, where the rule takes them with it.
    private func cascades() -> [ObjectID: [ObjectID]] {
        var led: [ObjectID: [ObjectID]] = [:]
        for (origin, slot, target) in model.references(with: .cascade) {
            for (id, row) in deletedRows where id.entity == origin {
                if let leader = row[slot].reference, leader.entity == target {
                    led[leader, default: []].append(id)
                }
            }
        }
        return led
    }

    /// By each object, the references that led to it and were cleared, by its deletion or otherwise.
    private func clearedReferences() -> [ObjectID: [(entity: Int, position: Int, slot: Int)]] {
        var cleared: [ObjectID: [(entity: Int, position: Int, slot: Int)]] = [:]
        for (origin, slot, target) in model.references(with: .nullify) {
            for (position, candidate) in candidates[origin].enumerated() {
                guard candidate.row[slot].isNull,
                    let leader = candidate.row.stored?.values[slot].reference,
                    leader.entity == target
                else { continue }
                cleared[leader, default: []].append((origin, position, slot))
            }
        }
        return cleared
    }
}

extension MergePolicy {
    /// Whether a row stays if it is deleted here and was changed by another writer.
    var keepsStoredRows: Bool {
        switch self {
        case .mergeByPropertyStoreTrump, .rollback: true
        case .error, .mergeByPropertyObjectTrump, .overwrite, .custom: false
        }
    }
}
