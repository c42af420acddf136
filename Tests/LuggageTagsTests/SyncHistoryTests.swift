import Foundation
import ObjectStore
import SeededRandom
import TestThreads
import Testing

@testable import LuggageTags

@Suite(
    "Records that hear of one another only through a hub, whatever happens on the way",
    // They share a thread.
    .serialized
)
@LongTests
struct SyncHistoryTests {
    /// Each tries every eighth history.
    @Test("are the same in the end, and the hub has forgotten what they have", arguments: 0..<8)
    func histories(part: Int) throws {
        for seed in stride(from: part, to: FactHistoryTests.count, by: 8) {
            let history = SyncHistory(seed: seed)
            guard let wrong = Self.failure(of: history, seed) else { continue }
            let (least, why) = shrunk(history, by: \.steps, wrong) {
                Self.failure(of: $0, seed)
            }
            Issue.record("seed \(seed): \(why)\n\(least)")
            return
        }
    }

    /// What is wrong after a history; nil for nothing.
    private static func failure(of history: SyncHistory, _ seed: Int) -> String? {
        do {
            let stations = try SyncStations(history, seed: seed)
            for step in history.steps { try stations.perform(step.step, on: step.record) }
            try stations.exchangeAll()
            return try difference(stations)
        } catch {
            return "\(error)"
        }
    }

    private static func difference(_ stations: SyncStations) throws -> String? {
        let records = stations.stations.records
        let exports = try records.map { try $0.exported() }
        for (place, export) in exports.enumerated() where export != exports[0] {
            return "record \(place) is not what record 0 is:\n"
                + String(decoding: exports[0], as: UTF8.self) + "\n"
                + String(decoding: export, as: UTF8.self)
        }
        let model = try FactModel(export: exports[0])
        if model.bags != model.told { return "the facts make other bags: \(model.bags)" }
        let (digests, bodies) = try records[0].read { context in
            let days = FactDays(context)
            let digests = try days.digests()
            var bodies: Set<String> = []
            try days.facts(of: Set(digests.keys)) { bodies.formUnion($0.map(\.body)) }
            return (digests, bodies)
        }
        for row in stations.hub.rows where !bodies.contains(row.fact.body) {
            return "the hub keeps what is not on record: \(row.fact.body)\n"
                + bodies.sorted().joined(separator: "\n")
        }
        if digests != stations.hub.digests {
            return "the days differ: \(digests)\n\(stations.hub.digests)"
        }
        return nil
    }
}
