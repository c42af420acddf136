// Finds and settles conflicts between objects with the same unique values: first within the save,
// then with the store.

extension SaveOperation {
    /// Merges objects with the same unique values until no two of them have the same.
    ///
    /// A merge with a stored row can give an object other unique values, which may match another
    /// object of this save, or another row.
    mutating func settleConstraints(
        ofEntity index: Int,
        _ transaction: any StoreTransaction
    ) throws {
        guard !model.entities[index].constraints.isEmpty, !candidates[index].isEmpty else { return }
        while true {
            let positions = mergePending(ofEntity: index)
            let hasChanged = try mergeWithStored(ofEntity: index, positions, transaction)
            if !hasChanged || !conflicts.isEmpty { return }
        }
    }

    /// Merges objects of this save that have the same unique values.
    ///
    /// - Returns: The position of the object with each of the unique values.
    private mutating func mergePending(ofEntity index: Int) -> [UniqueKey: Int] {
        let entity = model.entities[index]
        var kept: [Candidate?] = []
        kept.reserveCapacity(candidates[index].count)
        var hasMerged = false
        var positions: [UniqueKey: Int] = Dictionary(minimumCapacity: candidates[index].count)
        for candidate in candidates[index] {
            // Merging can give an object new unique values, by which it may meet another.
            var next: Candidate? = candidate
            while let candidate = next {
                next = nil
                let met = take(candidate, at: kept.count, &positions)
                guard let met, let other = kept[met] else {
                    kept.append(candidate)
                    continue
                }
                hasMerged = true
                let before = other.row.values
                guard let joined = join(other, candidate, entity) else {
                    // The other stays, to meet further objects with its unique values.
                    conflicts.append(pendingConflict(other, candidate, entity))
                    continue
                }
                if joined === other, !entity.hasOtherUniqueValues(before, joined.row.values) {
                    continue
                }
                for number in entity.constraints.indices {
                    if let key = entity.uniqueKey(number, of: before) { positions[key] = nil }
                }
                kept[met] = nil
                next = joined
            }
        }
        guard hasMerged else { return positions }
        candidates[index] = kept.compactMap(\.self)
        if candidates[index].count < kept.count {
            // They move up.
            var place = 0
            let places = kept.map { candidate in
                defer { if candidate != nil { place += 1 } }
                return place
            }
            positions = positions.mapValues { places[$0] }
        }
        return positions
    }

    /// Registers the unique values of an object, unless another one has one of them.
    ///
    /// - Returns: The position of the other object; nothing is registered then.
    private func take(
        _ candidate: Candidate,
        at position: Int,
        _ positions: inout [UniqueKey: Int]
    ) -> Int? {
        let entity = model.entities[candidate.source.entity]
        let values = candidate.row.values
        for index in entity.constraints.indices {
            guard let key = entity.uniqueKey(index, of: values) else { continue }
            let met = positions.value(of: key, orNow: position)
            if met == position { continue }
            for earlier in 0..<index {
                if let taken = entity.uniqueKey(earlier, of: values) { positions[taken] = nil }
            }
            return met
        }
        return nil
    }

    /// Merges two objects into the one that has a row, or else into the earlier one.
    private mutating func join(
        _ a: Candidate,
        _ b: Candidate,
        _ entity: ManagedObjectModel.Entity
    ) -> Candidate? {
        let (aHasRow, bHasRow) = (a.row.stored != nil, b.row.stored != nil)
        if aHasRow && bHasRow { return nil }
        let isInOrder = aHasRow == bHasRow ? a.source < b.source : aHasRow
        let (winner, loser) = isInOrder ? (a, b) : (b, a)
        let merged = policy.merge(earlier: winner.row, later: loser.row, of: entity)
        guard let row = merged,
            let values = policy.settle(
                pendingConflict(winner, loser, entity),
                row.values,
                in: model
            )
        else { return nil }
        winner.row = row
        winner.row.values = values
        forwarding[loser.source] = winner.source
        return winner
    }

    private func pendingConflict(
        _ winner: Candidate,
        _ loser: Candidate,
        _ entity: ManagedObjectModel.Entity
    ) -> MergeConflict {
        conflict(
            .pending(entity.sharedNames(winner.row.values, loser.row.values)),
            loser,
            entity,
            met: Snapshot(id: winner.source, values: RowValues(winner.row.values))
        )
    }

