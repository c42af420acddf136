import ObjectStore
import StoreTesting
import Testing

@Suite("Undoing what a save has merged")
struct UndoingMergesTests {
    /// What a context does with a bag of weight 1, before others give it the weight 7 and the heaviest weight 7.
    enum Edits: CaseIterable {
        case once, twice, deletion
    }

    @Test(
        "one edit leaves alone what the merge policy has preferred to others",
        arguments: TestStore.allCases,
        Edits.allCases
    )
    func preferred(store: TestStore, edits: Edits) throws {
        try store.withContainer { container in
            let other = container.makeContext()
            let theirs = Luggage(other, "A", weight: 1)
            theirs.heaviest = 1
            try other.save()
            let context = container.makeContext(mergePolicy: .mergeByPropertyStoreTrump)
            context.undoLimit = 10
            let bag = try #require(try context.luggage("A"))
            bag.weight = 2
            bag.heaviest = 2
            if edits == .twice { (bag.weight, bag.heaviest) = (3, 3) }
            if edits == .deletion { try context.delete(bag) } else { bag.note = "n" }
            theirs.weight = 7
            theirs.heaviest = 7
            try other.save()
            try context.save()
            while context.undo() {
                #expect(bag.note == nil)
                #expect(bag.weight == 7)
                #expect(bag.heaviest == 7)
                try context.save()
            }
            let stored = try #require(try container.makeContext().luggage("A"))
            #expect([stored.weight, stored.heaviest.map(Double.init)] == [7, 7])
        }
    }

    @Test("one edit leaves alone what a custom policy has made", arguments: TestStore.allCases)
    func made(store: TestStore) throws {
        try store.withContainer { container in
            let other = container.makeContext()
            let theirs = Luggage(other, "A", weight: 1)
            try other.save()
            let context = container.makeContext(
                mergePolicy: .custom { _, resolution in resolution[\Luggage.place] = "settled" }
            )
            context.undoLimit = 10
            let bag = try #require(try context.luggage("A"))
            bag.weight = 2
            bag.note = "n"
            theirs.weight = 7
            try other.save()
            try context.save()
            #expect(bag.place == "settled")
            #expect(context.undo())
            #expect(bag.place == "settled")
            #expect(bag.weight == 2)
            #expect(bag.note == nil)
        }
    }

    @Test("an edit leaves alone what two merged objects had preferred to both")
    func preferredToTwo() throws {
        try TestStore.memory.withContainer { container in
            let other = container.makeContext()
            _ = Luggage(other, "A", weight: 7)
            try other.save()
            let context = container.makeContext(mergePolicy: .mergeByPropertyStoreTrump)
            let bags = (0..<2).map { _ in Luggage(context, "A", weight: 2) }
            context.undoLimit = 10
            bags[0].note = "n"
            try context.save()
            #expect(bags[1].weight == 7)
            #expect(context.undo())
            #expect(bags[1].note == nil)
            #expect(bags[1].weight == 7)
        }
    }

    @Test("leaves alone what a combining attribute has of others", arguments: [false, true])
    func combined(isNew: Bool) throws {
        try TestStore.memory.withContainer { container in
            let (context, other) = (container.makeContext(), container.makeContext())
            let theirs = Luggage(other, "A", weight: 1)
            if !isNew {
                theirs.heaviest = 1
                try other.save()
            }
            let bag = isNew ? Luggage(context, "A", weight: 1) : try context.luggage("A")
            theirs.heaviest = 7
            try other.save()
            context.undoLimit = 10
            bag?.heaviest = 5
            bag?.heaviest = 10
            try context.save()
            #expect(bag?.heaviest == 10)
            for _ in 0..<2 {
                #expect(context.undo())
                #expect(bag?.heaviest == 7)
                try context.save()
                #expect(try container.makeContext().luggage("A")?.heaviest == 7)
            }
        }
    }

