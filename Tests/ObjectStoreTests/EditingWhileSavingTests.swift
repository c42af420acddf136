import Foundation
import ObjectStore
import SeededRandom
import StoreTesting
import Testing

@Suite("What is changed in a context while another task saves it")
struct EditingWhileSavingTests {
    private struct Stop: Error {}

    private let store = PausingStore()
    private let container: PersistentContainer

    init() throws {
        container = try PersistentContainer(model: TestModel.make(), store: store)
    }

    @Test("is left for the next save")
    func laterEdits() throws {
        let context = container.makeContext()
        let (kept, gone) = (Luggage(context, "A", weight: 1), Luggage(context, "B", weight: 1))
        let owner = Passenger(context, "D", "ZMU")
        kept.owner = owner
        var added: Luggage?
        try store.save(context) {
            kept.weight = 2
            added = Luggage(context, "C", weight: 3)
            added?.owner = owner
            try context.delete(gone)
        }
        #expect(context.hasChanges)
        #expect(!kept.objectID.isProvisional)
        #expect(kept.weight == 2)
        #expect(gone.isDeleted)
        #expect(added?.owner === owner)
        let between = try container.makeContext().fetch(FetchRequest(Luggage.self))
        #expect(between.map(\.tag) == ["A", "B"])
        #expect(between.map(\.weight) == [1, 1])

        try context.save()
        let after = try container.makeContext().fetch(FetchRequest(Luggage.self))
        #expect(after.map(\.tag) == ["A", "C"])
        #expect(after.map(\.weight) == [2, 3])
        #expect(after.map { $0.owner?.objectID } == [owner.objectID, owner.objectID])
    }

