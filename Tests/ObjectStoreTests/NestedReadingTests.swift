import ObjectStore
import StoreTesting
import Testing

@Suite("Within a reading")
struct NestedReadingTests {
    @Test("a context shows what it has saved since, and counts on", arguments: TestStore.allCases)
    func saving(store: TestStore) throws {
        try store.withContainer { container in
            let context = container.makeContext()
            Counter(context: context).name = "n"
            for tag in ["A", "B", "C"] { _ = Luggage(context, tag, weight: 1) }
            try context.save()
            let counters = FetchRequest(Counter.self)
            try context.forEachBatch(ofSnapshots: FetchRequest(Luggage.self), size: 1) { _ in
                try #require(try context.first(counters)).value += 1
                try context.save()
                #expect(try context.forEachNested(counters) == 1)
            }
            #expect(try container.makeContext().first(counters)?.value == 3)
            try container.read { reading in
                let counter = try #require(try context.first(counters))
                try context.delete(counter)
                try context.save()
                #expect(try context.count(Counter.self) == 0)
                #expect(counter.isDeleted)
                // The reading itself goes on with the state that it began with.
                #expect(try reading.count(Counter.self) == 1)
            }
        }
    }

    @Test(
        "all contexts of one thread see one state, whatever others save",
        arguments: [TestStore.sqlite]
    )
    func othersSaving(store: TestStore) throws {
        try store.withContainer { container in
            let saver = container.makeContext()
            _ = Luggage(saver, "A", weight: 1)
            try saver.save()
            try container.read { reading in
                let other = container.makeContext()
                let before = try reading.count(Luggage.self)
                #expect(before == 1)
                try besides {
                    let saver = container.makeContext()
                    _ = Luggage(saver, "B", weight: 1)
                    try saver.save()
                }()
                #expect(try other.count(Luggage.self) == 1)
            }
            #expect(try saver.count(Luggage.self) == 2)
        }
    }

    @Test(
        "what was known by an identity from before a save is found by it",
        arguments: TestStore.allCases
    )
    func earlierIdentity(store: TestStore) throws {
        try store.withContainer { container in
            let context = container.makeContext()
            let bag = Luggage(context, "A", weight: 1)
            let id = bag.objectID
            #expect(try context.snapshots(of: Luggage.self, [id]).isEmpty)
            try context.save()
            #expect(try context.snapshots(of: Luggage.self, [id]).map(\.id) == [bag.objectID])
        }
    }
}

extension ManagedObjectContext {
    /// How many objects batches within another reading have.
    fileprivate func forEachNested(_ request: FetchRequest<Counter>) throws -> Int {
        var count = 0
        try forEachBatch(ofSnapshots: request) { count += $0.count }
        return count
    }
}
