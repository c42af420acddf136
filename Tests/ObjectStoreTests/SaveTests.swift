import Foundation
import ObjectStore
import StoreTesting
import Testing

@Suite("Saving is all or nothing")
struct SaveTests {
    @Test("one error lists every rule that is broken", arguments: TestStore.allCases)
    func validation(store: TestStore) throws {
        try store.withContainer { container in
            let context = container.makeContext()
            _ = Luggage(context, "A1", weight: -1)
            _ = Passenger(context, "DD", "ZMU")
            _ = Luggage(context: context)
            let error = try #require(
                #expect(throws: ValidationError.self) { try context.save() }
            )
            #expect(
                Set(error.failures.map { "\($0.entity).\($0.property)" }) == [
                    "Luggage.weight", "Passenger.givenName", "Luggage.tag",
                ]
            )
            #expect(error.failures.count == 4)
            #expect(error.description.contains("Luggage.weight must be at least 0.0, not -1.0"))
        }
    }

    @Test("an error about a crowd names twenty of them, and says how many more there are")
    func crowd() throws {
        try TestStore.allCases[0].withContainer { container in
            let context = container.makeContext()
            for number in 1...500 { _ = Luggage(context, "A\(number)", weight: -1) }
            let error = try #require(
                #expect(throws: ValidationError.self) { try context.save() }
            )
            #expect(error.failures.count == 500)
            let lines = error.description.split(separator: "\n")
            #expect(lines.count == 21)
            #expect(lines.last == "and 480 more")
        }
    }

    @Test("rows are stored whichever of their values change", arguments: TestStore.allCases)
    func unlikeChanges(store: TestStore) throws {
        try store.withContainer { container in
            let context = container.makeContext()
            let owners = ["ZMU", "ABC"].map { Passenger(context, "D", $0) }
            let bags = (0..<6).map { Luggage(context, "A\($0)", weight: 1) }
            for bag in bags { bag.owner = owners[0] }
            try context.save()
            // Beside all indices; a unique value; a reference; and of others a unique value in turn.
            for (place, bag) in bags.enumerated() { bag.weight = Double(2 + place) }
            bags[1].tag = "B1"
            bags[2].owner = owners[1]
            (bags[3].tag, bags[4].tag) = ("A4", "A3")
            bags[5].owner = nil
            try context.save()
            bags[0].tag = "A1"
            bags[1].note = "edited"
            try context.save()

            let stored = try container.makeContext()
                .fetch(FetchRequest(Luggage.self).sorted(by: \.weight))
            #expect(stored.map(\.tag) == ["A1", "B1", "A2", "A4", "A3", "A5"])
            #expect(stored.map(\.weight) == [2, 3, 4, 5, 6, 7])
            let names = stored.map { $0.owner?.familyName }
            #expect(names == ["ZMU", "ZMU", "ABC", "ZMU", "ZMU", nil])
            #expect(stored[1].note == "edited")
        }
    }

    @Test("a failed save leaves the pending objects to be mended", arguments: TestStore.allCases)
    func failedSave(store: TestStore) throws {
        try store.withContainer { container in
            let context = container.makeContext()
            let kept = Luggage(context, "A0", weight: 1)
            try context.save()
            let luggage = Luggage(context, "A1", weight: -1)
            let owner = Passenger(context, "D", "ZMU")
            luggage.owner = owner
            kept.note = "edited"
            let seal = Seal(context, 1, on: kept)
            #expect(throws: ValidationError.self) { try context.save() }

            #expect(context.hasChanges)
            #expect(luggage.objectID.isProvisional)
            #expect(luggage.owner === owner)
            #expect(kept.note == "edited")
            #expect(kept.seals == [seal])
            let check = container.makeContext()
            #expect(try check.count(Luggage.self) == 1)
            #expect(try check.count(Passenger.self) == 0)
            #expect(try check.luggage("A0")?.note == nil)

            luggage.weight = 1
            try context.save()
            #expect(try container.makeContext().luggage("A1")?.owner?.objectID == owner.objectID)
            #expect(try container.makeContext().luggage("A0")?.note == "edited")
        }
    }

    @Test("rolling back gives the last saved objects", arguments: TestStore.allCases)
    func rollback(store: TestStore) throws {
        try store.withContainer { container in
            let context = container.makeContext()
            let (kept, deleted) = (
                Luggage(context, "A1", weight: 1), Luggage(context, "A2", weight: 2)
            )
            kept.owner = Passenger(context, "D", "ZMU")
            try context.save()
            kept.weight = 5
            kept.owner = nil
            try context.delete(deleted)
            let inserted = Luggage(context, "A3", weight: 3)
            #expect(try context.count(Luggage.self) == 2)
            context.rollback()
            #expect(!context.hasChanges)
            #expect(kept.weight == 1)
            #expect(kept.owner?.familyName == "ZMU")
            #expect(!deleted.isDeleted)
            #expect(inserted.isDeleted)
            #expect(Set(try context.fetch(FetchRequest(Luggage.self))) == [kept, deleted])
            #expect(try context.save().changes.isEmpty)
        }
    }

    @Test("writing to an object that is gone changes nothing", arguments: TestStore.allCases)
    func writingToNothing(store: TestStore) throws {
        try store.withContainer { container in
            let context = container.makeContext()
            let luggage = Luggage(context, "A1", weight: 1)
            context.rollback()
            luggage.weight = 2
            #expect(luggage.weight == 0)
            #expect(luggage.owner == nil)
            #expect(luggage.seals.isEmpty)
            #expect(!context.hasChanges)
            try context.save()
            #expect(try context.count(Luggage.self) == 0)
        }
    }

    @Test(
        "what SQLite could not give back is refused everywhere",
        arguments: TestStore.allCases,
        [
            ("double", "is not a number"), ("float", "is not a number"),
            ("date", "is not a number"), ("text", "contains a NUL character"),
        ]
    )
    func notStorable(store: TestStore, row: (property: String, reason: String)) throws {
        try store.withContainer { container in
            let context = container.makeContext()
            let sample = Sample(context: context)
            switch row.property {
            case "double": sample.double = .nan
            case "float": sample.float = -.nan
            case "date": sample.date = Date(timeIntervalSince1970: .nan)
            default: sample.text = "a\0b"
            }
            let error = #expect(throws: ValidationError.self) { try context.save() }
            #expect(error?.failures.map(\.property) == [row.property])
            #expect(error?.failures.map(\.reason) == [row.reason])
            let count = try container.makeContext().count(Sample.self)
            #expect(count == 0)
        }
    }

    @Test("a key that ends at a NUL is not taken for a shorter one", arguments: TestStore.allCases)
    func keyWithNUL(store: TestStore) throws {
        try store.withContainer { container in
            let context = container.makeContext()
            _ = Luggage(context, "A1", weight: 1)
            try context.save()
            _ = Luggage(context, "A1\0", weight: 2)
            #expect(throws: ValidationError.self) { try context.save() }
            #expect(try container.makeContext().luggage("A1")?.weight == 1)
        }
    }

    @Test("the result tells what happened to each object", arguments: TestStore.allCases)
    func result(store: TestStore) throws {
        try store.withContainer { container in
            let context = container.makeContext()
            let bags = (0..<3).map { Luggage(context, "A\($0)", weight: Double($0)) }
            let inserted = try context.save()
            #expect(bags.allSatisfy { inserted.change(of: $0)?.kind == .inserted })
            bags[0].weight = 9
            bags[1].weight = 1
            try context.delete(bags[2])
            let changed = try context.save()
            #expect(bags.map { changed.change(of: $0)?.kind } == [.updated, .unchanged, .deleted])
            let before = try #require(changed.change(of: bags[0])?.before)
            #expect(context.model.value(\Luggage.weight, in: before) == 0)
            #expect(context.model.value(\Passenger.phone, in: before) == .none)
        }
    }
}
