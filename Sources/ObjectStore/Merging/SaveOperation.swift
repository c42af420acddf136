/// One save: settles the changes of a context against the store, and writes the result.
///
/// The steps, in order: deletions that do not stand; rows that changed since they were read; rows
/// that point at deleted ones; objects with the same unique values, first in this save, then in the
/// store; keys for new rows; validation of the final rows; writing. Nothing is written before
/// everything is settled and valid. `MergePolicy+Rules.swift` decides what a conflict is and which
/// side wins; the store provides the transaction around all this.
struct SaveOperation {
    let model: ManagedObjectModel
    let policy: MergePolicy
    var candidates: [[Candidate]]
    var deletions: [ObjectID: StoredRow] = [:]
    /// The deleted objects of the context, as they were at the deletion.
    private(set) var deletedRows: [ObjectID: ObjectRow] = [:]
    var forwarding = ObjectMap<ObjectID>()
    var conflicts: [MergeConflict] = []
    /// The objects that the context must forget, and the rows that it must take from the store.
    var dropped = ObjectSet()
    var refreshed = ObjectMap<StoredRow>()

    /// One object to be stored.
    struct Candidate {
        /// The identity by which the context knows it.
        let source: ObjectID
        /// The row to write to; `source` until that is settled.
        var target: ObjectID
        /// The stored row as it is now; nil if there is none yet.
        var stored: ObjectRow.Stored?
        var row: ObjectRow
        /// The version before the first of a row that is inserted.
        var versionBefore: Int64 = 0

        /// Whether its row was deleted, and must be inserted again.
        var isInsertedAgain: Bool { stored == nil && !source.isProvisional }

        init(source: ObjectID, row: ObjectRow) {
            self.source = source
            target = source
            self.row = row
        }

        /// Gives values that an object must have their defaults where they are missing: a program with an older model
        /// has written the row, or undoing has brought back what such a row had.
        fileprivate mutating func takeDefaults(
            of entity: ManagedObjectModel.Entity,
            in slots: [Int]
        ) {
            let missing = slots.filter { row[$0].isNull }
            if missing.isEmpty { return }
            let defaults = entity.newValues()
            for slot in missing { row[slot] = defaults[slot] }
        }

        /// A row that the context does not know.
        init(reading stored: StoredRow) {
            self.init(source: stored.id, row: ObjectRow(stored))
            self.stored = ObjectRow.Stored(stored)
        }
    }

    /// Takes the changes of a context.
    init(model: ManagedObjectModel, policy: MergePolicy, graph: borrowing ObjectGraph) {
        self.model = model
        self.policy = policy
        candidates = model.entities.map { entity in
            var list: [Candidate] = []
            list.reserveCapacity(graph.changed.count(of: entity.index))
            return list
        }
        for id in graph.changed {
            guard let row = graph.rows[id] else { continue }
            if row.isDeleted {
                guard let stored = row.stored else { continue }
                deletions[id] = StoredRow(
                    id: id,
                    version: stored.version,
                    values: stored.values
                )
                deletedRows[id] = row
            } else {
                candidates[id.entity].append(Candidate(source: id, row: row))
            }
        }
    }

    /// Runs the save in a transaction.
    ///
    /// - Throws: ``MergeConflictError``, ``ValidationError`` or an error of the store; the caller
    ///   must roll the transaction back then.
    mutating func run(in transaction: any StoreTransaction) throws -> SaveOutcome {
        try takeBackDeletions(transaction)
        try settleVersions(transaction)
        try settleReferencesToDeleted(transaction)
        for index in model.constraintOrder {
            forwardReferences(ofEntity: index)
            // The others later: those that come from elsewhere are merged with what an object lacks.
            let unique = model.entities[index].requiredUniqueSlots
            if !unique.isEmpty {
                for position in candidates[index].indices {
                    candidates[index][position].takeDefaults(of: model.entities[index], in: unique)
                }
            }
            try settleConstraints(ofEntity: index, transaction)
            try giveKeys(toEntity: index, transaction)
        }
        if !conflicts.isEmpty { throw MergeConflictError(conflicts: conflicts) }
        // A custom policy may have given an object any values.
        let unsettled = policy.isCustom ? model.constraintOrder : model.entitiesWithLateTargets
        for index in unsettled { forwardReferences(ofEntity: index) }
        for (source, target) in forwarding where forwarding[target] != nil {
            forwarding[source] = forwarding.final(target)
        }
        return try write(transaction)
    }

