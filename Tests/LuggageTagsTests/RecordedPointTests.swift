import Foundation
import LuggageTags
import ObjectStore
import Testing

@Suite("A bag that was seen at points of a house")
struct RecordedPointTests {
    private static let id = "F432BDB8-D84F-4461-8362-AFF89F6C493E"

    private let container: PersistentContainer

    init() throws {
        container = try emptyRecord()
    }

    /// A picture at a point, `kerb` or `kerb: departing`, at a minute.
    private func picture(_ place: String, _ minute: Double, name: String? = nil) throws
        -> ReadPicture
    {
        let parts = place.components(separatedBy: ": ")
        var picture = ReadPicture.of(
            payload(),
            name: name ?? "\(place) \(minute)",
            at: try #require(Point(rawValue: parts[0])),
            station: "gate",
            second: 1_000_000 + 60 * minute
        )
        picture.role = parts.count > 1 ? Point.Role(rawValue: parts[1]) : nil
        return picture
    }

    /// The minutes of departure and arrival.
    private func journey(in container: PersistentContainer) throws -> String {
        let bags = try Bag.all(in: container)
        #expect(bags.count == 1)
        func minute(_ second: Double?) -> String {
            second.map { "\(Int(($0 - 1_000_000) / 60))" } ?? ""
        }
        return "\(minute(bags.first?.departed))-\(minute(bags.first?.arrived))"
    }

    private func checkup(_ container: PersistentContainer) throws {
        #expect(try RecordCheckup(container: container).findings().isEmpty)
    }

    /// Where a bag was seen, and at which minutes it departed and arrived on its last journey.
    static let rows: [(places: [String], journey: String)] = [
        (["origin", "load", "unload", "destination"], "0-60"),
        (["origin", "load", "transfer", "unload"], "0-"),
        (["load", "unload"], "-"),
        (["load", "unload", "delivery"], "-40"),
        (["kerb: departing", "security: under-way", "hotel: arriving"], "0-40"),
        (["origin", "gate", "delivery"], "0-40"),
        (["origin", "destination", "load"], "-"),
        (["origin", "destination", "load", "kerb: departing"], "60-"),
        (["origin", "hotel: arriving", "kerb: departing", "delivery"], "40-60"),
    ]

