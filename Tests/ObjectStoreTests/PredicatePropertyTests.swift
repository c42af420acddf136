import SeededRandom
import StoreTesting
import TestFolders
import Testing

@testable import ObjectStore

@Suite("Every store finds the same rows")
struct PredicatePropertyTests {
    private static let seeds: [UInt64] = (1...25).map { $0 * 0x9E37 }
    private static let cases = 400

    @Test("by random conditions, orders, offsets and limits", arguments: seeds)
    func randomQueries(seed: UInt64) throws {
        let folder = try TemporaryFolder()
        let stores = try QueriedStores(path: folder.path("store.sqlite"), seed: seed)
        var expressions = RandomExpressions(
            model: stores.model,
            random: SeededGenerator(seed: ~seed)
        )
        var (hits, partial) = (0, 0)
        for number in 0..<Self.cases {
            let (query, depth) = expressions.query()
            let place: Comment =
                "seed \(seed), case \(number), depth \(depth): \(query.entity.name) \(describe(query))"
            try stores.checkSaved(query, place)
            let found = try stores.checkChanged(query, place)
            if found > 0 { hits += 1 }
            if found > 0 && found < 5 { partial += 1 }
        }
        // The cases are no good where hardly any of them selects something.
        #expect(hits > Self.cases / 4, "seed \(seed)")
        #expect(partial > Self.cases / 8, "seed \(seed)")
    }

    private func describe(_ query: StoreQuery) -> String {
        let order = query.order.map { "\($0.isDescending ? "-" : "")\($0.column)" }
        return "\(query.filter.map { "\($0)" } ?? "all") \(order) \(query.offset) "
            + "\(query.limit ?? -1)"
    }
}
