import ObjectStore
import StoreTesting
import Testing

/// Each history is made twice, and its end is undone: in one world after a save, in the other before.
@Suite("Undoing after a save")
struct UndoLawTests {
    struct Law: CustomTestStringConvertible {
        let name: String
        let policy: MergePolicy
        /// Whether objects of the context are merged with others, or objects deleted.
        let isMerging: Bool

        var testDescription: String { "\(name), \(isMerging ? "merging" : "deleting")" }

        static let policies: KeyValuePairs<String, MergePolicy> = [
            "object trump": .mergeByPropertyObjectTrump, "store trump": .mergeByPropertyStoreTrump,
            "overwrite": .overwrite, "rollback": .rollback, "error": .error,
        ]

        static let all = policies.flatMap { name, policy in
            [true, false].map { Law(name: name, policy: policy, isMerging: $0) }
        }.filter {
            // Of what it deletes, it overwrites nothing that others have saved.
            $0.name != "overwrite" || $0.isMerging
        }
    }

    /// A world after some steps that can be undone.
    private func world(_ law: Law, seed: Int, steps: Int, amongOthers: Bool) throws -> UndoWorld {
        let world = try UndoWorld(seed: seed, isMerging: law.isMerging, policy: law.policy)
        world.context.undoLimit = 0
        try world.context.save()
        world.context.undoLimit = 1000
        for _ in 0..<steps {
            try world.step()
            if amongOthers { try world.editElsewhere() }
            try world.saveOrRead()
        }
        return world
    }

