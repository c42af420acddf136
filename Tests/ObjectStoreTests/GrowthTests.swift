import ObjectStore
import StoreTesting
import Synchronization
import Testing

/// No time is measured: each of these takes seconds, and would take ten minutes to hours if what is done to
/// one object cost more with each of the others.
@Suite("What one object costs does not grow with the number of others", .timeLimit(.minutes(5)))
struct GrowthTests {
    @Test("to delete it, with what it takes with it", arguments: TestStore.allCases)
    func deletion(store: TestStore) throws {
        try store.withContainer { container in
            let context = container.makeContext()
            for index in 0..<60_000 {
                let bag = Luggage(context, "\(index)", weight: 1)
                for number in 0..<2 { _ = Seal(context, number, on: bag) }
            }
            try context.save()
            let other = container.makeContext()
            for bag in try other.fetch(FetchRequest(Luggage.self)) { try other.delete(bag) }
            #expect(other.deletedObjects.count == 180_000)
            try other.save()
            #expect(try container.makeContext().count(Seal.self) == 0)
        }
    }

    @Test(
        "to keep it where others have changed what was deleted here",
        arguments: TestStore.allCases
    )
    func keptDeletion(store: TestStore) throws {
        try store.withContainer { container in
            let other = container.makeContext()
            let bags = (0..<20_000).map { index in
                let bag = Luggage(other, "\(index)", weight: 1)
                bag.owner = Passenger(other, "P", "\(index % 1000)")
                _ = Seal(other, 1, on: bag)
                return bag
            }
            try other.save()
            let context = container.makeContext(mergePolicy: .mergeByPropertyStoreTrump)
            for bag in try context.fetch(FetchRequest(Luggage.self)) { try context.delete(bag) }
            for bag in bags { bag.weight = 2 }
            try other.save()
            try context.save()
            #expect(try container.makeContext().count(Seal.self) == bags.count)
        }
    }

