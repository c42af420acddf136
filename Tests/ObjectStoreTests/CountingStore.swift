import ObjectStore
import Synchronization

/// A store that counts the queries that go to the one beneath, and the rows and keys that come back.
final class CountingStore: PersistentStore {
    private let store: any PersistentStore
    private let queries = Atomic<Int>(0)
    private let rows = Atomic<Int>(0)
    private let keys = Atomic<Int>(0)

    init(over store: any PersistentStore) {
        self.store = store
    }

    /// The number of queries that a piece of work takes.
    func countQueries(_ body: () throws -> Void) rethrows -> Int {
        let before = queries.load(ordering: .relaxed)
        try body()
        return queries.load(ordering: .relaxed) - before
    }

    /// The number of rows that were read so far.
    var rowCount: Int { rows.load(ordering: .relaxed) }

    /// The number of keys that were read so far without their rows.
    var keyCount: Int { keys.load(ordering: .relaxed) }

    fileprivate func count<Answer>(_ query: () throws -> Answer) rethrows -> Answer {
        queries.add(1, ordering: .relaxed)
        let answer = try query()
        if let answer = answer as? [StoredRow] { rows.add(answer.count, ordering: .relaxed) }
        if let answer = answer as? [Int64] { keys.add(answer.count, ordering: .relaxed) }
        return answer
    }

    func prepare(for model: ManagedObjectModel) throws {
        try store.prepare(for: model)
    }

    func read<Result>(_ body: (any StoreReading) throws -> Result) throws -> Result {
        try store.read { try body(CountingReading(store: self, reading: $0)) }
    }

    func transaction<Result>(
        _ body: (any StoreTransaction) throws -> Result
    ) throws -> Result {
        try store.transaction(body)
    }
}

private struct CountingReading: StateReading {
    let store: CountingStore
    let reading: any StoreReading

    var state: StoreState? { (reading as? any StateReading)?.state }

    func rows(of entity: ManagedObjectModel.Entity, keys: [Int64]) throws -> [StoredRow] {
        try store.count { try reading.rows(of: entity, keys: keys) }
    }

    func rows(
        of entity: ManagedObjectModel.Entity,
        where columns: [Int],
        areOneOf values: [[AttributeValue]]
    ) throws -> [StoredRow] {
        try store.count { try reading.rows(of: entity, where: columns, areOneOf: values) }
    }

    func rows(matching query: StoreQuery) throws -> [StoredRow] {
        try store.count { try reading.rows(matching: query) }
    }

    func keys(matching query: StoreQuery) throws -> [Int64] {
        try store.count { try reading.keys(matching: query) }
    }

    func count(matching query: StoreQuery) throws -> Int {
        try store.count { try reading.count(matching: query) }
    }

    func lastHistoryToken() throws -> HistoryToken? { try reading.lastHistoryToken() }
}
