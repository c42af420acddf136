import ObjectStore
import StoreTesting
import Testing

@Suite("How the values of an attribute combine")
struct AttributeCombinationTests {
    /// What becomes of attributes that combine: of the greatest and of the smallest of 5 and 3, where
    /// 5 comes first, and where 3 does.
    @Test(
        "attributes combine under the policies that merge by property, and under no other",
        arguments: TestStore.allCases,
        [
            (MergePolicy.mergeByPropertyStoreTrump, [5, 3], [5, 3]),
            (.mergeByPropertyObjectTrump, [5, 3], [5, 3]),
            (.overwrite, [3, 3], [5, 5]),
            (.rollback, [5, 5], [3, 3]),
        ]
    )
    func combining(
        store: TestStore,
        row: (policy: MergePolicy, falling: [Int], rising: [Int])
    ) throws {
        for (values, expected) in [((5, 3), row.falling), ((3, 5), row.rising)] {
            func insert(_ value: Int, _ context: ManagedObjectContext) {
                let luggage = Luggage(context, "A1", weight: 1)
                luggage.heaviest = value
                luggage.lightest = value
            }
            func check(_ container: PersistentContainer, _ place: Comment) throws {
                let stored = try #require(try container.makeContext().luggage("A1"))
                #expect([stored.heaviest, stored.lightest] == expected, place)
            }
            try store.withContainer { container in
                let context = container.makeContext(mergePolicy: row.policy)
                insert(values.0, context)
                try context.save()
                let other = container.makeContext(mergePolicy: row.policy)
                insert(values.1, other)
                try other.save()
                try check(container, "stored")
            }
            try store.withContainer { container in
                let context = container.makeContext(mergePolicy: row.policy)
                insert(values.0, context)
                insert(values.1, context)
                try context.save()
                try check(container, "pending")
            }
            try store.withContainer { container in
                let first = container.makeContext()
                let luggage = Luggage(first, "A1", weight: 1)
                try first.save()
                let context = container.makeContext(mergePolicy: row.policy)
                let known = try #require(try context.luggage("A1"))
                known.heaviest = values.1
                known.lightest = values.1
                luggage.heaviest = values.0
                luggage.lightest = values.0
                try first.save()
                try context.save()
                try check(container, "changed")
            }
        }
    }
}
