import Foundation
import GRDB
import ObjectStore
import SQLiteStore
import TestFolders
import Testing

@testable import LuggageTags

@Suite("A day of many trips", .timeLimit(.minutes(20)))
struct TripDayTests {
    /// How many bags travel; more of them where the environment says so.
    private static let count =
        ProcessInfo.processInfo.environment["TRIP_BAGS"].flatMap { Int($0) } ?? 600

    private static func ids(
        _ container: PersistentContainer,
        _ ask: (inout LuggageQuestion) -> Void
    ) throws -> Set<UUID> {
        var question = LuggageQuestion()
        ask(&question)
        var found: Set<UUID> = []
        try container.read { context in
            try question.forEachBatch(in: context) { found.formUnion($0.map(\.id)) }
        }
        return found
    }

    @Test("is answered as it was, by the questions, by SQL on the scans, and wherever it is merged")
    func day() throws {
        var day = TripDay(seed: 20, bags: Self.count)
        let folder = try TemporaryFolder()
        let (west, east) = (Array(TripDay.places.prefix(3)), Array(TripDay.places.suffix(3)))
        let stations = try [west, east].map { places in
            let record = try emptyRecord()
            try day.file(places, in: record)
            return record
        }
        let exports = try stations.map { try $0.exported(as: .jsonLines) }
        let path = folder.path("merged.sqlite")
        let merged = try PersistentContainer(
            model: LuggageModel.make(),
            store: SQLiteStore(path: path)
        )
        for export in exports { #expect(try merged.importing(export).isClean) }
        try compare(merged, with: day)
        try compare(sql: path, with: day)
        // Either station, when it has heard of the other, is the same.
        let whole = try merged.exported()
        for (station, export) in zip(stations, exports.reversed()) {
            try station.importing(export)
            #expect(try station.exported() == whole)
        }
        let other = try emptyRecord()
        for export in exports.reversed() { try other.importing(export) }
        #expect(try other.exported() == whole)
        try compare(other, with: day)
    }

    private func compare(_ container: PersistentContainer, with day: TripDay) throws {
        func true_(_ isMeant: (TripDay.Bag) -> Bool) -> Set<UUID> {
            Set(day.bags.filter(isMeant).map(\.id))
        }
        let questions: [(String, Set<UUID>, Set<UUID>)] = try [
            (
                "missing", Self.ids(container) { $0.isMissing = true },
                true_ { $0.hasDeparted && !$0.hasArrived }
            ),
            ("misrouted", Self.ids(container) { $0.isMisrouted = true }, true_(\.isMisrouted)),
            ("expected", Self.ids(container) { $0.isExpected = true }, true_(\.isListed)),
            ("unexpected", Self.ids(container) { $0.isExpected = false }, true_ { !$0.isListed }),
            (
                "not yet departed",
                Self.ids(container) { ($0.isExpected, $0.hasNotDeparted) = (true, true) },
                true_ { $0.isListed && !$0.hasDeparted }
            ),
            (
                "arrived without departing",
                Self.ids(container) { ($0.hasArrived, $0.hasNotDeparted) = (true, true) },
                true_ { $0.fate == .arrivesUnseen }
            ),
            (
                "awaited",
                Self.ids(container) { $0.isAwaited = true },
                true_ {
                    // The next day's list does not make good what the first one lacks.
                    $0.isListed && (!$0.isLoaded || $0.fate == .missing || $0.fate == .misrouted)
                }
            ),
        ]
        for (name, found, truth) in questions { #expect(found == truth, "\(name)") }
        for trip in day.trips {
            let bags = Self.onTrip(trip.name, day)
            let question = TripQuestion(trip.name.lowercased(), date: trip.date)
            #expect(try Self.ids(container) { $0.trip = question } == Set(bags.map(\.id)))
            let unexpected = try Self.ids(container) {
                ($0.trip, $0.isExpected) = (question, false)
            }
            #expect(unexpected == Set(bags.filter { !$0.isListed }.map(\.id)))
            let found = try container.read { try TripSummary.trips(question, in: $0) }
            try compare(found, trip, bags)
        }
        let all = try container.read { try TripSummary.trips(in: $0) }
        let names = day.trips.flatMap { [$0.name, "\($0.name)R"] }
        let next = Dictionary(grouping: day.bags.filter { $0.fate == .leftBehind }, by: \.trip.name)
        #expect(all.count == names.count { !Self.onTrip($0, day).isEmpty } + next.count)
        for summary in all where summary.date == TripDay.nextDate {
            let bags = next.first { $0.key.lowercased() == summary.trip.lowercased() }?.value ?? []
            #expect(summary.expected == bags.count && summary.arrived == bags.count)
            #expect(summary.stops.allSatisfy { $0.passed == bags.count }, "\(summary.trip)")
        }
        #expect(
            all.reduce(0) { $0 + $1.unexpected.count } >= day.bags.count { $0.fate == .unexpected }
        )
    }

    /// The bags of a trip, by their tags or by lists.
    private static func onTrip(_ name: String, _ day: TripDay) -> [TripDay.Bag] {
        day.bags.filter { $0.tag == name || $0.isListed && $0.trip.name == name }
    }

    private func compare(
        _ found: [TripSummary],
        _ trip: TripDay.Trip,
        _ bags: [TripDay.Bag]
    ) throws {
        #expect(found.count == (bags.isEmpty ? 0 : 1))
        guard let summary = found.first else { return }
        let listed = bags.filter(\.isListed)
        #expect(summary.bags == bags.count)
        #expect(summary.departed == bags.count(where: \.hasDeparted))
        #expect(summary.arrived == bags.count(where: \.hasArrived))
        #expect(summary.missing == bags.count { $0.hasDeparted && !$0.hasArrived })
        #expect(summary.misrouted == bags.count(where: \.isMisrouted))
        #expect(summary.expected == listed.count)
        let load = try #require(summary.stops.first)
        #expect(load.point == .load && load.place == trip.from && load.due == trip.departs)
        #expect(load.expected == listed.count && load.passed == listed.count(where: \.isLoaded))
        #expect(Set(load.awaited.map(\.id)) == Set(listed.filter { !$0.isLoaded }.map(\.id)))
        if !listed.isEmpty {
            let others = Set(bags.filter { !$0.isListed }.map(\.id))
            #expect(Set(summary.unexpected.map(\.id)) == others)
        }
    }

    /// Asks the facts alone, without anything that was derived from them.
    private func compare(sql path: String, with day: TripDay) throws {
        let database = try DatabaseQueue(path: path)
        // Sightings with what their tags say, which are looked up for each list.
        try database.write {
            try $0.execute(
                sql: """
                    CREATE TEMP TABLE seen AS
                    SELECT json_extract(CAST(payload AS TEXT), '$.id') AS bag, point, scannedAt AS at,
                        place, json_extract(CAST(payload AS TEXT), '$.from') AS fromPlace,
                        json_extract(CAST(payload AS TEXT), '$.to') AS toPlace
                    FROM Scan;
                    CREATE INDEX temp.seenBag ON seen (bag, point)
                    """
            )
        }
        /// The last departure of each bag, and what came after it.
        let sightings = """
            WITH departed AS (SELECT bag, max(at) AS at FROM seen WHERE point = 'origin' GROUP BY bag),
            arrived AS (
                SELECT DISTINCT seen.bag FROM seen LEFT JOIN departed USING (bag)
                WHERE point = 'destination' AND fold(place) = fold(toPlace)
                    AND seen.at > coalesce(departed.at, 0)
            )

            """
        func ids(_ query: String) throws -> Set<String> {
            try database.read { try Set(String.fetchAll($0, sql: sightings + query)) }
        }
        try database.write { database in
            database.add(
                function: DatabaseFunction("fold", argumentCount: 1, pure: true) { values in
                    String.fromDatabaseValue(values[0])?.lowercased()
                }
            )
        }
        func truth(_ isMeant: (TripDay.Bag) -> Bool) -> Set<String> {
            Set(day.bags.filter(isMeant).map(\.id.uuidString))
        }
        #expect(
            try ids("SELECT bag FROM departed WHERE bag NOT IN (SELECT bag FROM arrived)")
                == truth { $0.hasDeparted && !$0.hasArrived }
        )
        #expect(try ids("SELECT bag FROM arrived") == truth(\.hasArrived))
        #expect(
            try ids(
                """
                SELECT bag FROM seen WHERE point = 'destination' AND fold(place) <> fold(toPlace)
                    OR point = 'origin' AND fold(place) <> fold(fromPlace)
                """
            ) == truth(\.wasMisrouted)
        )
        // What lists expect, by the facts alone: a scan is what is nearest to it in time.
        let told = "FROM Correction WHERE kind = 'expected' AND undoneAt IS NULL"
        #expect(
            try ids(
                """
                SELECT DISTINCT identifier FROM Correction e
                WHERE kind = 'expected' AND undoneAt IS NULL AND NOT EXISTS (
                    SELECT 1 FROM seen WHERE seen.bag = e.identifier AND seen.point = e.point
                        AND fold(seen.place) = fold(e.place) AND seen.at >= e.dueAt - 86400
                        AND NOT EXISTS (
                            SELECT 1 FROM Correction o WHERE o.kind = 'expected'
                                AND o.identifier = e.identifier AND o.point = e.point
                                AND abs(o.dueAt - seen.at) < abs(e.dueAt - seen.at)
                        )
                )
                """
            )
                == truth {
                    $0.isListed && (!$0.isLoaded || $0.fate == .missing || $0.fate == .misrouted)
                }
        )
        #expect(
            try ids(
                "SELECT DISTINCT identifier \(told) AND identifier NOT IN (SELECT bag FROM departed)"
            ) == truth { $0.isListed && !$0.hasDeparted }
        )
        #expect(
            try ids("SELECT DISTINCT bag FROM seen WHERE bag NOT IN (SELECT identifier \(told))")
                == truth { !$0.isListed }
        )
        for trip in day.trips {
            let listed = day.bags.filter { $0.isListed && $0.trip.name == trip.name }
            let onTrip = "tripKey = '\(trip.name.lowercased())' AND tripDate = '\(trip.date)'"
            #expect(
                try ids("SELECT DISTINCT identifier \(told) AND \(onTrip)")
                    == Set(listed.map(\.id.uuidString))
            )
        }
        let derived = try database.read {
            try Int.fetchOne($0, sql: "SELECT count(*) FROM Scan WHERE isMisrouted") ?? 0
        }
        #expect(derived == day.bags.count(where: \.wasMisrouted))
        #expect(
            try ids(
                """
                SELECT DISTINCT upper(hexed) FROM (
                    SELECT identifier AS hexed FROM Correction WHERE kind = 'expected' AND point = 'load'
                )
                """
            ).count == truth(\.isListed).count
        )
    }
}
