import Foundation
import LuggageTags
import ObjectStore
import Testing

@testable import LuggageService

@Suite("A picture that is on record and can be moved only later", .timeLimit(.minutes(30)))
struct LateMoveTests {
    private let inbox: WatchedInbox

    init() throws {
        inbox = try WatchedInbox()
    }

    /// Drops a picture that cannot be moved: a file in the place of a folder lets nobody put one into it.
    private func dropInVain(
        _ name: String,
        _ events: inout AsyncStream<WatchedInbox.Event>.Iterator
    ) async throws {
        try clear()
        try Data().write(to: URL(filePath: "\(inbox.path)/processed"))
        try inbox.drop(name, tagPicture())
        guard case .postponed = try await events.nextEnd().disposition else {
            Issue.record("it was not postponed")
            throw CancellationError()
        }
    }

    private func clear() throws {
        try FileManager.default.removeItem(atPath: "\(inbox.path)/processed")
    }

    private func filed(_ event: WatchedInbox.Event) throws -> FiledPicture {
        guard case .filed(let filed) = event.disposition else {
            Issue.record("\(event.name) was not filed but \(event.disposition)")
            throw CancellationError()
        }
        return filed
    }

    @Test("is told of with what came of it, once it is moved")
    func sameService() async throws {
        try await inbox.watch { events in
            try await dropInVain("tag.png", &events)
            #expect(try inbox.record().count == 2)
            try clear()
            var event = try await events.nextEnd()
            while case .postponed = event.disposition { event = try await events.nextEnd() }
            let filed = try filed(event)
            #expect(filed.destination == .processed)
            #expect(filed.reports.map(\.outcome) == [.new])
            // Only who has read it knows.
            #expect(filed.reports.first?.milliseconds != nil)
            let facts = HookFacts(filed)
            #expect(facts.outcomes == [.new] && facts.bags.count == 1)
            #expect(facts.owners == ["D/ZMU"])
        }
    }

    @Test("is told of after a restart with what the record knows, and a copy of it is a duplicate")
    func nextService() async throws {
        try await inbox.watch { events in try await dropInVain("a.png", &events) }
        try clear()
        try inbox.drop("b.png", tagPicture())
        try await inbox.watch { events in
            let ends = try await events.ends(2)
            let (a, b) = (try #require(ends["a.png"]), try #require(ends["b.png"]))
            let first = try filed(a)
            #expect(first.destination == .processed)
            #expect(first.reports.map(\.outcome) == [.new])
            #expect(first.reports.first?.image == "a.png")
            #expect(HookFacts(first).bags == ["F432BDB8-D84F-4461-8362-000000000000"])
            let second = try filed(b)
            #expect(second.destination == .duplicates && second.reports.isEmpty)
        }
    }

    @Test("is not told to have given what somebody has taken back meanwhile")
    func takenBack() async throws {
        try await inbox.watch { events in try await dropInVain("tag.png", &events) }
        try inbox.makeContainer().transaction { context in
            for scan in try context.fetch(FetchRequest(Scan.self)) { scan.undoneAt = Date() }
            try context.save()
        }
        try clear()
        try await inbox.watch { events in
            let event = try await events.nextEnd()
            #expect(try filed(event).reports.isEmpty)
        }
    }
}