    // MARK: Rows that changed since they were read

    private mutating func settleVersions(_ transaction: any StoreTransaction) throws {
        var again = ObjectSet()
        for entity in model.entities {
            // Those that were never saved are the last.
            let known = candidates[entity.index].prefix { !$0.source.isProvisional }
                .map(\.source.key)
            let deleted = deletions.keys.filter { $0.entity == entity.index }.map(\.key).sorted()
            guard !known.isEmpty || !deleted.isEmpty else { continue }
            let rows = try transaction.rows(of: entity, keys: known + deleted)
            let current = ObjectMap(rows.lazy.map { ($0.id, $0) })
            var kept: [Candidate] = []
            kept.reserveCapacity(candidates[entity.index].count)
            for var candidate in candidates[entity.index] {
                let isKept =
                    candidate.source.isProvisional
                    || settle(&candidate, current: current[candidate.source], entity)
                guard isKept else { continue }
                kept.append(candidate)
                if candidate.isInsertedAgain { again.insert(candidate.source) }
            }
            candidates[entity.index] = kept
            for key in deleted {
                settleDeletion(of: ObjectID(entity: entity.index, key: key), current, entity)
            }
        }
        if !again.isEmpty { try dropDeletedWithTargets(again, transaction) }
    }

    /// Settles an object against its present row, and returns whether it must still be written.
    private mutating func settle(
        _ candidate: inout Candidate,
        current: StoredRow?,
        _ entity: ManagedObjectModel.Entity
    ) -> Bool {
        candidate.stored = current.map(ObjectRow.Stored.init)
        // If its saved deletion was undone, somebody else may have inserted it again before.
        if let current { candidate.row.meet(current.values) }
        guard let cached = candidate.row.stored else { return true }
        if let current, current.version == cached.version { return true }
        guard let current else {
            switch policy {
            case .mergeByPropertyObjectTrump, .overwrite, .custom: return true
            case .mergeByPropertyStoreTrump, .rollback: dropped.insert(candidate.source)
            case .error: conflicts.append(conflict(.version, candidate, entity, met: nil))
            }
            return false
        }
        let isCustom = policy.isCustom
        let sides = isCustom ? conflict(.version, candidate, entity, met: current.snapshot) : nil
        let isSettled = policy.settle(&candidate.row, sides, in: model) {
            policy.merge(&$0, readAs: cached, into: current, of: entity)
        }
        if !isSettled {
            conflicts.append(conflict(.version, candidate, entity, met: current.snapshot))
        }
        return isSettled
    }

    private mutating func settleDeletion(
        of id: ObjectID,
        _ current: ObjectMap<StoredRow>,
        _ entity: ManagedObjectModel.Entity
    ) {
        guard let cached = deletions[id], let stored = current[id] else {
            deletions[id] = nil
            dropped.insert(id)
            return
        }
        guard stored.version != cached.version else { return }
        switch policy {
        case .mergeByPropertyObjectTrump, .overwrite, .custom: deletions[id] = stored
        // Such deletions were undone before.
        case .mergeByPropertyStoreTrump, .rollback: break
        case .error:
            conflicts.append(
                MergeConflict(
                    kind: .version,
                    entity: entity.name,
                    object: cached.snapshot,
                    cached: cached.snapshot,
                    stored: stored.snapshot
                )
            )
        }
    }

    func conflict(
        _ kind: MergeConflict.Kind,
        _ candidate: Candidate,
        _ entity: ManagedObjectModel.Entity,
        met stored: Snapshot?
    ) -> MergeConflict {
        MergeConflict(
            kind: kind,
            entity: entity.name,
            object: Snapshot(id: candidate.source, values: RowValues(candidate.row)),
            cached: candidate.row.stored.map { Snapshot(id: candidate.target, values: $0.values) },
            stored: stored
        )
    }

