import Foundation
import LuggageTags
import ObjectStore
import Testing

@Suite("An import")
struct ImportTests {
    private static let id = "F432BDB8-D84F-4461-8362-AFF89F6C493E"

    /// Bags as people and programs write them, all of which are the same.
    static let forms: [(format: ExchangeFormat, text: String)] = [
        (.jsonLines, payload() + "\n\n" + payload(secondID)),
        (.jsonLines, "\u{FEFF}" + payload() + "\r\n" + payload(secondID) + "\r\n"),
        (.json, "[\n\(payload()),\n\(payload(secondID))\n]\n"),
        (.json, #"{"bags":[\#(payload()),\#(payload(secondID))],"note":["x"]}"#),
        (.csv, "id,weight,givenName,familyName\n\(id),42,D,ZMU\n\(secondID),42,D,ZMU"),
        (
            .csv,
            "\u{FEFF}\"weight\",familyName,id,givenName,colour\r\n\r\n"
                + "\"42.0 lb\",ZMU,\(id.lowercased()),D,red\r\n19.05088 kg,ZMU,\(secondID),D,\r\n"
        ),
        (
            .propertyList,
            "<plist version='1.0'><!-- by <hand> --><array><dict><key>id</key><string>\(id)</string>"
                + "<key>weight</key><real>42</real><key>owner</key><string>ZMU/D</string></dict>"
                + "<dict><key>id</key><string>\(secondID)</string><key>weight</key>"
                + "<string>42 lb</string><key>owner</key><array><string>D</string>"
                + "<string><![CDATA[ZMU]]></string></array></dict></array></plist>"
        ),
    ]

    @Test("takes bags as they are written by hand", arguments: forms)
    func byHand(format: ExchangeFormat, text: String) throws {
        let container = try emptyRecord()
        let report = try container.importing(
            text.replacing("version='1.0'", with: "version=\"1.0\"")
        )
        #expect(report.isClean, "\(report.refusals)")
        #expect(report.format == format)
        #expect(
            try Bag.all(in: container) == [
                Bag(id: secondID, owner: "D/ZMU", weight: 42),
                Bag(id: Self.id, owner: "D/ZMU", weight: 42),
            ]
        )
    }

    /// One bag that is no element of a list.
    static let single: [(format: ExchangeFormat, text: String)] = [
        (.json, payload().replacing(", ", with: ",\n  ")),
        (
            .propertyList,
            "<plist version=\"1.0\"><dict><key>id</key><string>\(id)</string><!-- by hand -->"
                + "<key>weight</key><real>42</real><key>owner</key><array><string>D</string>"
                + "<string>ZMU</string></array></dict></plist>"
        ),
    ]

    @Test("takes one bag that is laid out over several lines", arguments: single)
    func oneBag(format: ExchangeFormat, text: String) throws {
        let container = try emptyRecord()
        let report = try container.importing(text)
        #expect(report.format == format)
        #expect(report.bags.new == 1)
        #expect(try Bag.all(in: container) == [Bag(id: Self.id, owner: "D/ZMU", weight: 42)])
    }

    @Test("takes a payload as long as a tag can hold, and a name as long as a station can have")
    func longest() throws {
        let container = try emptyRecord()
        let text = String(repeating: "a", count: 65_536)
        let station = String(repeating: "M", count: 64)
        let report = try container.importing(
            #"{"record":"scan","station":"\#(station)","point":"origin","payload":"\#(text)","#
                + #""scannedAt":"2026-07-01T08:00:00Z","outcome":"invalid","reason":"a"}"#
        )
        #expect(report.isClean, "\(report.refusals)")
        #expect(report.scans.new == 1)
    }

    /// What a file says of a bag that has a weight of 42 pounds, an owner and no arrival.
    struct Meeting: CustomTestStringConvertible {
        var policy: ImportPolicy
        var file: String
        var outcome: String
        var bag: Bag

        var testDescription: String { "\(policy.rawValue): \(file)" }
    }

