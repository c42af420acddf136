import Foundation
import ObjectStore
import Testing

@testable import LuggageTags

@Suite("A list of expected bags")
struct ExpectationTests: OneBagSuite {
    private static let id = "F432BDB8-D84F-4461-8362-AFF89F6C493E"
    private static let now = Date(timeIntervalSince1970: 1_000_000 + 100 * 3600)

    let container: PersistentContainer

    init() throws { container = try emptyRecord() }

    private static func date(_ hour: Double) -> Date {
        Date(timeIntervalSince1970: 1_000_000 + hour * 3600)
    }

    private var defaults: ExpectationDefaults {
        var defaults = ExpectationDefaults()
        (defaults.point, defaults.place, defaults.due) = (.load, "ZRH", Self.date(10))
        defaults.route = Route(trip: "LX14", date: "2026-07-01")
        return defaults
    }

    @discardableResult
    private func file(
        _ text: String,
        _ defaults: ExpectationDefaults? = nil,
        hour: Double = 100
    ) throws -> ImportReport {
        let list = ExpectationList(Array(text.utf8), defaults ?? self.defaults)
        return try ExpectationRecorder(
            container: container,
            bounds: TagBounds(earliest: Self.date(-1000), heaviest: 1000),
            by: Self.anna,
            named: "lx14.csv",
            now: { Self.date(hour) }
        ).file(list)
    }

    private func see(_ hour: Double, _ point: Point = .load, in place: String? = "zrh") throws {
        var picture = ReadPicture.of(
            payload(),
            name: "\(hour).png",
            at: point,
            second: 1_000_000 + hour * 3600
        )
        picture.place = place
        _ = try recorder.record(picture)
    }

