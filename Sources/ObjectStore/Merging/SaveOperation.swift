/// One save: settles what a context has changed against what is stored, and writes the result.
///
/// In order: rows that changed since they were read; rows that point at deleted ones; objects with
/// the same unique values, first in this save, then in the store; keys for new rows; validation of
/// the rows as they will be; writing.
/// Nothing is written before everything is settled and valid. What is a conflict and who wins is in
/// `MergeRules.swift`; the transaction around all this is the store's.
struct SaveOperation {
    let model: ManagedObjectModel
    let policy: MergePolicy
    var candidates: [[Candidate]]
    var deletions: [ObjectID: StoredRow] = [:]
    var forwarding: [ObjectID: ObjectID] = [:]
    var conflicts: [MergeConflict] = []
    private var dropped: Set<ObjectID> = []
    private var refreshed: [ObjectID: StoredRow] = [:]

    /// One object on its way into the store.
    struct Candidate {
        /// The identity by which the context knows it.
        let source: ObjectID
        /// The row it will be written to; `source` until that is settled.
        var target: ObjectID
        /// The row in the store as it is now; nil where there is none yet.
        var stored: StoredRow?
        var row: ObjectRow

        init(source: ObjectID, row: ObjectRow) {
            self.source = source
            target = source
            self.row = row
        }

        /// A row that the context does not know.
        init(reading stored: StoredRow) {
            self.init(source: stored.id, row: ObjectRow(stored, order: 0))
            self.stored = stored
        }
    }

    init(model: ManagedObjectModel, policy: MergePolicy, changed: [(ObjectID, ObjectRow)]) {
        self.model = model
        self.policy = policy
        candidates = model.entities.map { _ in [] }
        for (id, row) in changed.sorted(by: { $0.1.order < $1.1.order }) {
            if row.isDeleted {
                if let stored = row.stored { deletions[id] = stored }
            } else {
                candidates[id.entity].append(Candidate(source: id, row: row))
            }
        }
    }

    /// Runs the save in a transaction.
    ///
    /// - Throws: ``MergeConflictError``, ``ValidationError`` or an error of the store; the
    ///   transaction is then to be undone.
    mutating func run(in transaction: any StoreTransaction) throws -> SaveOutcome {
        try settleVersions(transaction)
        try settleReferencesToDeleted(transaction)
        for index in model.constraintOrder {
            forwardReferences(ofEntity: index)
            try settleConstraints(ofEntity: index, transaction)
            try giveKeys(toEntity: index, transaction)
        }
        if !conflicts.isEmpty { throw MergeConflictError(conflicts: conflicts) }
        for index in candidates.indices { forwardReferences(ofEntity: index) }
        forwarding = Dictionary(
            uniqueKeysWithValues: forwarding.keys.map { ($0, forwarding.final($0)) }
        )
        try validate(transaction)
        return try write(transaction)
    }

    // MARK: Rows that changed since they were read

    private mutating func settleVersions(_ transaction: any StoreTransaction) throws {
        for entity in model.entities {
            let known = candidates[entity.index].compactMap {
                $0.row.stored == nil ? nil : $0.source.key
            }
            let deleted = deletions.keys.filter { $0.entity == entity.index }.map(\.key)
            guard !known.isEmpty || !deleted.isEmpty else { continue }
            let rows = try transaction.rows(of: entity, keys: known + deleted)
            let current = Dictionary(
                rows.map { ($0.id, $0) },
                uniquingKeysWith: { first, _ in first }
            )
            candidates[entity.index] = candidates[entity.index].compactMap { candidate in
                guard let cached = candidate.row.stored else { return candidate }
                return settle(candidate, cached: cached, current: current[candidate.source], entity)
            }
            for key in deleted {
                settleDeletion(of: ObjectID(entity: entity.index, key: key), current, entity)
            }
        }
    }

    private mutating func settle(
        _ candidate: Candidate,
        cached: StoredRow,
        current: StoredRow?,
        _ entity: ManagedObjectModel.Entity
    ) -> Candidate? {
        var candidate = candidate
        candidate.stored = current
        if let current, current.version == cached.version { return candidate }
        guard let current else {
            switch policy {
            case .mergeByPropertyObjectTrump, .overwrite, .custom: return candidate
            case .mergeByPropertyStoreTrump, .rollback: dropped.insert(candidate.source)
            case .error: conflicts.append(conflict(.version, candidate, entity, met: nil))
            }
            return nil
        }
        let conflict = conflict(.version, candidate, entity, met: current.snapshot)
        let merged = policy.merge(changed: candidate.row, from: cached, into: current, of: entity)
        guard let values = merged.flatMap({ policy.settle(conflict, $0, in: model) }) else {
            conflicts.append(conflict)
            return nil
        }
        candidate.row.values = values
        return candidate
    }

