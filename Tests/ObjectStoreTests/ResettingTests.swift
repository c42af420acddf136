import ObjectStore
import StoreTesting
import Testing

@Suite("A context that is reset")
struct ResettingTests {
    @Test("has forgotten its changes and reads anew", arguments: TestStore.allCases)
    func forgets(store: TestStore) throws {
        try store.withContainer { container in
            let context = container.makeContext()
            let saved = Luggage(context, "A1", weight: 1)
            try context.save()
            let new = Luggage(context, "A2", weight: 2)
            saved.weight = 3
            let other = container.makeContext()
            try #require(try other.fetch(FetchRequest(Luggage.self)).first).weight = 4
            try other.save()
            context.reset()
            #expect(!context.hasChanges)
            #expect(new.isDeleted)
            #expect(saved.weight == 4)
            #expect(try context.fetch(FetchRequest(Luggage.self)) == [saved])
            #expect(!context.undo())
            try context.save()
            #expect(try context.count(FetchRequest(Luggage.self)) == 1)
        }
    }

    @Test("in a transaction keeps what it has saved", arguments: TestStore.allCases)
    func inTransaction(store: TestStore) throws {
        try store.withContainer { container in
            try container.transaction { context in
                for number in 0..<10 {
                    _ = Luggage(context, "A\(number)", weight: 1)
                    try context.save()
                    context.reset()
                }
            }
            #expect(try container.makeContext().count(FetchRequest(Luggage.self)) == 10)
        }
    }

    @Test("in a group that fails does not bring back what was before")
    func inGroup() throws {
        struct Interruption: Error {}
        try TestStore.memory.withContainer { container in
            let context = container.makeContext()
            _ = Luggage(context, "A1", weight: 1)
            #expect(throws: Interruption.self) {
                try context.transaction {
                    context.reset()
                    _ = Luggage(context, "A2", weight: 1)
                    throw Interruption()
                }
            }
            #expect(!context.hasChanges)
        }
    }

    @Test(
        "a transaction that is too large to be told is told as one that is not complete",
        arguments: TestStore.allCases
    )
    func largeTransaction(store: TestStore) async throws {
        try await store.withContainer { container in
            var changes = container.changes.makeAsyncIterator()
            try container.transaction { context in
                for part in 0..<6 {
                    for number in 0..<10_000 { Part(context: context).name = "\(part)/\(number)" }
                    try context.save()
                    context.reset()
                }
            }
            let first = await changes.next(isolation: nil)
            #expect(first?.isComplete == false)
            #expect(first?.changes.isEmpty == true)
            // What comes next is told next.
            let other = container.makeContext()
            Part(context: other).name = "one more"
            let token = try await other.save().token
            let next = await changes.next(isolation: nil)
            #expect(next?.token == token && next?.changes.count == 1)
            #expect(next?.isForeign == false && next?.isComplete == true)
        }
    }

    @Test("nor do listeners get all that another container has saved of so many")
    func largeForeignTransaction() async throws {
        try await TestStore.sqlite.withContainer { container in
            let other = try PersistentContainer(model: container.model, store: container.store)
            var changes = container.changes.makeAsyncIterator()
            try other.insertAll(0..<60_000) { number, context in
                Part(context: context).name = "\(number)"
            }
            let first = await changes.next(isolation: nil)
            #expect(first?.isComplete == false && first?.isForeign == true)
            #expect(first?.changes.isEmpty == true)
            let last = other.makeContext()
            Part(context: last).name = "one more"
            let token = try await last.save().token
            let next = await changes.next(isolation: nil)
            #expect(next?.token == token && next?.changes.count == 1)
        }
    }
}
