import ObjectStore
import StoreTesting
import Synchronization
import Testing

@Suite("What others do to the same rows meanwhile")
struct RemoteChangeTests {
    @Test(
        "a local edit of a row that somebody else has deleted",
        arguments: TestStore.allCases,
        MergePolicy.all
    )
    func remoteDelete(store: TestStore, policy: MergePolicy) throws {
        try store.withContainer { container in
            let first = container.makeContext()
            let original = Luggage(first, "A1", weight: 1, note: "old")
            try first.save()
            let local = container.makeContext(mergePolicy: policy)
            let luggage = try #require(try local.luggage("A1"))
            let id = luggage.objectID
            luggage.weight = 2
            try first.delete(original)
            try first.save()

            switch policy {
            case .error:
                let error = #expect(throws: MergeConflictError.self) { try local.save() }
                #expect(error?.conflicts.first?.stored == nil)
                #expect(luggage.weight == 2)
            case .mergeByPropertyStoreTrump, .rollback:
                try local.save()
                #expect(luggage.isDeleted)
                #expect(try container.makeContext().count(Luggage.self) == 0)
            case .mergeByPropertyObjectTrump, .overwrite, .custom:
                try local.save()
                let stored = try #require(try container.makeContext().luggage("A1"))
                #expect(stored.objectID == id)
                #expect(stored.weight == 2)
                #expect(stored.note == "old")
            }
        }
    }

    @Test(
        "an object that is inserted again leads to nobody where its owner is gone too",
        arguments: TestStore.allCases
    )
    func ownerGone(store: TestStore) throws {
        try store.withContainer { container in
            let first = container.makeContext()
            let original = Luggage(first, "A1", weight: 1)
            let owner = Passenger(first, "D", "ZMU")
            original.owner = owner
            try first.save()
            let local = container.makeContext()
            let luggage = try #require(try local.luggage("A1"))
            luggage.note = "fragile"
            try first.delete(original)
            try first.delete(owner)
            try first.save()

            try local.save()
            #expect(luggage.owner == nil)
            let stored = try #require(try container.makeContext().luggage("A1"))
            #expect(stored.note == "fragile")
            #expect(stored.owner == nil)
        }
    }

    @Test(
        "a local deletion of a row that somebody else has changed",
        arguments: TestStore.allCases,
        MergePolicy.all
    )
    func remoteEdit(store: TestStore, policy: MergePolicy) throws {
        try store.withContainer { container in
            let first = container.makeContext()
            let original = Luggage(first, "A1", weight: 1)
            try first.save()
            let local = container.makeContext(mergePolicy: policy)
            let luggage = try #require(try local.luggage("A1"))
            try local.delete(luggage)
            original.weight = 2
            try first.save()

            switch policy {
            case .error:
                #expect(throws: MergeConflictError.self) { try local.save() }
                #expect(luggage.isDeleted)
            case .mergeByPropertyStoreTrump, .rollback:
                try local.save()
                #expect(luggage.weight == 2)
                #expect(!luggage.isDeleted)
            case .mergeByPropertyObjectTrump, .overwrite, .custom:
                try local.save()
                #expect(try container.makeContext().count(Luggage.self) == 0)
            }
        }
    }

