import Foundation
import HubConnection
import LuggageTags
import TestHubs
import Testing

@testable import LuggageSync

@Suite("A station whose clock is wrong", .serialized, .timeLimit(.minutes(30)))
struct ClockTests {
    @Test("far ahead is told so, and what it files is kept apart until its time has come")
    func ahead() async throws {
        try await onThread {
            let fleet = try Fleet(["north", "south"])
            let (north, south) = (fleet[0], fleet[1])
            try north.scan(1, by: Date() + 240)
            try north.scan(2, by: Date() + 480)
            for _ in 0..<3 {
                // Also when it is pushed again.
                try north.sync()
                #expect(north.events.contains(.keptApart(1)))
                var exchange = try north.exchange()
                #expect(try exchange.reconcile() == 0, "what is kept apart is no difference")
            }
            try south.sync()
            #expect(try south.scans == 1)
            #expect(
                try fleet.value(
                    "select facts_kept_apart from luggage.stations where station = 'north'"
                ) == "1"
            )

            // Nobody connects anew: a round of any station passes it on.
            var exchange = try north.exchange()
            #expect(exchange.keptApart == 1)
            try fleet.query("update luggage.ahead set due = now() - interval '1 second'")
            try fleet.query("update luggage.member set pulled_at = null")
            try exchange.run()
            #expect(exchange.keptApart == 0)
            try south.sync()
            try fleet.expectAgreement(scans: 2)
            #expect(try fleet.value("select count(*) from luggage.ahead") == "0")
        }
    }

    @Test("is shown how far it is off", arguments: [-7200.0, 7200])
    func skew(seconds: Double) async throws {
        try await onThread {
            let fleet = try Fleet(["north"])
            let hub = try fleet[0].connect()
            let state = try #require(try fleet[0].state)
            // What a machine with such a clock says at its push.
            let clock = Date() + seconds
            try hub.connection.query(
                "select luggage.push($1, null, gen_random_uuid(), 1, $2, '[]')",
                ["\(state.member)", clock.formatted(.iso8601)]
            )
            let skew = try fleet.value(
                "select abs(extract(epoch from skew) - \(seconds)) < 60 from luggage.stations"
            )
            #expect(skew == "t")
            let exchange = try fleet[0].exchange()
            #expect(abs(exchange.skew) < 60)
        }
    }

    @Test("far ahead for long cannot make anybody wait for what it has filed when its time comes")
    func many() async throws {
        try await onThread {
            let fleet = try Fleet(["north"])
            let member = try #require(try fleet[0].state?.member)
            try fleet.query(
                """
                insert into luggage.ahead (id, variant, bag, station, at, member, body, due)
                select gen_random_uuid(), md5(n::text)::uuid, luggage.no_bag(), '', now(), \(member), n::text,
                    now() - interval '1 second'
                from generate_series(1, 6000) n
                """
            )
            let hub = try fleet[0].connect()
            for (count, apart) in [(5000, 1000), (6000, 0)] {
                #expect(try hub.greet(member).waiting == apart)
                #expect(try fleet.facts == count)
            }
        }
    }

    @Test("and is then set right loses nothing, though it is connected still")
    func corrected() async throws {
        try await onThread {
            let fleet = try Fleet(["north", "south"])
            let (north, south) = (fleet[0], fleet[1])
            south.ahead = 7200
            var exchange = try south.exchange()
            try exchange.run()
            #expect(abs(exchange.skew - 7200) < 60)
            south.ahead = 0
            try north.scan(1, by: Date())
            try north.sync()
            try exchange.run()
            #expect(try south.scans == 1)
            #expect(abs(exchange.skew) < 60)
            #expect(try south.state?.quarantined == 0)
        }
    }

    @Test("behind is refused nothing")
    func behind() async throws {
        try await onThread {
            let fleet = try Fleet(["north", "south"])
            try fleet[0].scan(1, by: Date() - 86_400 * 400)
            try fleet[0].scan(2, by: Date(timeIntervalSince1970: 0))
            try fleet[0].sync()
            #expect(fleet[0].events.contains(.pushed(2)))
            #expect(!fleet[0].events.contains { if case .keptApart = $0 { true } else { false } })
            try fleet.exchangeAll()
            try fleet.expectAgreement(scans: 2)
        }
    }

    @Test("loses nothing of what is kept apart to a purge but the names")
    func purged() async throws {
        try await onThread {
            let fleet = try Fleet(["north", "south"])
            let (north, south) = (fleet[0], fleet[1])
            // Filed by a clock that is ahead, of a time that is not.
            try north.scan([1], owner: "QXNAME", now: Date() + 3600)
            try north.sync()
            #expect(try fleet.value("select count(*) from luggage.ahead") == "1")
            let forgetting = """
                select luggage.forget((gen_random_uuid(), bag, 'names', now(), now() + interval '2 hours'))
                from luggage.ahead
                """
            try fleet.query(forgetting)
            #expect(try fleet.value("select count(*) from luggage.ahead") == "1")
            #expect(
                try fleet.value("select count(*) from luggage.ahead where body like '%QXN%'") == "0"
            )
            _ = south
        }
    }

    @Test("loses the name by which what is kept apart calls what it withdraws")
    func renamed() async throws {
        try await onThread {
            let fleet = try Fleet(["north"])
            var writer = try Intruder("writer", in: fleet)
            let bag = UUID()
            let ahead = (Date() + 3600).formatted(.iso8601)
            try writer.push([
                """
                {"id":"\(UUID())","bag":"\(bag)","station":"w","at":"\(ahead)","body":"against QXNAME",
                "renamed_at":"2023-11-14T22:13:20Z","renamed_body":"against another"}
                """
            ])
            #expect(try fleet.value("select body from luggage.ahead") == "against QXNAME")
            try writer.push([try Statement(bag: bag, scope: "names").json])
            #expect(try fleet.value("select body from luggage.ahead") == "against another")
        }
    }
}
