internal import FoundationEssentials
internal import Glibc
internal import HashTreeCollections
internal import Synchronization
internal import SystemSupport

/// A store in memory, for tests, dry runs and passing data on.
///
/// It answers as durable stores do, and its transactions are atomic too. It lasts as long as the
/// process.
public final class InMemoryStore: PersistentStore {
    private let contents = Mutex(InMemoryContents())

    private let writer = WriterLock()

    /// Makes an empty store.
    public init() {}

    /// Prepares the tables for the entities of a model.
    ///
    /// - Throws: ``StoreError``, with the code `incompatible` if it already holds other entities:
    ///   there is no migration in memory.
    public func prepare(for model: ManagedObjectModel) throws {
        try contents.withLock { contents in
            for (table, entity) in zip(contents.tables, model.entities) where !table.fits(entity) {
                throw StoreError(
                    .incompatible,
                    "the store in memory was made for another version of \(entity.name); make another "
                        + "store"
                )
            }
            for entity in model.entities.dropFirst(contents.tables.count) {
                contents.tables.append(InMemoryTable(entity))
            }
        }
    }

    /// Reads the state that the last transaction left.
    public func read<Result>(_ body: (any StoreReading) throws -> Result) throws -> Result {
        try body(InMemoryTransaction(contents.withLock { $0 }))
    }

    /// Whether this thread is in a transaction.
    public var isInTransaction: Bool { writer.isHeldByThisThread }

    /// Runs one transaction at a time; its changes take effect when `body` returns.
    public func transaction<Result>(
        _ body: (any StoreTransaction) throws -> Result
    ) throws -> Result {
        try writer.withLock {
            let transaction = InMemoryTransaction(contents.withLock { $0 })
            let result = try body(transaction)
            let changed = transaction.contents
            contents.withLock { $0 = changed }
            return result
        }
    }
}

/// The contents of the store.
private struct InMemoryContents: Sendable {
    var tables: [InMemoryTable] = []
    var history = InMemoryHistory()
}

/// A copy of the tables, which shares everything that it does not write.
private final class InMemoryTransaction: StoreTransaction, RelatedRows {
    private(set) var contents: InMemoryContents

    init(_ contents: InMemoryContents) {
        self.contents = contents
    }

    func rows(of entity: ManagedObjectModel.Entity, keys: [Int64]) -> [StoredRow] {
        keys.compactMap { contents.tables[entity.index][$0] }
    }

    func rows(
        of entity: ManagedObjectModel.Entity,
        where columns: [Int],
        areOneOf values: [[AttributeValue]]
    ) -> [StoredRow] {
        contents.tables[entity.index].rows(where: columns, areOneOf: values)
    }

    func rows(matching query: StoreQuery) throws -> [StoredRow] {
        let rows = contents.tables[query.entity.index].candidates(for: query)
        return query.arrange(try rows.filter { try query.selects($0, among: self) })
    }

    func count(matching query: StoreQuery) throws -> Int {
        try rows(matching: query).count
    }

    func row(_ id: ObjectID) -> StoredRow? {
        contents.tables[id.entity][id.key]
    }

    func rows(of entity: Int, whose column: Int, leadsTo id: ObjectID) -> [StoredRow] {
        contents.tables[entity].rows(where: [column], areOneOf: [[.reference(id)]])
    }

    func makeKeys(for entity: ManagedObjectModel.Entity, count: Int) -> [Int64] {
        let first = contents.tables[entity.index].lastKey + 1
        contents.tables[entity.index].lastKey += Int64(count)
        return (0..<Int64(count)).map { first + $0 }
    }

    func insert(_ rows: [StoredRow], into entity: ManagedObjectModel.Entity) {
        for row in rows { contents.tables[entity.index].put(row) }
    }

    func update(_ rows: [StoredRow], of entity: ManagedObjectModel.Entity) {
        // Deleted first, because unique values may move from one row to another.
        delete(rows.map(\.id.key), from: entity)
        insert(rows, into: entity)
    }

    func delete(_ keys: [Int64], from entity: ManagedObjectModel.Entity) {
        for key in keys { contents.tables[entity.index].remove(key) }
    }

    func history(
        after token: HistoryToken?,
        limit: Int?,
        in model: ManagedObjectModel
    ) throws -> [HistoryTransaction] {
        try contents.history.transactions(after: token, limit: limit)
    }

    func lastHistoryToken() -> HistoryToken? { contents.history.last }

    func record(
        _ changes: [HistoryChange],
        by author: String?,
        at date: Date,
        in model: ManagedObjectModel
    ) -> HistoryToken? {
        contents.history.append(changes, by: author, at: date)
    }

    func deleteHistory(before token: HistoryToken, limit: Int?) -> Bool {
        contents.history.delete(before: token, limit: limit)
    }
}

/// Allows one transaction at a time in an in-memory store.
///
/// Not a `Mutex`, because its closures cannot pass on values that are not Sendable, which a
/// transaction may use.
final class WriterLock: Sendable {
    private let lock = Lock()
    private let owner = Mutex<pthread_t?>(nil)

    /// Whether this thread is in a transaction.
    var isHeldByThisThread: Bool { owner.withLock { $0 == pthread_self() } }

    /// Runs a transaction when no other one is running.
    ///
    /// - Throws: What `body` throws; ``StoreError`` if the thread would wait for itself.
    func withLock<Result>(_ body: () throws -> Result) throws -> Result {
        let thread = pthread_self()
        if isHeldByThisThread { throw StoreError.isInTransaction }
        return try lock.withLock {
            owner.withLock { $0 = thread }
            defer { owner.withLock { $0 = nil } }
            return try body()
        }
    }
}
