import Foundation
import ObjectStore
import Testing

@testable import LuggageTags

@Suite("Names in several spellings")
struct NameSpellingTests {
    private static let bag = "F432BDB8-D84F-4461-8362-AFF89F6C493E"
    private static let anna = Responsibility(author: "anna", reason: "torn")

    /// The spellings of one name that are canonically equivalent; the one that is kept comes first.
    static let spellings: [[String]] = [
        ["\u{C9}", "E\u{301}"],
        // Of a character set of Korea, and of the table of ideographs.
        ["\u{674E}", "\u{F9E1}"],
        // Marks in either order.
        ["\u{1EE4}\u{309}", "U\u{309}\u{323}", "U\u{323}\u{309}"],
        // A syllable of Hangul as a whole, in part and in letters.
        ["\u{AC01}", "\u{AC00}\u{11A8}", "\u{1100}\u{1161}\u{11A8}"],
        // The sign of a unit, and the letter.
        ["\u{C5}", "\u{212B}", "A\u{30A}"],
    ]

    /// A way in which the name of an owner comes on record.
    struct Way: CustomTestStringConvertible, Sendable {
        let testDescription: String
        let enter: @Sendable (PersistentContainer, _ family: String) throws -> Void
    }

    private static func imported(_ name: String, _ file: @escaping @Sendable (String) -> [UInt8])
        -> Way
    {
        Way(testDescription: "imported as \(name)") { container, family in
            let report = try container.importing(file(family))
            #expect(report.isClean, "\(report.refusals)")
        }
    }

    private static func json(_ family: String) -> String {
        #"{"id":"\#(bag)","owner":["D","\#(family)"],"weight":42}"#
    }

    static let ways: [Way] =
        [
            Way(testDescription: "scanned") { container, family in
                let tag = payload(owner: ["D", family])
                _ = try ScanRecorder(container: container).record(.of(tag))
            },
            Way(testDescription: "typed") { container, family in
                let tag = TypedTag(
                    identifier: UUID(uuidString: bag) ?? UUID(),
                    point: .origin,
                    date: Date(timeIntervalSince1970: 1_000_000),
                    owner: PassengerName(givenName: "D", familyName: family)
                )
                _ = try RecordCorrector(container: container).file(tag, by: anna)
            },
            Way(testDescription: "corrected") { container, family in
                _ = try ScanRecorder(container: container).record(.of(payload(owner: nil)))
                let owner = PassengerName(printed: "D/\(family)").map {
                    BagEdit.Owner.passenger($0)
                }
                _ = try RecordCorrector(container: container)
                    .edit(UUID(uuidString: bag) ?? UUID(), BagEdit(owner: owner), by: anna)
            },
            imported("JSON") { Array(json($0).utf8) },
            imported("a list in JSON") { Array("[\(json($0))]".utf8) },
            imported("CSV") { Array("id,givenName,familyName\n\(bag),D,\($0)\n".utf8) },
        ]
        // A file in binary property lists is none that is imported.
        + Format.withoutJSON.filter { $0.testDescription != "a binary property list" }.map {
            format in
            imported(format.testDescription) {
                (try? format.format.payload(json: json($0))) ?? []
            }
        }

