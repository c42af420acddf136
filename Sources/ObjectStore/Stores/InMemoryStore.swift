internal import Foundation
internal import Synchronization

/// A store that lasts as long as the process: for tests, dry runs and passing data on.
///
/// It answers as the durable stores do, and its transactions are all or nothing too.
public final class InMemoryStore: PersistentStore {
    private let contents = Mutex(InMemoryContents())

    /// Held by the one transaction that is under way.
    ///
    /// Not a `Mutex`, whose closures may not pass on values that are not sendable, as those of a
    /// transaction need not be.
    private let writer = NSLock()

    /// Makes an empty store.
    public init() {}

    /// Makes room for the entities of a model.
    public func prepare(for model: ManagedObjectModel) {
        contents.withLock { contents in
            while contents.tables.count < model.entities.count {
                contents.tables.append(InMemoryTable())
            }
        }
    }

    /// Reads from the state that the last transaction left.
    public func read<Result>(_ body: (any StoreReading) throws -> Result) throws -> Result {
        try body(InMemoryTransaction(contents.withLock { $0 }))
    }

    /// Runs one transaction at a time; its changes count once `body` has returned.
    public func transaction<Result>(
        _ body: (any StoreTransaction) throws -> Result
    ) throws -> Result {
        writer.lock()
        defer { writer.unlock() }
        let transaction = InMemoryTransaction(contents.withLock { $0 })
        let result = try body(transaction)
        let changed = transaction.contents
        contents.withLock { $0 = changed }
        return result
    }
}

/// Everything that the store keeps.
private struct InMemoryContents: Sendable {
    var tables: [InMemoryTable] = []
    var history = InMemoryHistory()
}

/// The rows of one entity.
struct InMemoryTable: Sendable {
    var rows: [Int64: StoredRow] = [:]
    var lastKey: Int64 = 0
}

/// A copy of the tables, which share their storage until they are written.
private final class InMemoryTransaction: StoreTransaction, RelatedRows {
    private(set) var contents: InMemoryContents

    init(_ contents: InMemoryContents) {
        self.contents = contents
    }

    func rows(of entity: ManagedObjectModel.Entity, keys: [Int64]) -> [StoredRow] {
        keys.compactMap { contents.tables[entity.index].rows[$0] }
    }

    func rows(
        of entity: ManagedObjectModel.Entity,
        where columns: [Int],
        areOneOf values: [[AttributeValue]]
    ) -> [StoredRow] {
        let wanted = Set(values)
        return contents.tables[entity.index].rows.values.filter { row in
            wanted.contains(columns.map { row.values[$0] })
        }
    }

    func rows(matching query: StoreQuery) throws -> [StoredRow] {
        let rows = contents.tables[query.entity.index].rows.values
        return query.arrange(try rows.filter { try query.selects($0, among: self) })
    }

    func count(matching query: StoreQuery) throws -> Int {
        try rows(matching: query).count
    }

    func row(_ id: ObjectID) -> StoredRow? {
        contents.tables[id.entity].rows[id.key]
    }

    func rows(of entity: Int, whose column: Int, leadsTo id: ObjectID) -> [StoredRow] {
        contents.tables[entity].rows.values.filter { $0.values[column] == .reference(id) }
    }

    func makeKeys(for entity: ManagedObjectModel.Entity, count: Int) -> [Int64] {
        let first = contents.tables[entity.index].lastKey + 1
        contents.tables[entity.index].lastKey += Int64(count)
        return (0..<Int64(count)).map { first + $0 }
    }

    func insert(_ rows: [StoredRow], into entity: ManagedObjectModel.Entity) {
        for row in rows { contents.tables[entity.index].rows[row.id.key] = row }
    }

    func update(_ rows: [StoredRow], of entity: ManagedObjectModel.Entity) {
        insert(rows, into: entity)
    }

    func delete(_ keys: [Int64], from entity: ManagedObjectModel.Entity) {
        for key in keys { contents.tables[entity.index].rows[key] = nil }
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
    ) {
        contents.history.append(changes, by: author, at: date)
    }

    func deleteHistory(before token: HistoryToken) {
        contents.history.delete(before: token)
    }
}
