import Foundation
import HubConnection
import LuggageTags
import TestHubs
import Testing

@testable import LuggageSync

@Suite(
    "A record of which there are two, or which was put back",
    .serialized,
    .timeLimit(.minutes(30))
)
struct CloneTests {
    @Test("as a copy elsewhere is refused until it joins as new, and nothing of either is lost")
    func cloned() async throws {
        try await onThread {
            let fleet = try Fleet(["north", "south"])
            let (north, south) = (fleet[0], fleet[1])
            try north.scan([1])
            try north.sync()
            let copy = try fleet.prepare("copy", copyOf: north)
            let same = try fleet.prepare("same login", copyOf: north, login: north.login)
            try north.scan([2])
            try north.sync()
            try same.scan([3])
            for _ in 0..<2 { #expect(failure { try same.sync() } as? SyncError == .cloned) }
            // The login of another is none of its own.
            #expect((failure { try copy.sync() } as? HubError)?.refusal == .otherLogin)
            #expect((failure { try copy.sync() } as? HubError)?.remedy != nil)

            // As a station of its own, and the original goes on.
            try copy.scan([4])
            try copy.join(asNew: true)
            try copy.sync()
            try north.sync()
            try south.sync()
            try fleet.expectAgreement(of: [north, south, copy], scans: 3)

            // In place of the original.
            try same.join(asNew: true)
            try same.sync()
            try north.scan([5])
            for _ in 0..<2 { #expect(failure { try north.sync() } as? SyncError == .replaced) }
            try north.join(asNew: true)
            for station in [north, south, copy] { try station.sync() }
            for station in [south, copy] { try station.sync() }
            #expect(failure { try same.sync() } as? SyncError == .replaced)
            try fleet.expectAgreement(of: [north, south, copy], scans: 5)
        }
    }

    @Test("as a copy that comes first gives way to the original")
    func clonedFirst() async throws {
        try await onThread {
            let fleet = try Fleet(["north", "south"])
            let north = fleet[0]
            try north.scan([1])
            try north.sync()
            let copy = try fleet.prepare("copy", copyOf: north, login: north.login)
            try copy.scan([2])
            try copy.sync()
            try north.scan([3])
            try north.sync()
            #expect(north.events.contains(.restored))
            #expect(failure { try copy.sync() } as? SyncError == .replaced)
            try fleet[1].sync()
            try fleet.expectAgreement(of: [north, fleet[1]], scans: 3)
        }
    }

    @Test("from a backup on its machine gets its own facts back", arguments: [true, false])
    func restored(pullsEverything: Bool) async throws {
        try await onThread {
            let fleet = try Fleet(["north", "south"], pullsEverything: pullsEverything)
            let (north, south) = (fleet[0], fleet[1])
            try north.scan([1])
            try south.scan([1, 9], at: .destination, hour: 1)
            try fleet.exchangeAll()
            try north.scan([2])
            try north.backup()
            try north.scan([3])
            try north.fail()
            try north.sync()
            try south.scan([1, 3], at: .destination, hour: 2)
            try south.sync()
            try north.sync()
            let before = try north.export
            try north.restore()
            #expect(try north.export != before)
            try north.sync()
            #expect(north.events.contains(.restored))
            // It had pushed some: those days need no comparison.
            #expect(north.comparisons.isEmpty)
            #expect(try north.export == before)
            try north.scan([4])
            try fleet.exchangeAll()
            if pullsEverything { try fleet.expectAgreement(scans: 9) }
            var exchange = try north.exchange()
            #expect(try exchange.reconcile() == 0)
        }
    }

    @Test("from a backup, of which nothing was pushed since, goes on")
    func restoredWithoutNews() async throws {
        try await onThread {
            let fleet = try Fleet(["north", "south"])
            try fleet[0].scan([1])
            try fleet.exchangeAll()
            try fleet[0].backup()
            try fleet[1].scan([2])
            try fleet.exchangeAll()
            try fleet[0].restore()
            try fleet[0].sync()
            #expect(!fleet[0].events.contains(.restored))
            try fleet.expectAgreement(scans: 2)
        }
    }

    @Test("that has left says how to come back, and can")
    func left() async throws {
        try await onThread {
            let fleet = try Fleet(["north", "south"])
            let north = fleet[0]
            try north.backup()
            try Membership(north.container).leave(north.connect())
            #expect(failure { try north.sync() } as? SyncError == .notJoined)
            try north.scan([1])
            try north.restore()
            let error = failure { try north.sync() } as? HubError
            #expect(error?.refusal == .hasLeft && error?.remedy?.contains("--as-new") == true)
            try north.scan([1])
            try north.join(asNew: true)
            try fleet.exchangeAll()
            try fleet.expectAgreement(scans: 1)
            let other = try fleet.prepare("other", login: north.login)
            let taken = failure { try other.join() } as? HubError
            #expect(taken?.refusal == .loginTaken && taken?.remedy?.contains("--as-new") == true)
        }
    }
}
