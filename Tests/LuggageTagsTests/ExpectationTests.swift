import Foundation
import ObjectStore
import Testing

@testable import LuggageTags

@Suite("A list of expected bags")
struct ExpectationTests: ListSuite {
    private static let id = "F432BDB8-D84F-4461-8362-AFF89F6C493E"
    private static let now = Date(timeIntervalSince1970: 1_000_000 + 100 * 3600)

    let container: PersistentContainer

    init() throws { container = try emptyRecord() }

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
            "Identifier,owner\n\(id),\n", "id,cancelled\n\(id),no\n",
            #"{"id":"\#(id)","cancelled":false}"#,
            "id,due,point,place\n\(id),1970-01-13 00:46:40+01:00,load,zrh",
            #"{"id":"\#(id)","due":"1970-01-12 23:46:40 +0000"}"#,
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
            "id,cancelled\n\(id),maybe\n", "owner,cancelled\nD/ZMU,yes\n",
            #"{"id":"\#(id)","cancelled":"yes"}"#,
            "id,cancelled\n\(secondID),\n\(id),yes,\n", "id,due\n\(id),2026-07-01 25:00\n",
        ]
    )
    func wrong(text: String) throws {
        let report = try file(text)
        #expect(!report.isClean && !report.isKept && !report.refusals.isEmpty, "\(report)")
        #expect(!report.refusals.contains { $0.remedy.rawValue.contains("the others") })
        #expect(try container.read { try $0.count(FetchRequest(Luggage.self)) } == 0)
        #expect(try container.read { try $0.count(FetchRequest(Correction.self)) } == 0)
    }

    /// What holds for a list with a trip, day and hour of its time, as `LX14/01/10`.
    private func defaults(of words: String) throws -> ExpectationDefaults {
        let parts = words.components(separatedBy: "/")
        var defaults = defaults
        defaults.route = Route(
            trip: parts[0].isEmpty ? nil : parts[0],
            date: parts[1].isEmpty ? nil : "2026-07-\(parts[1])"
        )
        defaults.due = Self.date(try #require(Double(parts[2])))
        return defaults
    }

    /// A list as trip, day and hour of its time, what is then taken back, and whether the bag is still expected.
    @Test(
        "takes a bag back where it says so, at the place and on the trip that it names",
        arguments: [
            ("LX14/01/10", "LX14/01/10", false), ("LX14/01/10", "LX14/01/40", false),
            ("LX14/01/10", "LX14/02/34", true), ("LX14/01/10", "LX16/01/10", true),
            ("LX14/01/10", "//10", false), ("LX14/01/10", "//34", true),
            ("//10", "//10", false), ("//10", "//21", false), ("//10", "//34", true),
            ("Coach//10", "Coach//34", true), ("Coach//10", "Bus//10", true),
        ]
    )
    func cancelled(list: String, row: String, isExpected: Bool) throws {
        let before = try defaults(of: list)
        #expect(try file("id\n\(Self.id)\n\(secondID)\n", before).facts.new == 2)
        var elsewhere = try defaults(of: row)
        elsewhere.place = "MUC"
        for text in ["id,cancelled\n\(Self.id),yes", #"{"id":"\#(Self.id)","cancelled":true}"#] {
            #expect(try file(text, elsewhere).facts.repeated == 1)
            let report = try file(text, try defaults(of: row), hour: 101)
            #expect(report.isClean && report.facts.total == 1, "\(report.refusals)")
            #expect(try awaited() == (isExpected ? 2 : 1))
        }
        // On the list again, it is expected again; and who takes that back has it cancelled.
        let again = try file("id\n\(Self.id)\n", before, hour: 102)
        #expect(try awaited() == 2 && again.facts.new == (isExpected ? 0 : 1))
        if isExpected { return }
        _ = try undoing.undo(by: Self.anna)
        #expect(try awaited() == 1)
        let other = try emptyRecord()
        try other.importing(container.exported())
        #expect(try awaited(other) == 1)
    }

    @Test("is not about one bag without an end")
    func oftenNamed() throws {
        let rows = (0...1000).map { "\(Self.id),\($0 / 2)" }.joined(separator: "\n")
        let report = try file("id,weight\n\(rows)")
        #expect(report.refusals.map(\.line) == [1002])
        let few = rows.split(separator: "\n").dropLast().joined(separator: "\n")
        #expect(try file("id,weight\n\(few)").isClean)
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
            let defaults = try defaults(of: String(list))
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