    private func awaited(_ container: PersistentContainer? = nil) throws -> Int {
        var question = LuggageQuestion()
        question.isAwaited = true
        return try (container ?? self.container).read { try question.count(in: $0) }
    }

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
        #expect(try filed("id,trip\n\(Self.id),LX15\n", .unload, "ZRH").new == 1)
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
        "of messages is filed whole or not at all",
        arguments: [
            (message.replacing("0117814872002", with: "01178148720"), "licence plate"),
            (message.replacing("ENDBSM\n", with: ""), "no end"),
            (message + message.replacing(".V/1LZRH", with: ".V/2LZRH"), "airport"),
        ]
    )
    func wrongMessages(text: String, word: String) throws {
        let result = try file(text)
        #expect(!result.isClean && result.facts.new == 0)
        #expect("\(result.refusals)".contains(word), "\(result.refusals)")
        #expect(try container.read { try LuggageQuestion().count(in: $0) } == 0)
    }

    @Test(
        "says the same in every form",
        arguments: [
            "id\r\n\(id)\r\n", "id,owner\n\(id),D/ZMU\n",
            "weight,id,given,family\n42,\(id),D,ZMU\n", "\u{feff}id,weight\n\(id),19 kg",
            #"[{"id":"\#(id)"}]"#, #"{"bags":[{"id":"\#(id)","owner":["D","ZMU"]}]}"#,
            "{\"id\":\"\(id)\"}\n\n{\"id\":\"\(secondID)\",\"point\":\"load\"}\n",
            #"{"id":"\#(id)","weight":{"value":19,"unit":"kg"}}"#,
            "id,due,point,place\n\(id),1970-01-12T23:46:40Z,load,zrh",
            // As lists of passengers are.
            "ID;First name;Surname;Date;Weight;Seat\n\(id);Dana;Zmuda;1.7.2026;23,5 kg;12A",
            "Identifier,owner\n\(id),\n",
        ]
    )
    func forms(text: String) throws {
        let report = try file(text)
        #expect(report.isClean && report.facts.new > 0, "\(report.refusals)")
        #expect(try awaited() == report.facts.new)
        #expect(try file(text).facts.repeated == report.facts.new)
        try see(9.5)
        #expect(try awaited() == report.facts.new - 1)
    }

    @Test(
        "is refused as a whole where anything in it is wrong",
        arguments: [
            "", "\n", "id\n", "owner\nD/ZMU\n", "[]", "{}", "null", "[1]", #"[{"id":5}]"#,
            "id\nF432\n", "id,owner\n\(id),ZMUDA\n", "id,weight\n\(id),\"19,050 kg\"\n",
            "id,weight\n\(id),1001\n", "id,weight\n\(id),-1\n", "id,point\n\(id),Load\n",
            "id,due\n\(id),tomorrow\n", "id,due\n\(id),1969-01-01T00:00:00Z\n",
            "id,date\n\(id),2026-02-30\n", "id,place\n\(id),\"a\u{7}b\"\n", "id,id\n\(id),\(id)\n",
            "id\n\(id)\n\(secondID),more\n", "[{\"id\":\"\(id)\"}",
            "{\"id\":\"\(id)\"}\n{\"id\":5}\n",
            "[{\"id\":\"\(id)\",\"id\":\"\(secondID)\"}]", "\u{0}\u{0}",
        ]
    )
    func wrong(text: String) throws {
        let report = try file(text)
        #expect(!report.isClean && !report.isKept && !report.refusals.isEmpty, "\(report)")
        #expect(!report.refusals.contains { $0.remedy.rawValue.contains("the others") })
        #expect(try container.read { try $0.count(FetchRequest(Luggage.self)) } == 0)
        #expect(try container.read { try $0.count(FetchRequest(Correction.self)) } == 0)
    }

    @Test("needs a point and a time, from itself or from whoever files it")
    func incomplete() throws {
        for (text, member) in [
            ("id,point\n\(Self.id),load\n", "due"), ("id\n\(Self.id)\n", "point"),
        ] {
            let report = try file(text, ExpectationDefaults())
            #expect(report.refusals.map(\.error.path) == [[member]])
            #expect(report.refusals.map(\.line) == [2])
        }
    }

    /// Where a bag is seen, and whether that is what the list says: at load in ZRH by the hour 10.
    @Test(
        "is met by the point and the place, and from a day before its time on",
        arguments: [
            (9.5, Point.load, "ZRH", true), (10, .load, " zrh ", true), (50, .load, "ZRH", true),
            (-14, .load, "ZRH", true), (-14.1, .load, "ZRH", false), (9, .origin, "ZRH", false),
            (9, .load, "JFK", false), (9, .load, nil, false),
        ] as [(Double, Point, String?, Bool)]
    )
    func met(hour: Double, point: Point, place: String?, isMet: Bool) throws {
        try file("id\n\(Self.id)\n")
        try see(hour, point, in: place)
        #expect(try (awaited() == 0) == isMet)
        // The same where the list comes later.
        let other = try emptyRecord()
        try other.importing(container.exported(as: .json, ExportSelection(records: .scans)))
        try other.importing(container.exported())
        #expect(try (awaited(other) == 0) == isMet)
    }

    /// Lists as trip, day and hour of their time, and the hours at which the bag is seen at load; then the trips
    /// on which it is still awaited there.
    @Test(
        "is met by the sighting whose time is nearest, and every list about one passing by the same",
        arguments: [
            ("LX14/01/10 LX14/03/58", "57", "LX14/01"), ("LX14/01/10 LX14/03/58", "9", "LX14/03"),
            ("LX14/01/10 LX14/02/34", "10.1", "LX14/02"),
            ("LX14/01/10 LX14/02/34", "23", "LX14/01"),
            ("LX14/01/10 LX14/02/34", "10.1 33", ""),
            ("LX14/01/10 UA9/01/10.5", "9", ""), ("LX14/01/10 UA9/01/13.9", "9", ""),
            ("LX14/01/10 AA1/01/20", "9", "AA1/01"), ("LX14/01/10 AA1/01/20", "12", "AA1/01"),
            // Later than all of them, it is late for the last.
            ("LX14/01/10 AA1/01/20", "90", "LX14/01"),
            // Without a day, another time within half a day takes the place of the one before.
            ("Coach//10 Coach//18", "", "Coach//18"), ("Coach//18 Coach//10", "", "Coach//10"),
            ("Coach//10 Coach//22.1", "", "Coach//10 Coach//22.1"),
            ("Coach//10 Coach//18 Coach//26", "", "Coach//26"), ("Coach//10 Coach//18", "17", ""),
            ("Coach//10 Bus//18", "17", "Coach//10"), ("//10 //18", "17", "//10"),
        ]
    )
    func nearest(lists: String, sightings: String, awaited: String) throws {
        for (index, list) in lists.split(separator: " ").enumerated() {
            let parts = list.components(separatedBy: "/")
            var defaults = defaults
            defaults.route = Route(
                trip: parts[0].isEmpty ? nil : parts[0],
                date: parts[1].isEmpty ? nil : "2026-07-\(parts[1])"
            )
            defaults.due = Self.date(try #require(Double(parts[2])))
            #expect(try file("id\n\(Self.id)\n", defaults, hour: 100 + Double(index)).isClean)
        }
        for hour in sightings.split(separator: " ") { try see(try #require(Double(hour))) }
        func words(_ container: PersistentContainer) throws -> [String] {
            let current = FetchRequest(Correction.self).where(\.isCurrent, is: true)
                .where(\.metAt, isMissing: true)
            return try container.makeContext().fetch(current).map { list in
                let due = (list.dueAt?.timeIntervalSince1970 ?? 0) - 1_000_000
                let (trip, day) = (list.trip ?? "", list.tripDate?.suffix(2) ?? "")
                let hour = list.tripDate == nil ? "/\((due / 3600).formatted())" : ""
                return "\(trip)/\(day)\(hour)"
            }.sorted()
        }
        let expected = awaited.split(separator: " ").map(String.init).sorted()
        #expect(try words(container) == expected)
        let other = try emptyRecord()
        try other.importing(container.exported(as: .json, ExportSelection(records: .scans)))
        try other.importing(container.exported())
        #expect(try words(other) == expected)
        // The figures of a trip say the same as the alarms.
        let (trips, alarms) = try container.read { context in
            (
                try TripSummary.trips(in: context),
                try Alarm.open(at: Self.date(200), within: AlarmBounds(), in: context)
            )
        }
        let named = expected.filter { !$0.hasPrefix("/") }
        #expect(trips.flatMap(\.stops).filter { !$0.awaited.isEmpty }.count == named.count)
        #expect(alarms.count == expected.count)
    }

    @Test("asks for bags again that travelled before: they are still to depart")
    func again() throws {
        func undeparted() throws -> [Int] {
            try container.read { context in
                var question = LuggageQuestion()
                (question.isExpected, question.hasNotDeparted) = (true, true)
                let all = try question.count(in: context)
                question.trip = TripQuestion("LX14")
                return [all, try question.count(in: context)]
            }
        }
        func trip() throws -> TripSummary {
            try #require(try container.read { try TripSummary.trips(in: $0) }.first)
        }
        try see(-200, .origin)
        try see(-190, .destination, in: "JFK")
        try file("id\n\(Self.id)\n")
        #expect(try undeparted() == [1, 1])
        var unseen = LuggageQuestion()
        (unseen.hasArrived, unseen.hasNotDeparted) = (true, true)
        #expect(try container.read { try unseen.count(in: $0) } == 0)
        #expect(try (trip().bags, trip().departed, trip().arrived) == (1, 0, 0))
        try see(8, .origin)
        #expect(try undeparted() == [0, 0])
        #expect(try (trip().departed, trip().arrived, trip().missing) == (1, 0, 1))
    }

    @Test("of a trip asks for what was not seen on that trip")
    func awaitedOnTrip() throws {
        try file("id\n\(Self.id)\n")
        var evening = defaults
        (evening.place, evening.due) = ("LHR", Self.date(20))
        evening.route = Route(trip: "BA1", date: "2026-07-01")
        try file("id\n\(Self.id)\n", evening)
        try see(9)
        for (trip, count) in [("LX14", 0), ("BA1", 1), ("X", 0)] {
            var question = LuggageQuestion()
            (question.isAwaited, question.trip) = (true, TripQuestion(trip))
            #expect(try container.read { try question.count(in: $0) } == count, "\(trip)")
        }
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

    @Test("says it anew where it is given another time, and is undone and redone as a whole")
    func anew() throws {
        try file("id\n\(Self.id)\n\(secondID)\n", hour: 1)
        var later = defaults
        later.due = Self.date(40)
        #expect(try file("id\n\(Self.id)\n", later, hour: 2).facts.new == 1)
        func due() throws -> [Date] {
            try container.read { context in
                try TripSummary.trips(TripQuestion("lx14"), in: context)[0].stops.map(\.due)
            }
        }
        #expect(try due() == [Self.date(40)])
        #expect(try undoing.undo(by: Self.anna).kind == .imported)
        #expect(try due() == [Self.date(10)])
        _ = try undoing.undo(by: Self.anna)
        #expect(try awaited() == 0)
        // A bag of which nothing else is known is not on record any more.
        #expect(try container.read { try $0.count(FetchRequest(Luggage.self)) } == 0)
        _ = try undoing.redo(by: Self.anna)
        #expect(try awaited() == 2)
    }

    @Test(
        "is forgotten once its time is past, also if its bag was never seen",
        arguments: [RecordPurge.Scope.names, .bags]
    )
    func purged(scope: RecordPurge.Scope) throws {
        try file("id,owner\n\(Self.id),D/ZMU\n\(secondID),\n", hour: 1)
        func purge(before hour: Double) throws {
            let purge = RecordPurge(
                container: container,
                scope: scope,
                before: Self.date(hour),
                now: { Self.date(100) }
            )
            _ = try purge.run()
        }
        func exported() throws -> String {
            String(decoding: try container.exported(), as: UTF8.self)
        }
        // It was filed before that, and is for later.
        try purge(before: 5)
        #expect(try exported().contains("ZMU") && awaited() == 2)
        let before = try container.exported()
        try purge(before: 20)
        #expect(try !exported().contains("ZMU"))
        #expect(try awaited() == (scope == .names ? 2 : 0))
        // Nor does it come back from where it is still known.
        #expect(try container.importing(before).isClean)
        #expect(try !exported().contains("ZMU"))
        #expect(try awaited() == (scope == .names ? 2 : 0))
    }

    @Test("is told to other records in every format", arguments: ExchangeFormat.allCases)
    func exchanged(format: ExchangeFormat) throws {
        try file("id,from,to\n\(Self.id),ZRH,JFK\n")
        let records: ExportSelection.Records = format == .csv ? .facts : .all
        let text = try container.exported(as: format, ExportSelection(records: records))
        let other = try emptyRecord()
        #expect(try other.importing(text).isClean)
        #expect(try other.exported() == container.exported())
        #expect(try awaited(other) == 1)
        try see(9.5)
        try other.importing(container.exported())
        #expect(try awaited(other) == 0)
    }

    @Test("is forgotten with its bag, and its names with names")
    func purged() throws {
        try file("id,owner\n\(Self.id),D/ZMU\n", hour: 1)
        try see(9.5)
        func purge(_ scope: RecordPurge.Scope) throws {
            _ = try RecordPurge(
                container: container,
                scope: scope,
                before: Self.now,
                now: { Date() }
            )
            .run()
        }
        try purge(.names)
        let text = String(decoding: try container.exported(), as: UTF8.self)
        #expect(!text.contains("ZMU") && text.contains("LX14"))
        try see(40, .destination)
        try purge(.bags)
        #expect(!String(decoding: try container.exported(), as: UTF8.self).contains("LX14"))
    }
}
