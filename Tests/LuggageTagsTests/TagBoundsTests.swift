import Foundation
import LuggageTags
import ObjectStore
import Testing

@Suite("What is beyond the bounds of weight and time")
struct TagBoundsTests {
    private static let bounds = TagBounds(
        earliest: Date(timeIntervalSince1970: 1_000_000_000),
        heaviest: 100
    )
    private static let now = Date(timeIntervalSince1970: 1_700_000_000)
    private static let anna = Responsibility(author: "anna", reason: "torn")

    private func recorder(_ container: PersistentContainer) -> ScanRecorder {
        ScanRecorder(container: container, bounds: Self.bounds) { Self.now }
    }

    /// Weights as tags have them, and what is said of those that are too great.
    static let weights: [(weight: String, words: String?)] = [
        ("100", nil),
        ("100.00001", "weight: 100.00001 lb, and no bag here weighs more than 100 lb"),
        ("1e19", "weight: 1e+19 lb, and no bag here weighs more than 100 lb"),
        (#""45 kg""#, nil),
        (
            #""46 kg""#,
            #"weight: 101.41264 lb (from the text "46 kg"), and no bag here weighs more than 100 lb"#
        ),
        (
            #"{ "value": 1e9, "unit": "kg" }"#,
            "weight: 2.2046226e+09 lb, and no bag here weighs more than 100 lb"
        ),
    ]

    @Test("is no bag's weight, and a failed scan on record", arguments: weights)
    func weight(weight: String, words: String?) async throws {
        try await TestStore.sqlite.withRecord { container in
            let picture = ReadPicture.of(
                payload(weight: weight),
                payload(secondID),
                second: 1_600_000_000
            )
            let reports = try recorder(container).record(picture)
            #expect(reports.map(\.outcome) == [words == nil ? .new : .invalid, .new])
            #expect(reports[0].error?.reason == words.map { _ in "too-heavy" })
            #expect(reports[0].error?.message == words)
            #expect(reports[0].error?.stage == words.map { _ in .domain })
            #expect(reports[0].error?.path?.first == words.map { _ in "weight" })
            let bags = try Bag.all(in: container).map(\.id)
            #expect(bags.contains(secondID) && bags.count == (words == nil ? 2 : 1))
            let scans = try container.read { context in
                try context.fetch(FetchRequest(Scan.self).where(\.reason, is: "too-heavy")).count
            }
            #expect(scans == (words == nil ? 0 : 1))
        }
    }

    @Test("becomes a bag's once the bound is another one")
    func raisedBound() async throws {
        try await TestStore.sqlite.withRecord { container in
            let picture = ReadPicture.of(payload(weight: "120"), second: 1_600_000_000)
            let wider = ScanRecorder(container: container, bounds: .usual) { Self.now }
            let recorders = [recorder(container), wider, recorder(container)]
            let outcomes = try recorders.flatMap { try $0.record(picture).map(\.outcome) }
            #expect(outcomes == [.invalid, .new, .repeated])
        }
    }

    @Test(
        "as the time of a picture is not taken, and told",
        arguments: [
            (0, true), (315_532_800, true), (-315_619_200, true), (999_999_999, true),
            (1_000_000_000, false), (1_699_999_999, false), (1_800_000_000, false),
        ] as [(Double, Bool)]
    )
    func pictureTime(second: Double, isImplausible: Bool) async throws {
        try await TestStore.sqlite.withRecord { container in
            let good = ReadPicture.of(payload(), second: second)
            let bad = ReadPicture.of("x", name: "bad.png", second: second)
            for picture in [good, bad] {
                let report = try #require(try recorder(container).record(picture).first)
                let date = Date(timeIntervalSince1970: second)
                #expect(report.implausibleTime == (isImplausible ? date : nil))
                #expect(report.scannedAt == (isImplausible ? Self.now : min(date, Self.now)))
                // Once more, it is the same.
                let again = try #require(try recorder(container).record(picture).first)
                #expect(again.implausibleTime == report.implausibleTime)
            }
            let departed = try Bag.all(in: container).first?.departed
            let expected = isImplausible ? 1_700_000_000 : min(second, 1_700_000_000)
            #expect(departed == expected)
        }
    }

    @Test("is refused of a typed tag and of a correction, and changes nothing")
    func byHand() async throws {
        try await TestStore.sqlite.withRecord { container in
            _ = try recorder(container).record(.of(payload(), second: 1_600_000_000))
            let id = try #require(UUID(uuidString: "F432BDB8-D84F-4461-8362-AFF89F6C493E"))
            let corrector = RecordCorrector(container: container, bounds: Self.bounds) { Self.now }
            let before = try Bag.all(in: container)
            var tag = TypedTag(identifier: id, point: .destination, date: Self.now, weight: 101)
            let heavy = #expect(throws: TagError.self) { try corrector.file(tag, by: Self.anna) }
            #expect(heavy?.code == .tooHeavy)
            tag.weight = 42
            tag.date = Date(timeIntervalSince1970: -315_619_200)
            let early = #expect(throws: TagError.self) { try corrector.file(tag, by: Self.anna) }
            #expect(early?.code == .tooEarly)
            #expect(early?.message.contains("is before 2001-09-09") == true, "\(early as Any)")
            let edit = #expect(throws: TagError.self) {
                try corrector.edit(id, BagEdit(weight: 1e19), by: Self.anna)
            }
            #expect(edit?.code == .tooHeavy)
            #expect(try Bag.all(in: container) == before)
            // What is within is as ever.
            tag.date = Self.now
            #expect(try corrector.file(tag, by: Self.anna).outcome == .updated)
        }
    }

