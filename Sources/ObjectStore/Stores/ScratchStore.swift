internal import Foundation
internal import HashTreeCollections
internal import Synchronization

/// A store on top of another one that is only read: what is written stays in memory.
///
/// For trying out what saving would do. It shows the store beneath together with the changes that
/// were made here, and never writes to it.
public final class ScratchStore: PersistentStore {
    private let base: any PersistentStore
    private let changes = Mutex(ScratchChanges())
    private let writer = WriterLock()

    /// Makes a store without changes.
    ///
    /// - Parameter base: The store beneath.
    public init(over base: any PersistentStore) {
        self.base = base
    }

    /// Prepares the store beneath.
    public func prepare(for model: ManagedObjectModel) throws {
        try base.prepare(for: model)
    }

    /// Reads from the present state of the store beneath, with the changes made here.
    public func read<Result>(_ body: (any StoreReading) throws -> Result) throws -> Result {
        let changes = changes.withLock { $0 }
        return try base.read { try body(ScratchTransaction($0, changes)) }
    }

    /// Whether a transaction is under way on this thread, of this store: none beneath waits for it.
    public var isInTransaction: Bool { writer.isHeldByThisThread }

    /// Runs one transaction at a time; its changes count once `body` has returned.
    public func transaction<Result>(
        _ body: (any StoreTransaction) throws -> Result
    ) throws -> Result {
        try writer.withLock {
            try base.read { base in
                let transaction = ScratchTransaction(base, changes.withLock { $0 })
                let result = try body(transaction)
                let changed = transaction.changes
                changes.withLock { $0 = changed }
                return result
            }
        }
    }
}

/// Rows that hide those of the store beneath.
private struct ScratchChanges: Sendable {
    /// What was changed of an entity: a transaction costs what it changes, and not what is here.
    struct Table: Sendable {
        /// The rows as they are now.
        var rows: InMemoryTable
        /// The keys of the rows beneath that do not count: they were changed or deleted.
        var hidden: TreeSet<Int64> = []

        init(_ entity: ManagedObjectModel.Entity) {
            rows = InMemoryTable(entity)
        }
    }

    /// The changes of each entity that has any.
    var tables: [Int: Table] = [:]
    /// Far above the keys that a store gives in its lifetime.
    var lastKey = Self.firstKey
    /// The saves that were made here; they come after those of the store beneath.
    var history = InMemoryHistory(after: HistoryToken(rawValue: firstKey))

    static let firstKey: Int64 = 1 << 48
}

private final class ScratchTransaction: StoreTransaction {
    private(set) var changes: ScratchChanges
    private let base: any StoreReading

    init(_ base: any StoreReading, _ changes: ScratchChanges) {
        self.base = base
        self.changes = changes
    }

    /// The rows beneath that are not hidden, and those of the changed ones that are wanted.
    private func merged(
        _ beneath: [StoredRow],
        _ entity: ManagedObjectModel.Entity,
        _ wanted: (InMemoryTable) -> [StoredRow]
    ) -> [StoredRow] {
        guard let table = changes.tables[entity.index] else { return beneath }
        return beneath.filter { !table.hidden.contains($0.id.key) } + wanted(table.rows)
    }

    func rows(of entity: ManagedObjectModel.Entity, keys: [Int64]) throws -> [StoredRow] {
        merged(try base.rows(of: entity, keys: keys), entity) { changed in
            keys.compactMap { changed.rows[$0] }
        }
    }

    func rows(
        of entity: ManagedObjectModel.Entity,
        where columns: [Int],
        areOneOf values: [[AttributeValue]]
    ) throws -> [StoredRow] {
        let beneath = try base.rows(of: entity, where: columns, areOneOf: values)
        return merged(beneath, entity) { $0.rows(where: columns, areOneOf: values) }
    }

    func rows(matching query: StoreQuery) throws -> [StoredRow] {
        var wide = query.unlimited
        let related = query.filter?.relatedEntities(from: query.entity.index, in: query.model) ?? []
        // What the store beneath selects may depend on rows that are hidden.
        if !related.isEmpty { wide.filter = nil }
        let rows = merged(try base.rows(matching: wide), query.entity) {
            $0.candidates(for: query.filter)
        }
        let all = StoreRows(store: self, model: query.model)
        return query.arrange(try rows.filter { try query.selects($0, among: all) })
    }

    func count(matching query: StoreQuery) throws -> Int {
        try changes.tables.isEmpty ? base.count(matching: query) : rows(matching: query).count
    }

    func groups(of aggregate: StoreAggregate) throws -> [StoreGroup] {
        if changes.tables.isEmpty { return try base.groups(of: aggregate) }
        try aggregate.check()
        return try aggregate.groups(of: rows(matching: aggregate.query))
    }

    func makeKeys(for entity: ManagedObjectModel.Entity, count: Int) -> [Int64] {
        let first = changes.lastKey + 1
        changes.lastKey += Int64(count)
        return (0..<Int64(count)).map { first + $0 }
    }

    func insert(_ rows: [StoredRow], into entity: ManagedObjectModel.Entity) {
        change(entity) { table in
            for row in rows {
                table.rows.put(row)
                // One that was deleted may have been one of those beneath.
                table.hidden.insert(row.id.key)
            }
        }
    }

    func update(_ rows: [StoredRow], of entity: ManagedObjectModel.Entity) {
        // Unique values may move from one of them to another.
        delete(rows.map(\.id.key), from: entity)
        insert(rows, into: entity)
    }

    func delete(_ keys: [Int64], from entity: ManagedObjectModel.Entity) {
        change(entity) { table in
            for key in keys {
                table.rows.remove(key)
                table.hidden.insert(key)
            }
        }
    }

    private func change(
        _ entity: ManagedObjectModel.Entity,
        _ body: (inout ScratchChanges.Table) -> Void
    ) {
        body(&changes.tables[entity.index, default: ScratchChanges.Table(entity)])
    }

    func history(
        after token: HistoryToken?,
        limit: Int?,
        in model: ManagedObjectModel
    ) throws -> [HistoryTransaction] {
        if let token, token.rawValue >= ScratchChanges.firstKey {
            return try changes.history.transactions(after: token, limit: limit)
        }
        let beneath = try base.history(after: token, limit: limit, in: model)
        let rest = limit.map { $0 - beneath.count }
        return try beneath + changes.history.transactions(after: nil, limit: rest)
    }

    func lastHistoryToken() throws -> HistoryToken? {
        try changes.history.isUnused ? base.lastHistoryToken() : changes.history.last
    }

    func record(
        _ changes: [HistoryChange],
        by author: String?,
        at date: Date,
        in model: ManagedObjectModel
    ) -> HistoryToken? {
        self.changes.history.append(changes, by: author, at: date)
    }

    func deleteHistory(before token: HistoryToken, limit: Int?) -> Bool {
        changes.history.delete(before: token, limit: limit)
    }
}
