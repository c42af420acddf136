import Foundation
import ObjectStore
import SeededRandom
import StoreTesting
import Testing

@Suite("The result of a request follows the saves")
struct FollowedResultsTests {
    private typealias Changes = AsyncThrowingStream<FetchedResultsChange, any Error>

    @Test("that change the members of a relationship", arguments: TestStore.allCases)
    func memberCounts(store: TestStore) async throws {
        try await store.withContainer { container in
            let context = container.makeContext()
            let passengers = ["A", "B", "C"].map { Passenger(context, "P", $0) }
            let bag = Luggage(context, "T", weight: 1)
            bag.owner = passengers[0]
            try await context.save()
            let request = FetchRequest(Passenger.self).sorted(by: \.familyName)
            var plain = try container.observe(request).makeAsyncIterator()
            let prefetching = request.prefetching(\.luggage)
            var deep = try container.observe(prefetching).makeAsyncIterator()
            #expect(try await plain.next()?.inserted == [0, 1, 2])
            #expect(try await deep.next()?.inserted == [0, 1, 2])

            bag.owner = passengers[2]
            try await context.save()
            #expect(try await plain.next()?.updated == [0, 2])
            #expect(try await deep.next()?.updated == [0, 2])
            // Only who shows the bag hears of its weight.
            bag.weight = 2
            try await context.save()
            #expect(try await deep.next()?.updated == [2])
            try context.delete(bag)
            try await context.save()
            #expect(try await plain.next()?.updated == [2])
            #expect(try await deep.next()?.updated == [2])
        }
    }

    @Test("that change what is prefetched with an object", arguments: TestStore.allCases)
    func targets(store: TestStore) async throws {
        try await store.withContainer { container in
            let context = container.makeContext()
            let owner = Passenger(context, "D", "ZMU")
            for index in 0..<3 { Luggage(context, "A\(index)", weight: 1).owner = owner }
            try #require(try context.luggage("A1")).owner = nil
            try await context.save()
            let request = FetchRequest(Luggage.self).sorted(by: \.tag).prefetching(\.owner)
            var changes = try container.observe(request).makeAsyncIterator()
            #expect(try await changes.next()?.ids.count == 3)
            owner.phone = "555"
            try await context.save()
            #expect(try await changes.next()?.updated == [0, 2])
        }
    }

    @Test("and no row is read again for it", arguments: TestStore.allCases)
    func incremental(store: TestStore) async throws {
        try await store.withContainer { container in
            let counting = CountingStore(over: container.store)
            let container = try PersistentContainer(model: container.model, store: counting)
            let context = container.makeContext()
            let bags = (0..<300).map { Luggage(context, "T\($0)", weight: Double($0)) }
            try await context.save()
            let request = FetchRequest(Luggage.self).where(\.weight, isLessThan: 1000)
                .sorted(by: \.weight)
            var changes = try container.observe(request).makeAsyncIterator()
            #expect(try await changes.next()?.ids.count == 300)
            let before = counting.rowCount
            #expect(before >= 300)
            for (place, bag) in bags.prefix(20).enumerated() {
                // Within the result, and out of it.
                bag.weight = place.isMultiple(of: 2) ? 500 : 2000
                try await context.save()
                #expect(try await changes.next()?.ids.count == 300 - (place + 1) / 2)
            }
            #expect(counting.rowCount - before < 100)
        }
    }

    @Test("nor for what leads to an object and is shown with it", arguments: TestStore.allCases)
    func incrementalMembers(store: TestStore) async throws {
        try await store.withContainer { container in
            let counting = CountingStore(over: container.store)
            let container = try PersistentContainer(model: container.model, store: counting)
            let context = container.makeContext()
            let names = (0..<100).map { String(format: "%03d", $0) }
            let owners = names.map { Passenger(context, "D", $0) }
            for (index, owner) in owners.enumerated() {
                Luggage(context, "T\(index)", weight: 1).owner = owner
            }
            try await context.save()
            // As a list of people with the numbers of their bags.
            let request = FetchRequest(Passenger.self).sorted(by: \.familyName)
                .prefetching(\.luggage)
            var changes = try container.observe(request).makeAsyncIterator()
            #expect(try await changes.next()?.ids.count == 100)
            let before = counting.rowCount
            for place in 0..<20 {
                Luggage(context, "N\(place)", weight: 1).owner = owners[place]
                try await context.save()
                #expect(try await changes.next()?.updated == [place])
            }
            #expect(counting.rowCount - before < 200)
        }
    }

