internal import Foundation
internal import ObjectStore

/// What each operation costs with few and many objects on record, in a file in memory.
enum CostsCase {
    static func run(_ turns: Turns, upTo largest: Int) throws {
        let sizes = [1000, 100_000, 1_000_000].filter { $0 <= largest }
        let columns = try sizes.map { try costs(of: $0, turns) }
        let head = sizes.map { "\($0), us" }
        print("\n" + ([padded("An operation")] + head.map(aligned)).joined())
        for (row, name) in (columns.first ?? []).map(\.name).enumerated() {
            let figures = columns.map { String(format: "%.2f", $0[row].seconds * 1e6) }
            print(([padded(name)] + figures.map(aligned)).joined())
        }
    }

    private static func padded(_ text: String) -> String {
        text.padding(toLength: 48, withPad: " ", startingAt: 0)
    }

    private static func aligned(_ text: String) -> String {
        String(repeating: " ", count: max(1, 16 - text.count)) + text
    }

    /// What was measured with so many bags on record, in order.
    private struct Column {
        let turns: Turns
        var costs: [(name: String, seconds: Double)] = []

        mutating func measure(
            _ name: String,
            _ units: Int,
            _ body: @escaping (Int) throws -> Void
        ) throws {
            costs.append((name, try turns.medians(units: units, body)[0]))
        }

        /// Measures what can be done once.
        mutating func measureOnce(
            _ name: String,
            _ units: Int,
            _ body: @escaping () throws -> Void
        ) throws {
            costs.append((name, try Turns(rounds: 1).medians(units: units) { _ in try body() }[0]))
        }
    }

    private static let all = FetchRequest(Bag.self)

    private static func costs(
        of size: Int,
        _ turns: Turns
    ) throws -> [(name: String, seconds: Double)] {
        let folder = try ScratchFolder.inMemory()
        let pair = try StorePair(in: folder, bags: size)
        let container = pair.container
        var column = Column(turns: turns)
        try reading(container, size, &column)
        try changing(container, size, &column)
        // All of them, as the last, since none are left.
        let count = try container.makeContext().count(all)
        try column.measureOnce("fetching, deleting and saving all, an object", count) {
            let context = container.makeContext()
            for bag in try context.fetch(all) { try context.delete(bag) }
            try context.save()
        }
        try batches(try StorePair(in: folder, bags: size).container, size, &column)
        return column.costs
    }

    private static func reading(
        _ container: PersistentContainer,
        _ size: Int,
        _ column: inout Column
    ) throws {
        let context = container.makeContext()
        let identifiers = Scans(of: (0..<500).map { $0 * size / 500 }).forObjects.map(\.identifier)
        let heavy = all.where(\.weight, isGreaterThan: 40)
        try column.measure("fetch by a unique value", 500) { _ in
            for identifier in identifiers {
                _ = try context.fetch(all.where(\.identifier, is: identifier))
            }
        }
        try column.measure("fetch of 20 in the order of an index", 100) { _ in
            for _ in 0..<100 { _ = try context.fetch(all.sorted(by: \.identifier).limited(to: 20)) }
        }
        try column.measure("count of all", 10) { _ in
            for _ in 0..<10 { _ = try context.count(all) }
        }
        try column.measure("count by a condition without an index", 3) { _ in
            for _ in 0..<3 { _ = try context.count(heavy) }
        }
        try column.measure("sum of all, an object", size) { _ in
            guard try context.sum(of: \Bag.weight) > 0 else { throw BenchmarkError.differentRows }
        }
        try column.measure("fetch of all, an object", size) { _ in
            _ = try container.makeContext().fetch(all)
        }
        try column.measure("fetch of all as faults, an object", size) { _ in
            _ = try container.makeContext().fetch(all.asFaults())
        }
        let owners = FetchRequest(Passenger.self).limited(to: 500)
        try column.measure("fetch of 500 and the bags of each, an object", 500) { _ in
            let passengers = try container.makeContext().fetch(owners.prefetching(\.bags))
            guard passengers.allSatisfy({ !$0.bags.isEmpty }) else {
                throw BenchmarkError.differentRows
            }
        }
    }

    private static func changing(
        _ container: PersistentContainer,
        _ size: Int,
        _ column: inout Column
    ) throws {
        let context = container.makeContext()
        let bags = try context.fetch(all)
        // From the first half; the others are observed.
        let some = (0..<500).map { bags[$0 * (size / 2) / 500] }
        var sum: Float = 0
        try column.measure("reading a property", 500) { _ in for bag in some { sum += bag.weight } }
        try column.measure("assigning a property", 500) { round in
            for bag in some { bag.weight = Float(round + 1) }
        }
        let seen = Counter()
        let observers = bags.suffix(min(1000, size / 2)).map { bag in
            bag.observe(\.weight) { _, _ in seen.count += 1 }
        }
        try column.measure("the same while 1,000 others are observed", 500) { round in
            for bag in some { bag.weight = Float(round + 1) }
        }
        guard observers.count + seen.count > 0, sum > 0 else { throw BenchmarkError.differentRows }
        context.rollback()
        let owner = Passenger(context: context)
        (owner.givenName, owner.familyName) = ("N", "ONE")
        try column.measure("putting into a relationship, and out of it", 500) { _ in
            for bag in some { try owner.insert(bag, into: \.bags) }
            for bag in some { try owner.remove(bag, from: \.bags) }
        }
        context.rollback()
        context.undoLimit = 1000
        try column.measure("assigning and undoing it", 500) { round in
            for bag in some { bag.weight = Float(round + 50) }
            for _ in some { context.undo() }
        }
        context.undoLimit = 0
        try column.measure("saving a changed object", 500) { round in
            for bag in some {
                bag.weight = Float(round + 10)
                try context.save()
            }
        }
        let before = try container.lastHistoryToken()
        try column.measure("saving 500 changed objects, an object", 500) { round in
            for bag in some { bag.weight = Float(round + 30) }
            try context.save()
        }
        try column.measure("reading such saves from the history, an object", 500) { round in
            _ = try container.history(after: before, limit: 1)
        }
        try column.measure("inserting 1,000 objects, an object", 1000) { round in
            let first = size + 1000 * round
            try container.save(Scans(of: first..<first + 1000).forObjects)
        }
    }

    /// Each saves a thousand at a time in one transaction.
    private static func batches(
        _ container: PersistentContainer,
        _ size: Int,
        _ column: inout Column
    ) throws {
        let more = Scans(of: size..<2 * size).forObjects
        try column.measureOnce("inserting as many again as a batch, an object", size) {
            try container.insertAll(more) { scan, context in _ = Bag(scan, context) }
        }
        try column.measureOnce("changing all as a batch, an object", 2 * size) {
            try container.updateAll(all) { $0.weight += 1 }
        }
        try column.measureOnce("deleting all as a batch, an object", 2 * size) {
            try container.deleteAll(all)
        }
    }
}

/// What the observers have seen.
private final class Counter: @unchecked Sendable {
    // Unchecked because the benchmark has one thread.
    var count = 0
}
