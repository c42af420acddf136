internal import FoundationEssentials
public import ObjectStore

/// What a migration does with objects that violate a constraint of the model.
public enum DuplicateHandling: Sendable {
    /// The store is not opened and stays unchanged; the error lists the objects.
    case refuse
    /// They are merged into one object: the oldest stays, and takes values according to the policy.
    ///
    /// The others take part one after the other, as if they were inserted with their present values
    /// assigned. References to them then point at the oldest. If that makes duplicates elsewhere,
    /// those are merged too. The history records all this as one save by `migration`. With
    /// `MergePolicy/error`, an error lists the objects.
    case merge(MergePolicy)
}

/// Merges each group of objects with the same unique values during a migration.
struct DuplicateMerging {
    private let db: SQLiteConnection
    private let transaction: SQLiteTransaction
    private let model: ManagedObjectModel
    private let policy: MergePolicy
    /// Every changed row as it was before, and as it is now; nil if it is gone.
    private var touched: [ObjectID: (before: StoredRow, after: StoredRow?)] = [:]
    /// The oldest object of each group that the policy does not merge.
    private var refused: Set<ObjectID> = []

    /// Prepares to merge in the present transaction.
    init(
        _ db: SQLiteConnection,
        path: String,
        _ model: ManagedObjectModel,
        _ policy: MergePolicy
    ) throws {
        self.db = db
        let sql = ModelSQL(model, try StoredDates(in: db))
        transaction = SQLiteTransaction(db, path: path, sql: sql)
        self.model = model
        self.policy = policy
    }

    /// Merges until there are no duplicates, except those that the policy refuses.
    mutating func run() throws {
        var hasMerged: Bool
        repeat {
            hasMerged = false
            for entity in model.entities {
                for constraint in entity.constraints {
                    let names = constraint.map { entity.columns[$0].name }
                    for keys in try db.duplicates(in: entity.name, names) {
                        hasMerged = try merge(keys, of: entity, constraint) || hasMerged
                    }
                }
            }
        } while hasMerged
    }

    /// Records the merges in the history.
    func record() throws {
        let changes = touched.sorted { $0.key < $1.key }.compactMap { id, rows in
            HistoryChange(from: rows.before, to: rows.after, of: model.entities[id.entity])
        }
        if changes.isEmpty { return }
        _ = try transaction.record(changes, by: SQLiteHistory.migration, at: Date(), in: model)
    }

    /// Merges a group into one object.
    ///
    /// - Returns: Whether the policy has settled it.
    private mutating func merge(
        _ keys: [Int64],
        of entity: ManagedObjectModel.Entity,
        _ constraint: [Int]
    ) throws -> Bool {
        // An object may have been merged in an earlier group meanwhile.
        let rows = try transaction.rows(of: entity, keys: keys).sorted { $0.id < $1.id }
        guard let oldest = rows.first, rows.count > 1, !refused.contains(oldest.id) else {
            return false
        }
        var winner = oldest
        for later in rows.dropFirst() {
            let values = policy.merge(later, into: winner, over: constraint, of: entity, in: model)
            guard let values else {
                refused.insert(oldest.id)
                return false
            }
            winner.values = values
        }
        let losers = rows.dropFirst()
        try transaction.delete(losers.map(\.id.key), from: entity)
        for loser in losers { note(loser, nil) }
        if winner.values != oldest.values { try update([winner], of: entity) }
        try moveReferences(from: losers.map(\.id), to: winner.id, entity)
        return true
    }

    private mutating func moveReferences(
        from losers: [ObjectID],
        to winner: ObjectID,
        _ target: ManagedObjectModel.Entity
    ) throws {
        for origin in model.entities {
            for (slot, column) in origin.columns.enumerated() {
                guard case .reference(target.index, _) = column.kind else { continue }
                var rows = try transaction.rows(
                    of: origin,
                    where: [slot],
                    areOneOf: losers.map { [.reference($0)] }
                )
                for index in rows.indices { rows[index].values[slot] = .reference(winner) }
                try update(rows, of: origin)
            }
        }
    }

    private mutating func update(_ rows: [StoredRow], of entity: ManagedObjectModel.Entity) throws {
        if rows.isEmpty { return }
        let before = try transaction.rows(of: entity, keys: rows.map(\.id.key))
        let next = rows.map {
            StoredRow(id: $0.id, version: $0.version &+ 1, values: $0.values)
        }
        try transaction.update(next, of: entity)
        let places = Dictionary(next.map { ($0.id, $0) }, uniquingKeysWith: { $1 })
        for row in before { note(row, places[row.id]) }
    }

    private mutating func note(_ before: StoredRow, _ after: StoredRow?) {
        touched[before.id] = (touched[before.id]?.before ?? before, after)
    }
}

extension SQLiteConnection {
    /// The keys of rows with the same values, none of them missing, group by group, the oldest first.
    func duplicates(in table: String, _ columns: [String]) throws -> [[Int64]] {
        let names = columns.map(\.quoted)
        let present = names.map { "\($0) IS NOT NULL" }.joined(separator: " AND ")
        let groups = try rows(
            """
            SELECT group_concat(id) FROM \(table.quoted) \
            WHERE \(present) GROUP BY \(names.joined(separator: ", ")) \
            HAVING count(*) > 1 ORDER BY min(id)
            """
        )
        return groups.map { $0[0].text.split(separator: ",").compactMap { Int64($0) }.sorted() }
    }
}