    /// Merges objects with stored rows that have the same unique values.
    ///
    /// - Returns: Whether an object has other unique values now, or stands for the row of another, so
    ///   that there may be new conflicts.
    private mutating func mergeWithStored(
        ofEntity index: Int,
        _ positions: [UniqueKey: Int],
        _ transaction: any StoreTransaction
    ) throws -> Bool {
        let entity = model.entities[index]
        var positions = positions
        var hasChanged = false
        for (number, constraint) in entity.constraints.enumerated() {
            if hasChanged { positions = self.positions(ofEntity: index, number) }
            let wanted = candidates[index].compactMap { candidate -> [AttributeValue]? in
                let values = candidate.row.values
                if let stored = candidate.stored?.values,
                    constraint.allSatisfy({ stored[$0] == values[$0] })
                {
                    return nil
                }
                return values.key(of: constraint)
            }
            guard !wanted.isEmpty else { continue }
            let rows = try transaction.rows(of: entity, where: constraint, areOneOf: wanted)
            if rows.isEmpty { continue }
            var places = ObjectMap<Int>()
            for (position, candidate) in candidates[index].enumerated()
            where !candidate.target.isProvisional {
                places[candidate.target] = position
            }
            for row in rows.sorted(by: { $0.id < $1.id }) where deletions[row.id] == nil {
                guard let key = entity.uniqueKey(number, of: row.values),
                    let position = positions[key]
                else { continue }
                let holder = places[row.id]
                if holder == position { continue }
                if let holder {
                    // Either this save gives the row other unique values, which frees these, or two
                    // objects of this save now stand for the same row.
                    let values = candidates[index][holder].row.values
                    if entity.uniqueKey(number, of: values) == key { hasChanged = true }
                    continue
                }
                let before = candidates[index][position].row.values
                merge(position, with: row, over: constraint, entity)
                places[row.id] = position
                let after = candidates[index][position].row.values
                if entity.hasOtherUniqueValues(before, after) { hasChanged = true }
            }
        }
        return hasChanged
    }

    /// The position of the last object with each of the values of one constraint.
    private func positions(ofEntity index: Int, _ constraint: Int) -> [UniqueKey: Int] {
        var positions: [UniqueKey: Int] = [:]
        for (position, candidate) in candidates[index].enumerated() {
            let key = model.entities[index].uniqueKey(constraint, of: candidate.row.values)
            if let key { positions[key] = position }
        }
        return positions
    }

    /// Merges an object of this save with a stored row.
    ///
    /// Two objects that both have a row are never merged: references to the other would then have no
    /// defined target.
    private mutating func merge(
        _ position: Int,
        with stored: StoredRow,
        over constraint: [Int],
        _ entity: ManagedObjectModel.Entity
    ) {
        let candidate = candidates[entity.index][position]
        func conflict() -> MergeConflict {
            let names = constraint.map { entity.columns[$0].name }
            return self.conflict(.constraint(names), candidate, entity, met: stored.snapshot)
        }
        let merged = policy.merge(inserted: candidate.row, into: stored, of: entity)
        guard candidate.stored == nil,
            let values = merged.flatMap({ policy.settle(conflict(), $0, in: model) })
        else {
            conflicts.append(conflict())
            return
        }
        forwarding[candidate.source] = stored.id
        candidate.target = stored.id
        candidate.stored = stored
        candidate.row.stored = ObjectRow.Stored(stored)
        candidate.row.values = values
    }
}

/// The values of one uniqueness constraint of one object.
private struct UniqueKey: Hashable {
    let constraint: Int
    let first: AttributeValue
    /// Those after the first: nearly always none, so that no array is made.
    let others: [AttributeValue]

    /// Hashes the values but not their number, which is the same for all keys.
    func hash(into hasher: inout Hasher) {
        first.hash(into: &hasher)
        for value in others { value.hash(into: &hasher) }
    }
}

extension [UniqueKey: Int] {
    /// The position of an object with unique values, which is the given one if there was none.
    fileprivate mutating func value(of key: UniqueKey, orNow position: Int) -> Int {
        // Looked up once: changing the value gives the one that is there.
        func read(_ value: inout Int) -> Int { value }
        return read(&self[key, default: position])
    }
}

extension ManagedObjectModel.Entity {
    /// The values under a constraint, or nil if one is missing, so that the constraint does not apply.
    fileprivate func uniqueKey(
        _ index: Int,
        of values: some RandomAccessCollection<AttributeValue>
    ) -> UniqueKey? {
        func value(_ slot: Int) -> AttributeValue {
            values[values.index(values.startIndex, offsetBy: slot)]
        }
        let slots = constraints[index]
        let first = value(slots[0])
        let others = slots.count == 1 ? [] : slots.dropFirst().map(value)
        if first.isNull || others.contains(where: \.isNull) { return nil }
        return UniqueKey(constraint: index, first: first, others: others)
    }

    /// Whether values under any constraint differ.
    fileprivate func hasOtherUniqueValues(
        _ before: [AttributeValue],
        _ after: [AttributeValue]
    ) -> Bool {
        constraints.contains { $0.contains { before[$0] != after[$0] } }
    }

    /// The names of the properties whose equal values conflict.
    fileprivate func sharedNames(_ a: [AttributeValue], _ b: [AttributeValue]) -> [String] {
        let constraint = constraints.first { constraint in
            a.key(of: constraint).map { $0 == b.key(of: constraint) } ?? false
        }
        return (constraint ?? []).map { columns[$0].name }
    }
}
