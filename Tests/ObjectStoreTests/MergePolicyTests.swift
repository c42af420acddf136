import ObjectStore
import StoreTesting
import Testing

/// What a save under a policy is to leave; nil where it is to throw.
struct PolicyRow: Sendable, CustomTestStringConvertible {
    struct Values: Equatable {
        var note: String?
        var weight: Double
        var priority: Int
        var place: String?
    }

    let policy: MergePolicy
    let expected: Values?

    init(_ policy: MergePolicy, _ expected: Values?) {
        self.policy = policy
        self.expected = expected
    }

    var testDescription: String { "\(policy)" }
}

@Suite("Each policy settles each kind of conflict")
struct MergePolicyTests {
    private func values(_ container: PersistentContainer) throws -> PolicyRow.Values {
        let context = container.makeContext()
        #expect(try context.count(Luggage.self) == 1)
        let luggage = try #require(try context.luggage("A1"))
        return PolicyRow.Values(
            note: luggage.note,
            weight: luggage.weight,
            priority: luggage.priority,
            place: luggage.place
        )
    }

    /// Saves, and checks what is stored then.
    private func save(
        _ context: ManagedObjectContext,
        _ container: PersistentContainer,
        _ row: PolicyRow,
        sourceLocation: SourceLocation = #_sourceLocation
    ) throws -> MergeConflictError? {
        guard let expected = row.expected else {
            let error = #expect(throws: MergeConflictError.self, sourceLocation: sourceLocation) {
                try context.save()
            }
            #expect(context.hasChanges, sourceLocation: sourceLocation)
            return error
        }
        try context.save()
        #expect(!context.hasChanges, sourceLocation: sourceLocation)
        let stored = try values(container)
        #expect(stored == expected, sourceLocation: sourceLocation)
        return nil
    }

    @Test(
        "a row that somebody else has changed",
        arguments: TestStore.allCases,
        [
            PolicyRow(.error, nil),
            PolicyRow(
                .mergeByPropertyStoreTrump,
                .init(note: "remote", weight: 3, priority: 2, place: nil)
            ),
            PolicyRow(
                .mergeByPropertyObjectTrump,
                .init(note: "local", weight: 3, priority: 2, place: nil)
            ),
            PolicyRow(.overwrite, .init(note: "local", weight: 3, priority: 1, place: "base")),
            PolicyRow(.rollback, .init(note: "remote", weight: 1, priority: 2, place: nil)),
        ]
    )
    func changedRow(store: TestStore, row: PolicyRow) throws {
        try store.withContainer { container in
            let first = container.makeContext()
            let original = Luggage(first, "A1", weight: 1, note: "base")
            original.priority = 1
            original.place = "base"
            try first.save()

            let local = container.makeContext(mergePolicy: row.policy)
            let luggage = try #require(try local.luggage("A1"))
            luggage.note = "local"
            luggage.weight = 3
            original.note = "remote"
            original.priority = 2
            original.place = nil
            try first.save()

            let error = try save(local, container, row)
            guard row.expected == nil else { return }
            let conflict = try #require(error?.conflicts.first)
            #expect(error?.conflicts.count == 1)
            let stored = try #require(conflict.stored)
            let cached = try #require(conflict.cached)
            let model = local.model
            #expect(model.value(\Luggage.note, in: conflict.object) == "local")
            #expect(model.value(\Luggage.note, in: stored) == "remote")
            #expect(model.value(\Luggage.note, in: cached) == "base")
        }
    }

    @Test(
        "an insertion that meets a stored row",
        arguments: TestStore.allCases,
        [
            PolicyRow(.error, nil),
            PolicyRow(
                .mergeByPropertyStoreTrump,
                .init(note: "stored", weight: 1, priority: 2, place: "here")
            ),
            PolicyRow(
                .mergeByPropertyObjectTrump,
                .init(note: "new", weight: 5, priority: 2, place: "here")
            ),
            PolicyRow(.overwrite, .init(note: "new", weight: 5, priority: 3, place: "here")),
            PolicyRow(.rollback, .init(note: "stored", weight: 1, priority: 2, place: nil)),
        ]
    )
    func storedDuplicate(store: TestStore, row: PolicyRow) throws {
        try store.withContainer { container in
            let first = container.makeContext()
            let stored = Luggage(first, "A1", weight: 1, note: "stored")
            stored.priority = 2
            try first.save()

            let context = container.makeContext(mergePolicy: row.policy)
            let inserted = Luggage(context, "A1", weight: 5, note: "new")
            inserted.place = "here"
            let error = try save(context, container, row)
            if row.expected == nil {
                #expect(error?.conflicts.first?.stored?.id == stored.objectID)
                #expect(inserted.objectID.isProvisional)
            } else {
                #expect(inserted.objectID == stored.objectID)
            }
        }
    }

    @Test(
        "two pending objects with the same unique values",
        arguments: TestStore.allCases,
        [
            PolicyRow(.error, nil),
            PolicyRow(
                .mergeByPropertyStoreTrump,
                .init(note: "first", weight: 1, priority: 1, place: "here")
            ),
            PolicyRow(
                .mergeByPropertyObjectTrump,
                .init(note: "second", weight: 2, priority: 1, place: "here")
            ),
            PolicyRow(.overwrite, .init(note: "second", weight: 2, priority: 3, place: "here")),
            PolicyRow(.rollback, .init(note: "first", weight: 1, priority: 1, place: nil)),
        ]
    )
    func pendingDuplicates(store: TestStore, row: PolicyRow) throws {
        try store.withContainer { container in
            let context = container.makeContext(mergePolicy: row.policy)
            let first = Luggage(context, "A1", weight: 1, note: "first")
            first.priority = 1
            let second = Luggage(context, "A1", weight: 2, note: "second")
            second.place = "here"
            _ = try save(context, container, row)
            #expect((first.objectID == second.objectID) == (row.expected != nil))
        }
    }

    @Test("under error, every conflict of a save is listed", arguments: TestStore.allCases)
    func allConflicts(store: TestStore) throws {
        try store.withContainer { container in
            let first = container.makeContext()
            let original = Luggage(first, "A1", weight: 1)
            _ = Luggage(first, "A2", weight: 1)
            try first.save()
            let local = container.makeContext(mergePolicy: .error)
            try #require(try local.luggage("A1")).weight = 2
            original.weight = 3
            try first.save()
            _ = Luggage(local, "A2", weight: 1)
            _ = Passenger(local, "D", "ZMU")
            _ = Passenger(local, "D", "ZMU")
            let error = #expect(throws: MergeConflictError.self) { try local.save() }
            #expect(error?.conflicts.count == 3)
            #expect(error?.description.contains("same givenName and familyName") == true)
        }
    }

    @Test(
        "under error, each duplicate is listed, and the row it meets",
        arguments: TestStore.allCases
    )
    func everyDuplicate(store: TestStore) throws {
        try store.withContainer { container in
            let context = container.makeContext(mergePolicy: .error)
            for weight in 1...4 { _ = Luggage(context, "A1", weight: Double(weight)) }
            let error = #expect(throws: MergeConflictError.self) { try context.save() }
            #expect(error?.conflicts.count == 3)

            let other = container.makeContext()
            let stored = Luggage(other, "A1", weight: 9)
            try other.save()
            let second = #expect(throws: MergeConflictError.self) { try context.save() }
            #expect(second?.conflicts.count == 4)
            #expect(second?.conflicts.contains { $0.stored?.id == stored.objectID } == true)
        }
    }
}
