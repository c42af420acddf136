import SQLiteStore
import SeededRandom
import StoreTesting
import Synchronization
import Testing

@testable import ObjectStore

/// The same random objects in several stores, and the same random changes to them, saved in some
/// stores and pending in contexts on others.
struct QueriedStores {
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

    /// The query in an order that does not depend on keys.
    private static func comparable(_ query: StoreQuery) -> StoreQuery {
        var query = query
        query.order.removeAll { term in
            if case .reference = query.entity.columns[term.column].kind { true } else { false }
        }
        query.order.append(StoreOrder(column: 0))
        return query
    }

    /// Compares the stores in which the changes were saved with contexts in which they are pending,
    /// and gives the number of rows that were found.
    ///
    /// New objects have keys of their own in each, so rows are compared by their labels, which also
    /// settle the order of equal ones, and are not sorted by references.
    func checkChanged(_ query: StoreQuery, _ place: Comment) throws -> Int {
        let query = Self.comparable(query)
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

    /// Compares figures, and gives them.
    func check(_ aggregate: StoreAggregate, _ place: Comment) throws -> Figures {
        let expected = Figures { try memory.read { try $0.groups(of: aggregate) } }
        func require(_ groups: () throws -> [StoreGroup]) throws {
            try #require(Figures(groups) == expected, place)
        }
        try require { try file.read { try $0.groups(of: aggregate) } }
        try require { try scratch.read { try $0.groups(of: aggregate) } }
        try require { try clean.groups(of: aggregate) }
        try checkChanged(aggregate, place)
        return expected
    }

    /// Compares the figures of stores in which the changes were saved with those of contexts in which
    /// they are pending, but for references.
    private func checkChanged(_ aggregate: StoreAggregate, _ place: Comment) throws {
        func isReference(_ column: Int) -> Bool {
            aggregate.query.entity.columns[column].storage == nil
        }
        let aggregate = StoreAggregate(
            query: Self.comparable(aggregate.query),
            grouping: aggregate.grouping.filter { !isReference($0) },
            figures: aggregate.figures.filter { figure in
                switch figure {
                case .minimum(let column), .maximum(let column): !isReference(column)
                default: true
                }
            }
        )
        let expected = Figures { try changedMemory.read { try $0.groups(of: aggregate) } }
        let found = Figures { try changedScratch.read { try $0.groups(of: aggregate) } }
        try #require(found == expected, place)
        for (context, _) in pending {
            try #require(Figures { try context.groups(of: aggregate) } == expected, place)
        }
    }
}

/// Groups, or the reason why there are none.
enum Figures: Equatable {
    case groups([StoreGroup])
    case refused(String)

    init(_ groups: () throws -> [StoreGroup]) {
        do {
            self = .groups(try groups())
        } catch {
            self = .refused("\(error)")
        }
    }
}

extension ManagedObjectContext {
    /// What a fetch does once its predicate is translated.
    fileprivate func ids(matching query: StoreQuery) throws -> [ObjectID] {
        try state.withLock { try $0.ids(matching: query) }
    }

    /// What a figure does once its request is translated.
    fileprivate func groups(of aggregate: StoreAggregate) throws -> [StoreGroup] {
        try state.withLock { try $0.groups(of: aggregate) }
    }
}
