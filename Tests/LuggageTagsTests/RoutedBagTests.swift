import Foundation
import ObjectStore
import SeededRandom
import Testing

@testable import LuggageTags

@Suite("A bag whose tag says where it is to go")
struct RoutedBagTests: OneBagSuite {
    let container: PersistentContainer

    init() throws { container = try emptyRecord() }

    /// Sightings as point, minute, place and what the tag says, such as `D60/SYD/ZRH-JFK`, and what is made
    /// of them: departure and arrival of each journey, and behind `!` the place where it was misrouted to.
    static let rows: [(sightings: String, journeys: String)] = [
        ("O8/ZRH/ZRH-JFK, D60/JFK/ZRH-JFK", "8-60"),
        // It is still missing where it should have arrived, and was seen under way.
        ("O8/ZRH/ZRH-JFK, D60/SYD/ZRH-JFK", "8-!SYD"),
        ("O8/ZRH/ZRH-JFK, D60/SYD/ZRH-JFK, D90/JFK/ZRH-JFK", "8-90"),
        ("O8/ZRH/ZRH-JFK, h60/SYD/ZRH-JFK", "8-!SYD"),
        ("O8/ZRH/ZRH-JFK, Y60/SYD/ZRH-JFK, T70/DXB/ZRH-JFK", "8-!SYD"),
        ("D60/SYD/ZRH-JFK", "-!SYD"),
        // From where it arrived it is brought to its owner.
        ("O8/ZRH/ZRH-JFK, D60/JFK/ZRH-JFK, Y90/Hotel/ZRH-JFK", "8-90"),
        ("O8/ZRH/ZRH-JFK, D60/SYD/ZRH-JFK, Y90/Hotel/ZRH-JFK", "8-!Hotel"),
        ("O8/ZRH/ZRH-JFK, Y90/jfk/", "8-90"),
        // It departs where it should not.
        ("O8/MUC/ZRH-JFK", "8-!MUC"),
        ("O8/MUC/ZRH-JFK, O9/ZRH/ZRH-JFK", "9-"),
        ("O8/MUC/ZRH-JFK, D60/JFK/ZRH-JFK", "8-60"),
        // Under way it is right everywhere.
        ("O8/ZRH/ZRH-JFK, L20/MUC/ZRH-JFK, U40/SYD/ZRH-JFK", "8-"),
        // Places are one in all letters and spellings, with blanks around them or without.
        ("O8/zrh/ZRH-JFK, D60/Jfk/ZRH-JFK", "8-60"),
        ("O8/K\u{d6}LN/Ko\u{308}ln-STRASSE, D60/Stra\u{df}e/-STRASSE", "8-60"),
        ("D60/ JFK /ZRH-JFK", "-60"),
        // Nobody can tell where the place or the end is unknown.
        ("O8//ZRH-JFK, D60//ZRH-JFK", "8-60"),
        ("O8/MUC/, D60/SYD/", "8-60"),
        ("O8/ZRH/-JFK, D60/SYD/ZRH-", "8-60"),
        // Another tag of the journey says it, and not one of the journey before.
        ("O8/ZRH/ZRH-JFK, D60/SYD/", "8-!SYD"),
        ("O8/ZRH/ZRH-JFK, D60/JFK/, O90/JFK/, D150/ZRH/", "8-60 90-150"),
        ("O8/ZRH/ZRH-JFK, D60/JFK/, O90/JFK/JFK-ZRH, D150/SYD/", "8-60 90-!SYD"),
        // A new tag says where it is to go now.
        ("O8/ZRH/ZRH-JFK, D60/SYD/ZRH-JFK, O90/SYD/SYD-JFK, D150/JFK/SYD-JFK", "90-150"),
        // It turns up elsewhere long after it arrived.
        ("O8/ZRH/ZRH-JFK, D60/JFK/, D90/SYD/", "8-60 -!SYD"),
    ]

