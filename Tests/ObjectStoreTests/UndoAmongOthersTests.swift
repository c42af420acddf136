import Foundation
import ObjectStore
import StoreTesting
import Testing

@Suite("Undoing among others")
struct UndoAmongOthersTests {
    /// Gives a context with two bags and an edit of each, and what makes somebody else save a note on
    /// the first.
    private func withBags(
        _ store: TestStore,
        _ body: (ManagedObjectContext, [Luggage], _ noteElsewhere: () throws -> Void) throws -> Void
    ) throws {
        try store.withContainer { container in
            let context = container.makeContext()
            let bags = (1...2).map { Luggage(context, "\($0)", weight: Double($0)) }
            try context.save()
            context.undoLimit = 10
            for bag in bags { bag.weight *= 10 }
            try body(context, bags) {
                let other = container.makeContext()
                try #require(try other.luggage("1")).note = "fragile"
                try other.save()
            }
            try context.save()
            let stored = try container.makeContext().fetch(FetchRequest(Luggage.self))
            #expect(stored.map(\.note) == ["fragile", nil])
            #expect(stored.map(\.weight) == bags.map(\.weight))
        }
    }

    @Test("leaves alone what others have saved of any object", arguments: TestStore.allCases)
    func saved(store: TestStore) throws {
        try withBags(store) { context, bags, noteElsewhere in
            try noteElsewhere()
            try context.save()
            #expect(bags.map(\.note) == ["fragile", nil])
            for weights in [[10.0, 2], [1, 2]] {
                #expect(context.undo())
                #expect(bags.map(\.weight) == weights)
                #expect(bags.map(\.note) == ["fragile", nil])
            }
        }
    }

    @Test("leaves alone what a refreshed object has got", arguments: TestStore.allCases)
    func refreshed(store: TestStore) throws {
        try withBags(store) { context, bags, noteElsewhere in
            try noteElsewhere()
            try context.refresh(bags[0])
            #expect(context.undo() && context.undo())
            #expect(bags.map(\.weight) == [1, 2])
            #expect(bags[0].note == "fragile")
        }
    }

    @Test("leaves alone the row that an insertion was merged with", arguments: TestStore.allCases)
    func mergedInsertion(store: TestStore) throws {
        try store.withContainer { container in
            let other = container.makeContext()
            Luggage(other, "A", weight: 1).departedAt = Date(timeIntervalSince1970: 100)
            try other.save()
            let context = container.makeContext()
            context.undoLimit = 10
            let luggage = Luggage(context, "A")
            luggage.note = "fragile"
            try context.save()

            #expect(context.undo())
            #expect(luggage.note == nil)
            try context.save()
            let stored = try #require(try container.makeContext().luggage("A"))
            #expect(stored.departedAt != nil)
            #expect(stored.weight == 1)
        }
    }

    @Test(
        "redone, leaves alone the row that an undone deletion was merged with",
        arguments: TestStore.allCases
    )
    func redoneDeletion(store: TestStore) throws {
        try store.withContainer { container in
            let context = container.makeContext()
            context.undoLimit = 10
            let bag = Luggage(context, "A", weight: 1, note: "mine")
            try context.save()
            try context.delete(bag)
            try context.save()

            let other = container.makeContext()
            Luggage(other, "A", weight: 7).place = "belt 2"
            try other.save()
            #expect(context.undo())
            try context.save()
            #expect(context.redo())
            try context.save()
            let stored = try container.makeContext().fetch(FetchRequest(Luggage.self))
            #expect(stored.map(\.weight) == [7])
            #expect(stored.map(\.note) == [nil])
            #expect(stored.map(\.place) == ["belt 2"])
        }
    }

    @Test("takes back what was edited after a rollback during a save, and not what is saved")
    func afterRollback() throws {
        let store = PausingStore()
        let container = try PersistentContainer(model: TestModel.make(), store: store)
        let context = container.makeContext()
        let bag = Luggage(context, "A", weight: 1)
        try context.save()
        context.undoLimit = 10
        bag.weight = 2
        store.pauseOnce {
            context.rollback()
            #expect(bag.weight == 1)
            bag.note = "x"
        }
        try context.save()
        #expect(context.undo())
        #expect(bag.note == nil)
        #expect(bag.weight == 2)
        #expect(!context.hasChanges)
        #expect(context.redo())
        #expect(bag.note == "x")
        #expect(bag.weight == 2)
    }

