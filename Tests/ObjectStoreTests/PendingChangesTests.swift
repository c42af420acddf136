import Foundation
import ObjectStore
import StoreTesting
import Synchronization
import Testing

@Suite("What the next save is going to store")
struct PendingChangesTests {
    @Test("is told, by object and by value", arguments: TestStore.allCases)
    func sets(store: TestStore) throws {
        try store.withContainer { container in
            let context = container.makeContext()
            let bags = (0..<3).map { Luggage(context, "A\($0)", weight: 1) }
            #expect(context.insertedObjects == bags)
            #expect(bags[0].changedValues["weight"]?.new == .real(1))
            #expect(bags[0].changedValues["weight"]?.old == .null)
            try context.save()
            #expect(context.insertedObjects.isEmpty && !bags[0].hasChanges)

            let owner = Passenger(context, "D", "ZMU")
            bags[0].weight = 5
            bags[0].note = nil
            bags[0].owner = owner
            bags[1].priority = 3
            try context.delete(bags[2])
            #expect(context.insertedObjects == [owner])
            #expect(context.updatedObjects == [bags[0], bags[1]])
            #expect(context.deletedObjects == [bags[2]])
            #expect(bags[0].hasChanges)
            #expect(Set(bags[0].changedValues.keys) == ["weight", "owner"])
            #expect(bags[0].changedValues["weight"]?.old == .real(1))
            #expect(bags[0].changedValues["weight"]?.new == .real(5))
            #expect(bags[2].changedValues["tag"]?.old == .text("A2"))
            #expect(bags[2].changedValues["tag"]?.new == .null)

            // Fetched anew, and after a rollback.
            let other = container.makeContext()
            let bag = try #require(try other.luggage("A0"))
            bag.weight = 7
            #expect(other.updatedObjects == [bag])
            other.rollback()
            #expect(other.updatedObjects.isEmpty && bag.changedValues.isEmpty)
        }
    }
}

@Suite("Asynchronous work in a context")
struct PerformingTests {
    @Test("fetches, changes and saves on a thread of its own", arguments: TestStore.allCases)
    func perform(store: TestStore) async throws {
        try await store.withContainer { container in
            let context = container.makeContext()
            let count = try await context.perform { context in
                for index in 0..<3 { _ = Luggage(context, "A\(index)", weight: 1) }
                try context.save()
                return try context.count(Luggage.self)
            }
            #expect(count == 3)
            let request = FetchRequest(Luggage.self).sorted(by: \.tag, .descending)
            let bags = try await container.makeContext().fetch(awaiting: request)
            #expect(bags.map(\.tag) == ["A2", "A1", "A0"])
            // A request goes from task to task.
            let task = Task { try container.makeContext().count(request) }
            #expect(try await task.value == 3)
        }
    }

    @Test("does not begin in a task that was cancelled")
    func cancelled() async throws {
        try await TestStore.memory.withContainer { container in
            let context = container.makeContext()
            let task = Task {
                unsafe withUnsafeCurrentTask { unsafe $0?.cancel() }
                _ = try await context.perform { _ in Issue.record("it has begun") }
            }
            await #expect(throws: CancellationError.self) { try await task.value }
        }
    }
}

/// A store that cannot be read for a while.
private final class UnreadableStore: PersistentStore {
    let isBroken = Atomic(false)
    private let store: any PersistentStore

    init(over store: any PersistentStore) {
        self.store = store
    }

    func prepare(for model: ManagedObjectModel) throws {
        try store.prepare(for: model)
    }

    func read<Result>(_ body: (any StoreReading) throws -> Result) throws -> Result {
        if isBroken.load(ordering: .relaxed) { throw StoreError(.ioFailed, "the disk is gone") }
        return try store.read(body)
    }

    func transaction<Result>(
        _ body: (any StoreTransaction) throws -> Result
    ) throws -> Result {
        try store.transaction(body)
    }
}

