// How a save keeps references whole: those of rows that the context has never seen to objects that
// it deletes, and its own to objects that are gone.

extension SaveOperation {
    /// Applies the delete rules to rows that were made to point at a deleted object by somebody else,
    /// after this context had applied them to those that did so before.
    mutating func settleReferencesToDeleted(_ transaction: any StoreTransaction) throws {
        guard !deletions.isEmpty else { return }
        var positions: [ObjectID: Int] = [:]
        for entity in candidates {
            for (position, candidate) in entity.enumerated() {
                positions[candidate.source] = position
            }
        }
        var queue = deletions.keys.sorted()
        while let id = queue.popLast() {
            for (origin, slot, rule) in model.entities[id.entity].incoming {
                let query = StoreQuery(model: model, entity: origin, whose: slot, leadsTo: id)
                let rows = try transaction.rows(matching: query).filter { row in
                    guard deletions[row.id] == nil else { return false }
                    guard let position = positions[row.id] else { return true }
                    return candidates[origin][position].row.values[slot] == .reference(id)
                }
                switch rule {
                case .deny where !rows.isEmpty:
                    throw DeleteDeniedError(id.entity, origin, slot, count: rows.count, in: model)
                case .deny: break
                case .cascade:
                    for row in rows { deletions[row.id] = row }
                    queue += rows.map(\.id)
                case .nullify:
                    for row in rows {
                        let position = positions[row.id] ?? candidates[origin].count
                        if position == candidates[origin].count {
                            positions[row.id] = position
                            candidates[origin].append(Candidate(reading: row))
                        }
                        candidates[origin][position].row.values[slot] = .null
                    }
                }
            }
        }
        for index in candidates.indices {
            candidates[index].removeAll { deletions[$0.source] != nil }
        }
    }

    /// Settles the references of this save that lead to no row: to one that somebody else has deleted,
    /// that this save deletes, or that was never stored.
    ///
    /// - Returns: Those that cannot be settled.
    func settleDanglingReferences(_ transaction: any StoreTransaction) throws -> [ValidationFailure]
    {
        var saved: Set<ObjectID>?
        var open: [(Candidate, slot: Int, target: ObjectID)] = []
        for candidate in candidates.joined() {
            for slot in model.entities[candidate.source.entity].referenceSlots {
                let value = candidate.row.values[slot]
                // The store keeps those whole that it already has.
                guard let target = value.reference, candidate.stored?.values[slot] != value else {
                    continue
                }
                let known = saved ?? Set(candidates.joined().map(\.target))
                saved = known
                if !known.contains(target) { open.append((candidate, slot, target)) }
            }
        }
        let wanted = Dictionary(grouping: Set(open.map(\.target)), by: \.entity)
        let stored = try wanted.flatMap { index, targets in
            try transaction.rows(of: model.entities[index], keys: targets.map(\.key)).map(\.id)
        }
        let present = Set(stored).subtracting(deletions.keys)
        return open.filter { !present.contains($0.target) }.compactMap { candidate, slot, _ in
            let entity = model.entities[candidate.source.entity]
            if candidate.isInsertedAgain, !candidate.row.isAssigned(slot),
                entity.columns[slot].isOptional
            {
                // Whoever deleted the object has deleted its target too, as if the target went first.
                candidate.row.values[slot] = .null
                return nil
            }
            return ValidationFailure(
                id: candidate.source,
                entity: entity.name,
                property: entity.columns[slot].name,
                reason: "leads to an object that is not on record"
            )
        }
    }
}
