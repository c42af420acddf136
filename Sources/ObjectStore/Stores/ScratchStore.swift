internal import FoundationEssentials
internal import Synchronization

/// A store that keeps its writes in memory, on top of another store that it only reads.
///
/// Use it to try a save. It shows the base store together with its own changes, and never writes to
/// the base store. What the base store gets meanwhile is shown beside them, also an object with the same unique
/// values as one here; a later save here reports both in its ``MergeConflictError``. In the history its own saves come
/// after all of the base store's: who goes on after one of them does not hear of what the base store saves later.
public final class ScratchStore: PersistentStore {
    private let base: any PersistentStore
    private let changes: Mutex<ScratchChanges>
    private let writer = WriterLock()

    /// How many scratch stores were made in this process.
    private static let made = Atomic<Int64>(0)

    /// Makes a store without changes.
    ///
    /// - Parameter base: The base store.
    public init(over base: any PersistentStore) {
        self.base = base
        // Far above the keys and the saves that a store counts in its lifetime, and each scratch store above those
        // that it may be over, of which a store between them may say nothing. After four million it begins again.
        let before = Self.made.add(1, ordering: .relaxed).oldValue % (1 << 22)
        changes = Mutex(ScratchChanges(firstKey: (before + 1) << 40))
    }

    /// Prepares the base store.
    public func prepare(for model: ManagedObjectModel) throws {
        try base.prepare(for: model)
    }

    /// Reads the present state of the base store, with the changes made here.
    public func read<Result>(_ body: (any StoreReading) throws -> Result) throws -> Result {
        let changes = changes.withLock { $0 }
        return try base.read { try body(ScratchTransaction($0, changes)) }
    }

    /// Whether this thread is in a transaction of this store; a transaction of the base store does
    /// not wait for it.
    public var isInTransaction: Bool { writer.isHeldByThisThread }

    /// Runs one transaction at a time; its changes take effect when `body` returns.
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

/// Rows that hide those of the base store.
private struct ScratchChanges: Sendable {
    /// The changes of an entity: a transaction costs what it changes, not what is here.
    struct Table: Sendable {
        /// The present rows.
        var rows: InMemoryTable
        /// The base store's rows that were changed or deleted.
        var hidden = ObjectSet()

        init(_ entity: ManagedObjectModel.Entity) {
            rows = InMemoryTable(entity)
        }
    }

    /// The changes of each changed entity.
    var tables: [Int: Table] = [:]
    /// The keys and the saves that are counted here come after this one.
    let firstKey: Int64
    var lastKey: Int64
    /// The saves made here; they come after those of the base store.
    var history: InMemoryHistory

    init(firstKey: Int64) {
        self.firstKey = firstKey
        lastKey = firstKey
        history = InMemoryHistory(after: HistoryToken(rawValue: firstKey))
    }
}

private final class ScratchTransaction: StoreTransaction {
    private(set) var changes: ScratchChanges
    private let base: any StoreReading

    init(_ base: any StoreReading, _ changes: ScratchChanges) {
        self.base = base
        self.changes = changes
    }

    /// The rows of the base store that are not hidden, and the wanted ones of the changed rows.
    private func merged(
        _ beneath: [StoredRow],
        _ entity: ManagedObjectModel.Entity,
        _ wanted: (InMemoryTable) -> [StoredRow]
    ) -> [StoredRow] {
        guard let table = changes.tables[entity.index] else { return beneath }
        return beneath.filter { !table.hidden.contains($0.id) } + wanted(table.rows)
    }

    func rows(of entity: ManagedObjectModel.Entity, keys: [Int64]) throws -> [StoredRow] {
        merged(try base.rows(of: entity, keys: keys), entity) { changed in
            keys.compactMap { changed[$0] }
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
        if isUnchanged(query) { return try base.rows(matching: query) }
        var wide = query.unlimited
        if query.relatedEntities.contains(where: { changes.tables[$0] != nil }) {
            // Hidden rows may decide what the base store selects.
            wide.filter = nil
        } else if let end = query.end, let table = changes.tables[query.entity.index] {
            let (limit, isBeyond) = end.addingReportingOverflow(table.hidden.count)
            if !isBeyond { wide.limit = limit }
        }
        let rows = merged(try base.rows(matching: wide), query.entity) {
            $0.candidates(for: query)
        }
        let all = StoreRows(store: self, model: query.model)
        return query.arrange(try rows.filter { try query.selects($0, among: all) })
    }

    func forEachBatch(
        matching query: StoreQuery,
        size: Int,
        _ body: ([StoredRow]) throws -> Void
    ) throws {
        if isUnchanged(query) {
            return try base.forEachBatch(matching: query, size: size, body)
        }
        try query.pass(try rows(matching: query), inBatchesOf: size, to: body)
    }

    func keys(matching query: StoreQuery) throws -> [Int64] {
        isUnchanged(query)
            ? try base.keys(matching: query) : try rows(matching: query).map(\.id.key)
    }

    func count(matching query: StoreQuery) throws -> Int {
        try isUnchanged(query) ? base.count(matching: query) : rows(matching: query).count
    }

    func groups(of aggregate: StoreAggregate) throws -> [StoreGroup] {
        if isUnchanged(aggregate.query) { return try base.groups(of: aggregate) }
        try aggregate.check()
        return try aggregate.groups(of: rows(matching: aggregate.query))
    }

    /// Whether nothing was changed here that decides what a query selects.
    private func isUnchanged(_ query: StoreQuery) -> Bool {
        query.relatedEntities.union([query.entity.index]).allSatisfy { changes.tables[$0] == nil }
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
                // A deleted row may have been one of the base store.
                table.hidden.insert(row.id)
            }
        }
    }

    func update(_ rows: [StoredRow], of entity: ManagedObjectModel.Entity) {
        // Deleted first, because unique values may move from one row to another.
        delete(rows.map(\.id.key), from: entity)
        insert(rows, into: entity)
    }

    func delete(_ keys: [Int64], from entity: ManagedObjectModel.Entity) {
        change(entity) { table in
            for key in keys {
                table.rows.remove(key)
                table.hidden.insert(ObjectID(entity: entity.index, key: key))
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
        if let token, token.rawValue >= changes.firstKey {
            return try changes.history.transactions(after: token, limit: limit)
        }
        let beneath = try base.history(after: token, limit: limit, in: model)
        let rest = limit.map { $0 - beneath.count }
        // Whoever names a save beneath is to hear of all of these, or that some are not there any more.
        let start = token.map { _ in HistoryToken(rawValue: changes.firstKey) }
        return try beneath + changes.history.transactions(after: start, limit: rest)
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
