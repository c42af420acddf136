internal import Foundation
internal import Synchronization

/// A store that lasts as long as the process: for tests, dry runs and passing data on.
///
/// It answers as the durable stores do, and its transactions are all or nothing too.
public final class InMemoryStore: PersistentStore {
    private let tables = Mutex<[InMemoryTable]>([])

    /// Held by the one transaction that is under way.
    ///
    /// Not a `Mutex`, whose closures may not pass on values that are not sendable, as those of a
    /// transaction need not be.
    private let writer = NSLock()

    /// Makes an empty store.
    public init() {}

    /// Makes room for the entities of a model.
    public func prepare(for model: ManagedObjectModel) {
        tables.withLock { tables in
            while tables.count < model.entities.count { tables.append(InMemoryTable()) }
        }
    }

    /// Reads from the state that the last transaction left.
    public func read<Result>(_ body: (any StoreReading) throws -> Result) throws -> Result {
        try body(InMemoryTransaction(tables.withLock { $0 }))
    }

    /// Runs one transaction at a time; its changes count once `body` has returned.
    public func transaction<Result>(
        _ body: (any StoreTransaction) throws -> Result
    ) throws -> Result {
        writer.lock()
        defer { writer.unlock() }
        let transaction = InMemoryTransaction(tables.withLock { $0 })
        let result = try body(transaction)
        let changed = transaction.tables
        tables.withLock { $0 = changed }
        return result
    }
}

/// The rows of one entity.
struct InMemoryTable: Sendable {
    var rows: [Int64: StoredRow] = [:]
    var lastKey: Int64 = 0
}

/// A copy of the tables, which share their storage until they are written.
private final class InMemoryTransaction: StoreTransaction, RelatedRows {
    private(set) var tables: [InMemoryTable]

    init(_ tables: [InMemoryTable]) {
        self.tables = tables
    }

    func rows(of entity: ManagedObjectModel.Entity, keys: [Int64]) -> [StoredRow] {
        keys.compactMap { tables[entity.index].rows[$0] }
    }

    func rows(
        of entity: ManagedObjectModel.Entity,
        where columns: [Int],
        areOneOf values: [[AttributeValue]]
    ) -> [StoredRow] {
        let wanted = Set(values)
        return tables[entity.index].rows.values.filter { row in
            wanted.contains(columns.map { row.values[$0] })
        }
    }

    func rows(matching query: StoreQuery) throws -> [StoredRow] {
        let rows = tables[query.entity.index].rows.values
        return query.arrange(try rows.filter { try query.selects($0, among: self) })
    }

    func count(matching query: StoreQuery) throws -> Int {
        try rows(matching: query).count
    }

    func row(_ id: ObjectID) -> StoredRow? {
        tables[id.entity].rows[id.key]
    }

    func rows(of entity: Int, whose column: Int, leadsTo id: ObjectID) -> [StoredRow] {
        tables[entity].rows.values.filter { $0.values[column] == .reference(id) }
    }

    func makeKeys(for entity: ManagedObjectModel.Entity, count: Int) -> [Int64] {
        let first = tables[entity.index].lastKey + 1
        tables[entity.index].lastKey += Int64(count)
        return (0..<Int64(count)).map { first + $0 }
    }

    func insert(_ rows: [StoredRow], into entity: ManagedObjectModel.Entity) {
        for row in rows { tables[entity.index].rows[row.id.key] = row }
    }

    func update(_ rows: [StoredRow], of entity: ManagedObjectModel.Entity) {
        insert(rows, into: entity)
    }

    func delete(_ keys: [Int64], from entity: ManagedObjectModel.Entity) {
        for key in keys { tables[entity.index].rows[key] = nil }
    }
}