    private static let other = payload(owner: ["E", "ZMU"], weight: "50")
    private static let more =
        #"{"id":"\#(id)","weight":42,"arrivedAt":"1970-01-12T13:46:40Z"}"#

    /// The same weight, rounded otherwise.
    private static let rounded = payload(weight: "\"19.05 kg\"")
    private static let roundedWeight = Float(19.05 / MassUnit.kilogramsPerPound)

    static let meetings: [Meeting] = [
        (.objectTrump, rounded, "repeated", "D/ZMU", roundedWeight, 5, nil),
        (.storeTrump, rounded, "repeated", "D/ZMU", 42, 5, nil),
        (.error, rounded, "repeated", "D/ZMU", 42, 5, nil),
        (.objectTrump, other, "changed", "E/ZMU", 50, 5, nil),
        (.objectTrump, more, "updated", "D/ZMU", 42, 5, 1_000_000),
        (.objectTrump, payload(), "repeated", "D/ZMU", 42, 5, nil),
        (.objectTrump, payload(weight: nil), "repeated", "D/ZMU", 42, 5, nil),
        (.storeTrump, payload(weight: nil), "repeated", "D/ZMU", 42, 5, nil),
        (.error, payload(weight: nil), "repeated", "D/ZMU", 42, 5, nil),
        (.rollback, payload(weight: nil), "repeated", "D/ZMU", 42, 5, nil),
        (.overwrite, payload(weight: nil), "updated", "D/ZMU", nil, nil, nil),
        (.storeTrump, other, "changed", "D/ZMU", 42, 5, nil),
        (.storeTrump, more, "updated", "D/ZMU", 42, 5, 1_000_000),
        (.overwrite, other, "changed", "E/ZMU", 50, nil, nil),
        (.overwrite, more, "updated", nil, 42, nil, 1_000_000),
        (.rollback, other, "changed", "D/ZMU", 42, 5, nil),
        (.rollback, more, "repeated", "D/ZMU", 42, 5, nil),
        (.error, other, "refused", "D/ZMU", 42, 5, nil),
        (.error, more, "updated", "D/ZMU", 42, 5, 1_000_000),
    ].map { policy, file, outcome, owner, weight, departed, arrived in
        Meeting(
            policy: policy,
            file: file,
            outcome: outcome,
            bag: Bag(id: id, owner: owner, weight: weight, departed: departed, arrived: arrived)
        )
    }

    @Test("merges by the policy what no scan tells", arguments: meetings)
    func policy(meeting: Meeting) throws {
        let container = try emptyRecord()
        try container.importing(
            #"{"id":"\#(Self.id)","weight":42,"owner":["D","ZMU"],"departedAt":5}"#
        )
        let report = try container.importing(meeting.file, policy: meeting.policy)
        let tally = report.bags
        let outcomes = [
            "new": tally.new, "updated": tally.updated, "changed": tally.changed,
            "repeated": tally.repeated, "refused": tally.refused,
        ].filter { $0.value > 0 }
        #expect(outcomes == [meeting.outcome: 1])
        #expect(report.isKept == (meeting.outcome != "refused"))
        #expect(try Bag.all(in: container) == [meeting.bag])
    }

    @Test("fills a weight that nobody knew", arguments: ImportPolicy.allCases)
    func weightFilled(policy: ImportPolicy) throws {
        let container = try emptyRecord()
        try container.importing(payload(weight: nil))
        let report = try container.importing(payload(), policy: policy)
        let isTaken = policy != .rollback
        #expect(report.bags.updated == (isTaken ? 1 : 0) && report.bags.total == 1)
        #expect(try Bag.all(in: container).map(\.weight) == [isTaken ? 42 : nil])
    }

