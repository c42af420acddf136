import Foundation
import ObjectStore
import SeededRandom
import StoreTesting
import Testing

@Suite("With unsaved changes, a request reads of the store what it needs")
struct PendingFetchTests {
    /// A container of a store that counts, with bags in it.
    private func withBags(
        _ count: Int,
        _ store: TestStore,
        _ body: (CountingStore, PersistentContainer) throws -> Void
    ) throws {
        try store.withContainer { container in
            let context = container.makeContext()
            for index in 0..<count { _ = Luggage(context, "T\(index)", weight: Double(index)) }
            try context.save()
            let counting = CountingStore(over: container.store)
            try body(counting, PersistentContainer(model: container.model, store: counting))
        }
    }

    @Test("a limited one, its rows and no more than are hidden", arguments: TestStore.allCases)
    func limited(store: TestStore) throws {
        try withBags(1000, store) { counting, container in
            let context = container.makeContext()
            let request = FetchRequest(Luggage.self).sorted(by: \.weight).skipping(5).limited(
                to: 10
            )
            _ = Luggage(context, "new", weight: 7.5)
            #expect(
                try context.fetch(request).map(\.weight) == [5, 6, 7, 7.5, 8, 9, 10, 11, 12, 13]
            )
            #expect(counting.rowCount <= 20)

            // Changes and deletions among the rows, and elsewhere.
            for tag in ["T6", "T7", "T900"] { try #require(try context.luggage(tag)).weight = 2000 }
            try context.delete(try #require(try context.luggage("T3")))
            let before = counting.rowCount
            #expect(
                try context.fetch(request).map(\.weight) == [7.5, 8, 9, 10, 11, 12, 13, 14, 15, 16]
            )
            #expect(counting.rowCount - before <= 20)
            #expect(counting.keyCount == 0)
            #expect(try context.fetch(request.limited(to: .max)).count == 995)
        }
    }

    @Test("more rows are hidden than are wanted", arguments: TestStore.allCases)
    func manyHidden(store: TestStore) throws {
        try withBags(500, store) { _, container in
            let context = container.makeContext()
            let all = FetchRequest(Luggage.self).sorted(by: \.weight)
            for bag in try context.fetch(all.limited(to: 400)) { bag.weight += 1000 }
            #expect(try context.fetch(all.limited(to: 3)).map(\.weight) == [400, 401, 402])
            #expect(try context.count(all.where(\.weight, isLessThan: 402).limited(to: 1)) == 1)
            #expect(try context.count(all.skipping(90)) == 410)
        }
    }

    @Test("any part of the result is that part of all of it", arguments: TestStore.allCases, 0..<6)
    func parts(store: TestStore, seed: UInt64) throws {
        try withBags(120, store) { _, container in
            var random = SeededGenerator(seed: seed)
            let context = container.makeContext()
            let bags = try context.fetch(FetchRequest(Luggage.self))
            for number in 0..<150 {
                // Few weights, so that many bags are equal in that order.
                let weight = Double(Int.random(in: 0..<9, using: &random))
                switch Int.random(in: 0..<4, using: &random) {
                case 0: _ = Luggage(context, "N\(number)", weight: weight)
                case 1:
                    let bag = bags[Int.random(in: 0..<120, using: &random)]
                    if !bag.isDeleted { try context.delete(bag) }
                default:
                    let bag = bags[Int.random(in: 0..<120, using: &random)]
                    if !bag.isDeleted { bag.weight = weight }
                }
            }
            let every = FetchRequest(Luggage.self)
            for request in [
                every, every.where(\.weight, isLessThan: 5), every.sorted(by: \.weight),
                every.sorted(by: \.weight, .descending).where(\.weight, isAtLeast: 3),
            ] {
                let all = try context.fetch(request)
                #expect(try context.count(request) == all.count)
                for (offset, limit) in [(0, 0), (0, 1), (3, 20), (0, 99), (40, 101), (70, 500)] {
                    let part = request.skipping(offset).limited(to: limit)
                    let expected = Array(all.dropFirst(offset).prefix(limit))
                    #expect(try context.fetch(part) == expected, "\(offset), \(limit)")
                    #expect(try context.count(part) == expected.count, "\(offset), \(limit)")
                }
            }
        }
    }