@Suite("A read that fails")
struct FailedReadTests {
    @Test("is an error at once for who asks for one", arguments: TestStore.allCases)
    func failedRead(store: TestStore) throws {
        try store.withContainer { container in
            let context = container.makeContext()
            _ = Luggage(context, "A0", weight: 4)
            try context.save()
            let brittle = UnreadableStore(over: container.store)
            let other = try PersistentContainer(model: container.model, store: brittle)
                .makeContext()
            let bags = try other.fetch(FetchRequest(Luggage.self).asFaults())
            brittle.isBroken.store(true, ordering: .relaxed)
            #expect(throws: StoreError.self) { try bags[0].value(of: \.weight) }
            #expect(throws: StoreError.self) { try bags[0].value(of: \.owner) }
            #expect(throws: StoreError.self) { try bags[0].value(of: \.seals) }
            brittle.isBroken.store(false, ordering: .relaxed)
            #expect(try bags[0].value(of: \.weight) == 4)
            #expect(try bags[0].value(of: \.owner) == nil)
            #expect(try bags[0].value(of: \.seals) == [])
            try other.checkReads()
        }
    }

    @Test("of another property stays for the next fetch or save", arguments: TestStore.allCases)
    func earlierFailure(store: TestStore) throws {
        try store.withContainer { container in
            let context = container.makeContext()
            for tag in ["A0", "A1"] { _ = Luggage(context, tag, weight: 4) }
            try context.save()
            let brittle = UnreadableStore(over: container.store)
            let other = try PersistentContainer(model: container.model, store: brittle)
                .makeContext()
            let bags = try other.fetch(FetchRequest(Luggage.self).sorted(by: \.tag))
            brittle.isBroken.store(true, ordering: .relaxed)
            #expect(bags[0].seals == [])
            #expect(try bags[1].value(of: \.weight) == 4)
            #expect(throws: StoreError.self) { try bags[1].value(of: \.seals) }
            #expect(throws: StoreError.self) { try other.checkReads() }
            try other.checkReads()
            #expect(throws: StoreError.self) { try bags[1].value(of: \.seals) }
            try other.checkReads()
        }
    }
}

@Suite("A coded identity")
struct ObjectIDCodingTests {
    @Test("means the same object in another version of the model", arguments: TestStore.allCases)
    func coding(store: TestStore) throws {
        try store.withContainer { container in
            let context = container.makeContext()
            let bag = Luggage(context, "A0", weight: 1)
            let encoder = JSONEncoder()
            #expect(throws: EncodingError.self) { try encoder.encode([bag.objectID]) }
            encoder.userInfo[.context] = context
            encoder.outputFormatting = .withoutEscapingSlashes
            #expect(throws: EncodingError.self) { try encoder.encode([bag.objectID]) }
            try context.save()
            let json = try encoder.encode([bag.objectID])
            #expect(String(decoding: json, as: UTF8.self) == "[\"Luggage/1\"]")

            // Luggage has another position there.
            let model = try TestModel.makeInOtherOrder()
            let other = try PersistentContainer(model: model, store: InMemoryStore()).makeContext()
            let decoder = JSONDecoder()
            #expect(throws: DecodingError.self) { try decoder.decode([ObjectID].self, from: json) }
            decoder.userInfo[.context] = other
            let ids = try decoder.decode([ObjectID].self, from: json)
            #expect(ids == [ObjectID(entity: 1, key: 1)])
            #expect(ids.map(model.name(of:)) == ["Luggage/1"])
        }
    }

    @Test(
        "of no object is an error",
        arguments: [
            "", "Luggage", "Luggage/", "Luggage/0", "Luggage/-1", "Luggage/01", "Luggage/x", "/1",
            "Bag/1", "Luggage/1/2", "Luggage/9223372036854775808", "luggage/1",
        ]
    )
    func malformed(name: String) throws {
        let model = try TestModel.make()
        #expect(model.objectID(named: name) == nil)
        #expect(model.objectID(named: "Luggage/9223372036854775807") != nil)
        #expect(model.name(of: ObjectID(entity: 99, key: 1)) == nil)
        #expect(model.name(of: ObjectID(entity: -1, key: 1)) == nil)
    }
}
