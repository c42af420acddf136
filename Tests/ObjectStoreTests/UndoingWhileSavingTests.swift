import Dispatch
import ObjectStore
import StoreTesting
import Testing

@Suite("What is undone in a context while another task saves it")
struct UndoingWhileSavingTests {
    private struct Stop: Error {}

    private let store = PausingStore()
    private let container: PersistentContainer

    init() throws {
        container = try PersistentContainer(model: TestModel.make(), store: store)
    }

    @Test("may be taken back, as if that came after the save")
    func takingBack() throws {
        let context = container.makeContext()
        context.undoLimit = 10
        let luggage = Luggage(context, "A", weight: 1)
        try context.save()

        luggage.weight = 2
        try store.saveContended(context) { #expect(context.undo()) }
        #expect(luggage.weight == 1)
        #expect(context.hasChanges)
        try store.saveContended(context) { #expect(context.redo()) }
        #expect(luggage.weight == 2)
        try context.save()
        #expect(try container.makeContext().luggage("A")?.weight == 2)

        luggage.weight = 3
        let new = Luggage(context, "B", weight: 1)
        try store.save(context) {
            luggage.note = "dropped"
            context.rollback()
        }
        #expect(!context.hasChanges)
        #expect(luggage.weight == 3)
        #expect(luggage.note == nil)
        #expect(new.weight == 1)
        #expect(try container.makeContext().count(Luggage.self) == 2)

        luggage.weight = 4
        try store.save(context) { try context.refresh(luggage, keepingChanges: false) }
        #expect(!context.hasChanges)
        #expect(luggage.weight == 4)
    }

    /// What is undone while it is saved.
    enum Undone: CaseIterable {
        /// An assignment to what others have changed since it was read.
        case assignment
        /// An insertion that is merged with what others have inserted.
        case insertion
        /// A part of such an insertion.
        case assignmentAfterInsertion
        /// The second of two insertions that are merged.
        case secondInsertion
    }

    @Test(
        "may be undone also where it is merged with what others have saved",
        arguments: Undone.allCases,
        [false, true]
    )
    func undoing(what: Undone, isMeanwhile: Bool) throws {
        let other = container.makeContext()
        if what != .secondInsertion { Luggage(other, "A", weight: 9).place = "belt 2" }
        try other.save()
        let context = container.makeContext()
        let expected: (weight: Double, note: String?)
        switch what {
        case .assignment:
            let luggage = try #require(try context.luggage("A"))
            try #require(try other.luggage("A")).weight = 5
            try other.save()
            context.undoLimit = 10
            luggage.weight = 1
            expected = (5, nil)
        case .insertion:
            context.undoLimit = 10
            _ = context.undoGroup { Luggage(context, "A", weight: 1, note: "mine") }
            expected = (9, nil)
        case .assignmentAfterInsertion:
            try #require(try other.luggage("A")).note = "fragile"
            try other.save()
            let luggage = Luggage(context, "A", weight: 1)
            context.undoLimit = 10
            luggage.note = "mine"
            expected = (1, "fragile")
        case .secondInsertion:
            context.undoLimit = 10
            for weight in [1.0, 2] {
                let note = weight == 2 ? "second" : nil
                _ = context.undoGroup { Luggage(context, "A", weight: weight, note: note) }
            }
            expected = (1, nil)
        }
        if isMeanwhile {
            try store.saveContended(context) { #expect(context.undo()) }
        } else {
            try context.save()
            #expect(context.undo())
        }
        try context.save()
        let stored = try container.makeContext().fetch(FetchRequest(Luggage.self))
        #expect(stored.map(\.weight) == [expected.weight])
        #expect(stored.map(\.note) == [expected.note])
        #expect(stored.map(\.place) == [what == .secondInsertion ? nil : "belt 2"])
    }

    /// Inserts a bag in a group that fails while another task saves the bag.
    ///
    /// - Parameters:
    ///   - context: The context.
    ///   - isInTransaction: Whether the group is in a transaction of the store, for which the save waits.
    ///   - finally: What the group does before it fails, when the save has begun.
    /// - Throws: What the save throws.
    private func insertInFailingGroup(
        _ context: ManagedObjectContext,
        _ isInTransaction: Bool,
        finally: (Luggage) throws -> Void
    ) throws {
        var end: (() throws -> Void)?
        let (isSaving, isFailing) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
        func fail() throws {
            try context.transaction {
                let bag = Luggage(context, "A", weight: 1)
                store.announceOnce { isSaving.signal() }
                if !isInTransaction { store.pauseOnce { isFailing.wait() } }
                end = besides { try context.save() }
                isSaving.wait()
                isFailing.signal()
                try finally(bag)
                throw Stop()
            }
        }
        #expect(throws: Stop.self) {
            // Where the save waits for this transaction, the group cannot wait for the save.
            if isInTransaction { try store.transaction { _ in try fail() } } else { try fail() }
        }
        try end?()
    }

    @Test(
        "is saved, where the group that it belongs to fails afterwards",
        arguments: [false, true]
    )
    func failingGroup(isInTransaction: Bool) throws {
        let other = container.makeContext()
        Luggage(other, "A", weight: 9).place = "belt 2"
        try other.save()
        let context = container.makeContext()
        try insertInFailingGroup(context, isInTransaction) { _ in }
        try context.save()
        let stored = try container.makeContext().fetch(FetchRequest(Luggage.self))
        #expect(stored.map(\.weight) == [1])
        #expect(stored.map(\.place) == ["belt 2"])
    }

    @Test(
        "is left for the next save also where a group fails during which the save ends",
        arguments: [false, true]
    )
    func editBeforeFailingGroup(isRefreshed: Bool) throws {
        let context = container.makeContext()
        let luggage = Luggage(context, "A", weight: 1)
        let others = ["B", "C", "D"].map { Luggage(context, $0, weight: 1) }
        try context.save()
        luggage.weight = 2
        let (isSaving, mayEnd) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
        store.pauseOnce {
            isSaving.signal()
            mayEnd.wait()
        }
        let end = besides { try context.save() }
        isSaving.wait()
        luggage.note = "before the group"
        luggage.place = "before the group"
        #expect(throws: Stop.self) {
            try context.transaction {
                luggage.place = "of the group"
                mayEnd.signal()
                try end()
                for other in others where isRefreshed {
                    try context.refresh(other, keepingChanges: false)
                }
                luggage.weight = 3
                throw Stop()
            }
        }
        #expect(luggage.weight == 2)
        try context.save()
        let stored = try #require(try container.makeContext().luggage("A"))
        #expect(stored.weight == 2)
        #expect(stored.note == "before the group")
        #expect(stored.place == "before the group")
    }

    @Test(
        "is a deletion that a failing group takes back, though the save stores what it deleted",
        arguments: [false, true]
    )
    func deletionInFailingGroup(isInTransaction: Bool) throws {
        let context = container.makeContext()
        try insertInFailingGroup(context, isInTransaction) { try context.delete($0) }
        #expect(!context.hasChanges)
        #expect(try container.makeContext().count(Luggage.self) == 1)
    }

    @Test(
        "leaves what another step did to an object that the save merges with it",
        arguments: [false, true]
    )
    func stepsOfMerged(isStored: Bool) throws {
        let other = container.makeContext()
        if isStored { Luggage(other, "A", weight: 1).heaviest = 1 }
        try other.save()
        let context = container.makeContext()
        let known = isStored ? try context.luggage("A") : Luggage(context, "A", weight: 1)
        let first = try #require(known)
        let second = Luggage(context, "A", weight: 1)
        context.undoLimit = 10
        try store.save(context) {
            first.place = "x"
            second.note = "n"
        }
        #expect(first.note == "n")
        #expect(context.undo())
        #expect(first.note == nil)
        #expect(first.place == "x")
        #expect(context.undo())
        #expect(first.place == nil)
        #expect(context.redo() && context.redo() && !context.redo())
        try context.save()
        let stored = try container.makeContext().fetch(FetchRequest(Luggage.self))
        #expect(stored.map(\.note) == ["n"])
        #expect(stored.map(\.place) == ["x"])
    }
}
