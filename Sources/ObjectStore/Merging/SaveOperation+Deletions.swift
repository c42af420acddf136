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
        while let id = queue.popLast() {
            guard deletions.removeValue(forKey: id) != nil else { continue }
            refreshed[id] = current[id]
            // If another writer deleted it too, it stays deleted, even if the deletion that caused
            // this one is undone.
            if current[id] == nil { dropped.insert(id) }
            queue += consequences(of: id)
        }
    }

    /// Undoes the effects of the delete rules after a deletion, and returns the deletions they caused.
    private mutating func consequences(of id: ObjectID) -> [ObjectID] {
        guard let time = deletedRows[id]?.deletedAt else { return [] }
        var caused: [ObjectID] = []
        for (origin, slot, rule) in model.entities[id.entity].incoming {
            switch rule {
            case .deny: break
            case .cascade:
                caused += deletions.keys.filter { other in
                    guard other.entity == origin, let row = deletedRows[other] else { return false }
                    // What was undone after a save, and redone, was deleted all at once.
                    return row.deletedAt ?? 0 >= time && row[slot] == .reference(id)
                }
            case .nullify:
                for position in candidates[origin].indices {
                    let row = candidates[origin][position].row
                    guard row[slot].isNull, row.assignmentTime(of: slot) > time,
                        row.stored?.values[slot] == .reference(id)
                    else { continue }
                    candidates[origin][position].row.assign(.reference(id), at: slot, time: 0)
                }
            }
        }
        return caused
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
