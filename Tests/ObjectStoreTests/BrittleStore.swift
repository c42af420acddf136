import ObjectStore

/// A store that breaks whenever a seal is written.
struct BrittleStore: PersistentStore {
    struct Broken: Error {}

    let store: InMemoryStore

    func prepare(for model: ManagedObjectModel) throws {
        try store.prepare(for: model)
    }

    func read<Result>(_ body: (any StoreReading) throws -> Result) throws -> Result {
        try store.read(body)
    }

    func transaction<Result>(
        _ body: (any StoreTransaction) throws -> Result
    ) throws -> Result {
        try store.transaction { try body(BrittleTransaction(transaction: $0)) }
    }
}

private struct BrittleTransaction: StoreTransaction {
    let transaction: any StoreTransaction

    func rows(of entity: ManagedObjectModel.Entity, keys: [Int64]) throws -> [StoredRow] {
        try transaction.rows(of: entity, keys: keys)
    }

    func rows(
        of entity: ManagedObjectModel.Entity,
        where columns: [Int],
        areOneOf values: [[AttributeValue]]
    ) throws -> [StoredRow] {
        try transaction.rows(of: entity, where: columns, areOneOf: values)
    }

    func rows(matching query: StoreQuery) throws -> [StoredRow] {
        try transaction.rows(matching: query)
    }

    func count(matching query: StoreQuery) throws -> Int {
        try transaction.count(matching: query)
    }

    func makeKeys(for entity: ManagedObjectModel.Entity, count: Int) throws -> [Int64] {
        try transaction.makeKeys(for: entity, count: count)
    }

    func insert(_ rows: [StoredRow], into entity: ManagedObjectModel.Entity) throws {
        if entity.name == "Seal" { throw BrittleStore.Broken() }
        try transaction.insert(rows, into: entity)
    }

    func update(_ rows: [StoredRow], of entity: ManagedObjectModel.Entity) throws {
        try transaction.update(rows, of: entity)
    }

    func delete(_ keys: [Int64], from entity: ManagedObjectModel.Entity) throws {
        try transaction.delete(keys, from: entity)
    }
}
