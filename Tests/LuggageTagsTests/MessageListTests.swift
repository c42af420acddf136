import Foundation
import ObjectStore
import Testing

@testable import LuggageTags

@Suite("A list of expected bags from an airline")
struct MessageListTests: ListSuite {
    let container: PersistentContainer

    init() throws { container = try emptyRecord() }

    private static let message = """
        QU ZRHKK1D
        BSM
        .V/1LZRH
        .F/LX14/01JUL/JFK/C
        .N/0117814872002
        .W/K/2/40
        .P/1MUELLER/DIRKMR
        ENDBSM

        """

    @Test("may be the messages of an airline")
    func messages() throws {
        var noon = ExpectationDefaults()
        (noon.point, noon.place) = (.load, "ZRH")
        noon.due = try Date("2026-07-01T12:00:00Z", strategy: .iso8601)
        let result = try file(Self.message, noon)
        #expect(result.isClean && result.facts.new == 2)
        let context = container.makeContext()
        let facts = try context.fetch(FetchRequest(Correction.self))
        let routes = facts.filter { $0.kind == .expected }.map(\.route)
        #expect(routes == Array(repeating: Self.flight, count: 2))
        let bags = try context.fetch(FetchRequest(Luggage.self))
        #expect(bags.map { $0.owner?.name.description } == ["D/MUE", "D/MUE"])
        #expect(bags.allSatisfy { $0.weight == nil })
        let again = try file(Self.message, noon, hour: 101)
        #expect(again.isClean && again.facts.new == 0)
    }

    private static let flight = Route(from: "ZRH", to: "JFK", trip: "LX14", date: "2026-07-01")

    /// Messages one after the other, and the flights on which the first and second bag are awaited then.
    static let series: [(changes: [String], flights: [String?])] = {
        func of(_ change: String) -> String {
            message.replacing("BSM\n.V", with: "BSM\n\(change)\n.V")
        }
        func one(_ text: String) -> String { text.replacing("872002", with: "872001") }
        func later(_ text: String) -> String { text.replacing("LX14/01JUL", with: "LX16/02JUL") }
        let stopped = message.replacing(".W/", with: ".S/N\n.W/")
        let released = of("CHG").replacing(".W/", with: ".S/Y\n.W/")
        return [
            ([message], ["LX14", "LX14"]),
            ([message, of("DEL")], [nil, nil]),
            ([message, one(of("DEL"))], [nil, "LX14"]),
            // One of another airport, another flight or another year is about other bags.
            ([message, of("DEL").replacing("1LZRH", with: "1LGVA")], ["LX14", "LX14"]),
            ([message, later(of("DEL"))], ["LX14", "LX14"]),
            ([message, of("DEL").replacing("/01JUL", with: "/02JUL")], ["LX14", "LX14"]),
            ([message, of("CHG")], ["LX14", "LX14"]),
            ([message, later(of("CHG"))], ["LX16", "LX16"]),
            ([message, one(later(of("CHG")))], ["LX16", "LX14"]),
            ([message, later(of("CHG")), of("DEL")], ["LX16", "LX16"]),
            ([message, later(of("CHG")), later(of("DEL"))], [nil, nil]),
            ([message, later(of("CHG")), of("CHG")], ["LX14", "LX14"]),
            ([message, of("DEL"), message], ["LX14", "LX14"]),
            ([of("DEL")], [nil, nil]), ([of("CHG")], ["LX14", "LX14"]),
            ([stopped], [nil, nil]), ([message, stopped], [nil, nil]),
            ([stopped, released], ["LX14", "LX14"]),
            ([message, later(of("CHG")).replacing(".W/", with: ".S/N\n.W/")], [nil, nil]),
            ([message, later(message), later(of("CHG"))], ["LX16", "LX16"]),
            // One that comes again moves no bag back, unless nothing else is known of it.
            ([message, later(of("CHG")), message], ["LX16", "LX16"]),
            ([message, one(later(of("CHG"))), message], ["LX16", "LX14"]),
            ([message, later(of("CHG")), message, message, later(of("DEL"))], [nil, nil]),
            ([message, later(of("CHG")), of("CHG"), later(message)], ["LX14", "LX14"]),
            ([message, later(of("CHG")), later(of("DEL")), message], ["LX14", "LX14"]),
            ([message, of("DEL"), later(message), message], ["LX16", "LX16"]),
        ]
    }()