    @Test(
        "any edit among many changes, undone or saved, leaves the order right",
        arguments: TestStore.allCases,
        0..<6
    )
    func ordered(store: TestStore, seed: UInt64) throws {
        try withBags(120, store) { _, container in
            var random = SeededGenerator(seed: seed)
            let context = container.makeContext()
            context.undoLimit = 50
            let every = FetchRequest(Luggage.self)
            let requests = [
                every.sorted(by: \.weight), every.sorted(by: \.weight, .descending),
                every.sorted(by: \.priority, .descending).sorted(by: \.weight),
                every.sorted(by: \.weight).where(\.priority, isLessThan: 2),
                every.sorted(by: \.weight).where(\.tag, is: "T7"),
            ]
            var bags = try context.fetch(every)
            for number in 0..<300 {
                let bag = bags[random.number(below: bags.count)]
                let weight = Double(random.number(below: 9))
                switch random.number(below: 40) {
                case 0...5:
                    let bag = context.undoGroup { Luggage(context, "N\(number)", weight: weight) }
                    bags.append(bag)
                case 6...8: try context.delete(bag)
                case 9...10: bag.priority = random.number(below: 4)
                case 11...12: context.undo()
                case 13: context.redo()
                case 14 where number > 200: context.rollback()
                case 15 where number > 150: try context.save()
                default: bag.weight = weight
                }
                bags.removeAll { $0.isDeleted }
                let request = requests[random.number(below: requests.count)]
                let (offset, limit) = (random.number(below: 9), random.number(below: 30))
                let part = try context.fetch(request.skipping(offset).limited(to: limit))
                #expect(part == Array(try context.fetch(request).dropFirst(offset).prefix(limit)))
            }
        }
    }

    @Test(
        "by values, identities and from a bound on, finds what all of them have, however many are changed",
        arguments: TestStore.allCases,
        0..<6
    )
    func sought(store: TestStore, seed: UInt64) throws {
        try withBags(90, store) { _, container in
            var random = SeededGenerator(seed: seed)
            let context = container.makeContext()
            let every = FetchRequest(Luggage.self)
            var bags = try context.fetch(every)
            func request() -> (FetchRequest<Luggage>, (Luggage) -> Bool) {
                let some = (0..<4).map { _ in bags[random.number(below: bags.count)].tag }
                let tags = some + ["T\(random.number(below: 90))"]
                let ids = (0..<4).map { _ in bags[random.number(below: bags.count)].objectID }
                let weight = Double(random.number(below: 9))
                switch random.number(below: 9) {
                case 0: return (every.where(\.tag, isOneOf: tags), { tags.contains($0.tag) })
                case 1: return (every.whereObject(isOneOf: ids), { ids.contains($0.objectID) })
                case 2:
                    return (
                        every.whereEither(
                            { $0.where(\.tag, is: tags[0]) },
                            { $0.where(\.tag, is: tags[1]).where(\.weight, isLessThan: weight) },
                            { $0.whereObject(isOneOf: ids) }
                        ),
                        {
                            $0.tag == tags[0] || $0.tag == tags[1] && $0.weight < weight
                                || ids.contains($0.objectID)
                        }
                    )
                case 3:
                    return (
                        every.whereEither(
                            { $0.where(\.tag, is: tags[0]) },
                            { $0.where(\.weight, isLessThan: weight) }
                        ), { $0.tag == tags[0] || $0.weight < weight }
                    )
                case 4:
                    return (
                        every.sorted(by: \.weight).where(\.weight, isAtLeast: weight),
                        { $0.weight >= weight }
                    )
                case 5:
                    let prefix = String(tags[0].prefix(2))
                    return (every.where(\.tag, hasPrefix: prefix), { $0.tag.hasPrefix(prefix) })
                case 6: return (every.where(\.note, isMissing: true), { $0.note == nil })
                case 7:
                    let range = every.where(\.weight, isAtLeast: weight)
                        .where(\.weight, isLessThan: weight + 2)
                    let isSorted = random.number(below: 2) == 0
                    return (
                        isSorted ? range.sorted(by: \.weight, .descending) : range,
                        { $0.weight >= weight && $0.weight < weight + 2 }
                    )
                default:
                    return (
                        every.sorted(by: \.weight, .descending).where(\.weight, isLessThan: weight),
                        { $0.weight < weight }
                    )
                }
            }
            for number in 0..<200 {
                let bag = bags[random.number(below: bags.count)]
                switch random.number(below: 6) {
                case 0: bags.append(Luggage(context, "N\(number)", weight: 5))
                case 1 where bags.count > 60: try context.delete(bag)
                case 2: bag.tag = "R\(number)"
                case 3 where number > 150: try context.save()
                case 4: bag.note = bag.note == nil ? "x" : nil
                default: bag.weight = Double(random.number(below: 9))
                }
                bags.removeAll { $0.isDeleted }
                let (request, fulfils) = request()
                let wanted = Set(bags.filter(fulfils))
                let found = try context.fetch(request)
                #expect(Set(found) == wanted && found.count == wanted.count)
                let limited = try context.fetch(request.limited(to: 3))
                #expect(limited == Array(found.prefix(3)))
                #expect(limited.count == min(3, wanted.count))
            }
        }
    }