    @Test(
        "to look for some by their values or identities, or from a bound on, while all are unsaved",
        arguments: TestStore.allCases
    )
    func lookingForSome(store: TestStore) throws {
        try store.withContainer { container in
            let context = container.makeContext()
            let every = FetchRequest(Luggage.self)
            let bags = (0..<100_000).map { number in
                let words = number.isMultiple(of: 2) ? "even" : "odd"
                return Luggage(context, "\(number)", weight: Double(number), note: words)
            }
            for number in 0..<2000 {
                let some = (0..<5).map { bags[(number * 37 + $0 * 7919) % bags.count] }
                let tagged = every.where(\.tag, isOneOf: some.map(\.tag))
                let these = every.whereObject(isOneOf: some.map(\.objectID))
                let either = every.whereEither(
                    { $0.where(\.tag, is: some[0].tag) },
                    { $0.where(\.weight, is: some[1].weight) }
                )
                let counts = try [tagged, these, either].map { try context.count($0) }
                #expect(counts == [5, 5, 2])
                let next = every.sorted(by: \.weight).where(\.weight, isAtLeast: some[2].weight)
                let first = try context.fetch(next.limited(to: 1))
                #expect(first == [some[2]])
                let noted = every.where(\.note, isOneOf: ["even", "odd"]).limited(to: 1)
                #expect(try context.fetch(noted) == [bags[0]])
                let between = every.where(\.weight, isGreaterThan: some[2].weight)
                    .where(\.weight, isLessThan: some[2].weight + 1)
                let none = [
                    every.where(\.note, isMissing: true), between.sorted(by: \.weight),
                    between.sorted(by: \.weight, .descending),
                ]
                for request in none { #expect(try context.fetch(request.limited(to: 1)).isEmpty) }
                let heavy = every.where(\.weight, isAtLeast: some[2].weight)
                let range = heavy.where(\.weight, isLessThan: some[2].weight + 3)
                let expected = bags[Int(some[2].weight)...].prefix(3)
                #expect(try context.fetch(range) == Array(expected))
                let all = every.where(\.weight, isAtLeast: 0).limited(to: 1)
                #expect(try context.fetch(all) == [bags[0]])
                #expect(try context.count(all) == 1)
                let tag = bags[50_000 + number].tag
                #expect(try context.count(every.where(\.tag, hasPrefix: tag)) == 1)
            }
        }
    }

    @Test(
        "to look for the newest between bounds, whatever the order, and to delete it, while all are unsaved",
        arguments: TestStore.allCases
    )
    func lookingBetweenBounds(store: TestStore) throws {
        try store.withContainer { container in
            let context = container.makeContext()
            let every = FetchRequest(Luggage.self)
            let bags = (0..<50_000).map { number in
                let bag = Luggage(context, "\(number)", weight: Double(number))
                bag.heaviest = 0
                return bag
            }
            let last = bags.suffix(17)
            for bag in last { (bag.heaviest, bag.note) = (1, "noted") }
            let heavy = every.where(\.heaviest, isGreaterThan: 0)
            let first = heavy.limited(to: 1)
            let noted = every.where(\.note, isLessThan: "o")
            for _ in 0..<1000 {
                let found = try context.fetch(first)
                #expect(found.first == last.first)
                #expect(try context.exists(heavy))
                #expect(try context.fetch(heavy.skipping(16).limited(to: .max)) == [bags.last])
                #expect(try context.fetch(first.sorted(by: \.weight)).first == last.first)
                let wide = every.where(\.weight, isAtLeast: 0).where(\.heaviest, isAtLeast: 1)
                #expect(try context.count(wide) == 17)
                #expect(try context.count(heavy.where(\.weight, isAtLeast: 0)) == 17)
                // Nearly all have no note.
                #expect(try context.count(noted) == 17)
                #expect(try context.fetch(noted.limited(to: 9)).count == 9)
            }
            for bag in bags { try context.delete(bag) }
            #expect(try context.fetch(FetchRequest(Luggage.self)).isEmpty)
        }
    }

    @Test(
        "to look whether there is one, or count a few, while all were edited",
        arguments: TestStore.allCases
    )
    func lookingAmongEdits(store: TestStore) throws {
        try store.withContainer { container in
            let first = container.makeContext()
            for index in 0..<100_000 { _ = Luggage(first, "\(index)", weight: 1) }
            try first.save()
            let context = container.makeContext()
            for bag in try context.fetch(FetchRequest(Luggage.self)) { bag.note = "x" }
            for index in 0..<1000 {
                let request = FetchRequest(Luggage.self).where(\.tag, is: "\(index)")
                #expect(try context.exists(request))
                #expect(try context.count(request) == 1)
            }
        }
    }

    @Test("to assign to it, while all are observed")
    func observers() throws {
        try TestStore.memory.withContainer { container in
            let context = container.makeContext()
            let bags = (0..<100_000).map { Luggage(context, "\($0)", weight: 1) }
            let told = Atomic(0)
            let tokens = bags.map { bag in
                bag.observe(\.weight) { _, _ in told.add(1, ordering: .relaxed) }
            }
            for bag in bags { bag.weight = 2 }
            #expect(told.load(ordering: .relaxed) == bags.count)
            for token in tokens { token.cancel() }
            for bag in bags { bag.weight = 3 }
            #expect(told.load(ordering: .relaxed) == bags.count)
        }
    }

    @Test("to put it into a relationship, and out of it", arguments: TestStore.allCases)
    func members(store: TestStore) throws {
        try store.withContainer { container in
            let context = container.makeContext()
            let owner = Passenger(context, "D", "ZMU")
            let bags = (0..<100_000).map { Luggage(context, "\($0)", weight: 1) }
            for bag in bags { try owner.insert(bag, into: \.luggage) }
            #expect(owner.luggage.count == bags.count)
            for bag in bags.dropLast() { try owner.remove(bag, from: \.luggage) }
            #expect(owner.luggage == bags.suffix(1))
            try context.save()
            #expect(owner.luggage == bags.suffix(1))
        }
    }

    @Test("to save it, with thousands of steps that can be undone")
    func undoSteps() throws {
        try TestStore.memory.withContainer { container in
            let context = container.makeContext()
            let bag = Luggage(context, "the edited one", weight: 1)
            try context.save()
            context.undoLimit = 10_000
            for step in 0..<10_000 { bag.weight = Double(step) }
            for round in 0..<2 {
                context.undoGroup {
                    for number in 0..<20_000 {
                        _ = Luggage(context, "\(round) \(number)", weight: 1)
                    }
                }
                try context.save()
            }
            while context.undo() {}
            #expect(bag.weight == 1)
        }
    }

    @Test("to save it, with a step of thousands of others that can be undone")
    func largeStep() throws {
        try TestStore.memory.withContainer { container in
            let context = container.makeContext()
            context.undoLimit = 1
            let other = Luggage(context, "the edited one", weight: 1)
            context.undoGroup {
                for number in 0..<20_000 { _ = Luggage(context, "\(number)", weight: 1) }
            }
            try context.save()
            // A group is no step yet, so that the other one stays.
            try context.undoGroup {
                for step in 0..<10_000 {
                    other.weight = Double(step)
                    try context.save()
                }
            }
        }
    }

    @Test("to count it among changes, and by its identity", arguments: TestStore.allCases)
    func counting(store: TestStore) throws {
        try store.withContainer { container in
            let context = container.makeContext()
            let bags = (0..<100_000).map { Luggage(context, "\($0)", weight: 1) }
            try context.save()
            for bag in bags { bag.weight = 2 }
            #expect(try context.count(FetchRequest(Luggage.self)) == bags.count)
            let ids = bags.map(\.objectID)
            let request = FetchRequest(Luggage.self).whereObject(isOneOf: ids)
            #expect(try context.count(request) == bags.count)
            let tags = FetchRequest(Luggage.self).where(\.tag, isOneOf: bags.map(\.tag))
            #expect(try context.count(tags) == bags.count)
        }
    }
}
