import ObjectStore
import StoreTesting
import Testing

@Suite("Uniqueness constraints")
struct ConstraintTests {
    @Test("rows without a part of the key coexist", arguments: TestStore.allCases)
    func missingPart(store: TestStore) throws {
        try store.withContainer { container in
            let context = container.makeContext()
            let luggage = Luggage(context, "A1", weight: 1)
            _ = Seal(context, nil, on: luggage)
            _ = Seal(context, nil, on: luggage)
            _ = Seal(context, 1, on: nil)
            _ = Seal(context, 1, on: nil)
            try context.save()
            #expect(try container.makeContext().count(Seal.self) == 4)
        }
    }

    @Test("a reference in a key is compared after merging", arguments: TestStore.allCases)
    func referenceInKey(store: TestStore) throws {
        try store.withContainer { container in
            for _ in 0..<3 {
                let context = container.makeContext()
                _ = Seal(context, 1, on: Luggage(context, "A1", weight: 1))
                _ = Seal(context, 1, on: Luggage(context, "A1", weight: 1))
                _ = Seal(context, 2, on: Luggage(context, "A2", weight: 1))
                try context.save()
            }
            let check = container.makeContext()
            #expect(try check.count(Seal.self) == 2)
            #expect(try check.count(Luggage.self) == 2)
        }
    }

    @Test("unique values change hands in one save", arguments: TestStore.allCases, 2...4)
    func rotation(store: TestStore, count: Int) throws {
        try store.withContainer { container in
            let context = container.makeContext()
            let bags = (0..<count).map { Luggage(context, "A\($0)", weight: Double($0)) }
            try context.save()
            for (index, bag) in bags.enumerated() { bag.tag = "A\((index + 1) % count)" }
            try context.save()
            let check = container.makeContext()
            for index in 0..<count {
                let luggage = try #require(try check.luggage("A\((index + 1) % count)"))
                #expect(luggage.weight == Double(index))
                #expect(luggage.objectID == bags[index].objectID)
            }
        }
    }

    @Test(
        "a value that an edit frees can be inserted in the same save",
        arguments: TestStore.allCases
    )
    func freedValue(store: TestStore) throws {
        try store.withContainer { container in
            let context = container.makeContext()
            let old = Luggage(context, "A1", weight: 1)
            try context.save()
            old.tag = "A2"
            let new = Luggage(context, "A1", weight: 2)
            try context.save()
            #expect(old.objectID != new.objectID)
            #expect(try container.makeContext().luggage("A1")?.weight == 2)
            #expect(try container.makeContext().luggage("A2")?.weight == 1)
        }
    }

    @Test("deleting and inserting the same key makes a new row", arguments: TestStore.allCases)
    func deleteThenInsert(store: TestStore) throws {
        try store.withContainer { container in
            let context = container.makeContext()
            let old = Luggage(context, "A1", weight: 1, note: "old")
            try context.save()
            let oldID = old.objectID
            try context.delete(old)
            let new = Luggage(context, "A1", weight: 2)
            try context.save()
            #expect(new.objectID.key > oldID.key)
            #expect(old.isDeleted)
            let check = container.makeContext()
            #expect(try check.count(Luggage.self) == 1)
            #expect(try check.luggage("A1")?.note == nil)
            #expect(try check.existingObject(Luggage.self, id: oldID) == nil)
        }
    }

    @Test("two stored objects never become one", arguments: TestStore.allCases, MergePolicy.all)
    func storedCollision(store: TestStore, policy: MergePolicy) throws {
        try store.withContainer { container in
            let context = container.makeContext(mergePolicy: policy)
            let first = Luggage(context, "A1", weight: 1)
            let second = Luggage(context, "A2", weight: 2)
            try context.save()
            second.tag = "A1"
            #expect(throws: MergeConflictError.self) { try context.save() }
            first.weight = 3
            #expect(throws: MergeConflictError.self) { try context.save() }
            second.tag = "A3"
            try context.save()
        }
    }

