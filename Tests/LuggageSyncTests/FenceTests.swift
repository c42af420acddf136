import Foundation
import HubConnection
import LuggageTags
import SeededRandom
import SystemSupport
import TestHubs
import Testing

@testable import LuggageSync

@Suite("Pulling while others push", .serialized, .timeLimit(.minutes(20)))
struct FenceTests {
    /// Someone who pushes as a member, in transactions of his own.
    private struct Writer {
        let connection: HubConnection
        let member: Int64
        var nonce: String?
        var count = 0

        init(_ name: String, at address: String) throws {
            connection = try HubConnection(ofTest: address)
            member = try Hub(connection).enter(
                station: name,
                machine: "m",
                pullsEverything: true,
                takesPlace: false
            )
        }

        mutating func push(_ count: Int) throws {
            let facts = (0..<count).map { number in
                """
                {"id":"\(UUID())","bag":"\(UUID())","station":"w","at":"2023-11-14T22:13:20Z",
                "body":"\(member) \(self.count + number)"}
                """
            }
            self.count += count
            let attempt = UUID().uuidString
            try connection.query(
                "select luggage.push($1, $2, $3, $4, now(), $5)",
                ["\(member)", nonce, attempt, "1", "[\(facts.joined(separator: ","))]"]
            )
            nonce = attempt
        }
    }

    @Test("misses nothing of transactions that end in another order than they began")
    func order() async throws {
        try await onThread {
            let fleet = try Fleet(["office"])
            let office = try fleet[0].connect()
            let member = try #require(try fleet[0].state?.member)
            var writers = try (0..<6).map {
                try Writer("w\($0)", at: fleet.address(as: fleet.admit("w\($0)")))
            }
            var random = SeededGenerator(seed: 18)
            var open: Set<Int> = []
            var (seen, cursor): ([String], PullCursor) = ([], .start)
            for _ in 0..<400 {
                let writer = random.number(below: writers.count)
                switch random.number(below: 3) {
                case 0 where !open.contains(writer):
                    open.insert(writer)
                    try writers[writer].connection.query("BEGIN")
                    try writers[writer].push(1 + random.number(below: 4))
                case 1 where open.contains(writer):
                    open.remove(writer)
                    try writers[writer].connection.query("COMMIT")
                default:
                    let answer = try office.pull(member, after: cursor, limit: 7)
                    #expect(answer.cursor >= cursor)
                    (seen, cursor) = (seen + answer.bodies, answer.cursor)
                }
            }
            for writer in open { try writers[writer].connection.query("COMMIT") }
            while true {
                let answer = try office.pull(member, after: cursor, limit: 7)
                (seen, cursor) = (seen + answer.bodies, answer.cursor)
                if !answer.hasMore { break }
            }
            #expect(Set(seen).count == writers.map(\.count).reduce(0, +))
            #expect(Set(seen).count == seen.count, "each comes once")
        }
    }

    @Test("misses nothing of many at once")
    func contention() async throws {
        let fleet = try await onThread { try Fleet(["office"]) }
        let addresses = try await onThread {
            try (0..<6).map { try fleet.address(as: fleet.admit("w\($0)")) }
        }
        let address = fleet.address(as: fleet[0].login)
        let member = try #require(try fleet[0].state?.member)
        let rounds = 150
        async let seen = onThread {
            let office = try Hub(HubConnection(ofTest: address))
            var (seen, cursor): ([String], PullCursor) = ([], .start)
            while seen.count < 6 * rounds * 3 {
                let answer = try office.pull(member, after: cursor, limit: 50)
                (seen, cursor) = (seen + answer.bodies, answer.cursor)
                if answer.bodies.isEmpty {
                    // All are done, and nothing comes any more: something was missed.
                    let sql = "select count(*) from pg_stat_activity where datname = $1"
                    let others = try fleet.server.query(sql, [fleet.database]).first?[0]
                    let last = try office.pull(member, after: cursor, limit: 50)
                    (seen, cursor) = (seen + last.bodies, last.cursor)
                    if others == "1" && last.bodies.isEmpty { break }
                }
            }
            return seen
        }
        try await withThrowingTaskGroup { group in
            for (number, address) in addresses.enumerated() {
                group.addTask {
                    try await onThread {
                        var writer = try Writer("w\(number)", at: address)
                        for _ in 0..<rounds { try writer.push(3) }
                    }
                }
            }
            try await group.waitForAll()
        }
        #expect(try await Set(seen).count == 6 * rounds * 3)
    }

