internal import Foundation
internal import ObjectStore

/// What objects cost that a context has read: the time to read a property, in turn with one of a plain class, and
/// memory.
enum ReadingCase {
    /// A bag that nothing but Swift keeps.
    private final class PlainBag {
        let identifier: UUID
        var weight: Float
        let departedAt: Date?
        let arrivedAt: Date?

        init(_ bag: Bag) {
            identifier = bag.identifier
            weight = bag.weight
            departedAt = bag.departedAt
            arrivedAt = bag.arrivedAt
        }
    }

    static func run(_ turns: Turns, upTo largest: Int) throws {
        Line.printHead("Read a property (ratio: to a plain class)", other: "plain class")
        var bytesEach = 0
        for size in GrowthCases.sizes(upTo: largest) {
            let folder = try ScratchFolder.inMemory()
            let pair = try StorePair(in: folder, bags: size)
            let before = residentBytes
            let context = pair.container.makeContext()
            let bags = try context.fetch(FetchRequest(Bag.self))
            bytesEach = (residentBytes - before) / size
            let plain = bags.map(PlainBag.init)
            try compare("\(size) objects, in order", bags, plain, turns)
            // Far from one another, so that what was read last is of no help.
            let order = (0..<size).map { $0 &* 7919 % size }
            try compare(
                "\(size) objects, mixed",
                order.map { bags[$0] },
                order.map { plain[$0] },
                turns
            )
        }
        print("\nMemory of an object and its handle, the most objects: \(bytesEach) bytes")
    }

    private static func compare(
        _ name: String,
        _ bags: [Bag],
        _ plain: [PlainBag],
        _ turns: Turns
    ) throws {
        let passes = max(1, 100_000 / bags.count)
        var sum: Float = 0
        let times = try turns.medians(units: passes * bags.count) { _ in
            for _ in 0..<passes { for bag in bags { sum += bag.weight } }
        } _: { _ in
            for _ in 0..<passes {
                for bag in plain { sum += bag.weight }
                // Otherwise the compiler would take each pass for the same.
                plain[0].weight += 1
            }
        }
        guard sum > 0 else { throw BenchmarkError.differentRows }
        Line(name: name, ours: times[0], other: times[1], ratio: times[0] / times[1]).print()
    }

    /// The memory that the program occupies.
    private static var residentBytes: Int {
        let sizes = (try? String(contentsOfFile: "/proc/self/statm", encoding: .utf8)) ?? ""
        return (sizes.split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0) * 4096
    }
}
