import Foundation
import ObjectStore
import StoreTesting
import Testing

@Suite("Figures about objects")
struct AggregateTests {
    private func fill(_ container: PersistentContainer) throws -> ManagedObjectContext {
        let writer = container.makeContext()
        for (tag, weight, note) in [("A", 1.5, "x"), ("B", 2.5, nil), ("C", 8, "x")] {
            _ = Luggage(writer, tag, weight: weight, note: note)
        }
        try writer.save()
        let context = container.makeContext()
        // Not saved: it counts too.
        _ = Luggage(context, "D", weight: 4, note: "y")
        try context.delete(#require(try context.luggage("C")))
        return context
    }

    @Test("count what is saved and what is not", arguments: TestStore.allCases)
    func figures(store: TestStore) throws {
        try store.withContainer { container in
            let context = try fill(container)
            #expect(try context.sum(of: \Luggage.weight) == 8)
            #expect(try context.average(of: \Luggage.weight) == 8.0 / 3)
            #expect(try context.minimum(of: \Luggage.weight) == 1.5)
            #expect(try context.maximum(of: \Luggage.weight) == 4)
            #expect(try context.distinctValues(of: \Luggage.note) == [nil, "x", "y"])
            #expect(try context.counts(by: \Luggage.note) == ["x": 1, "y": 1, nil: 1])
            let heavy = FetchRequest(Luggage.self, predicate: #Predicate { $0.weight > 2 })
            #expect(try context.sum(of: \Luggage.weight, heavy) == 6.5)
            #expect(try context.exists(heavy))
        }
    }

    @Test("of nothing are nothing", arguments: TestStore.allCases)
    func nothing(store: TestStore) throws {
        try store.withContainer { container throws in
            let context = container.makeContext()
            #expect(try context.sum(of: \Luggage.weight) == 0)
            #expect(try context.average(of: \Luggage.heaviest) == nil)
            #expect(try context.minimum(of: \Luggage.weight) == nil)
            #expect(try context.maximum(of: \Luggage.departedAt) == nil)
            #expect(try context.counts(by: \Luggage.note).isEmpty)
            #expect(try !context.exists(FetchRequest(Luggage.self)))
        }
    }
}

@Suite("Refreshing")
struct RefreshTests {
    @Test(
        "brings what others have saved, and keeps what was assigned here",
        arguments: TestStore.allCases
    )
    func keeping(store: TestStore) throws {
        try store.withContainer { container in
            let context = container.makeContext(mergePolicy: .error)
            let luggage = Luggage(context, "A", weight: 1, note: "old")
            try context.save()
            let other = container.makeContext()
            let theirs = try #require(try other.luggage("A"))
            theirs.weight = 5
            theirs.note = "theirs"
            try other.save()

            luggage.note = "mine"
            try context.refresh(luggage)
            #expect(luggage.weight == 5)
            #expect(luggage.note == "mine")
            // The row is as it was read, so this is no conflict.
            try context.save()
            try context.refresh(luggage, keepingChanges: false)
            #expect(luggage.note == "mine")
            luggage.note = "dropped"
            try context.refresh(luggage, keepingChanges: false)
            #expect(luggage.note == "mine")
            #expect(!context.hasChanges)
        }
    }

    @Test("finds that an object is gone", arguments: TestStore.allCases)
    func gone(store: TestStore) throws {
        try store.withContainer { container in
            let context = container.makeContext()
            let luggage = Luggage(context, "A", weight: 1)
            try context.save()
            let other = container.makeContext()
            try other.delete(#require(try other.luggage("A")))
            try other.save()
            try context.refresh(luggage, keepingChanges: false)
            #expect(luggage.isDeleted)
        }
    }
}

@Suite("A closure as merge policy")
struct CustomPolicyTests {
    @Test("settles each kind of conflict", arguments: TestStore.allCases)
    func settles(store: TestStore) throws {
        try store.withContainer { container in
            let heaviest = MergePolicy.custom { conflict, resolution in
                let weights = [conflict.object, conflict.stored].compactMap { snapshot in
                    snapshot.flatMap { container.model.value(\Luggage.weight, in: $0) }
                }
                resolution[\Luggage.weight] = weights.max() ?? 0
            }
            let first = container.makeContext(mergePolicy: heaviest)
            _ = Luggage(first, "A", weight: 3)
            _ = Luggage(first, "A", weight: 7)
            _ = Luggage(first, "A", weight: 5)
            try first.save()
            #expect(try container.makeContext().luggage("A")?.weight == 7)

            let second = container.makeContext(mergePolicy: heaviest)
            let stale = try #require(try second.luggage("A"))
            let third = container.makeContext(mergePolicy: heaviest)
            Luggage(third, "A", weight: 6).note = "added"
            try third.save()
            stale.weight = 4
            try second.save()
            let kept = try #require(try container.makeContext().luggage("A"))
            #expect(kept.weight == 7)
            #expect(kept.note == "added")
        }
    }

    @Test("can refuse", arguments: TestStore.allCases)
    func refuses(store: TestStore) throws {
        try store.withContainer { container in
            let first = container.makeContext()
            _ = Luggage(first, "A", weight: 3)
            try first.save()
            let second = container.makeContext(mergePolicy: .custom { $1.isRefused = true })
            _ = Luggage(second, "A", weight: 4)
            #expect(throws: MergeConflictError.self) { try second.save() }
            #expect(try container.makeContext().luggage("A")?.weight == 3)
        }
    }
}
