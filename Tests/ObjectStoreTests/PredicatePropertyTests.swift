import SQLiteStore
import SeededRandom
import StoreTesting
import Synchronization
import Testing

@testable import ObjectStore

@Suite("Every store finds the same rows")
struct PredicatePropertyTests {
    private static let seeds: [UInt64] = (1...25).map { $0 * 0x9E37 }
    private static let cases = 400

    @Test("by random conditions, orders, offsets and limits", arguments: seeds)
    func randomQueries(seed: UInt64) throws {
        let folder = try TemporaryFolder()
        let stores = try QueriedStores(path: folder.path("store.sqlite"), seed: seed)
        var expressions = RandomExpressions(
            model: stores.model,
            random: SeededGenerator(seed: ~seed)
        )
        var (hits, partial) = (0, 0)
        for number in 0..<Self.cases {
            let (query, depth) = expressions.query()
            let place: Comment =
                "seed \(seed), case \(number), depth \(depth): \(query.entity.name) \(describe(query))"
            try stores.checkSaved(query, place)
            let found = try stores.checkChanged(query, place)
            if found > 0 { hits += 1 }
            if found > 0 && found < 5 { partial += 1 }
        }
        // The cases are no good where hardly any of them selects something.
        #expect(hits > Self.cases / 4, "seed \(seed)")
        #expect(partial > Self.cases / 8, "seed \(seed)")
    }

    private func describe(_ query: StoreQuery) -> String {
        let order = query.order.map { "\($0.isDescending ? "-" : "")\($0.column)" }
        return "\(query.filter.map { "\($0)" } ?? "all") \(order) \(query.offset) "
            + "\(query.limit ?? -1)"
    }
}

/// The same random objects in several stores, and the same random changes to them, saved in some
/// stores and pending in contexts on others.
private struct QueriedStores {
    let model: ManagedObjectModel
    private let memory = InMemoryStore()
    private let file: SQLiteStore
    private let scratch: ScratchStore
    private let changedMemory = InMemoryStore()
    private let changedScratch: ScratchStore
    private let pending: [(context: ManagedObjectContext, labels: [ObjectID: String])]
    private let clean: ManagedObjectContext

    init(path: String, seed: UInt64) throws {
        model = try PredicateData.model()
        file = try SQLiteStore(path: path)
        scratch = ScratchStore(over: file)
        changedScratch = ScratchStore(over: file)
        let model = model
        func container(_ store: any PersistentStore) throws -> PersistentContainer {
            try PersistentContainer(model: model, store: store)
        }
        for store: any PersistentStore in [memory, file, changedMemory] {
            let context = try container(store).makeContext()
            var data = PredicateData(random: SeededGenerator(seed: seed))
            data.fill(context)
            try context.save()
        }
        func changed(_ store: any PersistentStore) throws -> ManagedObjectContext {
            let context = try container(store).makeContext()
            var data = PredicateData(random: SeededGenerator(seed: seed &+ 1))
            try data.change(context)
            return context
        }
        for store: any PersistentStore in [changedMemory, changedScratch] {
            try changed(store).save()
        }
        pending = try [memory, file].map { (store: any PersistentStore) in
            let context = try changed(store)
            return (context, try Self.labels(context))
        }
        clean = try container(file).makeContext()
    }

    private static func labels(_ context: ManagedObjectContext) throws -> [ObjectID: String] {
        let shelves = try context.fetch(FetchRequest(Shelf.self)).map { ($0.objectID, $0.label) }
        let parcels = try context.fetch(FetchRequest(Parcel.self)).map { ($0.objectID, $0.label) }
        let slips = try context.fetch(FetchRequest(Slip.self)).map { ($0.objectID, $0.label) }
        return Dictionary(uniqueKeysWithValues: shelves + parcels + slips)
    }

    /// Compares the stores as they were filled, by the identities of rows.
    func checkSaved(_ query: StoreQuery, _ place: Comment) throws {
        let expected = try memory.read { try $0.rows(matching: query) }.map(\.id)
        try #require(file.read { try $0.rows(matching: query) }.map(\.id) == expected, place)
        try #require(scratch.read { try $0.rows(matching: query) }.map(\.id) == expected, place)
        try #require(clean.ids(matching: query) == expected, place)
        try #require(file.read { try $0.count(matching: query) } == expected.count, place)
        try #require(scratch.read { try $0.count(matching: query) } == expected.count, place)
    }

    /// Compares the stores in which the changes were saved with contexts in which they are pending,
    /// and gives the number of rows that were found.
    ///
    /// New objects have keys of their own in each, so rows are compared by their labels, which also
    /// settle the order of equal ones, and are not sorted by references.
    func checkChanged(_ query: StoreQuery, _ place: Comment) throws -> Int {
        var query = query
        query.order.removeAll { term in
            if case .reference = query.entity.columns[term.column].kind { true } else { false }
        }
        query.order.append(StoreOrder(column: 0))
        func labels(_ rows: [StoredRow]) -> [String] { rows.map { $0.values[0].description } }
        let expected = labels(try changedMemory.read { try $0.rows(matching: query) })
        let found = labels(try changedScratch.read { try $0.rows(matching: query) })
        try #require(found == expected, place)
        let count = try changedScratch.read { try $0.count(matching: query) }
        try #require(count == expected.count, place)
        for (context, labels) in pending {
            let found = try context.ids(matching: query).map { "\"\(labels[$0] ?? "?")\"" }
            try #require(found == expected, place)
        }
        return expected.count
    }
}

extension ManagedObjectContext {
    /// What a fetch does once its predicate is translated.
    fileprivate func ids(matching query: StoreQuery) throws -> [ObjectID] {
        try state.withLock { try $0.ids(matching: query, source: source) }
    }
}