    @Test("an object that means two stored rows is a conflict", arguments: TestStore.allCases)
    func twoRows(store: TestStore) throws {
        try store.withContainer { container in
            let context = container.makeContext()
            Passenger(context, "D", "ZMU").card = 1
            Passenger(context, "E", "ZMU").card = 2
            try context.save()
            let other = container.makeContext()
            Passenger(other, "D", "ZMU").card = 2
            let error = #expect(throws: MergeConflictError.self) { try other.save() }
            #expect(error?.conflicts.count == 1)
            // Stored values win: nothing is left to collide.
            other.mergePolicy = .mergeByPropertyStoreTrump
            try other.save()
            #expect(try container.makeContext().count(Passenger.self) == 2)
        }
    }

    @Test("two pending objects that mean one row by two constraints", arguments: TestStore.allCases)
    func twoConstraints(store: TestStore) throws {
        try store.withContainer { container in
            let first = container.makeContext()
            let stored = Passenger(first, "D", "ZMU")
            stored.card = 7
            try first.save()
            let context = container.makeContext()
            let byName = Passenger(context, "D", "ZMU")
            let byCard = Passenger(context: context)
            byCard.card = 7
            byCard.phone = "1"
            Luggage(context, "A1", weight: 1).owner = byCard
            try context.save()
            #expect(byName.objectID == stored.objectID)
            #expect(byCard.objectID == stored.objectID)
            let check = container.makeContext()
            #expect(try check.count(Passenger.self) == 1)
            #expect(try check.luggage("A1")?.owner?.phone == "1")
        }
    }

    @Test("merging that makes a new key meets the row that has it", arguments: TestStore.allCases)
    func newKeyByMerging(store: TestStore) throws {
        try store.withContainer { container in
            let first = container.makeContext()
            Passenger(first, "A", "ZMU").card = 7
            _ = Passenger(first, "B", "ZMU")
            try first.save()
            let context = container.makeContext()
            let inserted = Passenger(context: context)
            inserted.card = 7
            inserted.givenName = "B"
            // Now it is "B" from here and "ZMU" from the first row, as the second row is.
            #expect(throws: MergeConflictError.self) { try context.save() }
            inserted.givenName = "C"
            try context.save()
            let names = try container.makeContext().fetch(FetchRequest(Passenger.self))
            #expect(names.map(\.givenName) == ["C", "B"])
        }
    }

    @Test(
        "an edited row keeps its values though a duplicate was inserted before it was read",
        arguments: TestStore.allCases,
        [MergePolicy.mergeByPropertyObjectTrump, .mergeByPropertyStoreTrump]
    )
    func insertedBeforeReading(store: TestStore, policy: MergePolicy) throws {
        try store.withContainer { container in
            let first = container.makeContext()
            let stored = Luggage(first, "A1", weight: 1, note: "stored")
            stored.heaviest = 9
            try first.save()
            let context = container.makeContext(mergePolicy: policy)
            let inserted = Luggage(context, "A2")
            inserted.place = "here"
            inserted.heaviest = 5
            let edited = try #require(try context.luggage("A1"))
            edited.tag = "A2"
            try context.save()
            #expect(inserted.objectID == stored.objectID)
            let luggage = try #require(try container.makeContext().luggage("A2"))
            #expect(luggage.note == "stored")
            #expect(luggage.weight == 1)
            #expect(luggage.place == "here")
            #expect(luggage.heaviest == 9)
        }
    }

    @Test(
        "keys are equal when their bytes are",
        arguments: TestStore.allCases,
        [
            ("caf\u{E9}", "cafe\u{301}"), ("a", "A"), ("a", "a "), ("", " "), ("1", "01"),
            ("\u{FEFF}a", "a"), ("\u{1F9F3}", "\u{1F9F3}\u{FE0F}"), ("\r\n", "\n"),
        ]
    )
    func bytes(store: TestStore, tags: (String, String)) throws {
        try store.withContainer { container in
            for _ in 0..<2 {
                let context = container.makeContext()
                _ = Luggage(context, tags.0, weight: 1)
                _ = Luggage(context, tags.1, weight: 2)
                try context.save()
            }
            let check = container.makeContext()
            #expect(try check.count(Luggage.self) == 2)
            #expect(try check.luggage(tags.0)?.weight == 1)
            #expect(try check.luggage(tags.1)?.weight == 2)
        }
    }
}