    @Test("are one passenger, whichever way they come in", arguments: ways, spellings)
    func passengers(way: Way, spellings: [String]) throws {
        for spelling in spellings {
            let container = try emptyRecord()
            // Another bag has the same owner.
            let other = payload(secondID, owner: ["D", spellings[0]])
            _ = try ScanRecorder(container: container).record(.of(other, name: "other"))
            try way.enter(container, spelling)
            let passengers = try container.makeContext().fetch(FetchRequest(Passenger.self))
            #expect(
                passengers.map { Array($0.familyName.utf8) } == [Array(spellings[0].utf8)],
                "\(spelling.unicodeScalars.map(\.value))"
            )
            #expect(try Bag.all(in: container).map(\.owner).count { $0 != nil } == 2)
            // Asked for in any spelling.
            for asked in spellings {
                var question = LuggageQuestion()
                question.owner = OwnerQuestion("D/\(asked)")
                #expect(try question.count(in: container.makeContext()) == 2)
            }
        }
    }

    @Test("do not contradict one another", arguments: spellings)
    func contradictions(spellings: [String]) throws {
        let container = try emptyRecord()
        let recorder = ScanRecorder(container: container)
        for (number, spelling) in spellings.enumerated() {
            let report = try recorder.record(
                .of(payload(owner: ["D", spelling]), name: "\(number)", second: Double(number))
            )
            #expect(report.map(\.outcome) == [number == 0 ? .new : .updated])
        }
        #expect(try RecordCheckup(container: container).findings().isEmpty)
    }

    @Test("give one export, in whatever order they are told", arguments: spellings)
    func order(spellings: [String]) throws {
        let bags = spellings.map { #"{"id":"\#(Self.bag)","owner":["D","\#($0)"],"weight":42}"# }
        var exports: Set<[UInt8]> = []
        for order in [bags, bags.reversed()] {
            let container = try emptyRecord()
            for bag in order { try container.importing(bag) }
            exports.insert(try container.exported(as: .json, ExportSelection(version: .states)))
        }
        #expect(exports.count == 1)
    }

    // MARK: Stations

    @Test("of a station give one export, in whatever order they are heard", arguments: spellings)
    func stationOrder(spellings: [String]) throws {
        let tag = payload(owner: nil)
        let records = try spellings.map { spelling in
            let container = try emptyRecord()
            let recorder = ScanRecorder(container: container)
            _ = try recorder.record(.of(tag, name: "a", station: spelling))
            _ = try recorder.record(.of(tag, name: spelling, station: "gate"))
            return container
        }
        let files = try records.map { try $0.exported() }
        for (record, order) in zip(records, [files, files.reversed(), files]) {
            for file in order { try record.importing(file) }
        }
        let exports = try records.map { String(decoding: try $0.exported(), as: UTF8.self) }
        #expect(Set(exports.map { Array($0.utf8) }).count == 1)
        let scans = try records[0].makeContext().fetch(FetchRequest(Scan.self))
        #expect(scans.count { $0.station != "gate" && !$0.isRepeat } == 1)
    }

    /// A failed picture at a station, with two tags that could not be read.
    private func fail(_ container: PersistentContainer, at station: String) throws {
        let picture = ReadPicture.of("no tag", "nor this", name: "torn", station: station)
        _ = try ScanRecorder(container: container).record(picture)
    }

    @Test("are one station, whichever way they come in, and asked for in any", arguments: spellings)
    func stations(spellings: [String]) throws {
        let ways: [(PersistentContainer, String) throws -> Void] = [
            { container, station in
                let picture = ReadPicture.of(payload(), name: "a", station: station)
                _ = try ScanRecorder(container: container).record(picture)
            },
            { container, station in
                let tag = TypedTag(
                    identifier: UUID(uuidString: Self.bag) ?? UUID(),
                    point: .origin,
                    station: station,
                    date: Date(timeIntervalSince1970: 1_000_000)
                )
                _ = try RecordCorrector(container: container).file(tag, by: Self.anna)
            },
            { container, station in
                let scan =
                    #"{"record":"scan","bag":"\#(Self.bag)","point":"origin","station":"\#(station)","#
                    + #""scannedAt":5,"outcome":"new","imageDigest":"a","payload":"{\"id\":\"\#(Self.bag)\"}"}"#
                let report = try container.importing(scan)
                #expect(report.isClean, "\(report.refusals)")
            },
            { container, station in
                let scan =
                    "bag,point,station,scannedAt,imageDigest,base64,outcome\n\(Self.bag),origin,"
                    + "\(station),5,a,\(Data(payload().utf8).base64EncodedString()),new\n"
                let report = try container.importing(scan)
                #expect(report.isClean, "\(report.refusals)")
            },
        ]
        for (number, enter) in ways.enumerated() {
            for spelling in spellings {
                let container = try emptyRecord()
                try enter(container, spelling)
                // The same picture is no other one for another spelling of its station.
                if number != 1 { try enter(container, spellings[0]) }
                let scans = try container.makeContext().fetch(FetchRequest(Scan.self))
                #expect(scans.map { Array($0.station.utf8) } == [Array(spellings[0].utf8)])
                for asked in spellings {
                    var bags = LuggageQuestion()
                    bags.station = asked
                    var entries = ScanQuestion()
                    entries.station = asked
                    let context = container.makeContext()
                    #expect(try bags.count(in: context) == 1, "way \(number)")
                    #expect(try entries.count(in: context) == 1, "way \(number)")
                    let export = ExportSelection(records: .scans, station: asked)
                    let counts = try StoreExporter(container: container, selection: export)
                        .export(as: .jsonLines) { _ in }
                    #expect(counts.scans == 1, "way \(number)")
                }
            }
        }
    }

    @Test("of a station are one where somebody closes a failed picture", arguments: spellings)
    func failedPictures(spellings: [String]) throws {
        for spelling in spellings {
            let container = try emptyRecord()
            try fail(container, at: spellings[0])
            let sight = FailedSight(
                imageDigest: "digest of torn",
                imageName: "torn",
                station: spelling,
                point: .origin
            )
            let corrector = RecordCorrector(container: container)
            try corrector.dismiss(sight, by: Self.anna)
            #expect(try corrector.progress(of: sight).failed == 2)
        }
    }

    // MARK: Older records

    /// A record as older versions of the program have left it: names as they were told.
    private func olderRecord(_ container: PersistentContainer, isDerived: Bool = false) throws {
        let context = container.makeContext()
        for (number, family) in ["MU\u{308}L", "M\u{DC}L", "ZMU"].enumerated() {
            let passenger = Passenger(context: context)
            passenger.givenName = "D"
            passenger.familyName = family
            let luggage = Luggage(context: context)
            luggage.identifier = UUID(uuidString: number == 0 ? Self.bag : secondID) ?? UUID()
            if number == 2 { luggage.identifier = UUID() }
            luggage.owner = passenger
            luggage.departedAt = Date(timeIntervalSince1970: 1_000_000)
            if isDerived { luggage.derivedUpTo = luggage.departedAt }
            let scan = Scan(context: context)
            scan.luggage = luggage
            scan.point = .origin
            scan.station = ["to\u{308}r", "t\u{F6}r", "gate"][number]
            scan.scannedAt = Date(timeIntervalSince1970: 1_000_000)
            scan.imageName = "\(number).png"
            scan.imageDigest = "digest \(number)"
            scan.payload = Data(
                payload(luggage.identifier.uuidString, owner: ["D", family], weight: nil).utf8
            )
            scan.outcome = .new
            scan.reason = ""
            let entry = JournalEntry(context: context)
            entry.imageDigest = "digest 0"
            entry.station = scan.station
            entry.point = .origin
            entry.filedAt = scan.scannedAt
            (entry.fileNumber, entry.modifiedAt) = (1, 1)
            let count = ScanCount(context: context)
            (count.time, count.station) = ("2026-07-01T09:15", scan.station)
            (count.point, count.outcome, count.scans) = (.origin, .new, 2)
        }
        let idle = Passenger(context: context)
        (idle.givenName, idle.familyName) = ("D", "\u{F9E1}")
        try context.save()
    }

    @Test("that an older record has kept are told, and settled", arguments: TestStore.allCases)
    func settling(store: TestStore) async throws {
        try await store.withRecord { container in
            try olderRecord(container)
            let checkup = RecordCheckup(container: container)
            let findings = try checkup.findings()
            #expect(findings.map(\.code) == [.invalid, .invalid, .invalid], "\(findings)")
            try checkup.settle()
            #expect(try checkup.findings().isEmpty)
            let context = container.makeContext()
            let passengers = try context.fetch(
                FetchRequest(Passenger.self).sorted(by: \.familyName)
            )
            #expect(
                passengers.map { Array($0.familyName.utf8) }
                    == ["M\u{DC}L", "ZMU", "\u{674E}"].map { Array($0.utf8) }
            )
            #expect(passengers.map(\.luggage.count) == [2, 1, 0])
            #expect(try context.distinctValues(of: \Scan.station).count == 2)
            #expect(try context.count(FetchRequest(JournalEntry.self)) == 2)
            let counts = try context.fetch(FetchRequest(ScanCount.self).sorted(by: \.station))
            #expect(counts.map(\.scans) == [2, 4])
            var question = LuggageQuestion()
            question.station = "t\u{F6}r"
            #expect(try question.count(in: context) == 2)
            #expect(try checkup.settle() == 0)
        }
    }

    @Test("that an older record has kept go with the next scan of the bag")
    func derived() throws {
        for (second, isDerived) in [
            (999_999.0, false), (999_999, true), (1_000_001, false), (1_000_001, true),
        ] {
            let container = try emptyRecord()
            try olderRecord(container, isDerived: isDerived)
            let recorder = ScanRecorder(container: container)
            for name in ["a", "b"] {
                let tag = payload(owner: ["D", "M\u{DC}L"], weight: nil)
                _ = try recorder.record(.of(tag, name: name, second: second))
            }
            let context = container.makeContext()
            let named = FetchRequest(Passenger.self).where(\.familyName, is: "M\u{DC}L")
            #expect(try context.fetch(named).map(\.luggage.count) == [2])
            let other = FetchRequest(Passenger.self).where(\.familyName, is: "MU\u{308}L")
            #expect(try context.count(other) == 0)
        }
    }
}
