import Foundation
import SeededRandom
import SystemSupport
import TestHubs
import Testing

@testable import LuggageTags

@Suite("Stations that exchange facts through a real hub, whatever fails on the way", .serialized)
struct FleetHistoryTests {
    /// How many histories are tried; more of them where the environment says so.
    static let count =
        ProcessInfo.processInfo.environment["FLEET_HISTORIES"].flatMap { Int($0) } ?? 6

    @Test("have the same record in the end, and the hub has forgotten what they have")
    func histories() async throws {
        let wrong = await WorkThreads.waiting.run { () -> String? in
            do {
                let hub = try TestHub(Self.options)
                for seed in 0..<Self.count {
                    let history = FleetHistory(seed: seed)
                    guard let wrong = Self.failure(of: history, hub) else { continue }
                    let (least, why) = shrunk(history, by: \.steps, wrong) {
                        Self.failure(of: $0, hub)
                    }
                    return "seed \(seed): \(why)\n\(least)"
                }
                return nil
            } catch {
                return "\(error)"
            }
        }
        if let wrong { Issue.record("\(wrong)") }
    }

    private static var options: TestHub.Options {
        var options = TestHub.Options()
        // The relay is at an address, where other stations would need certificates.
        options.rules = ["host all all 127.0.0.1/32 trust"]
        return options
    }

    /// What is wrong after a history; nil for nothing.
    private static func failure(of history: FleetHistory, _ hub: TestHub) -> String? {
        do {
            let fleet = try Fleet(on: hub, database: "fleet")
            defer { fleet.end() }
            for step in history.steps { try fleet.perform(step.step, on: step.station) }
            try fleet.exchangeAll()
            return try fleet.difference()
        } catch {
            return "\(error)"
        }
    }
}
