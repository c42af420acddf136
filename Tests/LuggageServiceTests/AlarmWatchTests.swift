import CFaultInjection
import Foundation
import Logging
import LuggageTags
import ObjectStore
import TestFolders
import Testing

@testable import LuggageService

@Suite("Alarms, told by a service,", .timeLimit(.minutes(30)))
struct AlarmWatchTests {
    private let inbox: WatchedInbox
    private let log: LogFile

    init() throws {
        inbox = try WatchedInbox()
        log = try LogFile(level: .notice)
    }

    private static let anna = Responsibility(author: "anna", reason: "sent after them")
    private static let bags = (0..<2).map { number in
        UUID(uuidString: "F432BDB8-D84F-4461-8362-00000000000\(number)") ?? UUID()
    }

    /// Files a list whose time is over, so that a trip lacks its bags.
    private func expect(
        _ trip: String = "LX14",
        ago: TimeInterval = 3600,
        in record: PersistentContainer? = nil
    ) throws {
        let list = ExpectationList(
            Self.bags.map { bag in
                ExpectedBag(
                    identifier: bag,
                    point: .load,
                    place: "ZRH",
                    due: Date() - ago,
                    route: Route(trip: trip, date: "2026-07-01")
                )
            }
        )
        let record = try record ?? inbox.makeContainer()
        let recorder = ExpectationRecorder(container: record, by: Self.anna)
        let report = try recorder.file(list)
        #expect(report.isClean)
    }

    /// Lets a service file what is there, and end.
    private func run(_ hook: String? = nil) async throws {
        try await inbox.watch(isOnce: true) { _ in
        } changing: { parts in
            parts.log = log.log
            parts.configuration.hook = hook
            parts.configuration.hookTimeLimit = .seconds(3600)
        }
    }

    private func told() throws -> [String] { try log.lines.filter { $0.contains("alarm") } }

    @Test("are a line in the log and a run of the hook each, and one line of all at a later start")
    func once() async throws {
        try expect()
        let facts = inbox.base.path("facts")
        let hook = "cat >>'\(facts)'; echo \"$LUGGAGE_EVENT $LUGGAGE_REASON\" >>'\(facts).words'"
        try await run(hook)
        let words = "trip LX14 on 2026-07-01: 2 of 2 bags have not passed load in ZRH, due "
        let first = try told()
        #expect(first.count == 1 && first[0].contains(words), "\(first)")
        let text = try String(contentsOfFile: facts, encoding: .utf8)
        let object = try #require(
            try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any]
        )
        #expect(object["event"] as? String == "alarm" && object["picture"] == nil)
        #expect(object["point"] as? String == "load" && object["place"] as? String == "ZRH")
        #expect(object["reason"] as? String == "incomplete")
        #expect(object["trips"] as? [String] == ["LX14"])
        #expect((object["message"] as? String)?.hasPrefix(words) == true)
        let identifier = try #require((object["alarm"] as? String).flatMap { UUID(uuidString: $0) })
        try await run(hook)
        #expect(
            try String(contentsOfFile: facts + ".words", encoding: .utf8) == "alarm incomplete\n"
        )
        let second = try told()
        #expect(second.count == 2 && second[1].contains("1 alarm told before is still open"))
        // What somebody has noted is told no more, and no news.
        let record = try inbox.makeContainer()
        let open = try record.read { try Alarm.open(at: Date(), within: AlarmBounds(), in: $0) }
        #expect(open.map(\.id) == [identifier])
        try RecordCorrector(container: record).note(open[0], by: Self.anna)
        try await run(hook)
        #expect(try told().count == 2)
    }

    @Test("are told within a minute of their beginning, and each once")
    func later() async throws {
        let clock = ManualClock()
        try await inbox.watch { _ in
            // It looks at its start, and each minute.
            for minute in 1...3 {
                await clock.sleeperComes(until: .seconds(60 * minute))
                if minute < 3 { try expect("LX1\(minute)") }
                clock.advance(to: .seconds(60 * minute))
            }
            await clock.sleeperComes(until: .seconds(240))
        } changing: { parts in
            parts.log = log.log
            parts.clock = clock
        }
        let lines = try told()
        #expect(lines.count == 2, "\(lines)")
        for minute in 1...2 {
            #expect(lines.count { $0.contains("trip LX1\(minute) on") } == 1)
        }
    }

    @Test("are told by the service for hand scanners too, with the hook, and each once")
    func listener() async throws {
        let station = try ListeningStation()
        let facts = station.base.path("facts")
        for outcome in ["updated", "repeated"] {
            let clock = ManualClock()
            try await station.listen { [log] parts in
                parts.log = log.log
                parts.clock = clock
                parts.configuration.hook =
                    "echo \"$LUGGAGE_EVENT $LUGGAGE_REASON $LUGGAGE_STORE\" >>'\(facts)'"
                parts.configuration.hookTimeLimit = .seconds(3600)
            } _: { scanner, events in
                await clock.sleeperComes(until: .seconds(60))
                if outcome == "updated" { try expect(in: station.makeContainer()) }
                clock.advance(to: .seconds(60))
                await clock.sleeperComes(until: .seconds(120))
                // It is filed after the look.
                try scanner.send("{\"id\": \"\(Self.bags[0])\", \"weight\": 42}\r")
                try await events.expect(outcome)
            }
        }
        let lines = try told()
        #expect(lines.count == 2 && lines[0].contains("2 of 2 bags have not passed"), "\(lines)")
        #expect(lines.last?.contains("1 alarm told before is still open") == true)
        let text = try String(contentsOfFile: facts, encoding: .utf8)
        #expect(text == "alarm incomplete \(station.store)\n")
    }

    @Test("of a crowd are some lines and one that counts the others, and the service goes on")
    func crowd() async throws {
        for trip in 0..<130 { try expect("LX\(1000 + trip)") }
        try await run()
        let lines = try told()
        #expect(lines.count == 101 && lines.last?.contains("and 30 more alarms") == true)
        try await run()
        #expect(try told().last?.contains("130 alarms told before are still open") == true)
    }

    @Test("are never told twice, wherever a service is killed, and are known as open in any case")
    func killed() async throws {
        var (number, step, silent) = (1, 3, 0)
        while true {
            let inbox = try WatchedInbox()
            let log = try LogFile(level: .notice)
            let other = Self(inbox, log)
            try other.expect()
            let run = try await FaultyRun(
                inbox,
                failing: FaultInjectionAny,
                number,
                with: FAULT_INJECTION_KILL
            )
            try await other.run()
            let words = "bags have not passed"
            let lines = run.output.components(separatedBy: words).count - 1
            let all = try log.lines
            let later = all.count { $0.contains(words) }
            let open = all.contains { $0.contains("told before is still open") }
            #expect(lines + later <= 1, "at call \(number): \(run.output)")
            // It is on record before it is told, so who is killed between the two has told nobody.
            #expect(later == 1 || open, "at call \(number): \(run.output) \(all)")
            if lines + later == 0 { silent += 1 }
            if let calls = run.calls, calls < number { break }
            number += step
            if number > 400 { step = 17 }
        }
        // Between the two lie some fifteen calls, of what makes the record last and sees that it is still the
        // same file, and every third is tried.
        #expect(number > 60 && silent <= 6, "\(number) calls, \(silent) without a word")
    }

    private init(_ inbox: WatchedInbox, _ log: LogFile) {
        (self.inbox, self.log) = (inbox, log)
    }
}