    /// Records of files, and why they are refused.
    static let records: [(record: String, reason: String, words: String)] = [
        (#"{"id":"\#(secondID)","weight":1e19}"#, "too-heavy", "weight: 1e+19 lb"),
        (
            #"{"id":"\#(secondID)","weight":1,"departedAt":"1999-12-31T23:59:59Z"}"#, "too-early",
            "departedAt: 1999-12-31T23:59:59Z is before 2001-09-09"
        ),
        (
            #"{"id":"\#(secondID)","weight":1,"departedAt":"1960-01-01T00:00:00Z"}"#, "too-early",
            "departedAt: 1960-01-01T00:00:00Z is before 2001-09-09"
        ),
        (
            #"{"id":"\#(secondID)","weight":1,"arrivedAt":"1969-12-31T23:59:59.5Z"}"#, "too-early",
            "arrivedAt: 1969-12-31T23:59:59.5Z is before 2001-09-09"
        ),
        (
            #"{"id":"\#(secondID)","weight":1,"arrivedAt":-315619200}"#, "too-early",
            "arrivedAt: 1960-01-01T00:00:00Z is before 2001-09-09"
        ),
        (
            #"{"record":"scan","point":"origin","station":"x","scannedAt":0,"outcome":"no-code","reason":"no-code"}"#,
            "too-early", "scannedAt: 1970-01-01T00:00:00Z is before"
        ),
        (
            #"{"record":"scan","point":"origin","station":"x","scannedAt":1600000000,"outcome":"new","bag":"\#(secondID)","payload":"{\"id\":\"\#(secondID)\",\"weight\":101}"}"#,
            "too-heavy", "payload: weight: 101 lb"
        ),
    ]

    @Test("is refused of a record in a file", arguments: records)
    func importing(record: String, reason: String, words: String) async throws {
        try await TestStore.sqlite.withRecord { container in
            let bytes = Array("\(payload())\n\(record)\n".utf8)
            for isPartial in [false, true] {
                let importer = StoreImporter(
                    container: container,
                    isPartial: isPartial,
                    bounds: Self.bounds
                )
                var rest = bytes
                let report = try importer.run(format: .jsonLines) {
                    defer { rest = [] }
                    return rest
                }
                #expect(report.isKept == isPartial)
                #expect(report.refusals.map(\.error.reason) == [reason], "\(report.refusals)")
                #expect(report.refusals.first?.record == 2)
                #expect(report.refusals.first?.error.message.hasPrefix(words) == true)
                #expect(try Bag.all(in: container).count == (isPartial ? 1 : 0))
            }
        }
    }
}