    // MARK: References and keys

    /// Updates references to objects that were merged or got a key.
    private mutating func forwardReferences(ofEntity index: Int) {
        guard !forwarding.isEmpty else { return }
        let slots = model.entities[index].referenceSlots
        if slots.isEmpty { return }
        for position in candidates[index].indices {
            candidates[index][position].row.forwardReferences(forwarding, in: slots)
        }
    }

    /// Gives new rows their keys, and rows that are inserted again their first versions.
    private mutating func giveKeys(toEntity index: Int, _ transaction: any StoreTransaction) throws
    {
        let new = candidates[index].indices.filter { candidates[index][$0].stored == nil }
        guard !new.isEmpty else { return }
        let keys = try transaction.makeKeys(for: model.entities[index], count: new.count)
        for (position, key) in zip(new, keys) {
            if candidates[index][position].target.isProvisional {
                let id = ObjectID(entity: index, key: key)
                forwarding[candidates[index][position].source] = id
                candidates[index][position].target = id
            } else {
                // Whoever has read a row before its deletion must not take this one for it. So its versions
                // begin where those of no other do: this key is given to it alone, and keys that differ are far
                // from one another when they are multiplied by the golden ratio.
                let place = UInt64(bitPattern: key) &* 0x9E37_79B9_7F4A_7C15
                candidates[index][position].versionBefore = Int64(place >> 1)
            }
        }
    }

    // MARK: Validation and writing

    /// What is to be written of one entity.
    private struct Writing {
        let entity: ManagedObjectModel.Entity
        var deletions: [Int64] = []
        var updates: [StoredRow] = []
        var inserts: [StoredRow] = []
    }

    /// Validates all rows, and prepares the writing of those that changed.
    private mutating func prepare(
        _ outcome: inout SaveOutcome,
        _ transaction: any StoreTransaction
    ) throws -> [Writing] {
        let dangling = try settleDanglingReferences(transaction)
        var failures: [ValidationFailure] = []
        let writings = model.entities.map { entity in
            var writing = Writing(entity: entity)
            for (id, row) in deletions where id.entity == entity.index {
                writing.deletions.append(id.key)
                outcome.recordDeletion(of: row)
            }
            var packer = RowPacker(columnCount: entity.columns.count)
            for var candidate in candidates[entity.index] {
                candidate.takeDefaults(of: entity, in: entity.requiredSlots)
                entity.check(
                    candidate.row,
                    of: candidate.source,
                    onRecord: candidate.stored?.values,
                    into: &failures
                )
                let version = candidate.stored?.version ?? candidate.versionBefore
                let row = StoredRow(
                    id: candidate.target,
                    version: version &+ 1,
                    values: RowValues(candidate.row, packedBy: &packer)
                )
                if let stored = candidate.stored {
                    if stored.values == row.values {
                        outcome.recordSameRow(
                            StoredRow(id: row.id, version: stored.version, values: stored.values)
                        )
                        continue
                    }
                    writing.updates.append(row)
                } else {
                    writing.inserts.append(row)
                }
                outcome.record(row, before: candidate.stored?.values)
            }
            return writing
        }
        failures += dangling
        if !failures.isEmpty { throw ValidationError(failures: failures) }
        return writings
    }

    private mutating func write(_ transaction: any StoreTransaction) throws -> SaveOutcome {
        let count = candidates.reduce(deletions.count) { $0 + $1.count }
        var outcome = SaveOutcome(
            forwarding: forwarding,
            removed: dropped,
            changeCount: count
        )
        for writing in try prepare(&outcome, transaction) {
            let entity = writing.entity
            if !writing.deletions.isEmpty {
                try transaction.delete(writing.deletions.sorted(), from: entity)
            }
            if !writing.updates.isEmpty { try transaction.update(writing.updates, of: entity) }
            if !writing.inserts.isEmpty { try transaction.insert(writing.inserts, into: entity) }
        }
        outcome.end()
        // A delete rule may have deleted an object again whose deletion was undone.
        for (id, row) in refreshed where deletions[id] == nil { outcome.recordReading(of: row) }
        return outcome
    }
}
