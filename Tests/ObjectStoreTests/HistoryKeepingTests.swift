import ObjectStore
import StoreTesting
import Testing

@Suite("How much of the history is kept")
struct HistoryKeepingTests {
    private func saves(
        _ store: TestStore,
        _ keeping: HistoryKeeping,
        _ count: Int,
        _ body: (PersistentContainer) throws -> Void
    ) throws {
        try store.withContainer { container in
            let container = try PersistentContainer(
                model: container.model,
                store: container.store,
                history: keeping
            )
            for index in 0..<count {
                let context = container.makeContext()
                _ = Luggage(context, "T\(index)", weight: 1)
                try context.save()
            }
            try body(container)
        }
    }

    @Test("all of it, if nothing is said", arguments: TestStore.allCases)
    func all(store: TestStore) throws {
        try saves(store, .all, 200) { container in
            let kept = try container.history(after: nil)
            #expect(kept.count == 200)
        }
    }

    @Test("the latest saves, and few more", arguments: TestStore.allCases, [1, 10, 64])
    func latest(store: TestStore, count: Int) throws {
        try saves(store, .latest(count), 200) { container in
            let kept = try container.history(after: nil)
            #expect(kept.count >= count && kept.count < count + 16)
            #expect(kept.last?.token.rawValue == 200)
            #expect(kept.allSatisfy { $0.changes.count == 1 })
            #expect(throws: StoreError.self) {
                try container.history(after: HistoryToken(rawValue: 3))
            }
        }
    }

    @Test("none, and a transaction none either", arguments: TestStore.allCases)
    func none(store: TestStore) throws {
        try saves(store, .none, 100) { container in
            try container.transaction { context in
                _ = Luggage(context, "more", weight: 1)
                try context.save()
            }
            let kept = try container.history(after: nil)
            #expect(kept.count <= 16)
            #expect(kept.allSatisfy { $0.changes.isEmpty })
            #expect(try container.lastHistoryToken()?.rawValue == 101)
            #expect(try container.makeContext().count(Luggage.self) == 101)
        }
    }

    @Test("a history that was kept whole becomes shorter", arguments: TestStore.allCases)
    func shortened(store: TestStore) throws {
        try saves(store, .all, 200) { container in
            let other = try PersistentContainer(
                model: container.model,
                store: container.store,
                history: .latest(5)
            )
            for index in 0..<48 {
                let context = other.makeContext()
                _ = Luggage(context, "U\(index)", weight: 1)
                try context.save()
            }
            #expect(try other.history(after: nil).count < 30)
        }
    }

    @Test("who listens is told that there was a save")
    func listeners() async throws {
        try await TestStore.sqlite.withContainer { container in
            let quiet = try PersistentContainer(
                model: container.model,
                store: container.store,
                history: .none
            )
            var heard = container.changes.makeAsyncIterator()
            var own = quiet.changes.makeAsyncIterator()
            let context = quiet.makeContext()
            let bag = Luggage(context, "A", weight: 1)
            try await context.save()
            let save = try await heard.next()
            #expect(save?.isComplete == false && save?.isForeign == true)
            let saved = try await own.next()
            #expect(saved?.changes[bag.objectID]?.kind == .inserted)
        }
    }
}
