import Foundation
import ObjectStore
import TagReading
import Testing

@testable import LuggageTags

@Suite("A boarding pass")
struct BoardingPassTests {
    // As in IATA's guide to implementing boarding passes.
    static let plain = "M1DESMARAIS/LUC       EABC123 YULFRAAC 0834 326J001A0025 100"
    static let other = "M1LEOPOLD/EMR         EZQ7O92 GVALHRBA 00723319C002F00009100"
    static let withBags =
        "M1DESMARAIS/LUC       EAB12C3 YULFRAAC 0834 326J003A0027 167>5321WW1325BAC "
        + "0014123456002001412346700100141234789012A0141234567890 1AC AC 1234567890123    4PCYLX58Z"
        + "^108ABCDEFGH"
    static let twoFlights =
        "M2DESMARAIS/LUC       EABC123 YULFRAAC 0834 326J001A0025 14D>6181WW6225BAC "
        + "00141234560032A0141234567890 1AC AC 1234567890123    20KYLX58ZDEF456 FRAGVALH 3664 "
        + "327C012C0002 12E2A0140987654321 1AC AC 1234567890123    2PCNWQ^164"
        + String(repeating: "GIWVC5EH7J", count: 10)

    /// The guide's, with one bag in place of 901.
    static let fourBags = withBags.replacingOccurrences(of: "0014123478901", with: "0014123478001")

    struct Vector: Sendable, CustomTestStringConvertible {
        let payload: String
        let owner: String?
        let route: [String]
        let flights: [String?]
        let days: [Int?]
        let plates: [String]

        var testDescription: String { String(payload.prefix(60)) }
    }

    static let vectors = [
        Vector(
            payload: plain,
            owner: "L/DES",
            route: ["YUL", "FRA"],
            flights: ["AC834"],
            days: [326],
            plates: []
        ),
        Vector(
            payload: other,
            owner: "E/LEO",
            route: ["GVA", "LHR"],
            flights: ["BA723"],
            days: [319],
            plates: []
        ),
        Vector(
            payload: withBags,
            owner: "L/DES",
            route: ["YUL", "FRA"],
            flights: ["AC834"],
            days: [326],
            // The guide's third plate has 901 bags.
            plates: ["0014123456", "0014123457", "0014123467"]
                + (0..<901).map { "001412\(3478 + $0)" }
        ),
        Vector(
            payload: twoFlights,
            owner: "L/DES",
            route: ["YUL", "FRA", "FRA", "GVA"],
            flights: ["AC834", "LH3664"],
            days: [326, 327],
            plates: ["0014123456", "0014123457", "0014123458"]
        ),
        // Without a given name, a number and a day; with a letter after the number.
        Vector(
            payload: "M1DESMARAIS           EABC123 YULFRAAC         J001A0025 100",
            owner: nil,
            route: ["YUL", "FRA"],
            flights: [nil],
            days: [nil],
            plates: []
        ),
        Vector(
            payload: "M1O'NEIL-DE LA/ÅMAR   EABC123 YULFRAAC 0834 326J001A0025 100"
                .replacingOccurrences(of: "Å", with: "A"),
            owner: "A/ONE",
            route: ["YUL", "FRA"],
            flights: ["AC834"],
            days: [326],
            plates: []
        ),
        Vector(
            payload: "M1D/L                 EABC123 YULFRALHX0034A366J001A0025 100  ",
            owner: "L/D",
            route: ["YUL", "FRA"],
            flights: ["LHX34A"],
            days: [366],
            plates: []
        ),
    ]

    @Test("says whose bags go where", arguments: vectors)
    func reading(vector: Vector) throws {
        let payload = Array(vector.payload.utf8)
        #expect(BoardingPass.recognises(payload))
        let pass = try BoardingPass(payload)
        #expect(pass.owner?.description == vector.owner)
        #expect(pass.legs.flatMap { [$0.from, $0.to] } == vector.route)
        #expect(pass.legs.map(\.flight) == vector.flights)
        #expect(pass.legs.map(\.day) == vector.days)
        #expect(pass.plates.map(\.description) == vector.plates)
    }

    private static func changed(_ payload: String, _ place: Int, _ text: String) -> String {
        var bytes = Array(payload.utf8)
        bytes.replaceSubrange(place..<place + text.utf8.count, with: text.utf8)
        return String(decoding: bytes, as: UTF8.self)
    }