    @Test(
        "of messages says what the last ones say, in one file, in several, and told to others",
        arguments: series
    )
    func changed(changes: [String], flights: [String?]) throws {
        var noon = ExpectationDefaults()
        (noon.point, noon.place) = (.load, "ZRH")
        noon.due = try Date("2026-07-01T12:00:00Z", strategy: .iso8601)
        func awaited(_ container: PersistentContainer) throws -> [String?] {
            let context = container.makeContext()
            return try ["0117814872", "0117814873"].map { digits in
                let plate = try #require(LicencePlate(digits))
                let facts = FetchRequest(Correction.self).where(\.identifier, is: plate.identifier)
                    .where(\.kind, is: .expected).where(\.isCurrent, is: true)
                    .where(\.undoneAt, isMissing: true)
                let trips = try context.fetch(facts).map { $0.route?.trip }
                #expect(trips.count < 2)
                return trips.first ?? nil
            }
        }
        for (hour, text) in changes.enumerated() {
            let result = try file(text, noon, hour: Double(100 + hour))
            #expect(result.isClean, "\(result.refusals)")
        }
        #expect(try awaited(container) == flights)
        let other = try emptyRecord()
        #expect(try other.importing(container.exported()).isClean)
        #expect(try awaited(other) == flights)
        let whole = try emptyRecord()
        let list = ExpectationList(Array(changes.joined().utf8), noon)
        let report = try ExpectationRecorder(
            container: whole,
            by: Self.anna,
            now: { Self.date(100) }
        ).file(list)
        #expect(report.isClean)
        #expect(try awaited(whole) == flights)
        // Filed again, the whole changes nothing; and whoever takes it back brings nothing back.
        let recorder = ExpectationRecorder(container: whole, by: Self.anna, now: { Self.date(102) })
        let again = try recorder.file(list).facts
        #expect(again.repeated == again.total)
        func undo(_ record: PersistentContainer) throws {
            let undoing = ChangeUndoing(container: record, now: { Self.date(200) })
            _ = try undoing.undo(by: Self.anna)
        }
        if report.hasAdded { try undo(whole) }
        #expect(try awaited(whole) == [nil, nil])
        for _ in try container.read({ context in
            try context.fetch(FetchRequest(Correction.self).where(\.kind, is: .imported))
        }) { try undo(container) }
        #expect(try awaited(container) == [nil, nil])
    }

