import Foundation
import ObjectStore
import SeededRandom
import TestThreads
import Testing

@testable import LuggageTags

@Suite(
    "Records of facts, whatever is done to them and in whatever order they hear of one another",
    // They share a thread.
    .serialized
)
@LongTests
struct FactHistoryTests {
    /// How many histories are tried; more of them where the environment says so.
    nonisolated static let count =
        ProcessInfo.processInfo.environment["FACT_HISTORIES"].flatMap { Int($0) } ?? 200

    /// Each tries every eighth history.
    @Test("are what the facts say after each step, and the same in the end", arguments: 0..<8)
    func histories(part: Int) throws {
        for seed in stride(from: part, to: Self.count, by: 8) {
            let history = FactHistory(seed: seed)
            guard let wrong = Self.failure(of: history, seed) else { continue }
            let (least, why) = shrunk(history, by: \.deeds, wrong) {
                Self.failure(of: $0, seed)
            }
            Issue.record("seed \(seed): \(why)\n\(least)")
            return
        }
    }

    /// What is wrong after a history; nil for nothing.
    private static func failure(of history: FactHistory, _ seed: Int) -> String? {
        do {
            let stations = try FactStations(history.records)
            for (place, step) in history.deeds.enumerated() {
                try stations.perform(step.deed, on: step.record)
                let export = try stations.records[step.record].exported()
                if let wrong = try difference(export) { return "after step \(place): \(wrong)" }
            }
            var random = SeededGenerator(seed: UInt64(seed))
            try stations.exchangeAll(&random)
            let exports = try stations.records.map { try $0.exported() }
            for (place, export) in exports.enumerated() where export != exports[0] {
                return "record \(place) is not what record 0 is:\n"
                    + String(decoding: exports[0], as: UTF8.self)
                    + String(decoding: export, as: UTF8.self)
            }
            if let wrong = try difference(exports[0]) { return "in the end: \(wrong)" }
            // Who has heard all of it at once is the same.
            let other = try emptyRecord()
            try other.importing(exports[0])
            if try other.exported() != exports[0] { return "a copy is not the same" }
            return nil
        } catch {
            return "\(error)"
        }
    }

    /// Where a record is not what its facts make it; nil where it is.
    private static func difference(_ export: [UInt8]) throws -> String? {
        let model = try FactModel(export: export)
        let bags = model.bags
        if bags == model.told { return nil }
        return "\(model.told) on record, and the facts make \(bags) of\n"
            + String(decoding: export, as: UTF8.self)
    }
}