    @Test("by the beginning of a text, those that begin so", arguments: TestStore.allCases)
    func beginnings(store: TestStore) throws {
        let tags =
            [
                "", "a", "a\u{D7FF}", "a\u{D7FF}b", "a\u{E000}", "a\u{10FFFF}", "a\u{10FFFF}z", "b",
                "\u{10FFFF}", "\u{10FFFF}\u{10FFFF}", "\u{10FFFF}z", "\u{E9}", "e", "e\u{301}", "😀",
            ] + (0..<20).map { "\($0)" }
        try store.withContainer { container in
            let context = container.makeContext()
            for tag in tags { _ = Luggage(context, tag, weight: 1) }
            for prefix in tags {
                let expected = tags.filter { $0.utf8.starts(with: prefix.utf8) }
                let request = FetchRequest(Luggage.self).where(\.tag, hasPrefix: prefix)
                #expect(try context.fetch(request).map(\.tag) == expected)
                #expect(try context.count(request.limited(to: 2)) == min(2, expected.count))
                let sorted = try context.fetch(
                    request.sorted(by: \.tag, .descending).limited(to: 3)
                )
                let last = expected.sorted { $1.utf8.lexicographicallyPrecedes($0.utf8) }.prefix(3)
                #expect(sorted.map(\.tag) == Array(last))
            }
        }
    }

    @Test("counting, though others save meanwhile", arguments: TestStore.allCases, 0..<6)
    func countingAmongOthers(store: TestStore, seed: UInt64) throws {
        try withBags(90, store) { _, container in
            var random = SeededGenerator(seed: seed)
            let (context, others) = (container.makeContext(), container.makeContext())
            var bags = try context.fetch(FetchRequest(Luggage.self))
            for number in 0..<200 {
                switch random.number(below: 8) {
                case 0:
                    let theirs = try others.fetch(FetchRequest(Luggage.self))
                    try others.delete(theirs[random.number(below: theirs.count)])
                    try others.save()
                case 1: bags.append(Luggage(context, "N\(number)", weight: 1))
                case 2: try context.delete(bags.remove(at: random.number(below: bags.count)))
                default: bags[random.number(below: bags.count)].weight += 1
                }
                let count = try context.fetch(FetchRequest(Luggage.self)).count
                #expect(try context.count(Luggage.self) == count)
                #expect(try context.exists(FetchRequest(Luggage.self).skipping(count)) == false)
                #expect(try context.count(FetchRequest(Luggage.self).limited(to: 40)) == 40)
            }
        }
    }

