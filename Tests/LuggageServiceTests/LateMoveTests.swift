import Foundation
import Logging
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

    @Test(
        "is not told of once more where somebody moves it back by hand",
        arguments: [false, true]
    )
    func movedBack(isOnRecordBefore: Bool) async throws {
        let log = try LogFile(level: .info)
        if isOnRecordBefore {
            try inbox.drop("tag.png", tagPicture())
            try await inbox.watch(isOnce: true)
        }
        try await inbox.watch { events in
            let name = isOnRecordBefore ? "other.png" : "tag.png"
            try inbox.drop(name, tagPicture(isOnRecordBefore ? 1 : 0))
            #expect(try filed(await events.nextEnd()).reports.map(\.outcome) == [.new])
            let place = inbox.path("tag.png", in: "processed")
            try #require(unsafe rename(place, inbox.path("tag.png")) == 0)
            let again = try filed(await events.nextEnd())
            #expect(again.destination == .processed && again.reports.isEmpty)
        } changing: {
            $0.log = log.log
        }
        #expect(try inbox.names(in: "processed").last == "tag.png")
        #expect(try inbox.record().count == (isOnRecordBefore ? 4 : 2))
        let words = "tag.png was filed before; moved to processed"
        #expect(try log.lines.contains { $0.contains(words) })
    }

    @Test("is said to have been filed before, and counted no more, where only the record knows it")
    func movedBackBetween() async throws {
        let (log, metrics) = (try LogFile(level: .info), "\(inbox.path)/.metrics")
        try inbox.drop("tag.png", tagPicture())
        try await inbox.watch(isOnce: true)
        let place = inbox.path("tag.png", in: "processed")
        try #require(unsafe rename(place, inbox.path("tag.png")) == 0)
        try await inbox.watch(isOnce: true) { _ in
        } changing: {
            $0.log = log.log
            $0.configuration.metrics = metrics
        }
        let words = "tag.png was filed before: new: F432BDB8 of D/ZMU; moved to processed"
        let lines = try log.lines
        #expect(lines.contains { $0.contains(words) }, "\(lines)")
        let figures = try String(contentsOfFile: metrics, encoding: .utf8)
        #expect(
            figures.contains(#"luggage_pictures_total{disposition="processed"} 1"#),
            "\(figures)"
        )
        #expect(!figures.contains("luggage_tags_total{"), "\(figures)")
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

    @Test("is filed again where it is dropped again after it was taken back")
    func droppedAgain() async throws {
        for round in 1...2 {
            if round == 1 {
                try inbox.drop("tag.png", tagPicture())
            } else {
                let anna = Responsibility(author: "anna", reason: "wrong point")
                let undoing = try ChangeUndoing(container: inbox.makeContainer())
                let change = try #require(try undoing.changes(limit: 1).first)
                _ = try undoing.undo(change.number, by: anna)
                try FileManager.default.moveItem(
                    atPath: "\(inbox.path)/processed/tag.png",
                    toPath: "\(inbox.path)/origin/tag.png"
                )
            }
            try await inbox.watch { events in
                let event = try await events.nextEnd()
                #expect(try filed(event).reports.map(\.outcome) == [.new], "round \(round)")
            }
        }
        #expect(try inbox.names(in: "processed") == ["tag.png"])
        #expect(try inbox.names(in: "duplicates").isEmpty)
    }
}
