import ObjectStore
import StoreTesting
import Testing

@Suite("Objects fetched as faults")
struct FaultingTests {
    private static let count = 10_000

    /// Gives a context to fetch in, and one that sets the weight of every bag.
    private func withBags(
        _ store: TestStore,
        _ body: (ManagedObjectContext, (Double) throws -> Void) throws -> Void
    ) throws {
        try store.withContainer { container in
            let context = container.makeContext()
            let bags = (0..<Self.count).map { Luggage(context, "\($0)", weight: 1) }
            try context.save()
            try body(container.makeContext()) { weight in
                for bag in bags { bag.weight = weight }
                try context.save()
            }
        }
    }

    @Test("have no values loaded while none is touched", arguments: TestStore.allCases)
    func untouched(store: TestStore) throws {
        try withBags(store) { context, setWeights in
            let faults = try context.fetch(FetchRequest(Luggage.self).sorted(by: \.tag).asFaults())
            // What others save now can only be seen by a value that was not read yet.
            try setWeights(2)
            #expect(faults.count == Self.count)
            #expect(faults[5000].weight == 2)
        }
    }

    @Test("are loaded a thousand at a time", arguments: TestStore.allCases)
    func batches(store: TestStore) throws {
        try withBags(store) { context, setWeights in
            let faults = try context.fetch(FetchRequest(Luggage.self).asFaults())
            #expect(faults[0].weight == 1)
            try setWeights(2)
            let weights = faults.map(\.weight)
            #expect(weights.count { $0 == 1 } == 1000)
            #expect(weights.count { $0 == 2 } == Self.count - 1000)
        }
    }

    @Test("that are gone by the time they are touched are deleted", arguments: TestStore.allCases)
    func gone(store: TestStore) throws {
        try store.withContainer { container in
            let context = container.makeContext()
            let bag = Luggage(context, "A", weight: 1)
            try context.save()
            let reader = container.makeContext()
            let fault = try #require(try reader.fetch(FetchRequest(Luggage.self).asFaults()).first)
            try context.delete(bag)
            try context.save()
            #expect(fault.isDeleted)
            #expect(fault.weight == 0)
        }
    }

    @Test("keep the changes of their context, and count in it", arguments: TestStore.allCases)
    func pending(store: TestStore) throws {
        try store.withContainer { container in
            let context = container.makeContext()
            _ = Luggage(context, "A", weight: 1)
            try context.save()
            _ = Luggage(context, "B", weight: 2)
            let request = FetchRequest(Luggage.self).sorted(by: \.tag).asFaults()
            #expect(try context.fetch(request).map(\.weight) == [1, 2])
        }
    }

    @Test("that cannot be read cannot be deleted either")
    func unreadableDeletion() throws {
        let store = PausingStore()
        let container = try PersistentContainer(model: TestModel.make(), store: store)
        let first = container.makeContext()
        _ = Luggage(first, "A", weight: 1)
        try first.save()
        let context = container.makeContext()
        let bag = try #require(try context.fetch(FetchRequest(Luggage.self).asFaults()).first)
        store.failReading(1)
        #expect(throws: PausingStore.Unreadable.self) { try context.delete(bag) }
        #expect(!bag.isDeleted)
        try context.delete(bag)
        try context.save()
        #expect(try container.makeContext().count(Luggage.self) == 0)
    }