    @Test("is as it was, with what was to be saved, where the save fails")
    func failure() throws {
        let context = container.makeContext()
        let luggage = Luggage(context, "A", weight: 1)
        #expect(throws: Stop.self) {
            try store.save(context) {
                luggage.weight = 2
                luggage.note = "later"
                throw Stop()
            }
        }
        #expect(luggage.objectID.isProvisional)
        #expect(try container.makeContext().count(Luggage.self) == 0)
        try context.save()
        let stored = try #require(try container.makeContext().luggage("A"))
        #expect(stored.weight == 2)
        #expect(stored.note == "later")
    }

    @Test("is forgotten where the context is reset")
    func resetting() throws {
        let context = container.makeContext()
        let luggage = Luggage(context, "A", weight: 1)
        try store.save(context) { context.reset() }
        #expect(!context.hasChanges)
        #expect(luggage.isDeleted)
        #expect(try context.luggage("A")?.weight == 1)
    }

    @Test("by others is taken over after the save")
    func merging() throws {
        let context = container.makeContext()
        let luggage = Luggage(context, "A", weight: 1)
        _ = Luggage(context, "B", weight: 1)
        try context.save()
        let other = container.makeContext()
        try #require(try other.luggage("B")).weight = 9
        let change = try other.save()
        let known = try #require(try context.existingObject(Luggage.self, id: luggage.objectID))
        known.weight = 5
        let id = try #require(change.changes.keys.first)
        let seen = try #require(try context.existingObject(Luggage.self, id: id))
        try store.save(context) {
            try context.mergeChanges(of: change)
            #expect(seen.weight == 1)
        }
        #expect(seen.weight == 9)
        #expect(known.weight == 5)
    }

    @Test("by others is taken over after the save as far as it can be read")
    func mergingUnreadable() throws {
        let other = container.makeContext()
        let theirs = ["A", "B"].map { Luggage(other, $0, weight: 1) }
        try other.save()
        let context = container.makeContext()
        let bags = try context.fetch(FetchRequest(Luggage.self).sorted(by: \.tag))
        let changes = try theirs.map { bag in
            bag.weight = 9
            return try other.save()
        }
        _ = Luggage(context, "C", weight: 1)
        try store.save(context) {
            for change in changes { try context.mergeChanges(of: change) }
            store.failReading(1)
        }
        #expect(bags.map(\.weight) == [1, 9])
        #expect(throws: PausingStore.Unreadable.self) { try context.checkReads() }
    }

    @Test("in a transaction is allowed, and saving there is an error and no wait without end")
    func savingInTransaction() throws {
        let context = container.makeContext()
        let luggage = Luggage(context, "A", weight: 1)
        try store.save(context) {
            luggage.weight = 2
            #expect(throws: StoreError.self) { try context.save() }
            let found = try context.fetch(FetchRequest(Luggage.self))
            #expect(found == [luggage])
        }
        try context.save()
        #expect(try container.makeContext().luggage("A")?.weight == 2)
    }

    @Test(
        "by others, and is read when the save is stored but has not ended, stays",
        arguments: [false, true]
    )
    func refreshing(keepingChanges: Bool) throws {
        let context = container.makeContext(mergePolicy: .error)
        let bag = Luggage(context, "A", weight: 1)
        try context.save()
        bag.weight = 2
        var end: (() throws -> Void)?
        store.pauseOnceStored {
            let other = container.makeContext()
            try #require(try other.luggage("A")).note = "theirs"
            try other.save()
            end = besides { try context.refresh(bag, keepingChanges: keepingChanges) }
        }
        try context.save()
        try end?()
        #expect(bag.weight == 2)
        #expect(bag.note == "theirs")
        bag.place = "x"
        try context.save()
    }

    // MARK: Any edits

    /// Makes edits that depend on the random numbers and the present values only.
    private static func edit(
        _ context: ManagedObjectContext,
        _ bags: inout [Luggage],
        _ people: inout [Passenger],
        _ random: inout SeededGenerator
    ) throws {
        for _ in 0..<random.number(below: 8) {
            let bag = bags.filter { !$0.isDeleted }.randomElement(using: &random)
            let person = people.filter { !$0.isDeleted }.randomElement(using: &random)
            switch random.number(below: 9) {
            case 0:
                bags.append(Luggage(context, "new \(bags.count)", weight: 1))
                bags.last?.owner = person
            case 1: bag?.weight += 1
            case 2: bag?.note = bag?.note == nil ? "note" : nil
            case 3: if let bag { try context.delete(bag) }
            case 4: bag?.owner = person
            case 5:
                people.append(Passenger(context, "N", String(people.count, radix: 36)))
                bag?.owner = people.last
            case 6: if let bag { person?.luggage = [bag] }
            case 7:
                #expect(throws: Stop.self) {
                    try context.transaction {
                        try edit(context, &bags, &people, &random)
                        throw Stop()
                    }
                }
            default: if let person, people.count > 2 { try context.delete(person) }
            }
        }
    }

    private static func picture(_ context: ManagedObjectContext) throws -> [String] {
        let bags = try context.fetch(FetchRequest(Luggage.self)).map { bag in
            "\(bag.tag) \(bag.weight) \(bag.note ?? "-") \(bag.owner?.familyName ?? "-")"
        }
        let people = try context.fetch(FetchRequest(Passenger.self)).map { person in
            "\(person.familyName) \(person.luggage.map(\.tag).sorted())"
        }
        return (bags + people).sorted()
    }

    @Test("has the effect that it would have after the save", arguments: 0..<60)
    func anyEdits(seed: Int) throws {
        var pictures: [[[String]]] = []
        for isMeanwhile in [false, true] {
            let store = PausingStore()
            let container = try PersistentContainer(model: TestModel.make(), store: store)
            let context = container.makeContext()
            var random = SeededGenerator(seed: UInt64(seed))
            var bags = (0..<4).map { Luggage(context, "tag \($0)", weight: 1) }
            var people = (0..<3).map { Passenger(context, "P", "\($0)") }
            for (bag, person) in zip(bags, people) { bag.owner = person }
            if random.number(below: 2) == 0 { try context.save() }
            var seen: [[String]] = []
            for _ in 0..<4 {
                try Self.edit(context, &bags, &people, &random)
                // So that there is always something to save.
                Counter(context: context).name = "\(seen.count)"
                if isMeanwhile {
                    try store.save(context) { try Self.edit(context, &bags, &people, &random) }
                } else {
                    try context.save()
                    try Self.edit(context, &bags, &people, &random)
                }
                seen.append(try Self.picture(context))
            }
            try context.save()
            seen.append(try Self.picture(container.makeContext()))
            pictures.append(seen)
        }
        #expect(pictures[0] == pictures[1], "seed \(seed)")
    }
}