    static func facts(_ text: String) throws -> [BagFact] {
        try text.components(separatedBy: ", ").enumerated().map { index, word in
            let parts = word.components(separatedBy: "/")
            let entry = try #require(word.first.flatMap { DerivedBagTests.points[$0] })
            let identifier = UUID(
                uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, UInt8(index))
            )
            let way = parts[2].components(separatedBy: "-")
            let route = Route(
                from: way[0].isEmpty ? nil : way[0],
                to: way.count < 2 || way[1].isEmpty ? nil : way[1]
            )
            let contents = TagContents(
                identifier: Self.bag,
                owner: nil,
                weight: nil,
                route: route
            )
            return BagFact(
                time: Date(timeIntervalSince1970: 60 * (Double(parts[0].dropFirst()) ?? 0)),
                station: "gate",
                identifier: identifier,
                sighting: .single(
                    identifier,
                    point: try #require(Point(rawValue: entry.word))
                ),
                toldRole: entry.role,
                place: parts[1].isEmpty ? nil : parts[1],
                payload: Data(try TagEncoder().encode(contents))
            )
        }
    }

    private func words(_ journeys: [Journey]) -> String {
        func minute(_ date: Date?) -> String {
            date.map { "\(Int($0.timeIntervalSince1970 / 60))" } ?? ""
        }
        return journeys.map { journey in
            "\(minute(journey.departedAt))-\(minute(journey.arrivedAt))"
                + (journey.misroutedTo.map { "!\($0)" } ?? "")
        }.joined(separator: " ")
    }

    @Test(
        "arrives and departs only where the tag says, in whatever order it is told",
        arguments: rows
    )
    func journeys(sightings: String, expected: String) throws {
        let facts = try Self.facts(sightings)
        var generator = SeededGenerator(seed: 1)
        for _ in 0..<20 {
            let shuffled = facts.shuffled(using: &generator)
            #expect(words(DerivedBag(BagFacts(told: shuffled)).journeys) == expected)
        }
    }

    @Test("is on the same last journey when each sighting is taken by itself", arguments: 0..<400)
    func increments(seed: Int) throws {
        var generator = SeededGenerator(seed: UInt64(seed))
        func any(_ words: [String]) -> String { words[generator.number(below: words.count)] }
        var (known, minute, last): ([BagFact], Int, LastJourney) = ([], 0, LastJourney())
        for place in 0..<12 {
            minute += 1 + generator.number(below: 24)
            let word =
                any(["O", "T", "D", "D", "Y", "k", "h"]) + "\(minute)/"
                + any(["", "ZRH", "JFK", "SYD"])
                + "/" + any(["", "ZRH-JFK", "-JFK", "ZRH-", "SYD-ZRH"])
            var fact = try #require(try Self.facts(word).first)
            fact.identifier = UUID(
                uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, UInt8(place))
            )
            let point = try #require(fact.sighting?.point)
            fact.sighting = .single(fact.identifier, point: point)
            let seen = Journey.Sighting(point, fact.toldRole, fact.time, place: fact.place)
            let next = last.followed(by: seen, to: fact.route)
            known.append(fact)
            let derived = DerivedBag(BagFacts(told: known))
            if let next {
                #expect(next == derived.last, "\(word)")
                #expect(
                    next.isMisrouted(by: seen) == derived.misrouted.contains(fact.identifier)
                )
            }
            last = derived.last
        }
    }

    // MARK: On record

    private func scan(
        _ hour: Double,
        _ point: Point,
        in place: String?,
        saying way: String = #""from":"ZRH","to":"JFK","trip":"LX 14","date":"2026-07-01""#,
        to container: PersistentContainer? = nil
    ) throws -> ScanReport {
        var picture = ReadPicture.of(
            #"{"id":"F432BDB8-D84F-4461-8362-AFF89F6C493E","owner":["D","ZMU"],"weight":42"#
                + (way.isEmpty ? "}" : ",\(way)}"),
            name: "\(point) \(hour).png",
            at: point,
            second: 1_000_000 + hour * 3600
        )
        picture.place = place
        let recorder = ScanRecorder(container: container ?? self.container)
        return try #require(try recorder.record(picture).first)
    }

    private var luggage: LuggageReport {
        get throws {
            try container.read { context in
                LuggageReport(try #require(try context.luggage(Self.bag)))
            }
        }
    }

    @Test("is misrouted where it arrives elsewhere, and stays missing until it arrives")
    func misrouted() throws {
        #expect(try scan(1, .origin, in: "Zrh").outcome == .new)
        let report = try scan(2, .destination, in: "SYD")
        #expect(report.outcome == .misrouted)
        #expect(report.misroutedRemark == "its tag says ZRH to JFK, and it was seen in SYD")
        #expect(try luggage.arrivedAt == nil)
        #expect(try luggage.misroutedTo == "SYD")
        #expect(try questions(missing: true) == 1)
        #expect(try scan(2, .destination, in: "SYD").outcome == .repeated)
        #expect(try scan(5, .destination, in: "jfk").outcome == .updated)
        #expect(try luggage.misroutedTo == nil)
        #expect(try luggage.arrivedAt != nil)
        // What it was found to be there stays on record.
        #expect(try outcomes() == [.new, .misrouted, .updated])
    }

    private func questions(missing: Bool) throws -> Int {
        var question = LuggageQuestion()
        question.isMissing = missing
        question.isMisrouted = true
        question.trip = TripQuestion("lx 14", date: "2026-07-01")
        return try container.read { try question.count(in: $0) }
    }

    private func outcomes() throws -> [Outcome] {
        try container.read { context in
            let luggage = try #require(try context.luggage(Self.bag))
            return try CustodyReport(luggage, in: context).scans.map(\.outcome)
        }
    }

    @Test(
        "is found to be misrouted when its tag is read later, and no more when that is taken back"
    )
    func laterTag() throws {
        let typed = TypedTag(
            identifier: Self.bag,
            point: .destination,
            date: Date(timeIntervalSince1970: 1_000_000 + 2 * Self.hour)
        )
        var elsewhere = typed
        elsewhere.place = "SYD"
        let corrector = RecordCorrector(container: container)
        #expect(try corrector.file(elsewhere, by: Self.anna).outcome == .new)
        #expect(try luggage.arrivedAt != nil)
        #expect(try scan(1, .origin, in: "ZRH").outcome == .updated)
        #expect(try luggage.arrivedAt == nil)
        #expect(try outcomes() == [.updated, .misrouted])
        let changes = try undoing.changes(limit: 2)
        let scan = try #require(changes.first { $0.kind != .file })
        _ = try undoing.undo(scan.number, by: Self.anna)
        #expect(try luggage.arrivedAt != nil)
        #expect(try outcomes() == [.updated, .new])
    }

    @Test("is counted and found as misrouted, and not as what its scan was filed as")
    func asked() throws {
        _ = try scan(1, .origin, in: "MUC")
        _ = try scan(2, .load, in: "MUC")
        func count(_ outcomes: Set<Outcome>) throws -> Int {
            var question = ScanQuestion()
            question.outcomes = outcomes
            var count = 0
            try container.read { try question.forEachBatch(in: $0) { count += $0.count } }
            return count
        }
        #expect(try count([.misrouted]) == 1)
        #expect(try count([.new]) == 0)
        #expect(try count([.misrouted, .updated]) == 2)
        #expect(try count([.updated]) == 1)
    }

    @Test("a record of which nothing has a place is exported as before", arguments: [false, true])
    func exports(hasPlace: Bool) throws {
        _ = try scan(1, .origin, in: hasPlace ? "ZRH" : nil, saying: "")
        for format in ExchangeFormat.allCases where format != .csv {
            let text = String(decoding: try container.exported(as: format), as: UTF8.self)
            #expect(text.contains("place") == hasPlace, "\(format)")
        }
        let lines = String(
            decoding: try container.exported(as: .csv, ExportSelection(records: .scans)),
            as: UTF8.self
        ).split(separator: "\r\n")
        #expect(lines[0].hasSuffix(",role,others"))
        #expect(lines[1].hasSuffix(hasPlace ? #","{""place"":""ZRH""}""# : ",,"))
    }

    @Test(
        "is misrouted in whichever format another record hears of it",
        arguments: ExchangeFormat.allCases
    )
    func exchanged(format: ExchangeFormat) throws {
        _ = try scan(1, .origin, in: "ZRH")
        _ = try scan(2, .destination, in: "SYD")
        let records: ExportSelection.Records = format == .csv ? .scans : .all
        let file = try container.exported(as: format, ExportSelection(records: records))
        let other = try emptyRecord()
        try other.importing(file)
        #expect(try other.exported() == container.exported())
        let bag = try other.read { try $0.luggage(Self.bag).map(LuggageReport.init) }
        #expect(try bag == luggage)
        #expect(bag?.misroutedTo == "SYD")
    }

    @Test("has its place also where a version that did not know places has kept and passed it on")
    func passedOn() throws {
        _ = try scan(1, .origin, in: "ZRH")
        _ = try scan(2, .destination, in: "SYD")
        // As such a version keeps it: with what it does not know.
        let older = try emptyRecord()
        try older.importing(container.exported())
        try older.transaction { context in
            for scan in try context.fetch(FetchRequest(Scan.self)) {
                scan.others = try UnknownMembers(nil, and: ["place": scan.place])?.stored
                scan.place = nil
            }
            let luggage = try #require(try context.luggage(Self.bag))
            (luggage.arrivedAt, luggage.misroutedAt) = (Date(timeIntervalSince1970: 1_007_200), nil)
            try context.save()
        }
        #expect(try !RecordCheckup(container: older).findings().isEmpty)
        _ = try RecordCheckup(container: older).settle()
        let settled = try older.read { try $0.luggage(Self.bag).map(LuggageReport.init) }
        #expect(try settled == luggage)
        for format in ExchangeFormat.allCases where format != .csv {
            let newer = try emptyRecord()
            try newer.importing(older.exported(as: format))
            #expect(try newer.exported() == container.exported(), "\(format)")
        }
    }

    @Test("forgets names and not where it was to go")
    func purged() throws {
        _ = try scan(1, .origin, in: "ZRH")
        _ = try scan(2, .destination, in: "SYD")
        let now = Date(timeIntervalSince1970: 1_000_000 + 5 * Self.hour)
        _ = try RecordPurge(container: container, scope: .names, before: now, now: { Date() }).run()
        let bag = try luggage
        #expect(bag.owner == nil)
        #expect(bag.misroutedTo == "SYD")
        #expect(bag.route?.trip == "LX 14")
    }
}
