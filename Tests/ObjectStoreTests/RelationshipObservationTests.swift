import Foundation
import ObjectStore
import StoreTesting
import Synchronization
import Testing

@Suite("Observed relationships")
struct RelationshipObservationTests {
    /// What observers were told, in order.
    private final class Log<Line: Sendable>: Sendable {
        private let lines = Mutex<[Line]>([])
        func add(_ line: Line) { lines.withLock { $0.append(line) } }
        func take() -> [Line] {
            lines.withLock { lines in
                defer { lines = [] }
                return lines
            }
        }
    }

    private struct Line: Equatable, Sendable {
        let inserted: [ObjectID]
        let removed: [ObjectID]
    }

    @Test("tell of targets, and not of a save that gives them rows", arguments: TestStore.allCases)
    func toOne(store: TestStore) throws {
        try store.withContainer { container in
            let context = container.makeContext()
            let (first, second) = (Passenger(context, "D", "ZMU"), Passenger(context, "E", "ABC"))
            let bag = Luggage(context, "A", weight: 1)
            let log = Log<[ObjectID?]>()
            let token = bag.observe(\.owner) { _, change in log.add([change.old, change.new]) }
            bag.owner = first
            #expect(log.take() == [[nil, first.objectID]])
            try context.save()
            #expect(log.take() == [])
            try second.insert(bag, into: \.luggage)
            #expect(log.take() == [[first.objectID, second.objectID]])
            try context.delete(second)
            #expect(log.take() == [[second.objectID, nil]])
            context.rollback()
            #expect(log.take() == [[nil, first.objectID]])
            token.cancel()
            bag.owner = nil
            #expect(log.take() == [])
        }
    }

    @Test(
        "tell nothing of an object that others made lead elsewhere but that it does",
        arguments: TestStore.allCases
    )
    func ledElsewhere(store: TestStore) throws {
        try store.withContainer { container in
            let other = container.makeContext()
            let owners = [Passenger(other, "D", "ZMU"), Passenger(other, "E", "ABC")]
            let moved = Luggage(other, "A", weight: 1)
            moved.owner = owners[0]
            try other.save()
            let context = container.makeContext()
            let bag = try #require(try context.luggage("A"))
            let log = Log<String>()
            let weight = bag.observe(\.weight) { _, change in
                log.add("\(change.old) \(change.new)")
            }
            let next = owners[1].objectID
            let owner = bag.observe(\.owner) { _, change in
                log.add(change.new == next ? "moved" : "led nowhere")
            }
            moved.owner = owners[1]
            try other.save()
            let request = FetchRequest(Passenger.self).where(\.givenName, is: "D")
            let first = try #require(try context.first(request))
            #expect(first.luggage.isEmpty)
            #expect(log.take() == ["moved"])
            weight.cancel()
            owner.cancel()
        }
    }

    @Test(
        "tell of members that came in saves of which nobody knows more",
        arguments: TestStore.allCases
    )
    func incomplete(store: TestStore) async throws {
        try await store.withContainer { container in
            let context = container.makeContext()
            let owner = Passenger(context, "D", "ZMU")
            try await context.save()
            let log = Log<Line>()
            let token = owner.observe(\.luggage) { _, change in
                log.add(Line(inserted: change.inserted, removed: change.removed))
            }
            var changes = container.changes.makeAsyncIterator()
            try container.transaction { other in
                let request = FetchRequest(Passenger.self)
                Luggage(other, "A", weight: 1).owner = try other.first(request)
                for part in 0..<6 {
                    for number in 0..<10_000 { Part(context: other).name = "\(part) \(number)" }
                    try other.save()
                    other.reset()
                }
            }
            let save = try #require(await changes.next(isolation: nil))
            #expect(!save.isComplete)
            try context.mergeChanges(of: save)
            #expect(log.take().map(\.inserted.count) == [1])
            token.cancel()
        }
    }

