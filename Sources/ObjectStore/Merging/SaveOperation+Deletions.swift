// How a save takes back a deletion that loses against an edit of somebody else: together with what the
// delete rules have done because of it.

extension SaveOperation {
    /// Takes back the deletions of rows that somebody else has changed, where what is stored wins.
    ///
    /// Objects that were deleted with such a row stay as well, and references that were cleared lead
    /// to it again. What was changed otherwise, before or after, stays changed.
    mutating func takeBackDeletions(_ transaction: any StoreTransaction) throws {
        guard !deletions.isEmpty, policy.keepsStoredRows else { return }
        var current: [ObjectID: StoredRow] = [:]
        for (entity, ids) in Dictionary(grouping: deletions.keys, by: \.entity) {
            let keys = ids.map(\.key).sorted()
            for row in try transaction.rows(of: model.entities[entity], keys: keys) {
                current[row.id] = row
            }
        }
        var queue = current.values.filter { $0.version != deletions[$0.id]?.version }.map(\.id)
        while let id = queue.popLast() {
            guard deletions.removeValue(forKey: id) != nil else { continue }
            refreshed[id] = current[id]
            // One that somebody else has deleted goes, whatever became of what took it with it.
            if current[id] == nil { dropped.insert(id) }
            queue += consequences(of: id)
        }
    }

    /// Takes back what the rules did because of a deletion, and gives the deletions that it caused.
    private mutating func consequences(of id: ObjectID) -> [ObjectID] {
        guard let time = deletedRows[id]?.deletedAt, time > 0 else { return [] }
        var caused: [ObjectID] = []
        for (origin, slot, rule) in model.entities[id.entity].incoming {
            switch rule {
            case .deny: break
            case .cascade:
                caused += deletions.keys.filter { other in
                    guard other.entity == origin, let row = deletedRows[other] else { return false }
                    return row.deletedAt > time && row.values[slot] == .reference(id)
                }
            case .nullify:
                for candidate in candidates[origin] {
                    let row = candidate.row
                    guard row.values[slot].isNull, row.assignmentTime(of: slot) > time,
                        row.stored?.values[slot] == .reference(id)
                    else { continue }
                    candidate.row.assign(.reference(id), at: slot, time: 0)
                }
            }
        }
        return caused
    }
}

extension MergePolicy {
    /// Whether a row stays that is deleted here and was changed by somebody else.
    fileprivate var keepsStoredRows: Bool {
        switch self {
        case .mergeByPropertyStoreTrump, .rollback: true
        case .error, .mergeByPropertyObjectTrump, .overwrite, .custom: false
        }
    }
}