    @Test(
        "and names what each of several has changed, though the first was told with the others",
        arguments: TestStore.allCases
    )
    func window(store: TestStore) async throws {
        try await store.withContainer { container in
            let context = container.makeContext()
            for tag in ["A", "B", "C"] { _ = Luggage(context, tag, weight: 1) }
            try await context.save()
            let request = FetchRequest(Luggage.self).sorted(by: \.tag).limited(to: 20)
            var changes = try container.observe(request).makeAsyncIterator()
            #expect(try await changes.next()?.inserted == [0, 1, 2])
            // Both saves are there before the first is told.
            try container.transaction { context in
                for tag in ["A", "B"] {
                    context.author = tag
                    try #require(try context.luggage(tag)).note = "looked at"
                    try context.save()
                }
            }
            #expect(try await changes.next()?.updated == [0])
            try #require(try context.luggage("C")).note = "the last"
            try await context.save()
            var updated: Set<Int> = []
            while !updated.contains(2) {
                updated.formUnion(try #require(try await changes.next()).updated)
            }
            #expect(updated == [1, 2])
        }
    }

    @Test(
        "and is what a fetch finds, with the fewest moves",
        arguments: TestStore.allCases,
        [UInt64](1...6)
    )
    func random(store: TestStore, seed: UInt64) async throws {
        try await store.withContainer { container in
            let context = container.makeContext()
            for index in 0..<30 { _ = Luggage(context, "T\(index)", weight: Double(index % 7)) }
            try await context.save()
            let request = FetchRequest(Luggage.self).where(\.weight, isLessThan: 6)
                .sorted(by: \.weight, .descending).sorted(by: \.tag)
            let window = request.skipping(2).limited(to: 9)
            var requests: [(FetchRequest<Luggage>, Changes.AsyncIterator, [ObjectID])] = []
            for request in [request, window] {
                requests.append((request, try container.observe(request).makeAsyncIterator(), []))
            }
            var random = SeededGenerator(seed: seed)
            for step in 0..<40 {
                if step > 0 { try Self.change(context, &random, step) }
                for index in requests.indices {
                    let expected = try container.makeContext().fetchIDs(requests[index].0)
                    // Two saves in a row may come as one element, but every change comes.
                    guard let change = try await requests[index].1.next() else { return }
                    let place: Comment = "seed \(seed), step \(step), request \(index)"
                    try #require(change.ids == expected, place)
                    try #require(change.applied(to: requests[index].2) == expected, place)
                    let stayed = requests[index].2.filter { expected.contains($0) }
                    let inOrder = expected.filter { stayed.contains($0) }
                    if stayed == inOrder { try #require(change.moved.isEmpty, place) }
                    requests[index].2 = expected
                }
            }
        }
    }

    /// Saves changes of some bags; the first is always in both results and changes.
    private static func change(
        _ context: ManagedObjectContext,
        _ random: inout SeededGenerator,
        _ step: Int
    ) throws {
        let bags = try context.fetch(
            FetchRequest(Luggage.self).where(\.weight, isLessThan: 6)
                .sorted(by: \.weight, .descending).sorted(by: \.tag)
        )
        bags[2 + random.number(below: 9)].note = "\(step)"
        for _ in 0..<random.number(below: 4) {
            let bag = bags[random.number(below: bags.count)]
            switch random.number(below: 4) {
            case 0: bag.weight = Double(random.number(below: 8))
            case 1: bag.tag = "U\(step)-\(random.number(below: 100_000))"
            case 2 where bags.count > 20: try context.delete(bag)
            default:
                let tag = "N\(step)-\(random.number(below: 100_000))"
                _ = Luggage(context, tag, weight: Double(random.number(below: 7)))
            }
        }
        let last = try context.fetch(
            FetchRequest(Luggage.self).where(\.weight, isLessThan: 6)
                .sorted(by: \.weight, .descending).sorted(by: \.tag).skipping(2).limited(to: 1)
        )
        last.first?.priority = step
        try context.save()
    }
}