    @Test("leaves the last word to the scans, and says so", arguments: ImportPolicy.allCases)
    func scansStand(policy: ImportPolicy) throws {
        let container = try emptyRecord()
        _ = try ScanRecorder(container: container).record(.of(payload()))
        let report = try container.importing(Self.other, policy: policy)
        #expect(
            try Bag.all(in: container) == [
                Bag(id: Self.id, owner: "D/ZMU", weight: 42, departed: 1_000_000)
            ]
        )
        let isTold = policy == .objectTrump || policy == .overwrite
        #expect(report.standing.isEmpty != isTold)
        if isTold { #expect(report.standing.first?.message.contains("E/ZMU") == true) }
        #expect(report.bags.refused == (policy == .error ? 1 : 0))
    }

    @Test("of a scan that was filed twice keeps the earlier filing")
    func twoFilings() throws {
        let stations = try [5.0, 9.0].map { second in
            let container = try emptyRecord()
            _ = try ScanRecorder(container: container)
                .record(.of(payload(), station: "gate", second: second))
            return container
        }
        let reports = [
            try stations[0].importing(stations[1].exported()),
            try stations[1].importing(stations[0].exported()),
        ]
        #expect(reports.map(\.scans.new) == [1, 1])
        #expect(reports.map(\.bags.total) == [1, 1])
        for station in stations {
            #expect(try station.read { try RecordSummary(of: Period(), in: $0) }.scans == 1)
        }
        for station in stations { #expect(try Bag.all(in: station).map(\.departed) == [5]) }
        #expect(try stations[0].exported() == stations[1].exported())
    }

    @Test("of weights that are the same but for rounding keeps the one that was scanned last")
    func roundedWeights() throws {
        // At the same time, so that nothing but the weight tells that the bag is to be settled.
        let stations = try [("a", "42"), ("b", "41.96")].map { name, weight in
            let container = try emptyRecord()
            let picture = ReadPicture.of(payload(weight: weight), name: name)
            _ = try ScanRecorder(container: container).record(picture)
            return container
        }
        let files = try stations.map { try $0.exported() }
        let reports = [
            try stations[0].importing(files[1]), try stations[1].importing(files[0]),
        ]
        #expect(reports.map(\.bags.changed) == [0, 0])
        for station in stations { #expect(try Bag.all(in: station).map(\.weight) == [41.96]) }
        #expect(try stations[0].exported() == stations[1].exported())
    }

    @Test("of scans alone makes their bags")
    func scansAlone() throws {
        let original = try emptyRecord()
        let recorder = ScanRecorder(container: original)
        _ = try recorder.record(.of(payload(), name: "a"))
        _ = try recorder.record(.of(payload(weight: "43"), name: "b", second: 1_000_100))
        let copy = try emptyRecord()
        let file = try original.exported(as: .csv, ExportSelection(records: .scans))
        #expect(try copy.importing(file).isClean)
        #expect(try copy.exported() == original.exported())
    }

    @Test("takes a clock that is a little ahead, and not one that is far")
    func clock() throws {
        let container = try emptyRecord()
        let importer = StoreImporter(
            container: container,
            now: { Date(timeIntervalSince1970: 1_000_000) }
        )
        for (second, isKept) in [(1_050_000, true), (1_100_000, false)] {
            var parts = [Array(#"{"id":"\#(secondID)","weight":1,"departedAt":\#(second)}"#.utf8)]
            #expect(try importer.run { parts.popLast() ?? [] }.isKept == isKept)
        }
    }

    @Test("goes on beside other contexts, which see all of it or nothing")
    func isolation() async throws {
        try await TestStore.sqlite.withRecord { container in
            var lines = (0..<600).map { number in
                payload("00000000-0000-4000-8000-\(100_000_000_000 + number)") + "\n"
            }
            var seen: Set<Int> = []
            let report = try StoreImporter(container: container).run(format: .jsonLines) {
                seen.insert(try container.makeContext().count(FetchRequest(Luggage.self)))
                return Array((lines.popLast() ?? "").utf8)
            }
            #expect(report.bags.new == 600)
            #expect(seen == [0])
            #expect(try container.makeContext().count(FetchRequest(Luggage.self)) == 600)
        }
    }
}
