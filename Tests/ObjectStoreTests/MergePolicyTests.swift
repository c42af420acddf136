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

    private func onlyConflict(_ error: MergeConflictError?) throws -> MergeConflict {
        let conflicts = try #require(error).conflicts
        #expect(conflicts.count == 1)
        return try #require(conflicts.first)
    }

    /// A snapshot in words: identity, note, weight, priority and place.
    private func picture(_ snapshot: Snapshot?, _ context: ManagedObjectContext) -> String? {
        guard let snapshot else { return nil }
        func value<Value: AttributeConvertible>(_ keyPath: KeyPath<Luggage, Value>) -> Value? {
            context.model.value(keyPath, in: snapshot)
        }
        let note = (value(\.note) ?? nil) ?? "-"
        let place = (value(\.place) ?? nil) ?? "-"
        let numbers = "\(value(\.weight) ?? -1) \(value(\.priority) ?? -1)"
        return "\(snapshot.id) \(note) \(numbers) \(place)"
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
            let conflict = try onlyConflict(error)
            guard case .version = conflict.kind else {
                Issue.record("a conflict of another kind: \(conflict)")
                return
            }
            let id = original.objectID
            #expect(picture(conflict.object, local) == "\(id) local 3.0 1 base")
            #expect(picture(conflict.stored, local) == "\(id) remote 1.0 2 -")
            #expect(picture(conflict.cached, local) == "\(id) base 1.0 1 base")
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
                let conflict = try onlyConflict(error)
                guard case .constraint(["tag"]) = conflict.kind else {
                    Issue.record("a conflict of another kind: \(conflict)")
                    return
                }
                let ids = (inserted.objectID, stored.objectID)
                #expect(ids.0.isProvisional)
                #expect(picture(conflict.object, context) == "\(ids.0) new 5.0 3 here")
                #expect(picture(conflict.stored, context) == "\(ids.1) stored 1.0 2 -")
                #expect(conflict.cached == nil)
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
            let error = try save(context, container, row)
            #expect((first.objectID == second.objectID) == (row.expected != nil))
            guard row.expected == nil else { return }
            let conflict = try onlyConflict(error)
            guard case .pending(["tag"]) = conflict.kind else {
                Issue.record("a conflict of another kind: \(conflict)")
                return
            }
            let ids = (second.objectID, first.objectID)
            #expect(picture(conflict.object, context) == "\(ids.0) second 2.0 3 here")
            #expect(picture(conflict.stored, context) == "\(ids.1) first 1.0 1 -")
            #expect(conflict.cached == nil)
        }
    }

    @Test(
        "two pending objects, of which the first is assigned last",
        arguments: TestStore.allCases,
        [
            PolicyRow(.error, nil),
            PolicyRow(
                .mergeByPropertyStoreTrump,
                .init(note: "later", weight: 1, priority: 8, place: "second")
            ),
            PolicyRow(
                .mergeByPropertyObjectTrump,
                .init(note: "later", weight: 2, priority: 8, place: "second")
            ),
            PolicyRow(
                .overwrite,
                .init(note: "second", weight: 2, priority: 3, place: "second")
            ),
            PolicyRow(.rollback, .init(note: "later", weight: 1, priority: 8, place: nil)),
        ]
    )
    func assignedLater(store: TestStore, row: PolicyRow) throws {
        try store.withContainer { container in
            let context = container.makeContext(mergePolicy: row.policy)
            let first = Luggage(context, "A1", weight: 1, note: "first")
            let second = Luggage(context, "A1", weight: 2, note: "second")
            second.place = "second"
            first.note = "later"
            first.priority = 8
            let error = try save(context, container, row)
            #expect((first.objectID == second.objectID) == (row.expected != nil))
            guard row.expected == nil else { return }
            let conflict = try onlyConflict(error)
            let ids = (second.objectID, first.objectID)
            #expect(picture(conflict.object, context) == "\(ids.0) second 2.0 3 second")
            #expect(picture(conflict.stored, context) == "\(ids.1) later 1.0 8 -")
        }
    }
}
