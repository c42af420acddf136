import Foundation
import SeededRandom
import StoreTesting
import Testing

@testable import ObjectStore

@Suite("An observed request")
struct FetchedResultsTests {
    @Test("ends where it could not be read: what follows would lack something", arguments: [1, 2])
    func failure(reading: Int) async throws {
        let store = PausingStore()
        let container = try PersistentContainer(model: TestModel.make(), store: store)
        var changes = try container.observe(FetchRequest(Luggage.self).limited(to: 5))
            .makeAsyncIterator()
        for number in 1...2 {
            if number == reading {
                store.failReading(1)
                do {
                    _ = try await changes.next()
                    Issue.record("what could not be read was told")
                } catch { #expect(error is PausingStore.Unreadable) }
                break
            }
            #expect(try await changes.next() != nil)
            let context = container.makeContext()
            _ = Luggage(context, "A", weight: 1)
            try await context.save()
        }
        // There would be something to tell.
        let context = container.makeContext()
        _ = Luggage(context, "B", weight: 1)
        try await context.save()
        #expect(try await changes.next() == nil)
    }

    @Test("tells several tasks that ask at a time all saves in their order, whoever is quicker")
    func severalTasks() async throws {
        let container = try PersistentContainer(model: TestModel.make(), store: InMemoryStore())
        let changes = try container.observe(FetchRequest(Luggage.self))
        let (elements, told) = AsyncStream.makeStream(of: Int.self)
        let tasks = [TaskPriority.low, .high, .medium].map { priority in
            Task(priority: priority) {
                for try await change in changes { told.yield(change.ids.count) }
                told.finish()
            }
        }
        var counts: [Int] = []
        for await count in elements {
            counts.append(count)
            if counts.count == 501 { break }
            if count > 0 { continue }
            for number in 1...500 {
                let context = container.makeContext()
                _ = Luggage(context, "\(number)", weight: 1)
                try await context.save()
            }
        }
        // Who was told may be overtaken on the way to here.
        #expect(counts.sorted() == Array(0...500))
        for task in tasks { task.cancel() }
    }

    @Test("tells what was inserted, deleted, moved and updated", arguments: TestStore.allCases)
    func changes(store: TestStore) async throws {
        try await store.withContainer { container in
            let context = container.makeContext()
            let bags = ["A", "B", "C"].enumerated().map { Luggage(context, $1, weight: Double($0)) }
            try await context.save()

            let request = FetchRequest(Luggage.self, predicate: #Predicate { $0.weight < 10 })
                .sorted(by: \.weight)
            var changes = try container.observe(request).makeAsyncIterator()
            let first = try #require(try await changes.next())
            #expect(first.inserted == [0, 1, 2])
            #expect(first.ids == bags.map(\.objectID))

            // A goes behind the others, B is edited in its place, C leaves, D comes.
            bags[0].weight = 5
            bags[1].note = "fragile"
            bags[2].weight = 50
            let last = Luggage(context, "D", weight: 7)
            try await context.save()
            let second = try #require(try await changes.next())
            #expect(second.ids == [bags[1], bags[0], last].map(\.objectID))
            #expect(second.deleted == [2])
            #expect(second.inserted == [2])
            #expect(second.moved.count == 1)
            #expect(second.updated == [0, 1])

            // Nothing that concerns the request: no element.
            bags[2].note = "heavy"
            _ = Passenger(context, "D", "ZMU")
            try await context.save()
            try context.delete(last)
            try await context.save()
            #expect(try await changes.next()?.deleted == [2])
        }
    }

    @Test("with a relationship in it hears of the related objects")
    func related() async throws {
        try await TestStore.memory.withContainer { container in
            let context = container.makeContext()
            let luggage = Luggage(context, "A", weight: 1)
            let owner = Passenger(context, "D", "ZMU")
            luggage.owner = owner
            try await context.save()
            let request = FetchRequest(
                Luggage.self,
                predicate: #Predicate { $0.owner?.familyName == "ABC" }
            )
            var changes = try container.observe(request).makeAsyncIterator()
            #expect(try await changes.next()?.ids == [])
            owner.familyName = "ABC"
            try await context.save()
            #expect(try await changes.next()?.inserted == [0])
        }
    }

    @Test("of very many objects, and sorted anew, takes no time by their square")
    func many() {
        let ids = (0..<200_000).map { ObjectID(entity: 0, key: $0) }
        let first = FetchedResultsChange(from: [], to: ids, changed: [])
        #expect(first.inserted.count == ids.count)
        let second = FetchedResultsChange(from: ids, to: ids.reversed(), changed: [])
        #expect(second.moved.count == ids.count - 1)
    }

    @Test("leads a table from each result to the next", arguments: 0..<30)
    func anyChanges(seed: Int) async throws {
        try await TestStore.memory.withContainer { container in
            var random = SeededGenerator(seed: UInt64(seed))
            let request = FetchRequest(Luggage.self).sorted(by: \.weight, .descending)
            var changes = try container.observe(request).makeAsyncIterator()
            var table: [ObjectID] = []
            table = try #require(try await changes.next()).applied(to: table)
            for round in 0..<20 {
                let context = container.makeContext()
                for luggage in try context.fetch(request) {
                    switch random.number(below: 4) {
                    case 0: luggage.weight = Double(random.number(below: 100))
                    case 1: try context.delete(luggage)
                    default: break
                    }
                }
                for number in 0...random.number(below: 4) {
                    _ = Luggage(
                        context,
                        "\(round).\(number)",
                        weight: Double(random.number(below: 100))
                    )
                }
                try await context.save()
                table = try #require(try await changes.next()).applied(to: table)
                #expect(try table == context.fetchIDs(request), "seed \(seed)")
            }
        }
    }
}
