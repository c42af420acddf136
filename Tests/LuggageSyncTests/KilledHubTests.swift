import Foundation
import HubConnection
import LuggageTags
import ObjectStore
import SystemSupport
import TestHubs
import Testing

@testable import LuggageSync

@Suite("Facts that are exchanged while something ends", .serialized, .timeLimit(.minutes(30)))
struct KilledHubTests {
    @Test("are neither lost nor twice if the hub is killed at any moment")
    func killedHub() async throws {
        try await onThread {
            let server = try TestHub(.quiet)
            let fleet = try Fleet(["north", "south"], on: server)
            let (north, south) = (fleet[0], fleet[1])
            for round in 0..<6 {
                try north.scan((0..<400).map { $0 % 40 }, hour: Double(round))
                try south.scan([round, round + 1], at: .destination, hour: Double(round) + 0.5)
                // Each time a little later, so that pushes, pulls and what is between are hit.
                let delay = Double(round) * 0.08
                let killer = DetachedKill(of: server, after: delay)
                for station in [north, south] { _ = try? station.sync() }
                killer.wait()
                try server.start()
            }
            try fleet.exchangeAll()
            try fleet.expectAgreement(scans: 6 * 402)
            let twice = "select count(*) - count(distinct id) from luggage.fact"
            #expect(try fleet.value(twice) == "0")
        }
    }

    @Test("are pushed again if the answer is lost, and not twice")
    func lostAnswer() async throws {
        try await onThread {
            let fleet = try Fleet(["north", "south"])
            let (north, south) = (fleet[0], fleet[1])
            var state = try north.sync()
            for round in 0..<3 {
                try north.scan(0..<10, hour: Double(round))
                let batch = try FactOutbox(north.container).next(after: state.pushed, limit: 100)
                #expect(batch.facts.count == 10)
                state.attempt = UUID()
                try north.container.transaction { context in
                    context.author = FactIntake.author
                    try context.keep(state)
                    try context.save()
                }
                _ = try north.connect().push(batch.facts, of: state, upTo: batch.token.rawValue)
                // Nobody heard the answer; now it goes on where it knows that it was.
                state = try north.sync()
                #expect(north.events.contains(.pushed(10)))
                #expect(north.comparisons.isEmpty && !north.events.contains(.restored))
            }
            try south.sync()
            try fleet.expectAgreement(scans: 30)
            #expect(try fleet.facts == 30)
        }
    }

    @Test("are not looked for by days again in every round")
    func quiet() async throws {
        try await onThread {
            let fleet = try Fleet(["north", "south"])
            try fleet[0].scan(0..<100)
            try fleet.exchangeAll()
            for station in fleet.stations {
                try station.sync()
                let token = try station.container.lastHistoryToken()
                for _ in 0..<3 {
                    try station.sync()
                    #expect(station.events.isEmpty, "\(station.name): \(station.events)")
                }
                // A round without news is no save, which would be news for the next.
                #expect(try station.container.lastHistoryToken() == token)
            }
        }
    }

    @Test("go on after a kill where they were, page by page")
    func killedStation() async throws {
        try await onThread {
            let fleet = try Fleet(["north", "south"])
            let (north, south) = (fleet[0], fleet[1])
            try north.scan((0..<2500).map { $0 % 20 })
            try north.sync()
            // As if it were killed in its third page: what it has merged is kept.
            struct Killed: Error {}
            var pages = 0
            let hub = try south.connect()
            var exchange = try StationExchange(
                south.container,
                hub,
                machine: south.machine,
                version: south.version
            ) {
                if case .pulled = $0 {
                    pages += 1
                    if pages == 2 { hub.connection.close() }
                }
            }
            #expect(throws: HubError.self) { try exchange.run() }
            #expect(try south.scans == 2000)
            try south.sync()
            #expect(south.traffic.pulled == 500)
            try fleet.expectAgreement(scans: 2500)
        }
    }
}

/// Kills a hub on a thread of its own.
final class DetachedKill: Sendable {
    private let done = TimedWait(false)

    init(of server: TestHub, after seconds: Double) {
        DetachedThread.startPatiently { [done] in
            Thread.sleep(forTimeInterval: seconds)
            server.kill()
            done.change { state in
                state = true
                return ((), .toTell)
            }
        }
    }

    func wait() {
        done.wait { $0 ? .found(()) : .wait(until: .now + .seconds(600)) }
    }
}
