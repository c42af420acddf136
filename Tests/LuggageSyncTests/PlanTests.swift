import Foundation
import HubConnection
import LuggageTags
import TestHubs
import Testing

@testable import LuggageSync

@Suite("A hub with many facts", .serialized, .timeLimit(.minutes(20)))
struct PlanTests {
    @Test("reads none of them but those that a push or pull is about")
    func scans() async throws {
        try await onThread {
            let fleet = try Fleet(["north", "office"])
            try fleet[0].sync()
            let other = try #require(try fleet[0].state?.member)
            // 100,000 of 30 old days, and of today.
            try fleet.query(
                """
                insert into luggage.fact (transaction, number, day, id, variant, bag, station, at, member, body, rest_id, rest)
                select luggage.this_place() - 100000 + n, nextval('luggage.fact_number'),
                    case when n % 2 = 0 then date '2023-11-01' + n % 30 else now()::date end,
                    gen_random_uuid(), md5(repeat('x', 200))::uuid,
                    ('00000000-0000-0000-0000-' || lpad((n / 5)::text, 12, '0'))::uuid, 'north',
                    now() - interval '1 day', \(other), repeat('x', 200), gen_random_uuid(), 'rest'
                from generate_series(1, 100000) n
                """
            )
            try fleet.query("analyze luggage.fact")
            let office = fleet[1]
            let member = try #require(try office.state?.member)
            let hub = try office.connect()
            let rows = """
                select coalesce(sum(seq_tup_read), 0) from pg_stat_user_tables
                where schemaname = 'luggage' and relname like 'fact%'
                """
            func read(_ words: String, _ body: () throws -> Void) throws {
                try fleet.query("select pg_stat_reset()")
                try body()
                try hub.connection.query("select pg_stat_force_next_flush()")
                try hub.connection.query("select 1")
                let count = try Int(fleet.value(rows) ?? "") ?? .max
                #expect(count < 2000, "\(words) reads \(count) facts")
            }
            var cursor = PullCursor.start
            try read("pull") {
                for _ in 0..<12 { cursor = try hub.pull(member, after: cursor, limit: 1000).cursor }
            }
            try read("pull of the last") {
                let place = try fleet.value("select max(transaction) - 10 from luggage.fact")
                for _ in 0..<12 {
                    let answer = try hub.pull(
                        member,
                        after: PullCursor(transaction: UInt64(place ?? "") ?? 0, number: 0),
                        limit: 1000
                    )
                    #expect(answer.bodies.count == 11)
                }
            }
            try read("pull of bags") {
                for _ in 0..<12 {
                    let bags = (0..<200).map {
                        "00000000-0000-0000-0000-\(String(format: "%012d", $0))"
                    }
                    let bodies = try hub.pull(member, bags: bags)
                    #expect(bodies.count == 999)
                }
            }
            try read("pull of a day") {
                let day = FactDays.Day(station: "north", date: "2023-11-03")
                for _ in 0..<12 {
                    var bodies: [String] = []
                    try hub.pull(member, day: day, limit: 1000) { bodies += $0 }
                    #expect(bodies.count > 1000)
                }
            }
            try read("push") {
                var nonce: String?
                for _ in 0..<12 {
                    let facts = (0..<100).map {
                        """
                        {"id":"\(UUID())","bag":"\(Station.bag($0))","station":"office",
                        "at":"2023-11-14T22:13:20Z","body":"\(UUID())"}
                        """
                    }
                    let attempt = UUID().uuidString
                    try hub.connection.query(
                        "select luggage.push($1, $2, $3, 1, now(), $4)",
                        ["\(member)", nonce, attempt, "[\(facts.joined(separator: ","))]"]
                    )
                    nonce = attempt
                }
            }
            try read("forgetting") {
                for number in 0..<12 {
                    try fleet.query(
                        """
                        select luggage.forget((gen_random_uuid(), bag, 'names', now(), now()))
                        from (select '00000000-0000-0000-0000-0000000000\(10 + number)'::uuid bag) b
                        """
                    )
                }
            }
        }
    }
}
