import Foundation
import HubConnection
import LuggageTags
import ObjectStore
import TestHubs
import Testing

@testable import LuggageSync

@Suite("What a station publishes for people", .serialized, .timeLimit(.minutes(30)))
struct PublishingTests {
    /// What the hub shows: bags, their journeys and sightings.
    private func shown(_ fleet: Fleet) throws -> [String?] {
        try [
            "select id, owner, weight, departed_at, arrived_at from luggage.bag order by id",
            "select bag, number, departed_at, arrived_at, points from luggage.journey order by 1, 2",
            "select id, bag, station, point, role, scanned_at, outcome, reason, counts from luggage.sighting order by id",
        ].map { try fleet.value("select json_agg(r) from (\($0)) r") }
    }

    /// What it would show if the record were published to an empty hub.
    private func expectWhole(_ fleet: Fleet, _ station: Station) throws {
        let present = try shown(fleet)
        var state = try #require(try station.state)
        state.generation = nil
        let kept = state
        try station.container.transaction { context in
            context.author = FactIntake.author
            try context.keep(kept)
            try context.save()
        }
        try fleet.query(
            "truncate luggage.bag, luggage.journey, luggage.sighting, luggage.publication"
        )
        try station.sync(publishes: true)
        #expect(try shown(fleet) == present)
    }

    @Test("says of a bag at the wrong place that it is misrouted")
    func misrouted() async throws {
        try await onThread {
            let fleet = try Fleet(["office"])
            let tag = #"{"id":"\#(UUID())","weight":42,"from":"ZRH","to":"JFK"}"#
            try fleet[0].scan(payload: tag, at: .destination, in: "SYD")
            try fleet[0].sync(publishes: true)
            #expect(try fleet.value("select outcome from luggage.sighting") == "misrouted")
        }
    }

