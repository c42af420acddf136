import Foundation
import HubConnection
import LuggageTags
import ObjectStore
import TestHubs
import Testing

@testable import LuggageSync

@Suite("Facts that got lost without anybody's knowing", .serialized, .timeLimit(.minutes(30)))
struct DriftTests {
    @Test("at the hub or in a record are found by day, and only those days are sent")
    func found() async throws {
        try await onThread {
            let fleet = try Fleet(["north", "south"])
            let (north, south) = (fleet[0], fleet[1])
            for day in 0..<10 { try north.scan(0..<5, hour: Double(day) * 24) }
            try fleet.exchangeAll()
            // Two days at the hub, and a third in a record.
            try fleet.query(
                """
                delete from luggage.fact f where f.day in (
                    select distinct day from luggage.fact order by day limit 2)
                    and number % 2 = 0
                """
            )
            let lost = try 50 - fleet.facts
            #expect(lost > 2)
            try north.container.transaction { context in
                context.author = FactIntake.author
                let last = try context.fetch(FetchRequest(Scan.self).sorted(by: \.scannedAt))
                    .suffix(3)
                for scan in last { try context.delete(scan) }
                try context.save()
            }
            #expect(try north.scans == 47)
            try north.sync()
            #expect(north.events.isEmpty)
            var exchange = try north.exchange()
            #expect(try exchange.reconcile() == 3)
            // Of the 3 days no more than their facts.
            #expect(north.traffic == (3, 12))
            #expect(try fleet.facts == 50)
            #expect(try exchange.reconcile() == 0)
            try south.sync()
            try fleet.expectAgreement(scans: 50)
        }
    }

    @Test("or were altered by SQL are given to nobody, found, and put right")
    func altered() async throws {
        try await onThread {
            let fleet = try Fleet(["north", "south"])
            let (north, south) = (fleet[0], fleet[1])
            for day in 0..<3 { try north.scan(0..<5, hour: Double(day) * 24) }
            try north.sync()
            let bodies = "select string_agg(id || body, '' order by id) from luggage.fact"
            let before = try fleet.value(bodies)
            try fleet.query(
                """
                update luggage.fact set body = replace(body, 'origin', 'destination')
                where id in (select id from luggage.fact order by day, id limit 2)
                """
            )
            #expect(try fleet.value(bodies) != before)
            try south.sync()
            #expect(try south.scans == 13)
            var exchange = try north.exchange()
            #expect(try exchange.reconcile() == 1)
            #expect(try fleet.value(bodies) == before)
            #expect(try exchange.reconcile() == 0)
            try south.sync()
            try fleet.expectAgreement(scans: 15)
        }
    }

    @Test("do not make a station compare days for ever if it cannot take them")
    func refused() async throws {
        try await onThread {
            let fleet = try Fleet(["north", "south"])
            try fleet[0].scan([1])
            try fleet.exchangeAll()
            try fleet.query(
                """
                insert into luggage.fact (transaction, number, day, id, variant, bag, station, at, member, body)
                select luggage.this_place(), nextval('luggage.fact_number'), day, gen_random_uuid(),
                    md5('{"record":"scan","id":"nonsense"}')::uuid, bag, station, at, 0,
                    '{"record":"scan","id":"nonsense"}'
                from luggage.fact limit 1
                """
            )
            let south = fleet[1]
            try south.sync()
            #expect(south.events.contains { if case .refused = $0 { true } else { false } })
            // Each version of the program asks for them once, also one to which it goes back.
            for version in ["2", "3", "2"] {
                south.version = version
                var exchange = try south.exchange()
                for round in 0..<3 {
                    try exchange.run()
                    #expect(south.comparisons == [1], "in round \(round) of version \(version)")
                }
                #expect(try south.state?.quarantined == 1)
                for _ in 0..<2 {
                    try south.sync()
                    #expect(south.events.isEmpty, "after a new start of version \(version)")
                }
            }
            try south.scan([2])
            try fleet.query("delete from luggage.fact where member = 0")
            south.version = "4"
            try south.sync()
            #expect(try south.state?.quarantined == 0)
            south.version = "5"
            try south.sync()
            #expect(south.events.isEmpty, "nothing is left out any more")
        }
    }
}
