import Dispatch
import ObjectStore
import StoreTesting
import Testing

@Suite("Undo steps of groups")
struct UndoGroupTests {
    private struct Stop: Error {}

    @Test("make one step of a group, however deep, and none of one that failed")
    func groups() throws {
        try TestStore.memory.withContainer { container in
            let context = container.makeContext()
            let luggage = Luggage(context, "A", weight: 1)
            context.undoLimit = 10
            context.undoGroup(named: "outer") {
                luggage.weight = 2
                context.undoGroup(named: "inner") { luggage.note = "x" }
                try? context.undoGroup {
                    luggage.priority = 9
                    throw Stop()
                }
            }
            #expect(luggage.priority == 3)
            #expect(throws: Stop.self) {
                try context.transaction {
                    luggage.weight = 5
                    throw Stop()
                }
            }
            #expect(luggage.weight == 2)
            #expect(context.undoName == "outer")
            #expect(context.undo())
            #expect(luggage.weight == 1)
            #expect(luggage.note == nil)
            #expect(!context.canUndo)
        }
    }

    @Test("take back what a failing group has changed, though another task has begun one since")
    func groupsBeside() async throws {
        let container = try PersistentContainer(model: TestModel.make(), store: InMemoryStore())
        let context = container.makeContext()
        let (mine, theirs) = (Luggage(context, "A", weight: 1), Luggage(context, "B", weight: 1))
        try await context.save()
        let (isBegun, isFailed) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
        let id = theirs.objectID
        async let other: Void = context.perform { context in
            // Begun between the beginning and the end of the other one.
            try context.transaction {
                isBegun.signal()
                isFailed.wait()
                try context.existingObject(Luggage.self, id: id)?.note = "theirs"
            }
        }
        #expect(throws: Stop.self) {
            try context.transaction {
                mine.weight = 5
                isBegun.wait()
                throw Stop()
            }
        }
        isFailed.signal()
        try await other
        #expect(mine.weight == 1)
        #expect(theirs.note == "theirs")
    }

    @Test("are none of a group in which all changes failed")
    func failedInGroup() throws {
        try TestStore.memory.withContainer { container in
            let context = container.makeContext()
            let luggage = Luggage(context, "A", weight: 1)
            context.undoLimit = 10
            luggage.weight = 2
            #expect(context.undo())
            context.undoGroup {
                try? context.undoGroup {
                    luggage.weight = 5
                    throw Stop()
                }
            }
            #expect(!context.canUndo)
            #expect(context.redo())
            #expect(luggage.weight == 2)
        }
    }

    @Test("bring nothing back that was discarded, where a group then fails", arguments: [0, 10])
    func rollbackInGroup(limit: Int) throws {
        try TestStore.memory.withContainer { container in
            let context = container.makeContext()
            context.undoLimit = limit
            let luggage = Luggage(context, "A", weight: 1)
            try context.save()
            luggage.weight = 2
            #expect(throws: Stop.self) {
                try context.transaction {
                    luggage.note = "x"
                    context.rollback()
                    luggage.place = "y"
                    throw Stop()
                }
            }
            #expect(luggage.weight == 1)
            #expect(luggage.place == nil)
            #expect(!context.hasChanges)
            #expect(!context.canUndo)
            #expect(throws: Stop.self) {
                try context.transaction {
                    luggage.note = "x"
                    context.reset()
                    try #require(try context.luggage("A")).place = "y"
                    throw Stop()
                }
            }
            #expect(!context.hasChanges)
            #expect(!context.canUndo)
        }
    }

    @Test("are none of what was discarded in a group, whatever else is done in it")
    func discardedInGroup() throws {
        try TestStore.memory.withContainer { container in
            let context = container.makeContext()
            let bags = ["A", "B"].map { Luggage(context, $0, weight: 1) }
            try context.save()
            bags[0].note = "before"
            context.undoLimit = 10
            bags[0].place = "x"
            #expect(context.undo())
            #expect(throws: Stop.self) {
                try context.transaction {
                    try? context.transaction {
                        bags[1].place = "y"
                        throw Stop()
                    }
                    try context.save()
                    bags[1].weight = 2
                    throw Stop()
                }
            }
            #expect(bags.map(\.weight) == [1, 1])
            #expect(!context.canUndo)
            #expect(context.redo())
            #expect(bags[0].place == "x")

            context.undoLimit = 0
            context.undoGroup {
                try? context.undoGroup {
                    bags[0].weight = 5
                    context.undoLimit = 5
                    bags[0].weight = 6
                    throw Stop()
                }
                bags[1].weight = 7
            }
            #expect(context.undo())
            #expect(bags.map(\.weight) == [1, 1])
        }
    }

    @Test("are none of what was done in a group while none were kept")
    func limitInGroup() throws {
        try TestStore.memory.withContainer { container in
            let context = container.makeContext()
            let bags = ["A", "B"].map { Luggage(context, $0, weight: 1) }
            context.undoLimit = 10
            context.undoGroup {
                bags[0].weight = 2
                context.undoLimit = 0
                bags[1].note = "unkept"
                context.undoLimit = 10
                bags[1].weight = 2
            }
            #expect(context.undo())
            #expect(bags.map(\.weight) == [2, 1])
            #expect(bags[1].note == "unkept")
            #expect(!context.canUndo)
        }
    }

    @Test("are what a group has saved that then failed")
    func savedInFailingGroup() throws {
        try TestStore.memory.withContainer { container in
            let context = container.makeContext()
            let luggage = Luggage(context, "A", weight: 1)
            try context.save()
            context.undoLimit = 10
            luggage.weight = 2
            luggage.place = "x"
            #expect(context.undo())
            #expect(throws: Stop.self) {
                try context.transaction {
                    luggage.weight = 3
                    luggage.note = "saved"
                    try context.save()
                    luggage.weight = 4
                    throw Stop()
                }
            }
            #expect(luggage.weight == 3)
            #expect(!context.canRedo)
            #expect(context.undo())
            #expect(luggage.weight == 2)
            #expect(luggage.note == nil)
            #expect(context.undo())
            #expect(luggage.weight == 1)
            #expect(context.redo() && context.redo() && !context.redo())
            #expect(luggage.weight == 3)
            #expect(luggage.note == "saved")
        }
    }

    /// Runs groups of two tasks, of which the second begins in the first and ends after it.
    private func runTwo(
        _ context: ManagedObjectContext,
        first: () throws -> Void,
        second: @escaping () throws -> Void,
        isFailing: Bool
    ) throws {
        let (isBegun, isEnded) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
        var end: (() throws -> Void)?
        let result = Result {
            try context.transaction {
                try first()
                end = besides {
                    try context.transaction {
                        isBegun.signal()
                        isEnded.wait()
                        try second()
                        throw Stop()
                    }
                }
                isBegun.wait()
                if isFailing { throw Stop() }
            }
        }
        if isFailing { #expect(throws: Stop.self) { try result.get() } } else { try result.get() }
        isEnded.signal()
        #expect(throws: Stop.self) { try end?() }
    }

    @Test("are none of two that fail beside each other, and nothing of either comes back")
    func bothFailing() throws {
        let container = try PersistentContainer(model: TestModel.make(), store: InMemoryStore())
        let context = container.makeContext()
        let bags = ["A", "B"].map { Luggage(context, $0, weight: 1) }
        try context.save()
        context.undoLimit = 10
        var inserted: Luggage?
        try runTwo(
            context,
            first: {
                bags[0].weight = 5
                inserted = Luggage(context, "C", weight: 1)
            },
            second: {
                #expect(bags[0].weight == 1)
                bags[1].weight = 5
            },
            isFailing: true
        )
        #expect(bags.map(\.weight) == [1, 1])
        #expect(inserted?.isDeleted == true)
        #expect(!context.hasChanges)
        #expect(!context.canUndo)
    }

    @Test("are what one has changed, though one beside it fails later")
    func otherFailing() throws {
        let container = try PersistentContainer(model: TestModel.make(), store: InMemoryStore())
        let context = container.makeContext()
        let bags = ["A", "B"].map { Luggage(context, $0, weight: 1) }
        try context.save()
        context.undoLimit = 10
        try runTwo(
            context,
            first: { bags[0].weight = 5 },
            second: { bags[1].weight = 5 },
            isFailing: false
        )
        #expect(bags.map(\.weight) == [5, 1])
        bags[1].note = "later"
        #expect(context.undo())
        #expect(bags[1].note == nil)
        #expect(context.undo())
        #expect(bags.map(\.weight) == [1, 1])
        #expect(!context.canUndo)
    }
}
