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
        // A single one meets no other, and is known to be the one that a row meets.
        if candidates[index].count == 1 { return [:] }
        let entity = model.entities[index]
        var positions: [UniqueKey: Int] = [:]
        // For a few, making room costs more than growing.
        if candidates[index].count > 16 { positions.reserveCapacity(candidates[index].count) }
        var isGone: [Bool] = []
        for position in candidates[index].indices {
            // Merging can give an object new unique values, by which it may meet another.
            while let met = take(position, of: entity, &positions) {
                if isGone.isEmpty {
                    isGone = Array(repeating: false, count: candidates[index].count)
                }
                let before = entity.uniqueKeys(of: candidates[index][met].row)
                guard let winner = join(met, position, of: entity) else {
                    // The other stays, to meet further objects with its unique values.
                    isGone[position] = true
                    break
                }
                if winner == met, entity.uniqueKeys(of: candidates[index][met].row) == before {
                    isGone[position] = true
                    break
                }
                for key in before { if let key { positions[key] = nil } }
                if winner == met { candidates[index].swapAt(met, position) }
                isGone[met] = true
            }
        }
        if isGone.isEmpty { return positions }
        // They move up.
        var places: [Int] = []
        places.reserveCapacity(isGone.count)
        var place = 0
        for position in isGone.indices {
            places.append(place)
            if isGone[position] { continue }
            if place < position { candidates[index].swapAt(place, position) }
            place += 1
        }
        candidates[index].removeSubrange(place...)
        return positions.mapValues { places[$0] }
    }

    /// Registers the unique values of an object, unless another one has one of them.
    ///
    /// - Returns: The position of the other object; nothing is registered then.
    private func take(
        _ position: Int,
        of entity: ManagedObjectModel.Entity,
        _ positions: inout [UniqueKey: Int]
    ) -> Int? {
        for number in entity.constraints.indices {
            let key = entity.uniqueKey(number, of: candidates[entity.index][position].row)
            guard let key else { continue }
            let met = positions.value(of: key, orNow: position)
            if met == position { continue }
            for earlier in 0..<number {
                let row = candidates[entity.index][position].row
                if let taken = entity.uniqueKey(earlier, of: row) { positions[taken] = nil }
            }
            return met
        }
        return nil
    }

    /// Merges two objects into the one that has a row, or else into the earlier one.
    ///
    /// - Returns: The position of that one; nil if the conflict is not settled, and noted.
    private mutating func join(
        _ met: Int,
        _ position: Int,
        of entity: ManagedObjectModel.Entity
    ) -> Int? {
        // No copy of either is kept while they are merged, so that this happens in the place of the one.
        let index = entity.index
        let (other, own) = (candidates[index][met].source, candidates[index][position].source)
        let otherHasRow = candidates[index][met].row.stored != nil
        let ownHasRow = candidates[index][position].row.stored != nil
        let isInOrder = otherHasRow == ownHasRow ? other < own : otherHasRow
        let (winner, loser) = isInOrder ? (met, position) : (position, met)
        let sides = policy.isCustom ? pendingConflict(winner, loser, entity) : nil
        let row = candidates[index][loser].row
        let isSettled =
            !(otherHasRow && ownHasRow)
            && policy.settle(&candidates[index][winner].row, sides, in: model) {
                policy.merge(row, into: &$0, of: entity)
            }
        if isSettled {
            forwarding[isInOrder ? own : other] = isInOrder ? other : own
            return winner
        }
        conflicts.append(pendingConflict(met, position, entity))
        return nil
    }

    private func pendingConflict(
        _ winner: Int,
        _ loser: Int,
        _ entity: ManagedObjectModel.Entity
    ) -> MergeConflict {
        let (winner, loser) = (candidates[entity.index][winner], candidates[entity.index][loser])
        return conflict(
            .pending(entity.sharedNames(winner.row, loser.row)),
            loser,
            entity,
            met: Snapshot(id: winner.source, values: RowValues(winner.row))
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
            let isChanged = hasChanged
            if isChanged { positions = self.positions(ofEntity: index, number) }
            let standForRows = isChanged || candidates[index].contains { !$0.target.isProvisional }
            // Those that stand for no row meet one each. So they take turns while they are in the
            // processor's cache; all others have to meet together.
            let count = candidates[index].count
            let size = standForRows ? count : 256
            for first in stride(from: 0, to: count, by: size) {
                var keys: [[AttributeValue]] = []
                var askers: [Int] = []
                for position in first..<min(first + size, count) {
                    guard let key = newKey(of: position, under: constraint, entity) else {
                        continue
                    }
                    keys.append(key)
                    askers.append(position)
                }
                if keys.isEmpty { continue }
                var met: [Meeting] = []
                // Stores mostly give rows in the order in which they were asked for.
                var next = isChanged ? keys.count : 0
                for row in try transaction.rows(of: entity, where: constraint, areOneOf: keys)
                where deletions[row.id] == nil {
                    while next < keys.count, !row.values.have(keys[next], in: constraint) {
                        next += 1
                    }
                    let position =
                        next < keys.count
                        ? askers[next]
                        : entity.uniqueKey(number, of: row.values).flatMap { positions[$0] }
                    if let position { met.append(Meeting(row: row, position: position)) }
                }
                // On every store the conflicts are in the order of the objects.
                met.sort { $0.position < $1.position }
                if merge(met, over: number, entity, standForRows: standForRows) {
                    hasChanged = true
                }
            }
        }
        return hasChanged
    }

    /// The values of an object under a constraint, unless it stands for a row that has them.
    private func newKey(
        of position: Int,
        under constraint: [Int],
        _ entity: ManagedObjectModel.Entity
    ) -> [AttributeValue]? {
        let candidate = candidates[entity.index][position]
        if let stored = candidate.stored?.values,
            constraint.allSatisfy({ stored[$0] == candidate.row[$0] })
        {
            return nil
        }
        return candidate.row.key(of: constraint)
    }

    /// Merges objects with the stored rows that they meet.
    ///
    /// - Parameters:
    ///   - met: The rows and objects.
    ///   - number: The constraint over which they meet.
    ///   - entity: The entity of all.
    ///   - standForRows: Whether objects may stand for rows already.
    /// - Returns: Whether there may be new conflicts.
    private mutating func merge(
        _ met: [Meeting],
        over number: Int,
        _ entity: ManagedObjectModel.Entity,
        standForRows: Bool
    ) -> Bool {
        var places: ObjectMap<Int>?
        if standForRows {
            places = ObjectMap(
                candidates[entity.index].lazy.enumerated()
                    .filter { !$0.element.target.isProvisional }
                    .map { ($0.element.target, $0.offset) }
            )
        }
        var hasChanged = false
        for meeting in met {
            let (row, position) = (meeting.row, meeting.position)
            if candidates[entity.index][position].target == row.id { continue }
            if let holder = places?[row.id] {
                // Either this save gives the row other unique values, which frees these, or two
                // objects of this save now stand for the same row.
                let held = candidates[entity.index][holder].row
                if entity.uniqueKey(number, of: held) == entity.uniqueKey(number, of: row.values) {
                    hasChanged = true
                }
                continue
            }
            // Those of the only constraint are the same on both sides, and a rule keeps them.
            let mayChange = entity.constraints.count > 1 || policy.isCustom
            func keys() -> [UniqueKey?] {
                mayChange ? entity.uniqueKeys(of: candidates[entity.index][position].row) : []
            }
            let before = keys()
            merge(position, with: row, over: entity.constraints[number], entity)
            places?[row.id] = position
            if keys() != before { hasChanged = true }
        }
        return hasChanged
    }

    /// The position of the last object with each of the values of one constraint.
    private func positions(ofEntity index: Int, _ constraint: Int) -> [UniqueKey: Int] {
        var positions: [UniqueKey: Int] = [:]
        for (position, candidate) in candidates[index].enumerated() {
            let key = model.entities[index].uniqueKey(constraint, of: candidate.row)
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
        func conflict() -> MergeConflict {
            let names = constraint.map { entity.columns[$0].name }
            let candidate = candidates[entity.index][position]
            return self.conflict(.constraint(names), candidate, entity, met: stored.snapshot)
        }
        let sides = policy.isCustom ? conflict() : nil
        let isSettled =
            candidates[entity.index][position].stored == nil
            && policy.settle(&candidates[entity.index][position].row, sides, in: model) {
                policy.merge(&$0, readAs: nil, into: stored, of: entity)
            }
        if !isSettled { return conflicts.append(conflict()) }
        forwarding[candidates[entity.index][position].source] = stored.id
        candidates[entity.index][position].target = stored.id
        candidates[entity.index][position].stored = ObjectRow.Stored(stored)
        candidates[entity.index][position].row.stored = ObjectRow.Stored(stored)
    }
}

/// A stored row, and the position of the object with the same unique values.
private struct Meeting {
    let row: StoredRow
    let position: Int
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
        let slots = constraints[index]
        let first = values[values.index(values.startIndex, offsetBy: slots[0])]
        guard !first.isNull, let others = values.key(of: slots.dropFirst()) else { return nil }
        return UniqueKey(constraint: index, first: first, others: others)
    }

    /// The values under each constraint.
    fileprivate func uniqueKeys(
        of values: some RandomAccessCollection<AttributeValue>
    ) -> [UniqueKey?] {
        constraints.indices.map { uniqueKey($0, of: values) }
    }

    /// The names of the properties whose equal values conflict.
    fileprivate func sharedNames(_ a: ObjectRow, _ b: ObjectRow) -> [String] {
        let constraint = constraints.first { constraint in
            a.key(of: constraint).map { $0 == b.key(of: constraint) } ?? false
        }
        return (constraint ?? []).map { columns[$0].name }
    }
}