    @Test("ends only what is expected at the points and places for which messages are filed")
    func otherPlaces() throws {
        func filed(_ text: String, _ point: Point, _ place: String) throws -> ImportReport.Tally {
            var defaults = defaults
            (defaults.point, defaults.place, defaults.route) = (point, place, nil)
            return try file(text, defaults).facts
        }
        let changed = Self.message.replacing("BSM\n.V", with: "BSM\nCHG\n.V")
            .replacing("LX14", with: "LX16")
        for place in ["ZRH", "FRA"] { #expect(try filed(Self.message, .transfer, place).new == 2) }
        #expect(try filed("id,trip\n\(Self.bag),LX15\n", .unload, "ZRH").new == 1)
        for place in ["ZRH", "FRA"] { #expect(try filed(changed, .transfer, place).changed == 2) }
        for place in ["ZRH", "FRA"] { #expect(try filed(changed, .transfer, place).repeated == 2) }
        let deleted = changed.replacing("CHG", with: "DEL")
        #expect(try filed(deleted, .transfer, "FRA").updated == 2)
        #expect(try filed(deleted, .transfer, "FRA").repeated == 2)
        #expect(try awaited() == 3)
    }

    @Test("that takes bags back can be taken back itself")
    func deletionUndone() throws {
        let flight = try file(Self.message, hour: 100)
        #expect(flight.facts.new == 2)
        let deletion = try file(Self.message.replacing("BSM\n.V", with: "BSM\nDEL\n.V"), hour: 101)
        #expect(deletion.facts.updated == 2 && deletion.facts.new == 0)
        #expect(try awaited() == 0)
        _ = try undoing.undo(by: Self.anna)
        #expect(try awaited() == 2)
    }

    @Test(
        "takes its bags from among messages of other kinds, and says which those are",
        arguments: [
            bpm + message, message + bpm, message + bpm.replacing("ENDBPM\n", with: ""),
            message + bpm.replacing(".J/", with: "J "),
            bpm.replacing("ENDBPM\n", with: "") + message,
        ]
    )
    func otherKinds(text: String) throws {
        let result = try file(text)
        #expect(result.isClean && result.facts.new == 2, "\(result.refusals)")
        let line = text.split(separator: "\n").firstIndex(of: "BPM").map { $0 + 1 }
        #expect(result.standing.map(\.line) == [line])
        #expect(result.standing.allSatisfy { $0.message.contains("passed over: a BPM") })
        #expect(try awaited() == 2)
    }

    private static let bpm = """
        BPM
        .V/1LZRH
        .J/R///01JUL/105210L/BELT2/
        .N/0117814872001
        ENDBPM

        """

    @Test(
        "of messages is filed whole or not at all",
        arguments: [
            (message.replacing("0117814872002", with: "01178148720"), "licence plate"),
            (message.replacing("ENDBSM\n", with: ""), "no end"),
            (message + message.replacing(".V/1LZRH", with: ".V/2LZRH"), "airport"),
            (bpm, "a BPM, and only a BSM"), (bpm.replacing("ENDBPM\n", with: ""), "a BPM"),
            (bpm + message.replacing("ENDBSM\n", with: ""), "no end"),
        ]
    )
    func wrongMessages(text: String, word: String) throws {
        let result = try file(text)
        #expect(!result.isClean && result.facts.new == 0)
        #expect("\(result.refusals)".contains(word), "\(result.refusals)")
        #expect(try container.read { try LuggageQuestion().count(in: $0) } == 0)
    }

    /// Sightings of a plate at point, place and hour, and where it is misrouted then.
    @Test(
        "says where a bag is to go whose tag does not",
        arguments: [
            ("load/ZRH/9 destination/JFK/20", nil), ("load/ZRH/9 destination/SYD/20", "SYD"),
            ("origin/MUC/9", "MUC"), ("origin/ZRH/8 transfer/LHR/12 destination/jfk/20", nil),
            ("destination/SYD/20 destination/JFK/30", nil), ("destination//20", nil),
            // The list is about another bag, which has the plate long after.
            ("destination/SYD/-400", nil),
        ] as [(String, String?)]
    )
    func routes(sightings: String, misroutedTo: String?) throws {
        let plate = try #require(LicencePlate("0117814872"))
        func see(_ word: Substring) throws {
            let parts = word.components(separatedBy: "/")
            var picture = ReadPicture.of(
                plate.description,
                name: String(word),
                at: try #require(Point(rawValue: parts[0])),
                second: 1_000_000 + 3600 * (Double(parts[2]) ?? 0)
            )
            picture.place = parts[1].isEmpty ? nil : parts[1]
            _ = try recorder.record(picture)
        }
        let words = sightings.split(separator: " ")
        for word in words.prefix(1) { try see(word) }
        try file(Self.message, defaults)
        for word in words.dropFirst() { try see(word) }
        let bag = try #require(try container.makeContext().luggage(plate.identifier))
        #expect(bag.misroutedTo == misroutedTo)
        let isOther = sightings.contains("-400")
        let way = Self.flight.map { [$0.from, $0.to, $0.trip] }
        #expect(bag.route.map { [$0.from, $0.to, $0.trip] } == (isOther ? nil : way))
        #expect(bag.owner?.name.description == "D/MUE")
        if isOther { #expect(bag.arrivedAt == nil) }
        let other = try emptyRecord()
        try other.importing(container.exported())
        #expect(try other.exported() == container.exported())
        // Who takes the list back takes that back too.
        _ = try undoing.undo(by: Self.anna)
        let same = try #require(try container.makeContext().luggage(plate.identifier))
        #expect(same.route == nil && same.misroutedTo == nil)
    }
}
