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

    private static func costs(
        of size: Int,
        _ turns: Turns
    ) throws -> [(name: String, seconds: Double)] {
        let folder = try ScratchFolder.inMemory()
        let pair = try StorePair(in: folder, bags: size)
        let context = pair.container.makeContext()
        let identifiers = Scans(of: (0..<500).map { $0 * size / 500 }).forObjects.map(\.identifier)
        let all = FetchRequest(Bag.self)
        let heavy = all.where(\.weight, isGreaterThan: 40)
        var costs: [(name: String, seconds: Double)] = []
        func measure(_ name: String, _ units: Int, _ body: @escaping (Int) throws -> Void) throws {
            costs.append((name, try turns.medians(units: units, body)[0]))
        }
        try measure("fetch by a unique value", 500) { _ in
            for identifier in identifiers {
                _ = try context.fetch(all.where(\.identifier, is: identifier))
            }
        }
        try measure("fetch of 20 in the order of an index", 100) { _ in
            for _ in 0..<100 { _ = try context.fetch(all.sorted(by: \.identifier).limited(to: 20)) }
        }
        try measure("count of all", 10) { _ in for _ in 0..<10 { _ = try context.count(all) } }
        try measure("count by a condition without an index", 3) { _ in
            for _ in 0..<3 { _ = try context.count(heavy) }
        }
        try measure("fetch of all, an object", size) { _ in
            _ = try pair.container.makeContext().fetch(all)
        }
        let bags = try context.fetch(all)
        // From the first half; the others are observed.
        let some = (0..<500).map { bags[$0 * (size / 2) / 500] }
        var sum: Float = 0
        try measure("reading a property", 500) { _ in for bag in some { sum += bag.weight } }
        try measure("assigning a property", 500) { round in
            for bag in some { bag.weight = Float(round + 1) }
        }
        let seen = Counter()
        let observers = bags.suffix(min(1000, size / 2)).map { bag in
            bag.observe(\.weight) { _, _ in seen.count += 1 }
        }
        try measure("the same while 1,000 others are observed", 500) { round in
            for bag in some { bag.weight = Float(round + 1) }
        }
        guard observers.count + seen.count > 0, sum > 0 else { throw BenchmarkError.differentRows }
        context.rollback()
        context.undoLimit = 1000
        try measure("assigning and undoing it", 500) { round in
            for bag in some { bag.weight = Float(round + 50) }
            for _ in some { context.undo() }
        }
        context.undoLimit = 0
        try measure("saving a changed object", 500) { round in
            for bag in some {
                bag.weight = Float(round + 10)
                try context.save()
            }
        }
        try measure("saving 500 changed objects, an object", 500) { round in
            for bag in some { bag.weight = Float(round + 30) }
            try context.save()
        }
        try measure("inserting 1,000 objects, an object", 1000) { round in
            let first = size + 1000 * round
            try pair.container.save(Scans(of: first..<first + 1000).forObjects)
        }
        // All of them, as the last, since none are left.
        let started = ContinuousClock.now
        let last = pair.container.makeContext()
        let rest = try last.fetch(all)
        for bag in rest { try last.delete(bag) }
        try last.save()
        let time = (ContinuousClock.now - started) / .seconds(1)
        costs.append(("fetching, deleting and saving all, an object", time / Double(rest.count)))
        return costs
    }
}

/// What the observers have seen.
private final class Counter: @unchecked Sendable {
    // Unchecked because the benchmark has one thread.
    var count = 0
}