    @Test(
        "leaves on record what undoing before it leaves, and redoing what it has saved",
        arguments: Law.all,
        [false, true]
    )
    func law(_ law: Law, amongOthers: Bool) throws {
        // Short histories first: the first that fails is the simplest.
        for (steps, seed) in (1...7).flatMap({ steps in (0..<30).map { (steps, $0) } }) {
            let message: Comment = "\(steps) steps with seed \(seed)"
            func make() throws -> UndoWorld {
                try world(law, seed: seed, steps: steps, amongOthers: amongOthers)
            }
            let (early, late) = (try make(), try make())
            func stored(_ world: UndoWorld) throws -> [String] {
                try world.picture(of: world.container.makeContext())
            }
            // A conflict that is not settled stores nothing.
            func save(_ world: UndoWorld) -> Bool { (try? world.context.save()) != nil }
            let isSaved = save(late)
            let saved = try stored(late)
            var count = 0
            while count <= seed % 4, early.context.undo() {
                try #require(late.context.undo(), message)
                count += 1
            }
            let isStored = save(early)
            try #require(save(late) == isStored, message)
            guard isStored else { continue }
            let (got, expected) = (try stored(late), try stored(early))
            try #require(got == expected, message)
            try #require(!late.context.hasChanges, message)
            guard isSaved else { continue }
            for _ in 0..<count { try #require(late.context.redo(), message) }
            try #require(save(late), message)
            let redone = try stored(late)
            try #require(redone == saved, message)
        }
    }

    /// What others make lead to an object between its deletion, of which they do not know, and the save.
    enum Leading: CaseIterable {
        case reference, ownChanged, cascading
    }

    @Test(
        "brings back with an object what others had made lead to it",
        arguments: [false, true],
        Leading.allCases
    )
    func leading(isSavedInGroup: Bool, leading: Leading) throws {
        try TestStore.sqlite.withContainer { container in
            let context = container.makeContext()
            let (owner, bag) = (Passenger(context, "P", "A"), Luggage(context, "A", weight: 1))
            try context.save()
            context.undoLimit = 10
            let other = container.makeContext()
            let theirs = try #require(try other.luggage("A"))
            func delete() throws {
                if leading == .ownChanged { bag.place = "p" }
                try context.delete(leading == .cascading ? bag : owner)
                if leading == .cascading {
                    _ = Seal(other, 1, on: theirs)
                } else {
                    theirs.owner = try other.first(FetchRequest(Passenger.self))
                }
                try other.save()
                try context.save()
            }
            if isSavedInGroup { try context.undoGroup { try delete() } } else { try delete() }
            func expectLeading(_ isLeading: Bool) throws {
                let stored = container.makeContext()
                if leading == .cascading {
                    #expect(try stored.luggage("A")?.seals.count == (isLeading ? 1 : nil))
                    #expect(try stored.count(Seal.self) == (isLeading ? 1 : 0))
                } else {
                    #expect(try stored.luggage("A")?.owner?.familyName == (isLeading ? "A" : nil))
                }
            }
            try expectLeading(false)
            for _ in 0..<2 {
                #expect(context.undo())
                try context.save()
                try expectLeading(true)
                #expect(context.redo())
                try context.save()
                try expectLeading(false)
            }
        }
    }

    @Test("and redoing an insertion brings back what others made lead to it")
    func leadingToInserted() throws {
        let container = try PersistentContainer(model: TestModel.make(), store: InMemoryStore())
        let context = container.makeContext()
        let bag = Luggage(context, "A", weight: 1)
        try context.save()
        context.undoLimit = 10
        _ = context.undoGroup { Passenger(context, "P", "A") }
        try context.save()
        let other = container.makeContext()
        try #require(try other.luggage("A")).owner = try other.first(FetchRequest(Passenger.self))
        try other.save()
        #expect(context.undo())
        try context.save()
        #expect(try container.makeContext().luggage("A")?.owner == nil)
        #expect(context.redo())
        #expect(bag.owner?.familyName == "A")
        try context.save()
        #expect(try container.makeContext().luggage("A")?.owner?.familyName == "A")
    }

    @Test("takes nothing of an own object for somebody else's", arguments: [false, true])
    func ownObjects(isLeading: Bool) throws {
        let container = try PersistentContainer(model: TestModel.make(), store: InMemoryStore())
        let other = container.makeContext()
        let theirs = Luggage(other, "A", weight: 1)
        theirs.heaviest = 1
        theirs.owner = Passenger(other, "P", "A")
        try other.save()
        let context = container.makeContext()
        context.undoLimit = 10
        let bag = try #require(try context.luggage("A"))
        let owner = try #require(bag.owner)
        let (new, person) = context.undoGroup {
            let person = Passenger(context, "P", "C")
            if isLeading { bag.owner = person }
            return (Luggage(context, "A", weight: 3), person)
        }
        try context.delete(bag)
        new.owner = person
        try context.save()
        #expect(context.undo() && context.undo())
        // The bag is there again, and is merged with the other one.
        try context.save()
        #expect(context.undo())
        #expect(bag.owner === owner)
        #expect(bag.weight == 1)
        try context.save()
        let stored = try #require(try container.makeContext().luggage("A"))
        #expect(stored.owner?.familyName == "A")
        #expect(stored.heaviest == 1)
    }

    @Test(
        "leaves alone what was read of others between two saves",
        arguments: Law.all.filter(\.isMerging)
    )
    func readBetween(_ law: Law) throws {
        let container = try PersistentContainer(model: TestModel.make(), store: InMemoryStore())
        let other = container.makeContext()
        let theirs = Luggage(other, "A", weight: 1)
        try other.save()
        let context = container.makeContext(mergePolicy: law.policy)
        context.undoLimit = 10
        let bag = try #require(try context.luggage("A"))
        bag.note = "n"
        try context.save()
        theirs.weight = 5
        try other.save()
        _ = try context.luggage("A")
        bag.place = "p"
        try context.save()
        try context.delete(bag)
        try context.save()
        for values in [["n", "p"], ["n", nil], [nil, nil]] {
            #expect(context.undo())
            #expect([bag.note, bag.place] == values)
            #expect(bag.weight == 5)
        }
        try context.save()
        let stored = try #require(try container.makeContext().luggage("A"))
        #expect(stored.weight == 5 && stored.note == nil)
    }

    @Test(
        "leaves alone an object of others that it was merged into, when it was another one before"
    )
    func renamed() throws {
        let container = try PersistentContainer(model: TestModel.make(), store: InMemoryStore())
        let other = container.makeContext()
        Luggage(other, "A", weight: 1).note = "theirs"
        try other.save()
        let context = container.makeContext()
        context.undoLimit = 10
        let bag = context.undoGroup { Luggage(context, "X", weight: 2) }
        bag.tag = "A"
        try context.save()
        #expect(context.undo())
        #expect(bag.tag == "A" && bag.weight == 1)
        try context.save()
        let stored = try container.makeContext().fetch(FetchRequest(Luggage.self))
        #expect(stored.map(\.tag) == ["A"] && stored.map(\.note) == ["theirs"])
    }

    @Test("and a deletion taken back leaves alone what a new object was merged with")
    func mergedIntoKept() throws {
        let container = try PersistentContainer(model: TestModel.make(), store: InMemoryStore())
        let other = container.makeContext()
        let theirs = Luggage(other, "A", weight: 1)
        try other.save()
        let context = container.makeContext(mergePolicy: .mergeByPropertyStoreTrump)
        context.undoLimit = 10
        try context.delete(try #require(try context.luggage("A")))
        (theirs.weight, theirs.heaviest) = (9, 7)
        try other.save()
        let new = context.undoGroup { Luggage(context, "A", weight: 3) }
        new.note = "n"
        try context.save()
        #expect(context.undo())
        #expect(new.weight == 9 && new.heaviest == 7 && new.note == nil)
    }

    @Test("leads nowhere again, where a deletion that is taken back was made later")
    func leadingNowhere() throws {
        let container = try PersistentContainer(model: TestModel.make(), store: InMemoryStore())
        let other = container.makeContext()
        _ = Luggage(other, "A", weight: 1)
        let theirs = Passenger(other, "P", "A")
        try other.save()
        let context = container.makeContext(mergePolicy: .mergeByPropertyStoreTrump)
        context.undoLimit = 10
        let bag = try #require(try context.luggage("A"))
        let owner = try #require(try context.first(FetchRequest(Passenger.self)))
        bag.owner = owner
        try context.save()
        for note in ["x", "y"] {
            bag.note = note
            try context.save()
        }
        try context.delete(owner)
        theirs.phone = "1"
        try other.save()
        try context.save()
        #expect(bag.owner === owner)
        while context.undo() {}
        #expect(bag.owner == nil)
        try context.save()
        #expect(try container.makeContext().luggage("A")?.owner == nil)
    }

    @Test("keeps what was assigned to an object with which one that came back was merged")
    func mergedBack() throws {
        let container = try PersistentContainer(model: TestModel.make(), store: InMemoryStore())
        let context = container.makeContext()
        context.undoLimit = 10
        let bag = context.undoGroup { Luggage(context, "A", weight: 1) }
        try context.save()
        try context.delete(bag)
        try context.save()
        let other = container.makeContext()
        Luggage(other, "A", weight: 2).heaviest = 9
        try other.save()
        let theirs = try #require(try context.luggage("A"))
        #expect(context.undo())
        (theirs.weight, theirs.heaviest) = (5, 3)
        theirs.note = "n"
        try context.save()
        let (weight, heaviest) = (theirs.weight, theirs.heaviest)
        #expect(context.undo())
        #expect(
            [theirs.weight, theirs.heaviest.map(Double.init)] == [
                weight, heaviest.map(Double.init),
            ]
        )
        #expect(theirs.note == nil)
    }

    @Test("keeps an object that comes back, whatever of it is missing, when it is refreshed")
    func refreshing() throws {
        let container = try PersistentContainer(model: TestModel.make(), store: InMemoryStore())
        let context = container.makeContext()
        let seal = Seal(context, nil, on: nil)
        try context.save()
        context.undoLimit = 10
        try context.delete(seal)
        try context.save()
        #expect(context.undo())
        try context.refresh(seal)
        #expect(!seal.isDeleted)
        try context.save()
        #expect(try container.makeContext().count(Seal.self) == 1)
    }
}
