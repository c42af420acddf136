// Keeps references valid: those of rows unknown to the context to objects that the save deletes,
// and the save's own references to objects that no longer exist.

extension SaveOperation {
    /// Applies the delete rules to rows that other writers made point at a deleted object.
    ///
    /// The context has already applied them to the rows that it knew.
    mutating func settleReferencesToDeleted(_ transaction: any StoreTransaction) throws {
        guard !deletions.isEmpty else { return }
        var positions = ObjectMap<Int>()
        for entity in candidates {
            for (position, candidate) in entity.enumerated() {
                positions[candidate.source] = position
            }
        }
        // All of an entity at once: a query for each would take most of the time of a large deletion.
        var open = Dictionary(grouping: deletions.keys, by: \.entity)
        while let (index, ids) = open.popFirst() {
            for (origin, slot, rule) in model.entities[index].incoming {
                let rows = try transaction.rows(
                    of: model.entities[origin],
                    where: [slot],
                    areOneOf: ids.sorted().map { [.reference($0)] }
                ).filter { row in
                    guard deletions[row.id] == nil else { return false }
                    guard let position = positions[row.id] else { return true }
                    let value = candidates[origin][position].row[slot]
                    return value == row.values[slot]
                }
                switch rule {
                case .deny:
                    guard let target = rows.compactMap({ $0.values[slot].reference }).min() else {
                        continue
                    }
                    let count = rows.count { $0.values[slot] == .reference(target) }
                    throw DeleteDeniedError(index, origin, slot, count: count, in: model)
                case .cascade:
                    for row in rows { deletions[row.id] = row }
                    if !rows.isEmpty { open[origin, default: []] += rows.map(\.id) }
                case .nullify:
                    for row in rows {
                        let position = positions[row.id] ?? candidates[origin].count
                        if position == candidates[origin].count {
                            positions[row.id] = position
                            candidates[origin].append(Candidate(reading: row))
                        }
                        candidates[origin][position].row[slot] = .null
                    }
                }
            }
        }
        for index in candidates.indices {
            candidates[index].removeAll { deletions[$0.source] != nil }
        }
    }

    /// Drops objects that others have deleted together with what they lead to.
    ///
    /// An object that is inserted again for what was assigned to it here would lead to nothing. Its delete
    /// rule holds as if what it leads to were deleted now, unless something else was led to it here, or others have
    /// inserted one with its unique values, with which it will be merged.
    ///
    /// - Parameters:
    ///   - again: The objects that are to be inserted again.
    ///   - transaction: The store.
    /// - Throws: An error of the store.
    mutating func dropDeletedWithTargets(
        _ again: ObjectSet,
        _ transaction: any StoreTransaction
    ) throws {
        var needed = ObjectSet()
        for entity in model.entities where !entity.referenceSlots.isEmpty {
            for candidate in candidates[entity.index] {
                for slot in entity.referenceSlots where candidate.row.isOwnChange(slot) {
                    if let id = candidate.row[slot].reference { needed.insert(id) }
                }
            }
        }
        // Of one that is written whole nothing of the other would be left.
        if !policy.writesWhole { try needed.formUnion(replaced(again, transaction)) }
        // Who leads to what, where the rule takes one with the other.
        var led: [ObjectID: [ObjectID]] = [:]
        for (origin, slot, target) in model.references(with: .cascade) {
            for candidate in candidates[origin]
            where again.contains(candidate.source) && !needed.contains(candidate.source) {
                guard let id = candidate.row[slot].reference, id.entity == target,
                    !candidate.row.isOwnChange(slot)
                else { continue }
                led[id, default: []].append(candidate.source)
            }
        }
        var gone = Set(led.keys).subtracting(again)
        for (index, ids) in Dictionary(grouping: gone, by: \.entity) {
            let rows = try transaction.rows(
                of: model.entities[index],
                keys: ids.map(\.key).sorted()
            )
            gone.subtract(rows.map(\.id))
        }
        var lost: Set<ObjectID> = []
        while let id = gone.popFirst() {
            for source in led[id] ?? [] where lost.insert(source).inserted { gone.insert(source) }
        }
        if lost.isEmpty { return }
        for id in lost { dropped.insert(id) }
        for index in candidates.indices {
            candidates[index].removeAll { lost.contains($0.source) }
        }
    }

    /// Those of some deleted objects whose unique values another row has by now.
    private func replaced(
        _ ids: ObjectSet,
        _ transaction: any StoreTransaction
    ) throws -> ObjectSet {
        var replaced = ObjectSet()
        for entity in model.entities {
            for constraint in entity.constraints {
                var objects: [[AttributeValue]: [ObjectID]] = [:]
                for candidate in candidates[entity.index] where ids.contains(candidate.source) {
                    guard let key = candidate.row.key(of: constraint) else { continue }
                    objects[key, default: []].append(candidate.source)
                }
                if objects.isEmpty { continue }
                let rows = try transaction.rows(
                    of: entity,
                    where: constraint,
                    areOneOf: Array(objects.keys)
                )
                if rows.isEmpty { continue }
                let own = ObjectMap(candidates[entity.index].lazy.map { ($0.source, $0.row) })
                for row in rows where deletions[row.id] == nil {
                    guard let key = row.values.key(of: constraint) else { continue }
                    // This save may give the row other ones.
                    if let own = own[row.id], own.key(of: constraint) != key { continue }
                    for id in objects[key] ?? [] { replaced.insert(id) }
                }
            }
        }
        return replaced
    }

    /// Settles references of this save without a target row.
    ///
    /// The target was deleted by another writer or by this save, or was never stored.
    ///
    /// - Returns: The references that cannot be settled.
    mutating func settleDanglingReferences(
        _ transaction: any StoreTransaction
    ) throws -> [ValidationFailure] {
        // Those of each entity to which a reference leads.
        var saved = ObjectSet()
        var isGathered = Array(repeating: false, count: candidates.count)
        var open: [(entity: Int, position: Int, slot: Int, target: ObjectID)] = []
        for entity in model.entities where !entity.referenceSlots.isEmpty {
            for (position, candidate) in candidates[entity.index].enumerated() {
                for slot in entity.referenceSlots {
                    let value = candidate.row[slot]
                    // The store already guarantees references that it has.
                    guard let target = value.reference, candidate.stored?.values[slot] != value
                    else { continue }
                    if !isGathered[target.entity] {
                        isGathered[target.entity] = true
                        for other in candidates[target.entity] { saved.insert(other.target) }
                    }
                    if !saved.contains(target) {
                        open.append((entity.index, position, slot, target))
                    }
                }
            }
        }
        if open.isEmpty { return [] }
        let wanted = Dictionary(grouping: Set(open.map(\.target)), by: \.entity)
        let stored = try wanted.flatMap { index, targets in
            try transaction.rows(of: model.entities[index], keys: targets.map(\.key)).map(\.id)
        }
        let present = Set(stored).subtracting(deletions.keys)
        return open.filter { !present.contains($0.target) }.compactMap { index, position, slot, _ in
            let (entity, candidate) = (model.entities[index], candidates[index][position])
            // A policy that writes the object whole writes what it has not assigned, too.
            let isUnassigned = !candidate.row.isOwnChange(slot)
            if isUnassigned, candidate.isInsertedAgain || policy.writesWhole,
                entity.columns[slot].isOptional
            {
                // The other writer deleted the target too: treat this as if the target was deleted
                // first.
                candidates[index][position].row[slot] = .null
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
