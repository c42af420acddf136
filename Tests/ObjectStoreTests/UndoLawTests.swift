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
        arguments: TestStore.allCases,
        Leading.allCases
    )
    func leading(store: TestStore, leading: Leading) throws {
        try store.withContainer { container in
            let context = container.makeContext()
            let (owner, bag) = (Passenger(context, "P", "A"), Luggage(context, "A", weight: 1))
            try context.save()
            context.undoLimit = 10
            let other = container.makeContext()
            let theirs = try #require(try other.luggage("A"))
            if leading == .ownChanged { bag.place = "p" }
            try context.delete(leading == .cascading ? bag : owner)
            switch leading {
            case .reference, .ownChanged:
                theirs.owner = try other.first(FetchRequest(Passenger.self))
            case .cascading: _ = Seal(other, 1, on: theirs)
            }
            try other.save()
            try context.save()
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
