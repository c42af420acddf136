import Foundation
import ObjectStore
import Synchronization

/// A store on another one, which tells what of the history is read in whose turn, and lets something
/// happen while it is read.
final class WatchedStore: PersistentStore {
    private let store: any PersistentStore
    private let pause = Mutex<(@Sendable () throws -> Void)?>(nil)
    private let saves = Mutex(Counts())

    /// How many saves of the history were read.
    struct Counts: Sendable {
        /// Within the turn to write.
        var inTurn = 0
        /// While others could write.
        var outside = 0
    }

    init(over store: any PersistentStore) {
        self.store = store
    }

    /// What was read so far.
    var counts: Counts { saves.withLock { $0 } }

    /// Says what is to happen once, when the history was read outside of the turn to write.
    func onceAfterReading(_ run: @escaping @Sendable () throws -> Void) {
        pause.withLock { $0 = run }
    }

    var isInTransaction: Bool { store.isInTransaction }

    func prepare(for model: ManagedObjectModel) throws {
        try store.prepare(for: model)
    }

    func read<Result>(_ body: (any StoreReading) throws -> Result) throws -> Result {
        try store.read { reading in
            try body(WatchedTransaction(reading, nil) { count in self.note(\.outside, count) })
        }
    }

    func transaction<Result>(_ body: (any StoreTransaction) throws -> Result) throws -> Result {
        try store.transaction { transaction in
            try body(
                WatchedTransaction(transaction, transaction) { count in
                    self.note(\.inTurn, count)
                }
            )
        }
    }

    private func note(_ place: WritableKeyPath<Counts, Int>, _ count: Int) {
        saves.withLock { $0[keyPath: place] += count }
        guard place == \.outside else { return }
        let pause = pause.withLock { pause in
            defer { pause = nil }
            return pause
        }
        do {
            try pause?()
        } catch {
            fatalError("what was to happen has failed: \(error)")
        }
    }
}

/// Passes everything on, and counts the saves that it gives.
private struct WatchedTransaction: StoreTransaction {
    let reading: any StoreReading
    let transaction: (any StoreTransaction)?
    let note: (Int) -> Void

    init(
        _ reading: any StoreReading,
        _ transaction: (any StoreTransaction)?,
        note: @escaping (Int) -> Void
    ) {
        self.reading = reading
        self.transaction = transaction
        self.note = note
    }

    func rows(of entity: ManagedObjectModel.Entity, keys: [Int64]) throws -> [StoredRow] {
        try reading.rows(of: entity, keys: keys)
    }

    func rows(
        of entity: ManagedObjectModel.Entity,
        where columns: [Int],
        areOneOf values: [[AttributeValue]]
    ) throws -> [StoredRow] {
        try reading.rows(of: entity, where: columns, areOneOf: values)
    }

    func rows(matching query: StoreQuery) throws -> [StoredRow] {
        try reading.rows(matching: query)
    }

    func count(matching query: StoreQuery) throws -> Int {
        try reading.count(matching: query)
    }

    func groups(of aggregate: StoreAggregate) throws -> [StoreGroup] {
        try reading.groups(of: aggregate)
    }

    func history(
        after token: HistoryToken?,
        limit: Int?,
        in model: ManagedObjectModel
    ) throws -> [HistoryTransaction] {
        let saves = try reading.history(after: token, limit: limit, in: model)
        note(saves.count)
        return saves
    }

    func lastHistoryToken() throws -> HistoryToken? { try reading.lastHistoryToken() }

    func makeKeys(for entity: ManagedObjectModel.Entity, count: Int) throws -> [Int64] {
        try transaction?.makeKeys(for: entity, count: count) ?? []
    }

    func insert(_ rows: [StoredRow], into entity: ManagedObjectModel.Entity) throws {
        try transaction?.insert(rows, into: entity)
    }

    func update(_ rows: [StoredRow], of entity: ManagedObjectModel.Entity) throws {
        try transaction?.update(rows, of: entity)
    }

    func delete(_ keys: [Int64], from entity: ManagedObjectModel.Entity) throws {
        try transaction?.delete(keys, from: entity)
    }

    func record(
        _ changes: [HistoryChange],
        by author: String?,
        at date: Date,
        in model: ManagedObjectModel
    ) throws -> HistoryToken? {
        try transaction?.record(changes, by: author, at: date, in: model)
    }

    func deleteHistory(before token: HistoryToken, limit: Int?) throws -> Bool {
        try transaction?.deleteHistory(before: token, limit: limit) ?? false
    }
}
