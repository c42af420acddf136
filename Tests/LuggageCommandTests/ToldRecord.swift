import Foundation
import GRDB
import Testing

/// What a record tells, but for what is another each time: when a fact was said, and its identifier.
struct ToldRecord: Equatable {
    /// What is told of each bag, and of each failure that is none, in lines of an export.
    private(set) var told: [String: [String]] = [:]
    /// How many scans there were that are not kept one by one any more.
    private(set) var counts: [String: Int] = [:]
    /// How many scans there are or were.
    private(set) var scans = 0

    /// Reads the record of a place; where there is none, nothing is told.
    ///
    /// - Parameter place: Where it is.
    /// - Throws: What reading it throws, and where an export fails or the check finds anything.
    init(of place: Workplace) async throws {
        let check = try await place.luggage("check")
        if check.status == 66 && check.errors.contains("there is no record at") { return }
        try #require(
            check.output == "the record is well\n" && check.errors == "",
            "\(check.output)\(check.errors)"
        )
        let export = try await place.luggage("export", "--format", "jsonl")
        try #require(export.status == 0, "\(export.errors)")
        for line in try export.objects() { try add(line) }
        for key in told.keys { told[key]?.sort() }
        let queue = try DatabaseQueue(path: place.store)
        let sql = """
            SELECT day || ' ' || station || ' ' || point || ' ' || outcome || ' ' || typed, scans
            FROM ScanCount
            """
        for row in try queue.read({ try Row.fetchAll($0, sql: sql) }) {
            counts[row[0]] = row[1]
            scans += row[1]
        }
        try queue.close()
    }

    private mutating func add(_ record: [String: Any]) throws {
        guard let kind = record["record"] as? String else { return }
        var record = record
        var subject: Any?
        switch kind {
        case "fact":
            for name in ["id", "madeAt", "knownAt"] { record[name] = nil }
            subject = record["subject"]
            // Of what belongs to no bag, it is the fact itself.
            if let kind = record["kind"] as? String, kind.hasPrefix("forgotten-failure") {
                record["subject"] = nil
                subject = kind
            }
        case "scan":
            scans += 1
            subject = record["bag"] ?? record["id"]
        default: subject = record["id"] ?? kind
        }
        let line = try JSONSerialization.data(withJSONObject: record, options: .sortedKeys)
        let key = try #require(subject as? String)
        told[key, default: []].append(String(decoding: line, as: UTF8.self))
    }

    /// Whether each bag is told of as in one of two other records.
    func isBetween(_ before: Self, _ after: Self) -> Bool {
        Set(told.keys).union(before.told.keys).union(after.told.keys).allSatisfy { key in
            told[key] == before.told[key] || told[key] == after.told[key]
        }
    }
}