    @Test(
        "that is malformed is refused, at a place and without the name",
        arguments: [
            ("cut off", String(withBags.prefix(100)), "a part ends early", 60),
            ("without its end", String(plain.prefix(57)), "the seat ends early", 47),
            (
                "with a size that is none", changed(plain, 58, "XY"),
                "the size of a part is no number", 58
            ),
            (
                "with a sign before a size", changed(plain, 58, "+1"),
                "the size of a part is no number", 58
            ),
            ("with a size beyond its end", changed(plain, 58, "FF"), "a part ends early", 60),
            ("with something after it", plain + "M1", "something follows its last flight", 60),
            (
                "with an airport in small letters", changed(plain, 30, "yul"),
                "the place of departure is not three capital letters", 30
            ),
            (
                "with a day that no year has", changed(plain, 44, "367"),
                "the day is none of a year", 44
            ),
            (
                "with a day before the first", changed(plain, 44, "000"),
                "the day is none of a year", 44
            ),
            ("with a day of letters", changed(plain, 44, "3A6"), "the day is none of a year", 44),
            (
                "with a flight of signs", changed(plain, 39, "08-4 "),
                "the number of the flight has other characters than letters and digits", 39
            ),
            (
                "with a blank within its flight", changed(plain, 39, "08 34"),
                "the number of the flight has other characters than letters and digits", 39
            ),
            ("with more flights than it has", changed(plain, 1, "2"), "the locator ends early", 60),
            (
                "with a letter in a plate", changed(withBags, 75, "00141X3456002"),
                "a licence plate and a number of bags are expected", 75
            ),
            (
                "with no bags of a plate", changed(withBags, 75, "0014123456000"),
                "a licence plate and a number of bags are expected", 75
            ),
            (
                "with a plate beyond the last", changed(withBags, 75, "0014999999002"),
                "a licence plate and a number of bags are expected", 75
            ),
            (
                "with a plate that was not read", changed(withBags, 75, "0000000000001"),
                "ten zeros are no licence plate", 75
            ),
            (
                "with too many bags", changed(withBags, 75, "0014123456999"),
                "it has more than 999 bags", 88
            ),
            (
                "with a control character", changed(plain, 23, "\u{1D}"),
                "the locator has a character other than ASCII", 23
            ),
        ]
    )
    func malformed(name: String, payload: String, reason: String, place: Int) throws {
        let bytes = Array(payload.utf8)
        #expect(BoardingPass.recognises(bytes))
        do throws(PayloadFlaw) {
            _ = try BoardingPass(bytes)
            Issue.record("it was read")
        } catch {
            #expect(error == PayloadFlaw(reason, at: place))
        }
        let report = try Self.file(payload, into: emptyRecord())
        #expect(report.map(\.outcome) == [.invalid])
        #expect(report[0].error?.reason == "not-boarding-pass")
    }

    @Test(
        "that is none is not taken for one",
        arguments: ["M", "M1", "M0A/B", "MA/B", "M1 HELLO", "N1A/B"]
    )
    func others(payload: String) {
        #expect(!BoardingPass.recognises(Array(payload.utf8)))
    }

    /// Files a picture of a pass.
    @discardableResult
    static func file(
        _ payload: String,
        into record: PersistentContainer,
        at point: Point = .origin,
        name: String = "pass.png"
    ) throws -> [ScanReport] {
        let picture = ReadPicture(
            name: name,
            digest: "digest of \(name)",
            reading: .success(
                Reading(
                    symbols: [Symbol(payload: Array(payload.utf8))],
                    width: 1,
                    height: 1,
                    duration: .zero
                )
            ),
            point: point,
            // 2026-11-22.
            date: Date(timeIntervalSince1970: 1_795_305_600)
        )
        return try ScanRecorder(container: record, now: { picture.date }).record(picture)
    }

