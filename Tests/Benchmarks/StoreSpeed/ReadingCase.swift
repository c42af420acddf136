internal import Foundation
internal import ObjectStore
internal import SeededRandom
internal import Synchronization

/// What objects cost that a context has read: the time to read a property, and memory.
enum ReadingCase {
    static func run(_ turns: Turns, upTo largest: Int) throws {
        Line.printHead("Read a property", ours: "in order", other: "mixed")
        var bytesEach = 0
        var first: Double?
        for size in GrowthCases.sizes(upTo: largest) {
            let folder = try ScratchFolder.inMemory()
            let pair = try StorePair(in: folder, bags: size)
            let before = residentBytes
            let context = pair.container.makeContext()
            let bags = try context.fetch(FetchRequest(Bag.self))
            bytesEach = (residentBytes - before) / size
            // In no order: processors foresee even that one follows the other at the same distance.
            var generator = SeededGenerator(seed: 1)
            let order = (0..<size).shuffled(using: &generator)
            let mixed = order.map { bags[$0] }
            let plain = bags.map { PlainBag($0) }
            let mixedPlain = order.map { plain[$0] }
            let passes = max(1, 100_000 / size)
            var sum: Float = 0
            let lock = Mutex(())
            let times = try turns.medians(units: passes * size) { _ in
                for _ in 0..<passes { for bag in bags { sum += bag.weight } }
            } _: { _ in
                for _ in 0..<passes { for bag in mixed { sum += bag.weight } }
            } _: { _ in
                for _ in 0..<passes {
                    for bag in plain { lock.withLock { _ in sum += bag.weight } }
                }
            } _: { _ in
                for _ in 0..<passes {
                    for bag in mixedPlain { lock.withLock { _ in sum += bag.weight } }
                }
            }
            guard sum > 0 else { throw BenchmarkError.differentRows }
            let base = first ?? times[0]
            first = base
            Line(
                name: "\(size) objects in the context (ratio: to first)",
                ours: times[0],
                other: times[1],
                ratio: times[0] / base
            ).print()
            Line(
                name: "\(size) plain ones behind a lock (mixed)",
                ours: times[2],
                other: times[3],
                ratio: times[1] / times[3]
            ).print()
        }
        print("\nMemory of an object and its handle, the most objects: \(bytesEach) bytes")
    }

    /// A bag without a store: what reading costs behind a lock, which keeps the processor from reading the next
    /// bag meanwhile, and in the machine's memory.
    private final class PlainBag {
        let identifier: UUID
        var weight: Float
        var departedAt: Date?
        var arrivedAt: Date?

        init(_ bag: Bag) {
            identifier = bag.identifier
            weight = bag.weight
            departedAt = bag.departedAt
            arrivedAt = bag.arrivedAt
        }
    }

    /// The memory that the program occupies.
    private static var residentBytes: Int {
        let sizes = (try? String(contentsOfFile: "/proc/self/statm", encoding: .utf8)) ?? ""
        return (sizes.split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0) * 4096
    }
}