    @Test("goes on, as pushing does, while the tables of the next months are made")
    func months() async throws {
        let fleet = try await onThread { try Fleet(["office"]) }
        try await onThread {
            #expect(try fleet.months.count == 3)
            for name in try fleet.months { try fleet.query("drop table luggage.\(name)") }
            // Somebody takes long, with the table that must not be used meanwhile.
            var slow = try Writer("slow", at: fleet.address(as: fleet.admit("slow")))
            var other = try Writer("other", at: fleet.address(as: fleet.admit("other")))
            try fleet.query("alter function luggage.make_months() rename to make_months_later")
            try fleet.query(
                "create function luggage.make_months() returns void language sql as 'select'"
            )
            try slow.connection.query("BEGIN")
            try slow.push(1)
            try fleet.query("drop function luggage.make_months()")
            try fleet.query("alter function luggage.make_months_later() rename to make_months")
            try other.push(1)
            // Facts of earlier months are in a table of their own, which is not in the way.
            #expect(try fleet.months.count == 3)
            try slow.connection.query("COMMIT")
        }
        let addresses = try await onThread {
            try (0..<6).map { try fleet.address(as: fleet.admit("w\($0)")) }
        }
        try await withThrowingTaskGroup { group in
            for (number, address) in addresses.enumerated() {
                group.addTask {
                    try await onThread {
                        var writer = try Writer("w\(number)", at: address)
                        for _ in 0..<30 { try writer.push(2) }
                    }
                }
            }
            try await group.waitForAll()
        }
        let made = try await onThread { try fleet.months }
        #expect(made.count == 3)
        #expect(try fleet.facts == 6 * 60 + 2)
    }

    @Test("by one that reads its answer slowly, or not at all, holds up nobody")
    func slow() async throws {
        try await onThread {
            let fleet = try Fleet(["north", "south"])
            let (north, south) = (fleet[0], fleet[1])
            try north.scan([1, 2])
            try fleet.exchangeAll()
            // More than all buffers on the way hold.
            var writer = try Writer("w", at: fleet.address(as: fleet.admit("w")))
            try writer.push(1)
            try fleet.query(
                """
                insert into luggage.fact (transaction, number, day, id, variant, bag, station, at, member, body)
                select luggage.this_place(), nextval('luggage.fact_number'), day, gen_random_uuid(),
                    md5(repeat('x', 60000))::uuid, gen_random_uuid(), station, at, member, repeat('x', 60000)
                from luggage.fact f, generate_series(1, 300) where f.body like '% 0'
                """
            )
            for name in try fleet.months { try fleet.query("drop table luggage.\(name)") }
            let member = try #require(try north.state?.member)
            // Nobody has looked for long who stays: whoever does it must not hold up others meanwhile.
            try fleet.query("select setval('luggage.last_look', 0)")
            let reader = Process()
            reader.executableURL = URL(fileURLWithPath: "/usr/bin/env")
            reader.arguments = [
                "psql", "-q", "-c",
                "copy (select body from luggage.pull(\(member), 0, 0, 1000)) to stdout",
                north.address,
            ]
            let pipe = Pipe()
            reader.standardOutput = pipe
            try reader.run()
            defer {
                reader.terminate()
                _ = try? pipe.fileHandleForReading.readToEnd()
                reader.waitUntilExit()
            }
            let waiting = """
                select count(*) from pg_stat_activity
                where wait_event = 'ClientWrite' and query like '%luggage.pull%' and pid <> pg_backend_pid()
                    and datname = current_database()
                """
            while try fleet.value(waiting) != "1" {
                try #require(reader.isRunning, "it has read everything")
            }

            // Others, and itself in another connection: facts, a purge, and the tables of the next months.
            try fleet.query("delete from luggage.fact where member = \(writer.member)")
            try fleet.hurry()
            try south.scan([3])
            try north.purge(.bags)
            for station in [north, south, north] { try station.sync(publishes: true) }
            try fleet.expectAgreement(scans: 1)
        }
    }

    @Test("with a page of which nothing is for this station goes on behind it")
    func strangers() async throws {
        try await onThread {
            let fleet = try Fleet(["small"], pullsEverything: false)
            let office = try fleet.add("office")
            try office.scan(100..<160)
            try office.sync()
            try fleet[0].scan([1])
            try fleet[0].sync()
            let member = try #require(try fleet[0].state?.member)
            let hub = try fleet[0].connect()
            // Two pages of 20 times the limit, without any fact.
            let first = try hub.pull(member, after: .start, limit: 2)
            #expect(first.bodies.isEmpty && first.hasMore)
            let second = try hub.pull(member, after: first.cursor, limit: 2)
            #expect(second.bodies.isEmpty && !second.hasMore && second.cursor > first.cursor)
        }
    }
}