    @Test("combines what two new objects had that a save merged")
    func combinedOwn() throws {
        try TestStore.memory.withContainer { container in
            let context = container.makeContext()
            let bags = (0..<2).map { _ in Luggage(context, "A", weight: 1) }
            bags[1].heaviest = 7
            bags[0].heaviest = 5
            context.undoLimit = 10
            bags[0].heaviest = 10
            try context.save()
            #expect(bags.map(\.heaviest) == [10, 10])
            #expect(context.undo())
            #expect(bags.map(\.heaviest) == [7, 7])
        }
    }

    @Test("brings no edit back that the policy has dropped, nor a deletion")
    func dropped() throws {
        try TestStore.memory.withContainer { container in
            let other = container.makeContext()
            let theirs = Luggage(other, "A", weight: 1)
            try other.save()
            let context = container.makeContext(mergePolicy: .rollback)
            context.undoLimit = 10
            let bag = try #require(try context.luggage("A"))
            for weight in [2.0, 3] { bag.weight = weight }
            theirs.note = "theirs"
            try other.save()
            try context.save()
            #expect(bag.weight == 1)
            while context.undo() { #expect(bag.weight == 1) }
            #expect(!context.hasChanges)

            let third = container.makeContext(mergePolicy: .mergeByPropertyStoreTrump)
            third.undoLimit = 10
            try third.delete(#require(try third.luggage("A")))
            third.undoGroup { _ = Luggage(third, "A", weight: 5) }
            theirs.note = "theirs again"
            try other.save()
            try third.save()
            #expect(third.undo())
            try third.save()
            #expect(try container.makeContext().luggage("A")?.note == "theirs again")
        }
    }

    /// Policies by which a save stores what others had changed otherwise.
    static let settling: [MergePolicy] = [
        .overwrite, .custom { _, resolution in resolution[\Luggage.note] = "settled" },
    ]

    @Test("to the beginning leaves what others had saved, whatever the policy", arguments: settling)
    func everything(policy: MergePolicy) throws {
        try TestStore.memory.withContainer { container in
            let other = container.makeContext()
            let theirs = Luggage(other, "A", weight: 1)
            try other.save()
            let context = container.makeContext(mergePolicy: policy)
            context.undoLimit = 10
            let bag = try #require(try context.luggage("A"))
            bag.weight = 2
            theirs.note = "theirs"
            try other.save()
            try context.save()
            #expect(bag.note != "theirs")
            #expect(context.undo())
            #expect(bag.weight == 1)
            #expect(bag.note == "theirs")
            try context.save()
            #expect(try container.makeContext().luggage("A")?.note == "theirs")
        }
    }

    @Test("leaves two new objects merged, where either was edited later", arguments: [0, 1])
    func ownObjects(edited: Int) throws {
        try TestStore.memory.withContainer { container in
            let context = container.makeContext()
            let bags = [
                Luggage(context, "A", weight: 1), Luggage(context, "A", weight: 2, note: "second"),
            ]
            context.undoLimit = 10
            bags[edited].place = "x"
            try context.save()
            #expect(bags.map(\.place) == ["x", "x"])
            #expect(context.undo())
            try context.save()
            let stored = try #require(try container.makeContext().luggage("A"))
            #expect(stored.place == nil)
            #expect(stored.weight == 2)
            #expect(stored.note == "second")
        }
    }

    @Test("takes an insertion back from the object that it was merged with, as its own step")
    func insertion() throws {
        try TestStore.memory.withContainer { container in
            let context = container.makeContext()
            let bag = Luggage(context, "A", weight: 1)
            try context.save()
            context.undoLimit = 10
            bag.note = "n"
            let new = context.undoGroup { Luggage(context, "A", weight: 9) }
            bag.place = "x"
            try context.save()
            #expect(bag.weight == 9)
            #expect(context.undo())
            #expect(bag.place == nil)
            #expect(bag.note == "n")
            #expect(bag.weight == 9)
            #expect(context.undo())
            #expect(bag.note == "n")
            #expect(new.weight == 1)
            #expect(context.undo())
            #expect(bag.note == nil)
        }
    }
}
