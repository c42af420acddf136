import Foundation
import LuggageTags
import ObjectStore
import TestHubs
import Testing

@testable import LuggageSync

@Suite("A station that takes only what it has seen", .serialized, .timeLimit(.minutes(30)))
struct SelectionTests {
    private func bags(_ station: Station) throws -> Set<UUID> {
        try station.container.read { context in
            Set(try context.fetch(FetchRequest(Luggage.self)).map(\.identifier))
        }
    }

    @Test("gets the earlier facts of a bag once it has seen it, the later ones too, and no others")
    func selected() async throws {
        try await onThread {
            let fleet = try Fleet(["office"])
            let small = try fleet.add("small", pullsEverything: false)
            let office = fleet[0]
            try office.scan([1, 2, 3])
            try office.sync()
            try small.sync()
            #expect(try small.scans == 0)
            try small.scan([1], at: .destination, hour: 1)
            try small.sync()
            #expect(try bags(small) == [Station.bag(1)])
            #expect(try small.scans == 2)
            try office.scan([1, 2], at: .transfer, hour: 2)
            try office.sync()
            try small.sync()
            #expect(try bags(small) == [Station.bag(1)])
            #expect(try small.scans == 3)
            // What was pushed in a transaction that had begun before it saw the bag.
            try office.purge(.names)
            try fleet.exchangeAll()
            #expect(!String(decoding: small.files, as: UTF8.self).contains("ZMU"))
            var exchange = try small.exchange()
            #expect(try exchange.reconcile() == 0)
            try small.sync()
            #expect(small.events.isEmpty)
        }
    }

    @Test("has pictures of its own station that nobody could read, and not those of others")
    func failures() async throws {
        try await onThread {
            let fleet = try Fleet(["office"])
            let small = try fleet.add("small", pullsEverything: false)
            try fleet[0].fail()
            try small.fail()
            try fleet.exchangeAll()
            #expect(try small.scans == 1)
            #expect(try fleet[0].scans == 2)
            var exchange = try small.exchange()
            #expect(try exchange.reconcile() == 0)
        }
    }

    @Test("gets everything once it joins anew for everything")
    func changed() async throws {
        try await onThread {
            let fleet = try Fleet(["office"])
            let small = try fleet.add("small", pullsEverything: false)
            try fleet[0].scan(0..<30)
            try small.scan([1], hour: 1)
            try fleet.exchangeAll()
            #expect(try small.scans == 2)
            try small.join(pullsEverything: true, asNew: true)
            try small.sync()
            try fleet.expectAgreement(scans: 31)
        }
    }
}
