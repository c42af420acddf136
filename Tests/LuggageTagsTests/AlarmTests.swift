import Foundation
import ObjectStore
import SeededRandom
import Testing

@testable import LuggageTags

@Suite("Alarms")
struct AlarmTests {
    /// How many histories are tried; more of them where the environment says so.
    private static let count =
        ProcessInfo.processInfo.environment["ALARM_HISTORIES"].flatMap { Int($0) } ?? 240

    /// Each tries every eighth history.
    @Test(
        "are what the facts make them after each step, each told once by each record",
        arguments: 0..<8
    )
    func histories(part: Int) throws {
        for seed in stride(from: part, to: Self.count, by: 8) {
            let history = AlarmHistory(seed: seed)
            guard let wrong = Self.failure(of: history) else { continue }
            let (least, why) = shrunk(history, by: \.deeds, wrong, failure: Self.failure)
            Issue.record("seed \(seed): \(why)\n\(least)")
            return
        }
    }

    /// What is wrong after a history; nil for nothing.
    private static func failure(of history: AlarmHistory) -> String? {
        do {
            let stations = try AlarmStations()
            for (place, step) in history.deeds.enumerated() {
                if let wrong = try stations.perform(step.deed, on: step.record) {
                    return "after step \(place): \(wrong)"
                }
            }
            return nil
        } catch {
            return "\(error)"
        }
    }

    @Test("of all kinds are met by those histories, told and noted, and some of them end")
    func kinds() throws {
        var (kinds, told, noted, ended): (Set<Alarm.Kind>, Int, Int, Int) = ([], 0, 0, 0)
        for seed in 0..<60 {
            let stations = try AlarmStations()
            for step in AlarmHistory(seed: seed).deeds {
                _ = try stations.perform(step.deed, on: step.record)
            }
            let now = stations.now
            for (record, all) in zip(stations.records, stations.told) {
                let open = try record.read {
                    try Alarm.open(at: now, within: AlarmStations.bounds, in: $0)
                }
                kinds.formUnion(open.map(\.kind))
                told += all.count
                noted += open.count { $0.note != nil }
                ended += Set(all).subtracting(open.map(\.id)).count
            }
        }
        #expect(kinds == Set(Alarm.Kind.all))
        #expect(told > 50 && noted > 5 && ended > 5, "\(told) told, \(noted) noted, \(ended) ended")
    }
}