    @Test("a row deleted twice is deleted", arguments: TestStore.allCases, MergePolicy.all)
    func deletedTwice(store: TestStore, policy: MergePolicy) throws {
        try store.withContainer { container in
            let first = container.makeContext()
            let original = Luggage(first, "A1", weight: 1)
            try first.save()
            let local = container.makeContext(mergePolicy: policy)
            try local.delete(try #require(try local.luggage("A1")))
            try first.delete(original)
            try first.save()
            try local.save()
            #expect(try local.count(Luggage.self) == 0)
        }
    }

    @Test(
        "a deleted row that was inserted anew merges with the edit",
        arguments: TestStore.allCases
    )
    func replacedRow(store: TestStore) throws {
        try store.withContainer { container in
            let first = container.makeContext()
            let original = Luggage(first, "A1", weight: 1, note: "old")
            try first.save()
            let local = container.makeContext()
            let luggage = try #require(try local.luggage("A1"))
            luggage.weight = 2
            try first.delete(original)
            let replacement = Luggage(first, "A1", weight: 3, note: "new")
            try first.save()
            try local.save()
            #expect(luggage.objectID == replacement.objectID)
            let stored = try #require(try container.makeContext().luggage("A1"))
            #expect(stored.weight == 2)
            #expect(stored.note == "new")
        }
    }

    @Test("a changed row that meets another with its new key", arguments: TestStore.allCases)
    func versionAndConstraint(store: TestStore) throws {
        try store.withContainer { container in
            let first = container.makeContext()
            let original = Luggage(first, "A1", weight: 1)
            try first.save()
            let local = container.makeContext()
            let luggage = try #require(try local.luggage("A1"))
            luggage.tag = "A2"
            luggage.note = "mine"
            original.place = "theirs"
            _ = Luggage(first, "A2", weight: 2)
            try first.save()
            #expect(throws: MergeConflictError.self) { try local.save() }
            luggage.tag = "A3"
            try local.save()
            let stored = try #require(try container.makeContext().luggage("A3"))
            #expect(stored.note == "mine")
            #expect(stored.place == "theirs")
        }
    }

    @Test(
        "a reference to an object that somebody else has deleted is refused",
        arguments: TestStore.allCases,
        MergePolicy.all
    )
    func danglingReference(store: TestStore, policy: MergePolicy) throws {
        try store.withContainer { container in
            let first = container.makeContext()
            let original = Passenger(first, "D", "ZMU")
            try first.save()
            let local = container.makeContext(mergePolicy: policy)
            let owner = try #require(try local.first(FetchRequest(Passenger.self)))
            let luggage = Luggage(local, "A1", weight: 1)
            luggage.owner = owner
            try first.delete(original)
            try first.save()
            let error = #expect(throws: ValidationError.self) { try local.save() }
            #expect(error?.failures.map(\.property) == ["owner"])
            luggage.owner = nil
            try local.save()
        }
    }

    @Test(
        "the delete rules hold for rows that the context has never seen",
        arguments: TestStore.allCases
    )
    func unknownReferences(store: TestStore) throws {
        try store.withContainer { container in
            let first = container.makeContext()
            let luggage = Luggage(first, "A1", weight: 1)
            luggage.owner = Passenger(first, "D", "ZMU")
            try first.save()
            let local = container.makeContext()
            try local.delete(try #require(try local.luggage("A1")))
            try local.delete(try #require(try local.first(FetchRequest(Passenger.self))))

            // One to be deleted with its bag, and one to lose its owner.
            _ = Seal(first, 1, on: luggage)
            Luggage(first, "A2", weight: 2).owner = luggage.owner
            try first.save()
            try local.save()
            let check = container.makeContext()
            #expect(try check.count(Seal.self) == 0)
            #expect(try check.count(Luggage.self) == 1)
            #expect(try check.luggage("A2")?.owner == nil)
        }
    }

    @Test("a row that denies a deletion does so at the save too", arguments: TestStore.allCases)
    func unknownDenial(store: TestStore) throws {
        try store.withContainer { container in
            let first = container.makeContext()
            let passenger = Passenger(first, "D", "ZMU")
            try first.save()
            let local = container.makeContext()
            try local.delete(try #require(try local.first(FetchRequest(Passenger.self))))
            let deposit = Deposit(context: first)
            deposit.payer = passenger
            try first.save()
            let error = #expect(throws: DeleteDeniedError.self) { try local.save() }
            #expect(error?.relationship == "Deposit.payer")
            #expect(try container.makeContext().count(Passenger.self) == 1)
            try first.delete(deposit)
            try first.save()
            try local.save()
            #expect(try container.makeContext().count(Passenger.self) == 0)
        }
    }

    /// A context that has read a bag and its owner, the store of both, and what others have then saved of them.
    private func withOutdated(
        _ body: (ManagedObjectContext, Luggage, PausingStore, SaveResult) throws -> Void
    ) throws {
        let store = PausingStore()
        let container = try PersistentContainer(model: TestModel.make(), store: store)
        let other = container.makeContext()
        let theirs = Luggage(other, "A", weight: 1)
        let owner = Passenger(other, "D", "ZMU")
        theirs.owner = owner
        try other.save()
        let context = container.makeContext()
        let bag = try #require(try context.luggage("A"))
        #expect(bag.owner?.familyName == "ZMU")
        theirs.weight = 9
        owner.familyName = "ABC"
        try body(context, bag, store, other.save())
    }

    @Test("changes of several entities are merged from one state of the store")
    func mergedTogether() throws {
        try withOutdated { context, bag, store, change in
            store.failReading(1)
            #expect(throws: PausingStore.Unreadable.self) { try context.mergeChanges(of: change) }
            #expect(bag.weight == 1)
            #expect(bag.owner?.familyName == "ZMU")
            store.failReading(2)
            try context.mergeChanges(of: change)
            #expect(bag.weight == 9)
            #expect(bag.owner?.familyName == "ABC")
        }
    }

    @Test("observers are told of what a fetch has brought, also if it then fails", arguments: 1...3)
    func failingFetch(reading: Int) throws {
        try withOutdated { context, bag, store, _ in
            let told = Atomic(0)
            let token = bag.observe(\.weight) { _, _ in told.add(1, ordering: .relaxed) }
            store.failReading(reading)
            let request = FetchRequest(Luggage.self).prefetching(\.owner)
                .prefetching(\.seals)
            let fetched = Result { try context.fetch(request) }
            #expect((try? fetched.get()) == (reading > 2 ? [bag] : nil))
            let isNew = bag.weight == 9
            #expect(isNew == (reading > 1))
            #expect(told.load(ordering: .relaxed) == (isNew ? 1 : 0))
            withExtendedLifetime(token) {}
        }
    }

    @Test("a fetch brings what others have saved", arguments: TestStore.allCases)
    func refresh(store: TestStore) throws {
        try store.withContainer { container in
            let first = container.makeContext()
            let original = Luggage(first, "A1", weight: 1)
            try first.save()
            let local = container.makeContext()
            let luggage = try #require(try local.luggage("A1"))
            original.weight = 2
            try first.save()
            #expect(luggage.weight == 1)
            #expect(try local.luggage("A1") === luggage)
            #expect(luggage.weight == 2)
        }
    }
}
