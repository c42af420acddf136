import HubConnection
import LuggageTags
import TestHubs
import Testing

@testable import LuggageSync

@Suite("Facts that the hub holds while an older transaction runs", .timeLimit(.minutes(10)))
struct HeldFactsTests {
    /// A hub whose station "south" has joined, where "north" has filed a scan after somebody else began a transaction;
    /// for one thread at a time.
    private final class Place: @unchecked Sendable {
        let fleet: Fleet
        let other: HubConnection

        // Where the other works: nil in the hub's own database.
        init(_ database: String?) throws {
            fleet = try Fleet(["north", "south"])
            other = try fleet.server.connect(database: database ?? fleet.database)
            try other.query("begin")
            try other.query("select pg_current_xact_id()")
            try fleet[0].scan([1])
            try fleet[0].sync()
        }

        func end() throws { try other.query("commit") }

        /// Waits until a station has pulled again.
        func waitUntilPulled(by station: String) throws {
            let sql = "select pulled_at from luggage.member where station = '\(station)'"
            let before = try fleet.value(sql)
            while try fleet.value(sql) == before {}
        }
    }

    @Test("are waited for by who exchanges once", arguments: [nil, "postgres"])
    func waits(_ database: String?) async throws {
        let place = try await onThread { try Place(database) }
        let service = SyncService(try place.fleet[1].parts)
        async let state = onThread { try service.runOnce() }
        try await onThread {
            try place.waitUntilPulled(by: "south")
            try place.waitUntilPulled(by: "south")
            try place.end()
        }
        _ = try await state
        #expect(try place.fleet[1].scans == 1)
    }

    @Test("for longer than that are told to who exchanges once; what it has filed is sent")
    func tooLong() async throws {
        try await onThread {
            let place = try Place("postgres")
            let south = place.fleet[1]
            try south.scan([2])
            var parts = try south.parts
            parts.patience = .milliseconds(10)
            let service = SyncService(parts)
            #expect(throws: SyncError.held) { try service.runOnce() }
            #expect(try place.fleet.facts == 2)
            try place.end()
            _ = try service.runOnce()
            try place.fleet.exchangeAll()
            try place.fleet.expectAgreement(scans: 2)
        }
    }

    @Test("are none, if a transaction runs and nobody has filed anything since it began")
    func nothingHeld() async throws {
        try await onThread {
            let place = try Place(nil)
            var exchange = try place.fleet[0].exchange()
            try exchange.run()
            #expect(exchange.held == nil, "only its own")
            // Of a bag that the station has not seen.
            let small = try place.fleet.add("small", pullsEverything: false)
            var another = try small.exchange()
            try another.run()
            #expect(another.held == nil)
        }
    }

    @Test("are waited for by the service, which says so if they come late, and goes on sending")
    func service() async throws {
        let place = try await onThread { try Place("postgres") }
        let service = try RunningService(place.fleet[1], patience: .milliseconds(10))
        let status = try await service.waitUntil("it says why it waits") { $0.reason == "held" }
        #expect(status?.phase == .waiting && status?.currentAt == nil)
        #expect(status?.message?.contains("pg_stat_activity") == true)
        try await onThread {
            try place.fleet[1].scan([2])
            while try place.fleet.facts != 2 {}
            try place.end()
        }
        try await service.waitUntil("it has them") { $0.phase == .current }
        #expect(try place.fleet[1].scans == 2)
    }

    @Test("are given as those before it end, though later ones run: a busy hub is not told of")
    func busy() async throws {
        try await onThread {
            let place = try Place(nil)
            var exchange = try place.fleet[1].exchange()
            try exchange.run()
            let first = try #require(exchange.held)
            let later = try place.fleet.owner()
            try later.query("begin")
            try later.query("select pg_current_xact_id()")
            try place.fleet[0].scan([2])
            try place.fleet[0].sync()
            try exchange.run()
            #expect(exchange.held == first)
            try place.end()
            try exchange.run()
            let second = try #require(exchange.held)
            #expect(second != first)
            #expect(try place.fleet[1].scans == 1)
            try later.query("commit")
            try exchange.run()
            #expect(exchange.held == nil)
            #expect(try place.fleet[1].scans == 2)
        }
    }
}