    @Test("leaves nothing that counts as edited during a later save")
    func laterSave() throws {
        let store = PausingStore()
        let container = try PersistentContainer(model: TestModel.make(), store: store)
        let context = container.makeContext()
        let bags = ["A", "B", "C"].map { Luggage(context, $0, weight: 1) }
        try context.save()
        context.undoLimit = 10
        for bag in bags { bag.weight = 10 }
        try context.save()
        #expect(context.undo())
        store.pauseOnce { bags[0].note = "x" }
        try context.save()
        #expect(context.hasChanges)
        #expect(context.updatedObjects.map(\.objectID) == [bags[0].objectID])
    }

    /// How a context learns that a row is gone.
    enum Learning: CaseIterable {
        case refreshing, merging, savingBefore
    }

    @Test("brings no row back that is gone", arguments: TestStore.allCases, Learning.allCases)
    func goneRow(store: TestStore, learning: Learning) throws {
        try store.withContainer { container in
            let other = container.makeContext()
            let theirs = Luggage(other, "A", weight: 1)
            try other.save()
            let context = container.makeContext()
            context.undoLimit = 10
            let bag = try #require(try context.luggage("A"))
            bag.weight = 2
            bag.note = "n"
            if learning != .refreshing { try context.save() }
            try other.delete(#require(try other.luggage("A")))
            let deletion = try other.save()
            switch learning {
            case .refreshing: try context.refresh(bag, keepingChanges: false)
            case .merging: try context.mergeChanges(of: deletion)
            case .savingBefore:
                context.mergePolicy = .mergeByPropertyStoreTrump
                bag.place = "x"
                try context.save()
            }
            for go in [context.undo, context.undo, context.redo] {
                #expect(bag.isDeleted)
                #expect(go())
                #expect(bag.isDeleted)
                #expect(!context.hasChanges)
            }
            withExtendedLifetime(theirs) {}
        }
    }

    @Test("brings nothing back that others have deleted", arguments: TestStore.allCases)
    func lostEdit(store: TestStore) throws {
        try store.withContainer { container in
            let other = container.makeContext()
            let known = Luggage(other, "A", weight: 1)
            try other.save()
            let context = container.makeContext(mergePolicy: .mergeByPropertyStoreTrump)
            context.undoLimit = 10
            let bag = try #require(try context.luggage("A"))
            bag.weight = 2
            try other.delete(known)
            try other.save()
            try context.save()
            #expect(bag.isDeleted)
            for go in [context.undo, context.redo] {
                #expect(go())
                #expect(bag.isDeleted)
                try context.save()
                #expect(try container.makeContext().count(Luggage.self) == 0)
            }
        }
    }

    @Test(
        "takes an edit back of an object that is inserted again, whether it was read before or not",
        arguments: TestStore.allCases,
        [false, true]
    )
    func editOfFault(store: TestStore, isRead: Bool) throws {
        try store.withContainer { container in
            let other = container.makeContext()
            let known = Luggage(other, "A", weight: 1)
            try other.save()
            let context = container.makeContext()
            context.undoLimit = 10
            let bag = try #require(try context.fetch(FetchRequest(Luggage.self).asFaults()).first)
            if isRead { #expect(bag.weight == 1) }
            bag.weight = 2
            try other.delete(known)
            try other.save()
            try context.save()
            #expect(context.undo())
            #expect(bag.weight == 1)
            try context.save()
            #expect(try container.makeContext().luggage("A")?.weight == 1)
        }
    }

    @Test(
        "takes an edit back of an object whose deletion is undone, whether it was read before or not",
        arguments: TestStore.allCases,
        [false, true]
    )
    func editOfDeletedFault(store: TestStore, isRead: Bool) throws {
        try store.withContainer { container in
            let other = container.makeContext()
            let known = Luggage(other, "A", weight: 1)
            try other.save()
            let context = container.makeContext()
            context.undoLimit = 10
            let bag = try #require(try context.fetch(FetchRequest(Luggage.self).asFaults()).first)
            if isRead { #expect(bag.weight == 1) }
            bag.weight = 2
            try context.delete(bag)
            try other.delete(known)
            try other.save()
            for weight in [nil, 2.0, 1] {
                try context.save()
                #expect(try container.makeContext().luggage("A")?.weight == weight)
                #expect(context.undo() == (weight != 1))
            }
        }
    }

    @Test("deletes nothing where a deletion was taken back", arguments: TestStore.allCases)
    func lostDeletion(store: TestStore) throws {
        try store.withContainer { container in
            let first = container.makeContext()
            _ = Seal(first, 7, on: Luggage(first, "A", weight: 1))
            try first.save()
            let context = container.makeContext(mergePolicy: .mergeByPropertyStoreTrump)
            context.undoLimit = 10
            let luggage = try #require(try context.luggage("A"))
            try #require(try first.luggage("A")).note = "edited"
            try first.save()
            try context.delete(luggage)
            try context.save()

            #expect(context.undo())
            try context.save()
            #expect(try container.makeContext().count(Luggage.self) == 1)
            #expect(try container.makeContext().count(Seal.self) == 1)
        }
    }

    @Test(
        "a group that fails leaves alone what was taken over meanwhile",
        arguments: TestStore.allCases,
        [0, 10]
    )
    func failedGroup(store: TestStore, limit: Int) throws {
        struct Stop: Error {}
        try store.withContainer { container in
            let context = container.makeContext()
            context.undoLimit = limit
            let (edited, other) = (
                Luggage(context, "A", weight: 1), Luggage(context, "B", weight: 1)
            )
            try context.save()
            edited.note = "before"
            var inserted: Luggage?
            #expect(throws: Stop.self) {
                try context.transaction {
                    edited.weight = 2
                    inserted = Luggage(context, "C", weight: 1)
                    let remote = container.makeContext()
                    try #require(try remote.luggage("B")).weight = 9
                    try context.mergeChanges(of: remote.save())
                    try context.delete(other)
                    throw Stop()
                }
            }
            #expect(edited.weight == 1)
            #expect(edited.note == "before")
            #expect(inserted?.isDeleted == true)
            #expect(!other.isDeleted)
            #expect(other.weight == 9)
            try context.save()
            let stored = try container.makeContext().fetch(FetchRequest(Luggage.self))
            #expect(stored.map(\.weight) == [1, 9])
            #expect(stored.map(\.note) == ["before", nil])
        }
    }

    @Test(
        "makes nothing lead to what others have deleted, wherever it led since",
        arguments: TestStore.allCases,
        [false, true]
    )
    func goneTarget(store: TestStore, isMerged: Bool) throws {
        for isGivenAway in [false, true] {
            try store.withContainer { container in
                let context = container.makeContext()
                let bag = Luggage(context, "A", weight: 1)
                bag.owner = Passenger(context, "D", "ZMU")
                let heir = isGivenAway ? Passenger(context, "E", "ZMU") : nil
                try context.save()
                context.undoLimit = 10
                context.undoGroup {
                    bag.owner = heir
                    bag.weight = 2
                }
                try context.save()
                let other = container.makeContext()
                let owner = FetchRequest(Passenger.self).where(\.givenName, is: "D")
                try other.delete(#require(try other.first(owner)))
                let deletion = try other.save()
                if isMerged { try context.mergeChanges(of: deletion) }
                #expect(context.undo())
                #expect(bag.owner == nil)
                try context.save()
                let stored = try #require(try container.makeContext().luggage("A"))
                #expect(stored.weight == 1 && stored.owner == nil)
                #expect(context.redo())
                #expect(bag.owner === heir)
                try context.save()
                let redone = try #require(try container.makeContext().luggage("A"))
                #expect(redone.owner?.givenName == heir?.givenName)
            }
        }
    }

    @Test("loses no step where what others may have changed cannot be read")
    func failingRead() throws {
        let store = PausingStore()
        let container = try PersistentContainer(model: TestModel.make(), store: store)
        let context = container.makeContext()
        let bag = Luggage(context, "A", weight: 1)
        try context.save()
        context.undoLimit = 10
        bag.weight = 2
        try context.save()
        let other = container.makeContext()
        other.undoLimit = 1
        try other.delete(try #require(try other.luggage("A")))
        try other.save()
        try context.refresh(bag)
        #expect(other.undo())
        try other.save()
        // Now the bag is on record, but not here.
        store.failReading(1)
        #expect(!context.undo())
        #expect(throws: PausingStore.Unreadable.self) { try context.checkReads() }
        #expect(bag.weight == 2)
        #expect(context.undo())
        #expect(bag.weight == 1)
        try context.save()
        #expect(try container.makeContext().luggage("A")?.weight == 1)
    }
}
