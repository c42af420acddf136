import Foundation
import GRDB
import Testing

/// A record that the program made before it counted dates from 2001, and what it exported then.
@Suite("A record of the program before")
struct OlderRecordTests {
    private let place: Workplace

    private static let folder = URL(filePath: #filePath).deletingLastPathComponent()
        .deletingLastPathComponent().appending(path: "Support/OlderRecords")

    init() throws {
        place = try Workplace()
        let statements = try String(
            contentsOf: Self.folder.appending(path: "record.sql"),
            encoding: .utf8
        )
        var configuration = Configuration()
        // Rows come before those that they lead to.
        configuration.foreignKeysEnabled = false
        let queue = try DatabaseQueue(path: place.store, configuration: configuration)
        try queue.writeWithoutTransaction { db in
            try db.execute(sql: statements)
            // As that program leaves it.
            try db.execute(sql: "PRAGMA journal_mode = WAL")
        }
        try queue.close()
    }

    private func format() throws -> Int? {
        let queue = try DatabaseQueue(path: place.store)
        defer { try? queue.close() }
        return try queue.read { try Int.fetchOne($0, sql: "PRAGMA user_version") }
    }

    private func checkExport() async throws {
        let export = try String(
            contentsOf: Self.folder.appending(path: "export.json"),
            encoding: .utf8
        )
        let run = try await place.luggage("export", "--format", "json")
        #expect(run.output == export && run.status == 0, "\(run.errors)")
    }

    @Test("is read as it is, and then converted without a change to what it says")
    func conversion() async throws {
        try await checkExport()
        let history = try await place.luggage("history", "--format", "json").output
        // Opens it for writing, and finds nothing to delete.
        let purge = try await place.luggage("purge", "--older-than", "9999d", "--bags", "--yes")
        #expect(purge.status == 0, "\(purge.errors)")
        #expect(try format() == 3)
        try await checkExport()
        #expect(try await place.luggage("history", "--format", "json").output == history)
        let check = try await place.luggage("check")
        #expect(check.output == "the record is well\n" && check.status == 0)
    }

    @Test("is gone on with")
    func goingOn() async throws {
        let time = "2026-07-01T12:00:00.5Z"
        let tag = Workplace.sample("tag-9c41-dzmu.png")
        let scan = try await place.luggage("scan", "--at", "destination", "--timestamp", time, tag)
        #expect(scan.status == 0, "\(scan.errors)")
        #expect(try format() == 3)
        let undo = try await place.luggage("undo", "--yes", "--by", "ben")
        #expect(undo.status == 0, "\(undo.errors)")
        let bags = try await place.luggage("list", "--format", "json").array()
        let bag = bags.first { ($0["id"] as? String)?.hasPrefix("9C41") == true }
        #expect(bag?["departedAt"] as? String == "2026-07-01T08:00:00.028Z")
        #expect(bag?["arrivedAt"] as? String == "2026-07-01T12:00:00.500Z")
        let check = try await place.luggage("check")
        #expect(check.output == "the record is well\n" && check.status == 0)
    }
}