    @Test("that cannot be read let no save succeed without what was assigned to them")
    func unreadableAssignment() throws {
        try withUnreadable { store, context, bag in
            let passenger = try #require(try context.first(FetchRequest(Passenger.self)))
            store.failReading(1)
            #expect(!bag.isDeleted)
            store.failReading(1)
            bag.weight = 5
            #expect(context.hasChanges)
            #expect(throws: PausingStore.Unreadable.self) { try context.save() }
            for _ in 0..<2 {
                let error = #expect(throws: StoreError.self) { try context.save() }
                #expect(error?.message.hasPrefix("Luggage.weight was assigned while") == true)
            }
            bag.weight = 6
            try context.save()
            store.failReading(1)
            passenger.luggage = [bag]
            #expect(throws: PausingStore.Unreadable.self) { try context.save() }
            for _ in 0..<2 {
                let error = #expect(throws: StoreError.self) { try context.save() }
                #expect(error?.message.hasPrefix("Passenger.to-many relationship was") == true)
            }
            passenger.luggage = [bag]
            try context.save()
            #expect(bag.weight == 6 && bag.owner === passenger)
            // Of those that are to be members one cannot be read: then nothing is assigned.
            let other = try #require(
                try context.fetch(FetchRequest(Luggage.self).where(\.tag, is: "B").asFaults()).first
            )
            store.failReading(1)
            passenger.luggage = [other]
            #expect(throws: PausingStore.Unreadable.self) { try context.save() }
            #expect(throws: StoreError.self) { try context.save() }
            #expect(passenger.luggage == [bag])
            passenger.luggage = []
            try context.save()
            #expect(bag.owner == nil && other.owner == nil)
            #expect(!context.hasChanges)
        }
    }

    @Test(
        "and that is forgotten with what takes it back",
        arguments: [
            "rollback", "failed group", "refresh", "deletion", "deletion in a failed group",
            "deletion by others",
        ]
    )
    func unreadableAssignmentDropped(way: String) throws {
        try withUnreadable { store, context, bag in
            struct Stop: Error {}
            store.failReading(1)
            switch way {
            case "rollback":
                bag.weight = 5
                context.rollback()
            case "failed group":
                #expect(throws: Stop.self) {
                    try context.transaction {
                        bag.weight = 5
                        throw Stop()
                    }
                }
            case "refresh":
                bag.weight = 5
                try context.refresh(bag, keepingChanges: false)
            case "deletion by others":
                bag.weight = 5
                try? context.checkReads()
                let other = try PersistentContainer(model: TestModel.make(), store: store)
                    .makeContext()
                try other.delete(#require(try other.luggage("A")))
                try other.save()
                try context.delete(bag)
            case "deletion in a failed group":
                #expect(throws: Stop.self) {
                    try context.transaction {
                        bag.weight = 5
                        try? context.checkReads()
                        try context.delete(bag)
                        try context.save()
                        throw Stop()
                    }
                }
                #expect(!context.hasChanges)
            default:
                bag.weight = 5
                try context.delete(bag)
            }
            if !way.hasPrefix("deletion ") {
                #expect(throws: PausingStore.Unreadable.self) { try context.save() }
            }
            try context.save()
            #expect(bag.isDeleted == way.hasPrefix("deletion"))
            #expect(!context.hasChanges)
        }
    }

    @Test("and what takes back a deletion lets it be asked for again")
    func unreadableAssignmentUndeleted() throws {
        try withUnreadable { store, context, bag in
            context.undoLimit = 5
            store.failReading(1)
            bag.weight = 5
            #expect(throws: PausingStore.Unreadable.self) { try context.save() }
            try context.delete(bag)
            #expect(context.undo())
            #expect(context.hasChanges)
            #expect(throws: StoreError.self) { try context.save() }
            bag.weight = 5
            try context.save()
            #expect(!context.hasChanges)
            #expect(bag.weight == 5)
            // A new object that is deleted twice, and comes back.
            let owner = Passenger(context, "E", "ZMU")
            let other = try #require(
                try context.fetch(FetchRequest(Luggage.self).where(\.tag, is: "B").asFaults()).first
            )
            store.failReading(1)
            owner.luggage = [other]
            try? context.checkReads()
            for _ in 0..<2 { try context.delete(owner) }
            #expect(context.undo())
            #expect(throws: StoreError.self) { try context.save() }
            owner.luggage = [other]
            try context.save()
            #expect(other.owner === owner)
        }
    }

    @Test("and the members of an owner that is saved meanwhile can be assigned again")
    func unreadableMembersOfNewOwner() throws {
        try withUnreadable { store, context, bag in
            let owner = Passenger(context, "E", "ZMU")
            try store.save(context) {
                store.failReading(1)
                owner.luggage = [bag]
            }
            #expect(throws: PausingStore.Unreadable.self) { try context.save() }
            #expect(throws: StoreError.self) { try context.save() }
            owner.luggage = [bag]
            try context.save()
            #expect(bag.owner === owner)
        }
    }

    /// Gives a bag that is not read yet.
    private func withUnreadable(
        _ body: (PausingStore, ManagedObjectContext, Luggage) throws -> Void
    ) throws {
        let store = PausingStore()
        let container = try PersistentContainer(model: TestModel.make(), store: store)
        let first = container.makeContext()
        _ = Passenger(first, "D", "ZMU")
        for tag in ["A", "B"] { _ = Luggage(first, tag, weight: 1) }
        try first.save()
        let context = container.makeContext()
        let bags = try context.fetch(FetchRequest(Luggage.self).where(\.tag, is: "A").asFaults())
        try body(store, context, try #require(bags.first))
    }

    @Test("are read without those that were read since, which stay as they were")
    func readSince() throws {
        try TestStore.memory.withContainer { container in
            let first = container.makeContext()
            let owners = ["A", "B"].map { name in
                let owner = Passenger(first, "D", name)
                Luggage(first, name, weight: 1).owner = owner
                return owner
            }
            try first.save()
            let local = container.makeContext()
            let bags = try local.fetch(FetchRequest(Luggage.self).sorted(by: \.tag))
            let request = FetchRequest(Passenger.self).where(\.familyName, is: "A")
            let owner = try #require(try local.first(request))
            owners[0].phone = "1"
            try first.save()
            #expect(bags[1].owner?.familyName == "B")
            #expect(owner.phone == nil)
        }
    }
}
