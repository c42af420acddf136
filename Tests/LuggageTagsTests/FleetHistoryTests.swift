import Foundation
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
                    let (least, why) = Self.shrunk(history, wrong, hub)
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

    /// A history that fails, and of which no step can be left out; large parts are tried first.
    private static func shrunk(
        _ history: FleetHistory,
        _ why: String,
        _ hub: TestHub
    ) -> (FleetHistory, String) {
        var (least, why) = (history, why)
        var size = least.steps.count / 2
        while size > 0 {
            var place = 0
            while place < least.steps.count {
                let part = place..<min(place + size, least.steps.count)
                let shorter = least.without(part)
                if let wrong = failure(of: shorter, hub) {
                    (least, why) = (shorter, wrong)
                } else {
                    place += size
                }
            }
            size /= 2
        }
        return (least, why)
    }
}
