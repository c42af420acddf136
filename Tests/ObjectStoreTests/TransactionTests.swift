import ObjectStore
import StoreTesting
import Testing

@Suite("Transactions")
struct TransactionTests {
    private struct Interruption: Error {}

    @Test(
        "an error in a group takes back the changes of the group only",
        arguments: TestStore.allCases
    )
    func contextTransaction(store: TestStore) throws {
        try store.withContainer { container in
            let context = container.makeContext()
            let before = Luggage(context, "A1", weight: 1)
            var inside: Luggage?
            #expect(throws: Interruption.self) {
                try context.transaction {
                    before.weight = 2
                    inside = Luggage(context, "A2", weight: 2)
                    try context.delete(before)
                    throw Interruption()
                }
            }
            #expect(before.weight == 1)
            #expect(!before.isDeleted)
            #expect(inside?.isDeleted == true)
            context.transaction {
                before.weight = 3
                #expect(throws: Interruption.self) {
                    try context.transaction { () throws in
                        before.weight = 4
                        throw Interruption()
                    }
                }
            }
            #expect(before.weight == 3)
            try context.save()
            #expect(try container.makeContext().count(Luggage.self) == 1)
        }
    }

    @Test("what a failed group has saved stays saved, once", arguments: TestStore.allCases)
    func saveInGroup(store: TestStore) throws {
        try store.withContainer { container in
            let context = container.makeContext()
            let part = Part(context: context)
            part.name = "outer"
            #expect(throws: Interruption.self) {
                try context.transaction {
                    Part(context: context).name = "inner"
                    try context.save()
                    part.name = "later"
                    Part(context: context).name = "never"
                    throw Interruption()
                }
            }
            #expect(part.name == "outer")
            #expect(!context.hasChanges)
            try context.save()
            let parts = try container.makeContext().fetch(FetchRequest(Part.self))
            #expect(parts.map(\.name) == ["outer", "inner"])
        }
    }

    @Test("saves of one transaction see each other", arguments: TestStore.allCases)
    func containerTransaction(store: TestStore) throws {
        try store.withContainer { container in
            let names = try container.transaction { context in
                Luggage(context, "A1", weight: 1).owner = Passenger(context, "D", "ZMU")
                try context.save()
                Luggage(context, "A2", weight: 1).owner = Passenger(context, "D", "ZMU")
                try context.save()
                // Nobody else sees them yet.
                #expect(try container.makeContext().count(Luggage.self) == 0)
                return try context.fetch(FetchRequest(Passenger.self)).map(\.familyName)
            }
            #expect(names == ["ZMU"])
            #expect(try container.makeContext().count(Luggage.self) == 2)
        }
    }

    @Test("an error takes back every save of a transaction", arguments: TestStore.allCases)
    func failedContainerTransaction(store: TestStore) throws {
        try store.withContainer { container in
            let outside = container.makeContext()
            _ = Luggage(outside, "A1", weight: 1)
            try outside.save()
            #expect(throws: Interruption.self) {
                try container.transaction { context in
                    _ = Luggage(context, "A2", weight: 2)
                    try context.save()
                    try context.delete(try #require(try context.luggage("A1")))
                    try context.save()
                    throw Interruption()
                }
            }
            let check = container.makeContext()
            #expect(try check.count(Luggage.self) == 1)
            #expect(try check.luggage("A1") != nil)
        }
    }

    @Test("a reading sees one state and saves nothing", arguments: TestStore.allCases)
    func reading(store: TestStore) throws {
        try store.withContainer { container in
            let writer = container.makeContext()
            _ = Luggage(writer, "A1", weight: 1)
            try writer.save()
            try container.read { context in
                let before = try context.count(Luggage.self)
                _ = Luggage(writer, "A2", weight: 1)
                try writer.save()
                let after = try context.count(Luggage.self)
                #expect((before, after) == (1, 1))
                _ = Luggage(context, "A3", weight: 1)
                let error = #expect(throws: StoreError.self) { try context.save() }
                #expect(error?.code == .readOnly)
            }
            #expect(try container.makeContext().count(Luggage.self) == 2)
        }
    }

    @Test(
        "a save of another context within a transaction is an error, not a wait without end",
        .timeLimit(.minutes(30)),
        arguments: TestStore.allCases
    )
    func transactionWithinTransaction(store: TestStore) throws {
        try store.withContainer { container in
            let other = container.makeContext()
            _ = Luggage(other, "A1", weight: 1)
            #expect(throws: StoreError.self) {
                try container.transaction { _ in try other.save() }
            }
            try other.save()
        }
    }

    @Test("another context may read within a reading", arguments: TestStore.allCases)
    func readingWithinReading(store: TestStore) throws {
        try store.withContainer { container in
            let other = container.makeContext()
            _ = Luggage(other, "A1", weight: 1)
            try other.save()
            let count = try container.read { _ in
                try container.makeContext().count(Luggage.self)
            }
            #expect(count == 1)
        }
    }

    @Test("a transaction goes on after a save that was refused", arguments: TestStore.allCases)
    func refusedSave(store: TestStore) throws {
        try store.withContainer { container in
            try container.transaction { context in
                _ = Luggage(context, "A1", weight: 1)
                try context.save()
                let luggage = Luggage(context, "A2", weight: -2)
                #expect(throws: ValidationError.self) { try context.save() }
                luggage.weight = 2
                try context.save()
                _ = Luggage(context, "A3", weight: -3)
                #expect(throws: ValidationError.self) { try context.save() }
            }
            let stored = try container.makeContext().fetch(FetchRequest(Luggage.self))
            #expect(stored.map(\.tag) == ["A1", "A2"])
        }
    }

    @Test("a context that outlives its transaction says so", arguments: TestStore.allCases)
    func ended(store: TestStore) throws {
        try store.withContainer { container in
            let (context, luggage) = try container.transaction { context in
                let luggage = Luggage(context, "A1", weight: 1)
                try context.save()
                return (context, luggage)
            }
            // What it has read can still be read.
            #expect(luggage.weight == 1)
            luggage.weight = 2
            let error = #expect(throws: StoreError.self) { try context.save() }
            #expect(error?.code == .transactionEnded)
            #expect(luggage.seals.isEmpty)
            #expect(throws: StoreError.self) { try context.fetch(FetchRequest(Part.self)) }
        }
    }

    @Test("another thread does not get into a transaction", arguments: TestStore.allCases)
    func otherThread(store: TestStore) async throws {
        try await store.withContainer { container in
            let (contexts, handOver) = AsyncStream.makeStream(of: ManagedObjectContext.self)
            try container.transaction { context in
                _ = Luggage(context, "A1", weight: 1)
                handOver.yield(context)
                handOver.finish()
            }
            for await context in contexts {
                #expect(throws: StoreError.self) { try context.save() }
            }
            #expect(try container.makeContext().count(Luggage.self) == 0)
        }
    }

    @Test("half of a save is never kept, even where its error is swallowed")
    func interruptedSave() throws {
        let memory = InMemoryStore()
        let model = try TestModel.make()
        let container = try PersistentContainer(model: model, store: BrittleStore(store: memory))
        #expect(throws: BrittleStore.Broken.self) {
            try container.transaction { context in
                // Bags are written before seals, at which the store breaks.
                let luggage = Luggage(context, "A1", weight: 1)
                _ = Seal(context, 1, on: luggage)
                _ = try? context.save()
            }
        }
        let check = try PersistentContainer(model: model, store: memory).makeContext()
        #expect(try check.count(Luggage.self) == 0)

        let context = container.makeContext()
        let luggage = Luggage(context, "A1", weight: 1)
        let seal = Seal(context, 1, on: luggage)
        #expect(throws: BrittleStore.Broken.self) { try context.save() }
        #expect(seal.luggage === luggage)
        try context.delete(seal)
        try context.save()
        #expect(try check.luggage("A1") != nil)
    }
}
