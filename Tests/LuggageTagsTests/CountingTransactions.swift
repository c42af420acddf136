import Foundation
import ObjectStore
import Synchronization

/// A store on another one that counts its transactions and the rows that they read, and can break one.
final class CountingTransactions: PersistentStore {
    /// What a store says that cannot go on.
    static let broken = StoreError(.full, "the disk is full")

    /// What happened so far.
    struct Counts: Sendable {
        /// How many transactions have ended well.
        var transactions = 0
        /// How many rows were read, in transactions or not.
        var rowsRead = 0
        /// How many queries there were.
        var queries = 0
        /// How many rows each transaction has inserted, updated or deleted.
        var rowsWritten: [Int] = []
    }

    private struct State {
        var counts = Counts()
        var allowed = Int.max
        var refused: (@Sendable (StoredRow) -> Bool)?
        var next: (transaction: Int, run: @Sendable () throws -> Void)?
    }

    private let store: any PersistentStore
    private let state = Mutex(State())

    init(over store: any PersistentStore) {
        self.store = store
    }

    var counts: Counts { state.withLock(\.counts) }

    /// Lets so many transactions more end well, and breaks those after them at their end.
    func breakAfter(_ transactions: Int) {
        state.withLock { $0.allowed = $0.counts.transactions + transactions }
    }

    /// Breaks every transaction that inserts such a row.
    func refuse(_ isRefused: @escaping @Sendable (StoredRow) -> Bool) {
        state.withLock { $0.refused = isRefused }
    }

    /// Says what is to happen once so many transactions more have ended.
    func onceAfter(_ transactions: Int, _ run: @escaping @Sendable () throws -> Void) {
        state.withLock { $0.next = ($0.counts.transactions + transactions, run) }
    }

    fileprivate func read(_ rows: [StoredRow]) -> [StoredRow] {
        state.withLock { state in
            state.counts.queries += 1
            state.counts.rowsRead += rows.count
        }
        return rows
    }

    fileprivate func check(_ rows: [StoredRow]) throws {
        guard let refused = state.withLock(\.refused), rows.contains(where: refused) else { return }
        throw Self.broken
    }

    var isInTransaction: Bool { store.isInTransaction }

    func prepare(for model: ManagedObjectModel) throws {
        try store.prepare(for: model)
    }

    func read<Result>(_ body: (any StoreReading) throws -> Result) throws -> Result {
        try store.read { try body(CountedTransaction(store: self, reading: $0, writing: nil)) }
    }

    func transaction<Result>(_ body: (any StoreTransaction) throws -> Result) throws -> Result {
        let result = try store.transaction { transaction in
            let counted = CountedTransaction(
                store: self,
                reading: transaction,
                writing: transaction
            )
            let result = try body(counted)
            try state.withLock { state in
                guard state.counts.transactions < state.allowed else { throw Self.broken }
                state.counts.transactions += 1
                state.counts.rowsWritten.append(counted.rowsWritten)
            }
            return result
        }
        let next = state.withLock { state -> (@Sendable () throws -> Void)? in
            guard let next = state.next, next.transaction <= state.counts.transactions else {
                return nil
            }
            state.next = nil
            return next.run
        }
        try next?()
        return result
    }
}

private final class CountedTransaction: StoreTransaction {
    private let store: CountingTransactions
    private let reading: any StoreReading
    private let writing: (any StoreTransaction)?
    private(set) var rowsWritten = 0

    init(
        store: CountingTransactions,
        reading: any StoreReading,
        writing: (any StoreTransaction)?
    ) {
        self.store = store
        self.reading = reading
        self.writing = writing
    }

    func rows(of entity: ManagedObjectModel.Entity, keys: [Int64]) throws -> [StoredRow] {
        store.read(try reading.rows(of: entity, keys: keys))
    }

    func rows(
        of entity: ManagedObjectModel.Entity,
        where columns: [Int],
        areOneOf values: [[AttributeValue]]
    ) throws -> [StoredRow] {
        store.read(try reading.rows(of: entity, where: columns, areOneOf: values))
    }

    func rows(matching query: StoreQuery) throws -> [StoredRow] {
        store.read(try reading.rows(matching: query))
    }

    func keys(matching query: StoreQuery) throws -> [Int64] {
        _ = store.read([])
        return try reading.keys(matching: query)
    }

    func count(matching query: StoreQuery) throws -> Int {
        _ = store.read([])
        return try reading.count(matching: query)
    }

    func groups(of aggregate: StoreAggregate) throws -> [StoreGroup] {
        _ = store.read([])
        return try reading.groups(of: aggregate)
    }

    func history(
        after token: HistoryToken?,
        limit: Int?,
        in model: ManagedObjectModel
    ) throws -> [HistoryTransaction] {
        try reading.history(after: token, limit: limit, in: model)
    }

    func lastHistoryToken() throws -> HistoryToken? { try reading.lastHistoryToken() }

    func makeKeys(for entity: ManagedObjectModel.Entity, count: Int) throws -> [Int64] {
        try writing?.makeKeys(for: entity, count: count) ?? []
    }

    func insert(_ rows: [StoredRow], into entity: ManagedObjectModel.Entity) throws {
        try store.check(rows)
        rowsWritten += rows.count
        try writing?.insert(rows, into: entity)
    }

    func update(_ rows: [StoredRow], of entity: ManagedObjectModel.Entity) throws {
        rowsWritten += rows.count
        try writing?.update(rows, of: entity)
    }

    func delete(_ keys: [Int64], from entity: ManagedObjectModel.Entity) throws {
        rowsWritten += keys.count
        try writing?.delete(keys, from: entity)
    }

    func record(
        _ changes: [HistoryChange],
        by author: String?,
        at date: Date,
        in model: ManagedObjectModel
    ) throws -> HistoryToken? {
        try writing?.record(changes, by: author, at: date, in: model)
    }

    func deleteHistory(before token: HistoryToken, limit: Int?) throws -> Bool {
        try writing?.deleteHistory(before: token, limit: limit) ?? false
    }
}