    private mutating func settleDeletion(
        of id: ObjectID,
        _ current: [ObjectID: StoredRow],
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
        case .mergeByPropertyStoreTrump, .rollback:
            deletions[id] = nil
            refreshed[id] = stored
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
            object: Snapshot(id: candidate.source, values: candidate.row.values),
            cached: candidate.row.stored?.snapshot,
            stored: stored
        )
    }

    // MARK: References and keys

    /// Makes references to objects that were merged or given a key point at where they are now.
    private mutating func forwardReferences(ofEntity index: Int) {
        guard !forwarding.isEmpty else { return }
        for position in candidates[index].indices {
            candidates[index][position].row.values.forwardReferences(forwarding)
        }
    }

    private mutating func giveKeys(toEntity index: Int, _ transaction: any StoreTransaction) throws
    {
        let positions = candidates[index].indices.filter {
            candidates[index][$0].target.isProvisional
        }
        guard !positions.isEmpty else { return }
        let keys = try transaction.makeKeys(for: model.entities[index], count: positions.count)
        for (position, key) in zip(positions, keys) {
            let id = ObjectID(entity: index, key: key)
            forwarding[candidates[index][position].source] = id
            candidates[index][position].target = id
        }
    }

    // MARK: Validation and writing

    private func validate(_ transaction: any StoreTransaction) throws {
        let broken = zip(model.entities, candidates).flatMap { entity, candidates in
            candidates.flatMap { entity.failures(of: $0.row.values, id: $0.source) }
        }
        let failures = try broken + danglingReferences(transaction)
        if !failures.isEmpty { throw ValidationError(failures: failures) }
    }

    private func write(_ transaction: any StoreTransaction) throws -> SaveOutcome {
        var outcome = SaveOutcome(forwarding: forwarding, rows: refreshed, removed: dropped)
        for entity in model.entities {
            let deleted = deletions.filter { $0.key.entity == entity.index }
            if !deleted.isEmpty {
                try transaction.delete(deleted.keys.map(\.key).sorted(), from: entity)
                for (id, row) in deleted { outcome.recordDeletion(of: id, row) }
            }
            var inserts: [StoredRow] = []
            var updates: [StoredRow] = []
            for candidate in candidates[entity.index] {
                let version = (candidate.stored ?? candidate.row.stored)?.version ?? 0
                var row = StoredRow(
                    id: candidate.target,
                    version: version + 1,
                    values: candidate.row.values
                )
                if let stored = candidate.stored {
                    if stored.values == row.values { row = stored } else { updates.append(row) }
                } else {
                    inserts.append(row)
                }
                outcome.record(row, before: candidate.stored)
            }
            if !updates.isEmpty { try transaction.update(updates, of: entity) }
            if !inserts.isEmpty { try transaction.insert(inserts, into: entity) }
        }
        return outcome
    }
}

/// What a save has done, for the context to take over.
struct SaveOutcome {
    /// Where objects are now that had no key, or were merged into another.
    let forwarding: [ObjectID: ObjectID]
    /// The rows as they are in the store now.
    private(set) var rows: [ObjectID: StoredRow]
    /// The objects that are no longer there.
    private(set) var removed: Set<ObjectID>
    private(set) var changes: [ObjectID: ObjectChange] = [:]

    init(forwarding: [ObjectID: ObjectID], rows: [ObjectID: StoredRow], removed: Set<ObjectID>) {
        self.forwarding = forwarding
        self.rows = rows
        self.removed = removed
    }

    fileprivate mutating func record(_ row: StoredRow, before: StoredRow?) {
        rows[row.id] = row
        changes[row.id] = ObjectChange(before: before?.snapshot, after: row.snapshot)
    }

    fileprivate mutating func recordDeletion(of id: ObjectID, _ row: StoredRow) {
        removed.insert(id)
        changes[id] = ObjectChange(before: row.snapshot, after: nil)
    }
}

extension StoredRow {
    /// The values at this moment.
    var snapshot: Snapshot { Snapshot(id: id, values: values) }
}

extension [ObjectID: ObjectID] {
    /// Where an object is in the end: it may have been merged into one that was merged in turn.
    func final(_ id: ObjectID) -> ObjectID {
        var id = id
        while let next = self[id] { id = next }
        return id
    }
}

extension [AttributeValue] {
    mutating func forwardReferences(_ forwarding: [ObjectID: ObjectID]) {
        for slot in indices {
            if let target = self[slot].reference {
                self[slot] = .reference(forwarding.final(target))
            }
        }
    }
}