    @Test("is filed as its bags, and nothing on record has the name that is on it")
    func filing() throws {
        let record = try emptyRecord()
        let reports = try Self.file(Self.fourBags, into: record)
        #expect(reports.map(\.outcome) == [.new, .new, .new, .new])
        #expect(try Self.file(Self.fourBags, into: record).allSatisfy { $0.outcome == .repeated })
        // Others of the passenger, without a bag, and cut off within the name.
        #expect(
            try Self.file(Self.plain, into: record, name: "b").map(\.error?.reason) == ["no-bag"]
        )
        #expect(
            try Self.file(Self.withBags, into: record, name: "c").map(\.error?.reason)
                == ["out-of-range"]
        )
        for count in [17, 20, 59, 75, 90] {
            let part = String(Self.fourBags.prefix(count))
            let report = try Self.file(part, into: record, name: "part \(count)")
            #expect(report.map(\.error?.reason) == ["not-boarding-pass"])
        }
        let bags = try record.makeContext().fetch(
            FetchRequest(Luggage.self).sorted(by: \.identifier)
        )
        #expect(
            bags.compactMap { LicencePlate($0.identifier)?.description }
                == ["0014123456", "0014123457", "0014123467", "0014123478"]
        )
        #expect(bags.allSatisfy { $0.owner?.name.description == "L/DES" && $0.weight == nil })
        for scan in try record.makeContext().fetch(FetchRequest(Scan.self)) {
            let payload = String(decoding: scan.payload, as: UTF8.self)
            for word in ["DESM", "ESMARAIS", "AB12C3", "1234567890", "003A"] {
                #expect(!payload.contains(word), "\(payload)")
            }
        }
        let first = try #require(reports.first?.luggage)
        let payloads = try record.read { context in
            try context.luggage(first.id).map {
                try CustodyReport($0, in: context).scans.map(\.payload)
            }
        }
        #expect(
            payloads == [
                #"{"date":"2026-11-22","from":"YUL","id":"\#(first.id.uuidString)","owner":["L","DES"],"#
                    + #""to":"FRA","trip":"AC834"}"#
            ]
        )
    }

    @Test(
        "and the tag on the bag are of one bag, whichever is scanned first",
        arguments: [false, true]
    )
    func together(isTagFirst: Bool) throws {
        let record = try emptyRecord()
        func tag() throws {
            try Self.file("0014123467", into: record, at: .destination, name: "tag.png")
        }
        if isTagFirst { try tag() }
        try Self.file(Self.fourBags, into: record)
        if !isTagFirst { try tag() }
        let plate = try #require(LicencePlate("0014123467"))
        let bag = try #require(try record.makeContext().luggage(plate.identifier))
        #expect(bag.owner?.name.description == "L/DES")
        #expect(try record.makeContext().fetch(FetchRequest(Luggage.self)).count == 4)
    }

    @Test("keeps its bags when names are purged, and is then filed again as the same")
    func purging() throws {
        let record = try emptyRecord()
        try Self.file(Self.fourBags, into: record)
        let date = Date(timeIntervalSince1970: 1_795_305_600 + 100)
        _ = try RecordPurge(container: record, scope: .names, before: date, now: { date + 1 }).run()
        let context = record.makeContext()
        let bags = try context.fetch(FetchRequest(Luggage.self))
        #expect(bags.count == 4 && bags.allSatisfy { $0.owner == nil })
        for scan in try context.fetch(FetchRequest(Scan.self)) {
            #expect(!String(decoding: scan.payload, as: UTF8.self).contains("DES"))
        }
        #expect(try Self.file(Self.fourBags, into: record).allSatisfy { $0.outcome == .repeated })
    }

    @Test(
        "has a day without a year, which is the nearest one",
        arguments: [
            (326, "2026-11-22", "2026-11-22"), (1, "2026-12-31", "2027-01-01"),
            (365, "2027-01-01", "2026-12-31"), (366, "2025-01-02", "2024-12-31"),
            (366, "2026-06-01", nil), (60, "2028-03-01", "2028-02-29"),
            (60, "2026-03-01", "2026-03-01"),
        ] as [(Int, String, String?)]
    )
    func days(number: Int, now: String, day: String?) throws {
        let date = try Date(now + "T12:00:00Z", strategy: .iso8601)
        #expect(CalendarDay(ofYear: number, nearest: date)?.description == day)
    }

    @Test("at any moment that a clock may tell ends nothing")
    func absurdTimes() {
        for date in [
            Date.distantPast, .distantFuture, Date(timeIntervalSince1970: 1e300),
            Date(timeIntervalSince1970: -1e300), Date(timeIntervalSince1970: -0.5),
        ] {
            _ = CalendarDay(ofYear: 366, nearest: date)
            #expect((0..<86_400).contains(CalendarDay.second(at: date)))
        }
        #expect(CalendarDay(Date(timeIntervalSince1970: -0.5)).description == "1969-12-31")
        #expect(CalendarDay.second(at: Date(timeIntervalSince1970: -0.5)) == 86_399)
    }

    @Test("with one bag can be decoded alone, and one with several cannot")
    func decoding() throws {
        let one = Self.changed(Self.twoFlights, 75, "0014123456001")
        let contents = try TagDecoder().contents(of: Array(one.utf8))
        #expect(LicencePlate(contents.identifier)?.description == "0014123456")
        #expect(contents.owner?.description == "L/DES" && contents.weight == nil)
        #expect(throws: TagError.self) {
            try TagDecoder().contents(of: Array(Self.twoFlights.utf8))
        }
    }
}
