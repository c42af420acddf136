import ObjectStore
import StoreTesting
import Testing

@Suite("An object whose deletion was saved, and that is there again")
struct ReinsertionTests {
    /// How it came back.
    enum Way: CaseIterable {
        /// Who had deleted it has undone that.
        case undone
        /// Somebody else had changed it before the deletion, and saved that after it.
        case edited
    }

    @Test(
        "is another one than all have read before, at whatever version",
        arguments: TestStore.allCases,
        Way.allCases
    )
    func versions(store: TestStore, way: Way) throws {
        try store.withContainer { container in
            let deleting = container.makeContext()
            let bag = Luggage(deleting, "A", weight: 0)
            try deleting.save()
            let late = container.makeContext(mergePolicy: .mergeByPropertyObjectTrump)
            try #require(try late.luggage("A")).place = "belt 2"
            // Each has read another version.
            var readers: [(ManagedObjectContext, Luggage)] = []
            for weight in 1...4 {
                bag.weight = Double(weight)
                try deleting.save()
                let reader = container.makeContext(mergePolicy: .error)
                readers.append((reader, try #require(try reader.luggage("A"))))
            }
            deleting.undoLimit = 10
            try deleting.delete(bag)
            try deleting.save()
            switch way {
            case .undone: #expect(deleting.undo())
            case .edited: try late.save()
            }
            for weight in 11...14 {
                let editing = way == .undone ? deleting : late
                try #require(try editing.luggage("A")).weight = Double(weight)
                try editing.save()
                for (reader, bag) in readers {
                    bag.note = "by who knows nothing of it"
                    #expect(throws: MergeConflictError.self) { try reader.save() }
                }
            }
            let stored = try #require(try container.makeContext().luggage("A"))
            #expect(stored.weight == 14)
            #expect(stored.note == nil)
        }
    }

    @Test(
        "is met by the policy of who undoes its deletion after that",
        arguments: TestStore.allCases,
        [MergePolicy.mergeByPropertyObjectTrump, .mergeByPropertyStoreTrump, .error]
    )
    func meeting(store: TestStore, policy: MergePolicy) throws {
        try store.withContainer { container in
            let first = container.makeContext()
            Luggage(first, "A", weight: 1, note: "fragile").priority = 1
            try first.save()
            let context = container.makeContext(mergePolicy: policy)
            context.undoLimit = 10
            let bag = try #require(try context.luggage("A"))
            try #require(try first.luggage("A")).priority = 7
            try context.delete(bag)
            try context.save()
            // It was changed before the deletion, and is inserted again.
            try first.save()
            let inserted = try container.lastHistoryToken()

            #expect(context.undo())
            #expect(bag.priority == 1)
            (bag.weight, bag.note) = (2, "very fragile")
            if case .error = policy {
                #expect(throws: MergeConflictError.self) { try context.save() }
                context.rollback()
                #expect(try container.lastHistoryToken() == inserted)
                #expect(try context.luggage("A")?.priority == 7)
                return
            }
            try context.save()
            for context in [context, container.makeContext()] {
                let bag = try #require(try context.luggage("A"))
                // What was only restored is nobody's change.
                #expect(bag.priority == 7)
                #expect(bag.weight == 2)
                #expect(bag.note == "very fragile")
            }
            #expect(
                try container.history(after: inserted).flatMap(\.changes).map(\.kind) == [.updated]
            )
        }
    }

    @Test("has what others had saved before its deletion", arguments: TestStore.allCases)
    func savedByOthers(store: TestStore) throws {
        try store.withContainer { container in
            let first = container.makeContext()
            _ = Luggage(first, "A", weight: 1, note: "fragile")
            try first.save()
            let context = container.makeContext(mergePolicy: .mergeByPropertyObjectTrump)
            context.undoLimit = 10
            let bag = try #require(try context.luggage("A"))
            bag.note = "very fragile"
            try #require(try first.luggage("A")).weight = 5
            try first.save()
            try context.delete(bag)
            try context.save()

            #expect(context.undo())
            #expect(bag.weight == 5)
            #expect(bag.note == "very fragile")
            try context.save()
            #expect(try container.makeContext().luggage("A")?.weight == 5)
            #expect(try container.makeContext().luggage("A")?.note == "very fragile")
        }
    }

    @Test(
        "keeps what it got there, also if who undoes its deletion refreshes it",
        arguments: TestStore.allCases
    )
    func refreshed(store: TestStore) throws {
        try store.withContainer { container in
            let first = container.makeContext()
            _ = Luggage(first, "A", weight: 1)
            try first.save()
            let context = container.makeContext(mergePolicy: .error)
            context.undoLimit = 10
            let bag = try #require(try context.luggage("A"))
            try #require(try first.luggage("A")).priority = 7
            try context.delete(bag)
            try context.save()
            try first.save()

            #expect(context.undo())
            bag.weight = 2
            try context.refresh(bag)
            #expect(bag.priority == 7)
            #expect(bag.weight == 2)
            try context.save()
            #expect(try container.makeContext().luggage("A")?.priority == 7)
            #expect(try container.makeContext().luggage("A")?.weight == 2)
        }
    }

    /// A context that knows a bag, and another one with an unsaved edit of it, which inserts the bag again after
    /// its deletion.
    private func withEdit(
        _ store: TestStore,
        _ body: (ManagedObjectContext, Luggage, _ insertAgain: () throws -> Void) throws -> Void
    ) throws {
        try store.withContainer { container in
            let context = container.makeContext(mergePolicy: .mergeByPropertyObjectTrump)
            let bag = Luggage(context, "A", weight: 0)
            try context.save()
            context.undoLimit = 10
            try body(context, bag) {
                let late = container.makeContext(mergePolicy: .mergeByPropertyObjectTrump)
                try #require(try late.luggage("A")).priority = 7
                try context.delete(bag)
                try context.save()
                try late.save()
            }
        }
    }

    @Test("keeps what it got there, however much more is undone", arguments: TestStore.allCases)
    func undoneFurther(store: TestStore) throws {
        try withEdit(store) { context, bag, insertAgain in
            bag.weight = 1
            try context.save()
            try insertAgain()
            for weight in [1.0, 0] {
                #expect(context.undo())
                try context.save()
                #expect(bag.priority == 7)
                #expect(bag.weight == weight)
            }
        }
    }

    @Test("shows what was read of it before its deletion is undone", arguments: TestStore.allCases)
    func read(store: TestStore) throws {
        try withEdit(store) { context, bag, insertAgain in
            try insertAgain()
            #expect(try context.luggage("A")?.priority == 7)
            #expect(context.undo())
            #expect(bag.priority == 7)
            #expect(context.insertedObjects.isEmpty)
            context.mergePolicy = .error
            bag.weight = 2
            try context.save()
            #expect(bag.priority == 7)
        }
    }

    @Test("is deleted once more where that is redone", arguments: TestStore.allCases)
    func redone(store: TestStore) throws {
        try withEdit(store) { context, bag, insertAgain in
            try insertAgain()
            #expect(context.undo())
            try context.save()
            #expect(context.redo())
            #expect(bag.isDeleted)
            try context.save()
            #expect(try context.count(Luggage.self) == 0)
        }
    }

    /// A context that has saved a bag, and then its deletion.
    private func withDeleted(
        _ store: TestStore,
        _ body: (PersistentContainer, ManagedObjectContext, Luggage) throws -> Void
    ) throws {
        try store.withContainer { container in
            let context = container.makeContext()
            let bag = Luggage(context, "A", weight: 1)
            try context.save()
            context.undoLimit = 10
            try context.delete(bag)
            try context.save()
            try body(container, context, bag)
        }
    }

    @Test("has what others saved last before a later deletion", arguments: TestStore.allCases)
    func deletedTwice(store: TestStore) throws {
        try withDeleted(store) { container, context, bag in
            #expect(context.undo())
            bag.note = "b"
            try context.save()
            let other = container.makeContext()
            try #require(try other.luggage("A")).weight = 9
            try other.save()
            bag.place = "x"
            try context.save()
            try context.delete(bag)
            try other.delete(#require(try other.luggage("A")))
            try other.save()
            try context.save()
            for _ in 0..<3 {
                #expect(context.undo())
                #expect(bag.weight == 9)
            }
        }
    }

    @Test("clears nothing of another one with its unique values", arguments: TestStore.allCases)
    func merged(store: TestStore) throws {
        try withDeleted(store) { container, context, bag in
            let other = container.makeContext()
            _ = Luggage(other, "A", weight: 2, note: "fragile")
            try other.save()
            #expect(context.undo())
            try context.save()
            #expect(bag.note == "fragile")
            #expect(try container.makeContext().luggage("A")?.note == "fragile")
        }
    }

    @Test("leads no more to what was deleted meanwhile", arguments: TestStore.allCases)
    func danglingReference(store: TestStore) throws {
        try store.withContainer { container in
            let context = container.makeContext()
            let bag = Luggage(context, "A", weight: 1)
            bag.owner = Passenger(context, "D", "ZMU")
            try context.save()
            context.undoLimit = 10
            try context.delete(bag)
            try context.save()
            let other = container.makeContext()
            for passenger in try other.fetch(FetchRequest(Passenger.self)) {
                try other.delete(passenger)
            }
            try other.save()

            #expect(context.undo())
            try context.save()
            let stored = try #require(try container.makeContext().luggage("A"))
            #expect(stored.weight == 1)
            #expect(stored.owner == nil)
        }
    }

    @Test(
        "is another one over the store in which it was inserted again",
        arguments: TestStore.allCases
    )
    func scratch(store: TestStore) throws {
        try store.withContainer { container in
            let context = container.makeContext()
            let bag = Luggage(context, "A", weight: 1)
            try context.save()
            context.undoLimit = 10
            try context.delete(bag)
            try context.save()
            #expect(context.undo())
            try context.save()

            let scratch = try PersistentContainer(
                model: container.model,
                store: ScratchStore(over: container.store)
            )
            let reader = scratch.makeContext(mergePolicy: .error)
            let read = try #require(try reader.luggage("A"))
            for tag in ["B", "C"] {
                let deleting = scratch.makeContext()
                _ = Luggage(deleting, tag, weight: 1)
                let bag = try #require(try deleting.luggage("A"))
                deleting.undoLimit = 10
                try deleting.delete(bag)
                try deleting.save()
                #expect(deleting.undo())
                bag.weight += 1
                try deleting.save()
                read.note = "by who knows nothing of it"
                #expect(throws: MergeConflictError.self) { try reader.save() }
            }
        }
    }
}
