import ObjectStore
import StoreTesting
import Testing

@Suite("Relationships")
struct RelationshipTests {
    @Test("a new owner has the bag and the old one has not", arguments: TestStore.allCases)
    func inverses(store: TestStore) throws {
        try store.withContainer { container in
            let context = container.makeContext()
            let (first, second) = (Passenger(context, "D", "ZMU"), Passenger(context, "E", "ABC"))
            let luggage = Luggage(context, "A1", weight: 1)
            for isSaved in [false, true] {
                luggage.owner = first
                #expect(first.luggage == [luggage])
                if isSaved { try context.save() }
                luggage.owner = second
                #expect(first.luggage.isEmpty)
                #expect(second.luggage == [luggage])
                if isSaved { try context.save() }
                luggage.owner = nil
                #expect(second.luggage.isEmpty)
            }
        }
    }

    @Test("writing the many makes exactly those point here", arguments: TestStore.allCases)
    func writingMany(store: TestStore) throws {
        try store.withContainer { container in
            let context = container.makeContext()
            let owner = Passenger(context, "D", "ZMU")
            let bags = (0..<4).map { Luggage(context, "A\($0)", weight: 1) }
            owner.luggage = [bags[0], bags[1]]
            try context.save()
            owner.luggage = [bags[1], bags[2], bags[2]]
            try context.save()
            let check = container.makeContext()
            let stored = try #require(try check.first(FetchRequest(Passenger.self)))
            #expect(stored.luggage.map(\.tag) == ["A1", "A2"])
            stored.luggage = []
            try check.save()
            #expect(try container.makeContext().luggage("A1")?.owner == nil)
        }
    }

    @Test("nullify clears the references, saved or not", arguments: TestStore.allCases)
    func nullify(store: TestStore) throws {
        try store.withContainer { container in
            let context = container.makeContext()
            let owner = Passenger(context, "D", "ZMU")
            let saved = Luggage(context, "A1", weight: 1)
            saved.owner = owner
            try context.save()
            let pending = Luggage(context, "A2", weight: 1)
            pending.owner = owner
            try context.delete(owner)
            #expect(saved.owner == nil)
            #expect(pending.owner == nil)
            try context.save()
            #expect(try container.makeContext().luggage("A1")?.owner == nil)
        }
    }

    @Test("cascade deletes what belongs to it", arguments: TestStore.allCases)
    func cascade(store: TestStore) throws {
        try store.withContainer { container in
            let context = container.makeContext()
            let luggage = Luggage(context, "A1", weight: 1)
            let seals = (0..<3).map { Seal(context, $0, on: luggage) }
            _ = Seal(context, 7, on: nil)
            try context.save()
            try context.delete(luggage)
            #expect(seals.allSatisfy { $0.isDeleted })
            try context.save()
            #expect(try container.makeContext().count(Seal.self) == 1)
        }
    }

    @Test("a circle of cascades comes to an end", arguments: TestStore.allCases, 1...4)
    func circle(store: TestStore, count: Int) throws {
        try store.withContainer { container in
            let context = container.makeContext()
            let parts = (0..<count).map { _ in Part(context: context) }
            for (index, part) in parts.enumerated() {
                part.name = "\(index)"
                part.whole = parts[(index + 1) % count]
            }
            try context.save()
            let check = container.makeContext()
            try check.delete(try #require(try check.first(FetchRequest(Part.self))))
            try check.save()
            #expect(try container.makeContext().count(Part.self) == 0)
        }
    }

    @Test("deny refuses and deletes nothing", arguments: TestStore.allCases)
    func deny(store: TestStore) throws {
        try store.withContainer { container in
            let context = container.makeContext()
            let payer = Passenger(context, "D", "ZMU")
            let deposit = Deposit(context: context)
            deposit.payer = payer
            let luggage = Luggage(context, "A1", weight: 1)
            luggage.owner = payer
            try context.save()
            let error = #expect(throws: DeleteDeniedError.self) { try context.delete(payer) }
            #expect(error?.relationship == "Deposit.payer")
            #expect(error?.count == 1)
            #expect(!payer.isDeleted)
            #expect(luggage.owner === payer)
            #expect(!context.hasChanges)
            try context.delete(deposit)
            try context.delete(payer)
            try context.save()
        }
    }

    @Test("a reference to an object of no row is refused", arguments: TestStore.allCases)
    func neverStored(store: TestStore) throws {
        try store.withContainer { container in
            let context = container.makeContext()
            let stranger = Passenger(container.makeContext(), "D", "ZMU")
            let luggage = Luggage(context, "A1", weight: 1)
            luggage.owner = stranger
            #expect(throws: ValidationError.self) { try context.save() }
            let dropped = Passenger(context, "E", "ABC")
            try context.delete(dropped)
            luggage.owner = dropped
            #expect(throws: ValidationError.self) { try context.save() }
            luggage.owner = nil
            try context.save()
            #expect(try container.makeContext().count(Passenger.self) == 0)
        }
    }

    @Test("a required relationship must have a target", arguments: TestStore.allCases)
    func required(store: TestStore) throws {
        try store.withContainer { container in
            let context = container.makeContext()
            let deposit = Deposit(context: context)
            let error = #expect(throws: ValidationError.self) { try context.save() }
            #expect(error?.description == "Deposit.payer is required, and missing")
            deposit.payer = Passenger(context, "D", "ZMU")
            try context.save()
        }
    }
}
