import Foundation
import SeededRandom
import StoreTesting
import TestFolders
import Testing

@testable import ObjectStore

@Suite("Every store computes the same figures")
struct AggregatePropertyTests {
    private static let seeds: [UInt64] = (1...20).map { $0 * 0x51ED }

    /// The number of cases a seed: `AGGREGATE_CASES`, or as many as take a few seconds.
    private static let cases =
        ProcessInfo.processInfo.environment["AGGREGATE_CASES"].flatMap { Int($0) } ?? 150

    @Test("of random rows, in random groups", arguments: seeds)
    func randomFigures(seed: UInt64) throws {
        let folder = try TemporaryFolder()
        let stores = try QueriedStores(path: folder.path("store.sqlite"), seed: seed)
        var expressions = RandomExpressions(
            model: stores.model,
            random: SeededGenerator(seed: ~seed)
        )
        var (refused, several, present) = (0, 0, 0)
        for number in 0..<Self.cases {
            let aggregate = expressions.aggregate()
            let filter = aggregate.query.filter.map { "\($0)" } ?? "all"
            let place: Comment = """
                seed \(seed), case \(number): \(aggregate.query.entity.name) \(aggregate.figures) by \
                \(aggregate.grouping) of \(filter) \(aggregate.query.order) \
                \(aggregate.query.offset) \(aggregate.query.limit ?? -1)
                """
            switch try stores.check(aggregate, place) {
            case .refused: refused += 1
            case .groups(let groups):
                if groups.count > 1 { several += 1 }
                if groups.contains(where: { $0.figures.contains { !$0.isNull } }) { present += 1 }
            }
        }
        // The cases are no good where hardly any of them finds something, or has nothing to refuse.
        #expect(several > Self.cases / 10, "seed \(seed)")
        #expect(present > Self.cases / 4, "seed \(seed)")
        #expect(refused > 0, "seed \(seed)")
    }
}

@Suite("A sum of floating-point numbers")
struct ExactSumTests {
    private func sum(_ numbers: [Double]) -> Double? {
        var sum = ExactSum()
        for number in numbers { sum.add(number) }
        return sum.sum
    }

    private func mean(_ numbers: [Double]) -> Double? {
        var sum = ExactSum()
        for number in numbers { sum.add(number) }
        return sum.mean
    }

    private static let least = Double.leastNonzeroMagnitude
    private static let greatest = Double.greatestFiniteMagnitude

    @Test(
        "is exact, and rounded once",
        arguments: [
            ([], 0), ([0], 0), ([0.1], 0.1), ([-0.1], -0.1),
            ([1e300, 1, -1e300], 1), ([1e16, 1, 1], 1e16 + 2), ([0.1, 0.2, -0.3], 0x1p-55),
            ([least, least], 2 * least), ([least, -least], 0), ([1, least, -1], least),
            ([greatest, greatest, -greatest], greatest), ([greatest, greatest], .infinity),
            ([-greatest, -greatest], -.infinity), ([greatest, 0x1p970], .infinity),
            ([greatest, 0x1p969], greatest), ([-greatest, -0x1p970, 0x1p900], -greatest),
            // Halfway between two numbers: to the even one, unless a trace tips it.
            ([0x1p53, 1], 0x1p53), ([0x1p53, 1, least], 0x1p53 + 2), ([0x1p53, 3], 0x1p53 + 4),
            ([0x1p53, 1, -least], 0x1p53), ([.infinity, 1], .infinity),
            ([-.infinity, greatest], -.infinity), ([0x1.fffffffffffffp0, 0x1p-53], 2),
            ([.leastNormalMagnitude, -least], Double.leastNormalMagnitude - least),
        ] as [([Double], Double)]
    )
    func exact(numbers: [Double], expected: Double) {
        #expect(sum(numbers) == expected)
        #expect(sum(numbers.reversed()) == expected)
        #expect(sum(numbers.map { -$0 }) == -expected)
    }

    @Test("is none where there is no number, or infinity of both signs")
    func none() {
        #expect(sum([.infinity, 1, -.infinity]) == nil)
        #expect(mean([.infinity, -.infinity]) == nil)
        #expect(sum([.nan, 1]) == nil)
        #expect(mean([]) == nil)
    }

    @Test("has a mean even where it is too great itself")
    func greatMean() {
        #expect(mean([Self.greatest, Self.greatest]) == Self.greatest)
        #expect(mean([-Self.greatest, -Self.greatest, -Self.greatest]) == -Self.greatest)
        #expect(mean([.infinity, 1]) == .infinity)
        #expect(mean([1, 2]) == 1.5)
    }

    @Test("is what whole numbers of 128 bits give", arguments: 1...20 as ClosedRange<UInt64>)
    func random(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        for _ in 0..<200 {
            // Multiples of 2^-60 below 2^63: a hundred of them fit into 128 bits.
            let numbers = (0..<random.number(below: 100)).map { _ -> Double in
                let number = Double(Int64.random(in: .min ... .max, using: &random))
                return number * pow(2, Double(-random.number(below: 7)))
            }
            let whole = numbers.reduce(Int128(0)) { $0 + Int128($1 * 64) }
            let expected = Double(whole) / 64
            #expect(sum(numbers) == expected)
            #expect(sum(numbers.shuffled(using: &random)) == expected)
        }
    }
}