    @Test("has the journeys that their roles make, in whatever order it is filed", arguments: rows)
    func journeys(places: [String], expected: String) throws {
        let pictures = try places.enumerated().map { try picture($1, 20 * Double($0)) }
        for order in [pictures, pictures.reversed()] {
            let container = try emptyRecord()
            for picture in order {
                let report = try #require(
                    try ScanRecorder(container: container).record(picture).first
                )
                #expect(report.role == (picture.point.builtInRole == nil ? picture.role : nil))
            }
            #expect(try journey(in: container) == expected)
            try checkup(container)
        }
    }

    @Test("is updated by what is seen under way, and seen once in the same picture")
    func outcomes() throws {
        let recorder = ScanRecorder(container: container)
        for (place, minute, outcome) in [
            ("origin", 0, .new), ("load", 5, .updated), ("load", 3, .updated),
            ("gate", 8, .updated),
            ("load", 5, .repeated), ("destination", 60, .updated), ("unload", 61, .updated),
            ("unload", 50, .updated),
        ] as [(String, Double, Outcome)] {
            #expect(try recorder.record(picture(place, minute)).map(\.outcome) == [outcome])
            try checkup(container)
        }
        #expect(try journey(in: container) == "0-60")
    }

    @Test("is asked for as missing by the roles of the points")
    func missing() throws {
        var question = LuggageQuestion()
        question.isMissing = true
        let recorder = ScanRecorder(container: container)
        for (place, isMissing) in [
            ("unload", false), ("kerb: departing", true), ("security: under-way", true),
            ("hotel: arriving", false), ("origin", true), ("delivery", false),
        ] {
            let minute = 20 * Double(try container.makeContext().count(FetchRequest(Scan.self)))
            _ = try recorder.record(picture(place, minute))
            let count = try question.count(in: container.makeContext())
            #expect(count == (isMissing ? 1 : 0), "\(place)")
        }
    }

    @Test("keeps the role of the time when it was seen, whatever the settings say later")
    func changedRole() throws {
        let recorder = ScanRecorder(container: container)
        _ = try recorder.record(picture("gate: departing", 0))
        _ = try recorder.record(picture("gate: arriving", 20))
        #expect(try journey(in: container) == "0-20")
        // A role of a point that is built in is not kept, and changes nothing.
        _ = try recorder.record(picture("origin: arriving", 60))
        #expect(try journey(in: container) == "60-")
        let roles = try container.makeContext().fetch(
            FetchRequest(Scan.self).sorted(by: \.scannedAt)
        ).map(\.role)
        #expect(roles == [.departing, .arriving, nil])
        // The same picture again as of an earlier time has the role that it has then.
        _ = try recorder.record(picture("gate: departing", 5, name: "gate: arriving 20"))
        #expect(try journey(in: container) == "60-")
        try checkup(container)
    }

    @Test("is typed there as well")
    func typed() throws {
        let bag = try #require(UUID(uuidString: Self.id))
        var tag = TypedTag(
            identifier: bag,
            point: try #require(Point(rawValue: "hotel")),
            role: .arriving,
            date: Date(timeIntervalSince1970: 1_000_000),
            weight: 42
        )
        let corrector = RecordCorrector(container: container)
        let anna = Responsibility(author: "anna", reason: "no code")
        let report = try corrector.file(tag, by: anna)
        #expect(report.role == .arriving && report.luggage?.arrivedAt == tag.date)
        tag.point = .unload
        tag.date += 60
        tag.weight = nil
        #expect(try corrector.file(tag, by: anna).outcome == .updated)
        let change = try #require(
            try ChangeUndoing(container: container).changes(limit: 9).first { $0.point != .unload }
        )
        _ = try ChangeUndoing(container: container).undo(change.number, by: anna)
        #expect(try journey(in: container) == "-")
        try checkup(container)
    }

    @Test(
        "is as old as when it was last seen, be that under way alone",
        arguments: TestStore.allCases
    )
    func purged(store: TestStore) async throws {
        try await store.withRecord { container in
            let recorder = ScanRecorder(container: container)
            for (place, minute) in [("origin", 0.0), ("destination", 20), ("load", 60)] {
                _ = try recorder.record(picture(place, minute))
            }
            // Nobody knows how old a bag is that was never seen.
            try container.importing(payload(secondID))
            for (minute, count) in [(59.0, 0), (61, 1)] {
                let purge = RecordPurge(
                    container: container,
                    scope: .bags,
                    before: Date(timeIntervalSince1970: 1_000_000 + 60 * minute)
                )
                #expect(try purge.run().bags == count)
            }
            #expect(try Bag.all(in: container).map(\.id) == [secondID])
        }
    }

    @Test(
        "is the same in a record that knows none of these points",
        arguments: ExchangeTests.wholeFormats
    )
    func exchanged(format: ExchangeFormat) throws {
        let recorder = ScanRecorder(container: container)
        for (number, place) in ["kerb: departing", "x-ray", "hotel: arriving", "load"].enumerated()
        {
            _ = try recorder.record(picture(place, 40 * Double(number)))
        }
        let file = try container.exported(as: format)
        let copy = try emptyRecord()
        #expect(try copy.importing(file).isClean)
        #expect(try copy.exported(as: format) == file)
        #expect(try journey(in: copy) == journey(in: container))
        try checkup(copy)
        let again = try copy.importing(file)
        #expect(again.scans.repeated == 4)
        let words = String(decoding: try copy.exported(as: .jsonLines), as: UTF8.self)
        for (point, role) in [
            ("kerb", "departing"), ("x-ray", nil), ("hotel", "arriving"), ("load", nil),
        ] as [(String, String?)] {
            let line = try #require(
                words.split(separator: "\n").first { $0.contains("\"\(point)\"") }
            )
            #expect(line.contains("\"role\"") == (role != nil), "\(line)")
            if let role { #expect(line.contains("\"role\":\"\(role)\""), "\(line)") }
        }
    }

    @Test("keeps its points and their roles in CSV")
    func commaSeparated() throws {
        _ = try ScanRecorder(container: container).record(picture("hotel: arriving", 0))
        let selection = ExportSelection(records: .scans)
        let file = try container.exported(as: .csv, selection)
        let copy = try emptyRecord()
        #expect(try copy.importing(file, format: .csv).isClean)
        #expect(try copy.exported(as: .csv, selection) == file)
        #expect(try journey(in: copy) == journey(in: container))
    }
}