    @Test("is at most one round behind, whatever changes")
    func changes() async throws {
        try await onThread {
            let fleet = try Fleet(["north", "office"])
            let (north, office) = (fleet[0], fleet[1])
            var exchange = try office.exchange()
            try exchange.run(publishes: true)
            for round in 0..<6 {
                try north.scan([round, round + 1], owner: "QXA", hour: Double(round))
                if round == 3 { try north.fail() }
                if round == 4 { try north.purge(.bags) }
                if round == 5 {
                    let undoing = ChangeUndoing(container: north.container)
                    let change = try #require(try undoing.changes(areUndone: false, limit: 1).first)
                    _ = try undoing.undo(
                        change.number,
                        by: Responsibility(author: "person", reason: "why")
                    )
                }
                try north.sync()
                try exchange.run(publishes: true)
                #expect(
                    try fleet.value("select facts_not_yet_published from luggage.freshness") == "0"
                )
                #expect(try fleet.value("select is_whole from luggage.freshness") == "t")
            }
            try expectWhole(fleet, office)
        }
    }

    @Test("gives right figures in the views")
    func views() async throws {
        try await onThread {
            let fleet = try Fleet(["north", "south", "office"])
            let (north, south, office) = (fleet[0], fleet[1], fleet[2])
            // Two depart, one of them arrives; one picture is not read.
            try north.scan([1, 2])
            try south.scan([1], at: .destination, hour: 2)
            try north.fail()
            for station in [north, south] { try station.sync() }
            try office.sync(publishes: true)
            let missing = try fleet.query("select bag, owner, weight from luggage.missing")
            #expect(
                missing.map(\.values) == [[Station.bag(2).uuidString.lowercased(), "D ZMU", "42"]]
            )
            #expect(try fleet.value("select count(*) from luggage.overdue") == "1")
            let hours = try fleet.query(
                "select station, point, hour at time zone 'UTC', scans from luggage.scans_per_hour order by 1"
            )
            #expect(
                hours.map(\.values) == [
                    ["north", "origin", "2023-11-14 22:00:00", "2"],
                    ["south", "destination", "2023-11-15 00:00:00", "1"],
                ]
            )
            let rates = try fleet.query("select * from luggage.read_rate order by station")
            #expect(
                rates.map(\.values) == [
                    ["north", "2023-11-14", "2", "3", "66.67"],
                    ["south", "2023-11-15", "1", "1", "100.00"],
                ]
            )
            #expect(try fleet.value("select publisher from luggage.freshness") == "office")
            #expect(try fleet.value("select count(*) from luggage.stations") == "3")
        }
    }

    @Test("calls a bag overdue that is missing for as long as its settings say, or for a day")
    func overdue() async throws {
        try await onThread {
            let fleet = try Fleet(["office"])
            try fleet[0].scan(1, by: Date() - 7200)
            var exchange = try fleet[0].exchange()
            for (bound, told) in [(nil, nil), (3600.0, "01:00:00"), (10_800, nil), (nil, nil)] {
                exchange.overdue = bound
                try exchange.run(publishes: true)
                let overdue = try fleet.query("select overdue_after from luggage.overdue")
                #expect(overdue.map { $0[0] } == (told == nil ? [] : [told]))
            }
            try fleet[0].scan(2, by: Date() - 90_000)
            try exchange.run(publishes: true)
            #expect(try fleet.value("select overdue_after from luggage.overdue") == "1 day")
        }
    }

    @Test("goes piece by piece once another publishes")
    func pieces() async throws {
        try await onThread {
            let fleet = try Fleet(["office"])
            try fleet[0].scan(0..<5)
            let state = try fleet[0].sync(publishes: true)
            let hub = try fleet[0].connect()
            let old = try #require(state.generation)
            #expect(try hub.dropOldRows(of: state.member, before: old, limit: 2) == 0)
            let later = failure {
                _ = try hub.dropOldRows(of: state.member, before: old + 1, limit: 2)
            }
            #expect(later != nil)
            let made = try hub.beginPublishing(state.member, mine: nil)
            // Of bags, journeys and sightings.
            for count: Int64 in [6, 6, 3, 0] {
                #expect(try hub.dropOldRows(of: state.member, before: made, limit: 2) == count)
            }
        }
    }

    @Test("is taken over by another once the first is gone, and nothing old is left")
    func takenOver() async throws {
        try await onThread {
            let fleet = try Fleet(["north", "office", "second"])
            let (north, office, second) = (fleet[0], fleet[1], fleet[2])
            try north.scan([1, 2, 3])
            try north.sync()
            try office.sync(publishes: true)
            try second.sync(publishes: true)
            // While the first does, it only exchanges.
            let isTold = second.events.contains {
                if case .publishedElsewhere = $0 { true } else { false }
            }
            #expect(isTold)
            #expect(try second.scans == 3)
            try north.purge(.bags)
            try north.scan([4])
            try north.sync()
            try fleet.query(
                "update luggage.publication set published_at = now() - interval '2 minutes'"
            )
            try second.sync(publishes: true)
            #expect(try fleet.value("select publisher from luggage.freshness") == "second")
            #expect(try fleet.value("select count(*) from luggage.bag") == "1")
            try expectWhole(fleet, second)
            // The first comes back, and takes over again in its turn: with what it has published before.
            try north.scan([5])
            try north.sync()
            try fleet.query(
                "update luggage.publication set published_at = now() - interval '2 minutes'"
            )
            try office.sync(publishes: true)
            #expect(try fleet.value("select publisher from luggage.freshness") == "office")
            #expect(try fleet.value("select count(*) from luggage.bag") == "2")
            try expectWhole(fleet, office)
        }
    }

    @Test("names nobody whom a purge has forgotten of which the publisher has yet to hear")
    func stale() async throws {
        try await onThread {
            let fleet = try Fleet(["north", "office"])
            let (north, office) = (fleet[0], fleet[1])
            try north.scan([1, 2], owner: "QXA")
            try north.sync()
            let state = try office.sync(publishes: true)
            let names = "select count(*) from luggage.bag where owner is not null"
            #expect(try fleet.value(names) == "2")
            try north.purge(.names)
            try north.scan([3], owner: "QXB")
            try north.sync()
            #expect(try fleet.value(names) == "0")
            // It derived these before it has heard of the purge, and ends now.
            let hub = try office.connect()
            let generation = try #require(state.generation)
            _ = try RowPublishing(office.container).all { rows in
                try hub.publish(
                    rows,
                    of: state.member,
                    generation: generation,
                    upTo: state.pulled,
                    isLast: false
                )
            }
            #expect(try fleet.value("select count(*) from luggage.bag") == "2")
            #expect(try fleet.value(names) == "0")
            // What it files after the purge has a name.
            try office.sync(publishes: true)
            #expect(try fleet.value(names) == "1")
            try expectWhole(fleet, office)
        }
    }

    @Test("is published anew after a kill in the middle")
    func killed() async throws {
        try await onThread {
            let fleet = try Fleet(["north", "office"])
            try fleet[0].scan(0..<20)
            try fleet[0].sync()
            let state = try fleet[1].sync(publishes: true)
            // It began anew, as after a loss of its history, and came no farther.
            let hub = try fleet[1].connect()
            let begun = try hub.beginPublishing(state.member, mine: nil)
            #expect(begun > state.generation ?? .max)
            try fleet[0].scan([1], hour: 3)
            try fleet[0].sync()
            try fleet[1].sync(publishes: true)
            #expect(try fleet.value("select is_whole from luggage.freshness") == "t")
            #expect(try fleet.value("select count(*) from luggage.bag") == "20")
            #expect(try fleet.value("select count(*) from luggage.sighting") == "21")
            try expectWhole(fleet, fleet[1])
        }
    }

    @Test("is refused of who does not get everything")
    func selective() async throws {
        try await onThread {
            let fleet = try Fleet(["small"], pullsEverything: false)
            let error = failure { try fleet[0].sync(publishes: true) } as? HubError
            #expect(error?.refusal == .notEverything && error?.remedy != nil)
        }
    }
}