    @Test("tell of members that come and go", arguments: TestStore.allCases)
    func toMany(store: TestStore) throws {
        try store.withContainer { container in
            let context = container.makeContext()
            context.undoLimit = 9
            let (owner, other) = (Passenger(context, "D", "ZMU"), Passenger(context, "E", "ABC"))
            let log = Log<Line>()
            let token = owner.observe(\.luggage) { _, change in
                log.add(Line(inserted: change.inserted, removed: change.removed))
            }
            let bags = (0..<2).map { Luggage(context, "A\($0)", weight: 1) }
            bags[0].owner = owner
            #expect(log.take() == [Line(inserted: [bags[0].objectID], removed: [])])
            owner.luggage = [bags[1]]
            #expect(log.take() == [Line(inserted: [bags[1].objectID], removed: [bags[0].objectID])])
            context.undo()
            #expect(log.take() == [Line(inserted: [bags[0].objectID], removed: [bags[1].objectID])])
            bags[0].weight = 3
            try context.save()
            #expect(log.take() == [])
            bags[0].owner = other
            #expect(log.take() == [Line(inserted: [], removed: [bags[0].objectID])])
            try context.save()

            // What another context saves, once it is merged.
            let elsewhere = container.makeContext()
            let third = Luggage(elsewhere, "A2", weight: 1)
            third.owner = try elsewhere.existingObject(Passenger.self, id: owner.objectID)
            let save = try elsewhere.save()
            try context.mergeChanges(of: save)
            #expect(log.take() == [Line(inserted: [third.objectID], removed: [])])
            let here = try #require(try context.existingObject(Luggage.self, id: third.objectID))
            try context.delete(here)
            #expect(log.take() == [Line(inserted: [], removed: [third.objectID])])
            withExtendedLifetime(token) {}
        }
    }

    @Test("tell of members that are forgotten and read anew", arguments: TestStore.allCases)
    func resetting(store: TestStore) throws {
        try store.withContainer { container in
            let context = container.makeContext()
            let owner = Passenger(context, "D", "ZMU")
            let bag = Luggage(context, "A", weight: 1)
            bag.owner = owner
            try context.save()
            let log = Log<Line>()
            let token = owner.observe(\.luggage) { _, change in
                log.add(Line(inserted: change.inserted, removed: change.removed))
            }
            context.reset()
            #expect(log.take() == [Line(inserted: [], removed: [bag.objectID])])
            #expect(owner.luggage == [bag])
            #expect(log.take() == [Line(inserted: [bag.objectID], removed: [])])
            withExtendedLifetime(token) {}
        }
    }

    @Test(
        "tell nothing of a member that is merged with what others inserted",
        arguments: TestStore.allCases
    )
    func mergedMember(store: TestStore) throws {
        try store.withContainer { container in
            let context = container.makeContext()
            let owner = Passenger(context, "D", "ZMU")
            let bag = Luggage(context, "A", weight: 1)
            bag.owner = owner
            try context.save()
            context.undoLimit = 5
            try context.delete(bag)
            try context.save()
            let other = container.makeContext()
            _ = Luggage(other, "A", weight: 5)
            try other.save()
            #expect(context.undo())
            let log = Log<Line>()
            let token = owner.observe(\.luggage) { _, change in
                log.add(Line(inserted: change.inserted, removed: change.removed))
            }
            try context.save()
            #expect(owner.luggage.map(\.objectID) == [bag.objectID])
            #expect(log.take() == [])
            withExtendedLifetime(token) {}
        }
    }

    @Test("of many objects are told of their own changes only")
    func many() throws {
        try TestStore.memory.withContainer { container in
            let context = container.makeContext()
            let bags = (0..<1000).map { Luggage(context, "A\($0)", weight: 1) }
            let log = Log<Int>()
            let tokens = bags.enumerated().map { index, bag in
                bag.observe(\.weight) { _, _ in log.add(index) }
            }
            for index in [7, 3, 7] { bags[index].weight += 1 }
            bags[5].note = "not observed"
            #expect(log.take() == [7, 3, 7])
            try context.save()
            bags[999].weight = 2
            #expect(log.take() == [999])
            #expect(tokens.count == 1000)
        }
    }
}
