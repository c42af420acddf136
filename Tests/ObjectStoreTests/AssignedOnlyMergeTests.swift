import Foundation
import ObjectStore
import StoreTesting
import Testing

@Suite("An inserted duplicate merges with the stored object")
struct AssignedOnlyMergeTests {
    private let morning = Date(timeIntervalSince1970: 1_700_000_000)
    private let evening = Date(timeIntervalSince1970: 1_700_040_000)

    /// Stores a bag that has departed.
    private func depart(_ container: PersistentContainer) throws {
        let context = container.makeContext()
        let luggage = Luggage(context, "A1", weight: 20)
        luggage.departedAt = morning
        try context.save()
    }

    @Test("an unassigned property keeps the stored value", arguments: TestStore.allCases)
    func assignedOnly(store: TestStore) throws {
        try store.withContainer { container in
            try depart(container)
            let context = container.makeContext()
            let scanned = Luggage(context, "A1", weight: 21)
            scanned.arrivedAt = evening
            try context.save()

            let check = container.makeContext()
            #expect(try check.count(Luggage.self) == 1)
            let luggage = try #require(try check.luggage("A1"))
            #expect(luggage.departedAt == morning)
            #expect(luggage.arrivedAt == evening)
            #expect(luggage.weight == 21)
        }
    }

    @Test("assigning nil clears the stored value", arguments: TestStore.allCases)
    func explicitNil(store: TestStore) throws {
        try store.withContainer { container in
            try depart(container)
            let context = container.makeContext()
            let scanned = Luggage(context, "A1")
            scanned.departedAt = nil
            try context.save()
            let luggage = try #require(try container.makeContext().luggage("A1"))
            #expect(luggage.departedAt == nil)
            #expect(luggage.weight == 20)
        }
    }

    @Test("overwriting clears what was not assigned", arguments: TestStore.allCases)
    func overwrite(store: TestStore) throws {
        try store.withContainer { container in
            try depart(container)
            let context = container.makeContext(mergePolicy: .overwrite)
            Luggage(context, "A1", weight: 5).arrivedAt = evening
            try context.save()
            let luggage = try #require(try container.makeContext().luggage("A1"))
            #expect(luggage.departedAt == nil)
            #expect(luggage.arrivedAt == evening)
        }
    }

    @Test("a default value is not an assigned one", arguments: TestStore.allCases)
    func defaults(store: TestStore) throws {
        try store.withContainer { container in
            let context = container.makeContext()
            Luggage(context, "A1", weight: 1).priority = 9
            try context.save()
            for policy in [MergePolicy.mergeByPropertyObjectTrump, .mergeByPropertyStoreTrump] {
                let other = container.makeContext(mergePolicy: policy)
                #expect(Luggage(other, "A1").priority == 3)
                try other.save()
                #expect(try container.makeContext().luggage("A1")?.priority == 9)
            }
        }
    }

    @Test("a required value may come from the stored object only", arguments: TestStore.allCases)
    func validatedAfterMerging(store: TestStore) throws {
        try store.withContainer { container in
            try depart(container)
            let context = container.makeContext()
            _ = Luggage(context, "A1")
            try context.save()
            _ = Luggage(context, "A2")
            #expect(throws: ValidationError.self) { try context.save() }
        }
    }

    @Test("a reference to a duplicate leads to the stored object", arguments: TestStore.allCases)
    func nestedDuplicates(store: TestStore) throws {
        try store.withContainer { container in
            let first = container.makeContext()
            let stored = Passenger(first, "D", "ZMU")
            Luggage(first, "A1", weight: 1).owner = stored
            try first.save()

            let second = container.makeContext()
            let luggage = Luggage(second, "A1")
            let duplicate = Passenger(second, "D", "ZMU")
            luggage.owner = duplicate
            try second.save()
            #expect(luggage.owner?.objectID == stored.objectID)
            #expect(duplicate.objectID == stored.objectID)
            let check = container.makeContext()
            #expect(try check.count(Passenger.self) == 1)
            #expect(try check.luggage("A1")?.owner?.objectID == stored.objectID)
        }
    }

    @Test("to-one stays unless assigned, to-many is united", arguments: TestStore.allCases)
    func relationshipsAreKept(store: TestStore) throws {
        try store.withContainer { container in
            let first = container.makeContext()
            Luggage(first, "A1", weight: 1).owner = Passenger(first, "D", "ZMU")
            try first.save()

            let second = container.makeContext()
            _ = Luggage(second, "A1")
            let owner = Passenger(second, "D", "ZMU")
            Luggage(second, "A2", weight: 2).owner = owner
            try second.save()
            #expect(Set(owner.luggage.map(\.tag)) == ["A1", "A2"])
        }
    }

    @Test(
        "a losing handle stands for the winner and reads its values",
        arguments: TestStore.allCases
    )
    func forwarding(store: TestStore) throws {
        try store.withContainer { container in
            try depart(container)
            let context = container.makeContext()
            let stored = try #require(try context.luggage("A1"))
            let scanned = Luggage(context, "A1", note: "seen")
            #expect(scanned.objectID.isProvisional)
            let result = try context.save()
            #expect(scanned.objectID == stored.objectID)
            #expect(scanned.departedAt == morning)
            #expect(stored.note == "seen")
            #expect(result.change(of: scanned)?.kind == .updated)
            scanned.note = "again"
            #expect(stored.note == "again")
        }
    }

    @Test("two tags of one passenger in one save make one passenger", arguments: TestStore.allCases)
    func pendingDuplicates(store: TestStore) throws {
        try store.withContainer { container in
            let context = container.makeContext()
            let first = Luggage(context, "A1", weight: 1)
            first.owner = Passenger(context, "D", "ZMU")
            let second = Luggage(context, "A2", weight: 1)
            second.owner = Passenger(context, "D", "ZMU")
            try context.save()
            #expect(first.owner?.objectID == second.owner?.objectID)
            #expect(try container.makeContext().count(Passenger.self) == 1)
        }
    }

    @Test("declared combinations do not depend on the order", arguments: TestStore.allCases)
    func combinations(store: TestStore) throws {
        for order in [[5, 9, 2], [9, 5, 2], [2, 9, 5], [5, 2, 9]] {
            for saves in [[0..<3], [0..<1, 1..<2, 2..<3], [0..<2, 2..<3]] {
                try store.withContainer { container in
                    for save in saves {
                        let context = container.makeContext()
                        for value in order[save] {
                            let luggage = Luggage(context, "A1", weight: 1)
                            luggage.heaviest = value
                            luggage.lightest = value
                            luggage.original = value
                        }
                        try context.save()
                    }
                    let luggage = try #require(try container.makeContext().luggage("A1"))
                    #expect(luggage.heaviest == 9)
                    #expect(luggage.lightest == 2)
                    #expect(luggage.original == order[0])
                }
            }
        }
    }
}