    @Test("counting again, nothing that is known of the same state")
    func countingAgain() throws {
        try withBags(50, .sqlite) { counting, container in
            let (context, others) = (container.makeContext(), container.makeContext())
            let bags = try context.fetch(FetchRequest(Luggage.self))
            for bag in bags.dropFirst() { bag.weight = 2 }
            func queries() throws -> Int {
                try counting.countQueries {
                    let count = try context.count(Luggage.self)
                    #expect(count == 50)
                }
            }
            #expect(try queries() == 2)
            #expect(try queries() == 1)
            bags[0].weight = 2
            #expect(try queries() == 2)
            #expect(try queries() == 1)
            try others.delete(try #require(try others.luggage("T7")))
            try others.save()
            #expect(try queries() == 2)
            #expect(try queries() == 1)
        }
    }

    @Test("counting, none", arguments: TestStore.allCases)
    func counting(store: TestStore) throws {
        try withBags(300, store) { counting, container in
            let context = container.makeContext()
            let bags = try context.fetch(FetchRequest(Luggage.self).limited(to: 3))
            bags[0].weight = 999
            try context.delete(bags[1])
            _ = Luggage(context, "new", weight: 1)
            let before = counting.rowCount
            #expect(try context.count(Luggage.self) == 300)
            let heavy = FetchRequest(Luggage.self).where(\.weight, isAtLeast: 100)
            #expect(try context.count(heavy) == 201)
            #expect(try context.count(heavy.limited(to: 7)) == 7)
            #expect(try context.exists(heavy.where(\.weight, isLessThan: 100)) == false)
            #expect(counting.rowCount == before)
            // Of those that have changed, whether they are on record and fulfil the condition there.
            #expect(counting.keyCount <= 12)
        }
    }

    @Test("conditions on related objects, the concerned ones", arguments: TestStore.allCases)
    func related(store: TestStore) throws {
        try withBags(500, store) { counting, container in
            let context = container.makeContext()
            let owner = Passenger(context, "D", "ZMU")
            try #require(try context.luggage("T17")).owner = owner
            let before = counting.rowCount
            let owned = FetchRequest(
                Luggage.self,
                predicate: #Predicate { $0.owner?.familyName == "ZMU" }
            )
            #expect(try context.fetch(owned).map(\.tag) == ["T17"])
            let owners = FetchRequest(
                Passenger.self,
                predicate: #Predicate { $0.luggage.contains { $0.weight > 16 } }
            )
            #expect(try context.fetch(owners) == [owner])
            #expect(counting.rowCount - before < 10)
        }
    }

    @Test("finding or making one after the other", arguments: TestStore.allCases)
    func findOrMake(store: TestStore) throws {
        try withBags(100, store) { counting, container in
            let context = container.makeContext()
            let before = counting.rowCount
            for index in 0..<400 {
                let tag = "T\(index % 200)"
                let bag = try context.luggage(tag) ?? Luggage(context, tag, weight: 0)
                bag.priority += 1
            }
            #expect(counting.rowCount - before == 200)
            try context.save()
            let bags = try container.makeContext().fetch(FetchRequest(Luggage.self))
            #expect(bags.count == 200)
            #expect(bags.allSatisfy { $0.priority == 5 })
        }
    }

    @Test("faults, with the pending ones in their places", arguments: TestStore.allCases)
    func faults(store: TestStore) throws {
        try withBags(20, store) { counting, container in
            let context = container.makeContext()
            _ = Luggage(context, "new", weight: 1)
            try context.delete(try #require(try context.luggage("T3")))
            let before = counting.rowCount
            let bags = try context.fetch(FetchRequest(Luggage.self).asFaults())
            #expect(counting.rowCount == before)
            #expect(bags.count == 20)
            #expect(bags.last?.tag == "new")
        }
    }

    @Test(
        "of what is not a number, which counts as missing as it does on record",
        arguments: TestStore.allCases
    )
    func notNumbers(store: TestStore) throws {
        try store.withContainer { container in
            let context = container.makeContext()
            for (tag, weight) in [("A", 3.0), ("B", .nan), ("C", 1.0)] {
                _ = Luggage(context, tag, weight: weight)
            }
            let all = FetchRequest(Luggage.self)
            let tags = try context.fetch(all.sorted(by: \.weight)).map(\.tag)
            #expect(tags == ["B", "C", "A"])
            #expect(try context.count(all.where(\.weight, isAtLeast: 5)) == 0)
            #expect(try context.count(all.where(\.weight, isLessThan: 5)) == 2)
        }
    }
}
