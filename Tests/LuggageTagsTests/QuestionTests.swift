import Foundation
import LuggageTags
import ObjectStore
import Testing

@Suite("A question about bags")
struct LuggageQuestionTests {
    private static let seeds: [UInt64] = [1, 7, 4711]

    @Test(
        "is answered as by looking at every bag, in every store",
        arguments: TestStore.allCases,
        seeds
    )
    func random(store: TestStore, seed: UInt64) async throws {
        try await store.withRecord { container in
            var bags = RandomBags(seed: seed, count: 400)
            try bags.fill(container)
            var (hits, misses) = (0, 0)
            for number in 0..<80 {
                let question = bags.question()
                let expected = bags.answer(question).map(\.id)
                let place: Comment = "seed \(seed), question \(number): \(question)"
                try container.read { context in
                    var found: [UUID] = []
                    try question.forEachBatch(in: context) { found += $0.map(\.id) }
                    // Those that are equal come as they were filed, which a save does not settle.
                    #expect(Set(found).count == found.count, place)
                    #expect(found.count == expected.count, place)
                    if question.limit == nil { #expect(Set(found) == Set(expected), place) }
                    if question.key == .id { #expect(found == expected, place) }
                    let keys = found.map { bags.value(of: question.key, $0) }
                    #expect(keys == expected.map { bags.value(of: question.key, $0) }, place)
                    #expect(try question.count(in: context) == expected.count, place)
                    var unlimited = question
                    unlimited.limit = nil
                    let ids = try question.ids(in: context)
                    #expect(ids.count == bags.answer(unlimited).count, place)
                    let some = ids.prefix(3)
                    #expect(try Set(question.ids(among: some, in: context)) == Set(some), place)
                }
                if expected.isEmpty { misses += 1 } else { hits += 1 }
            }
            // The questions are no good where they hardly ever select something.
            #expect(hits > 15 && misses > 3, "\(hits) of 80 have an answer")
        }
    }

    @Test("of everybody's bags knows that it is for all of them")
    func everything() {
        var question = LuggageQuestion()
        question.key = .weight
        question.limit = 3
        #expect(question.isForAll)
        question.isMissing = true
        #expect(!question.isForAll)
    }
}

extension RandomBags {
    /// What a bag is sorted by.
    fileprivate func value(of key: LuggageQuestion.Key, _ id: UUID) -> String {
        guard let bag = bags.first(where: { $0.id == id }) else { return "unknown" }
        return switch key {
        case .departed: "\(bag.departed?.timeIntervalSince1970 ?? -1)"
        case .arrived: "\(bag.arrived?.timeIntervalSince1970 ?? -1)"
        case .weight: "\(bag.weight ?? -1)"
        case .id: bag.id.uuidString
        }
    }
}

@Suite("A question about scans")
struct ScanQuestionTests {
    @Test(
        "gives the newest last, and of a limited number the newest",
        arguments: TestStore.allCases,
        [nil, 1, 2, 3, 7, 499, 500, 501, 10_000]
    )
    func order(store: TestStore, limit: Int?) async throws {
        try await store.withRecord { container in
            let bags = RandomBags(seed: 99, count: 600)
            try bags.fill(container)
            let times = bags.bags.flatMap { $0.scans.map(\.time) }.sorted()
            var question = ScanQuestion()
            question.limit = limit
            try container.read { context in
                var found: [HistoryEntry] = []
                try question.forEachBatch(in: context) { found += $0 }
                #expect(found.map(\.scannedAt) == Array(times.suffix(limit ?? times.count)))
                #expect(Set(found.map(\.imageDigest)).count == found.count)
            }
        }
    }

    /// What is asked, and which of the scans 0 to 3 fulfil it.
    static let filters: [(ask: @Sendable (inout ScanQuestion) -> Void, found: [Int])] = [
        ({ _ in }, [0, 1, 2, 3]),
        ({ $0.station = "MUC" }, [0, 1]),
        ({ $0.station = "muc" }, []),
        ({ $0.point = .destination }, [1, 3]),
        ({ $0.outcomes = [.noCode] }, [2]),
        ({ $0.outcomes = [.noCode, .new] }, [0, 2]),
        ({ $0.reason = "no-code" }, [2]),
        ({ $0.period.since = Date(timeIntervalSince1970: 1) }, [1, 2, 3]),
        ({ $0.period.until = Date(timeIntervalSince1970: 1) }, [0]),
        ({ $0.limit = 1 }, [3]),
        (
            {
                $0.limit = 1; $0.station = "MUC"
            }, [1]
        ),
    ]

    @Test(
        "is answered as it is asked",
        arguments: TestStore.allCases,
        Array(0..<11)
    )
    func filtering(store: TestStore, number: Int) async throws {
        let (ask, expected) = Self.filters[number]
        try await store.withRecord { container in
            let context = container.makeContext()
            for (second, (station, outcome)) in [
                ("MUC", Outcome.new), ("MUC", .updated), ("LHR", .noCode), ("NRT", .damaged),
            ].enumerated() {
                let scan = Scan(context: context)
                scan.point = second % 2 == 0 ? .origin : .destination
                scan.station = station
                scan.scannedAt = Date(timeIntervalSince1970: Double(second))
                scan.imageName = "\(second)"
                scan.payload = Data("tag \(second)".utf8)
                scan.outcome = outcome
                scan.reason = outcome.isFiled ? "" : outcome.rawValue
            }
            try await context.save()
            var question = ScanQuestion()
            ask(&question)
            for omitsPayloads in [false, true] {
                question.omitsPayloads = omitsPayloads
                let found = try container.read { context in
                    var found: [HistoryEntry] = []
                    try question.forEachBatch(in: context) { found += $0 }
                    return found
                }
                #expect(found.map(\.imageName) == expected.map(String.init))
                #expect(
                    found.map(\.payload) == expected.map { omitsPayloads ? nil : "tag \($0)" }
                )
            }
        }
    }
}

@Suite("A summary")
struct RecordSummaryTests {
    @Test("counts what was scanned in a period, and what is missing", arguments: TestStore.allCases)
    func figures(store: TestStore) async throws {
        try await store.withRecord { container in
            let bags = RandomBags(seed: 5, count: 300)
            try bags.fill(container)
            let start = Date(timeIntervalSince1970: 1_000_004)
            let scans = bags.bags.flatMap(\.scans).filter { $0.time >= start }
            let missing = bags.bags.filter { $0.departed != nil && $0.arrived == nil }
            try container.read { context in
                let summary = try RecordSummary(of: Period(since: start), oldest: 4, in: context)
                #expect(summary.scans == scans.count)
                #expect(summary.filed == scans.count)
                #expect(summary.readRate == 1)
                #expect(summary.failures.isEmpty)
                let stations = Dictionary(grouping: scans, by: \.station).mapValues(\.count)
                let counted = summary.places.map { ($0.station, $0.scans) }
                #expect(Dictionary(uniqueKeysWithValues: counted) == stations)
                #expect(summary.missing == missing.count)
                let times = missing.compactMap(\.departed).sorted()
                #expect(summary.oldestMissing.map(\.departedAt) == Array(times.prefix(4)))
            }
        }
    }

    /// Periods, with the days from the first one of 1970 that they hold wholly.
    static let periods: [(since: Double?, until: Double?, days: Set<Int>)] = [
        (nil, nil, [0, 1, 2]), (0, 3, [0, 1, 2]), (1, 2, [1]), (0.5, 2.9, [1]), (1.1, 1.9, []),
        (nil, 1, [0]), (2, nil, [2]),
    ]

    @Test("adds what an older version has purged by days, and leaves out what was taken back")
    func purged() throws {
        let container = try emptyRecord()
        let context = container.makeContext()
        for day in 0..<3 {
            for (outcome, number) in [(Outcome.new, 1), (.noCode, 10)] {
                let count = ScanCount(context: context)
                count.time = "1970-01-0\(day + 1)"
                count.station = "MUC-\(day)"
                count.point = .origin
                count.outcome = outcome
                count.scans = number
            }
        }
        try context.save()
        let recorder = ScanRecorder(container: container, author: "anna")
        _ = try recorder.record(.of(payload(), name: "a", second: 86_400))
        _ = try recorder.record(.of(payload(), name: "b", second: 86_500))
        _ = try ChangeUndoing(container: container)
            .undo(by: Responsibility(author: "anna", reason: ""))
        for (since, until, days) in Self.periods {
            let period = Period(
                since: since.map { Date(timeIntervalSince1970: $0 * 86_400) },
                until: until.map { Date(timeIntervalSince1970: $0 * 86_400) }
            )
            let summary = try container.read { try RecordSummary(of: period, in: $0) }
            let kept = period.since.map { $0.timeIntervalSince1970 <= 86_400 } ?? true
            let ended = period.until.map { $0.timeIntervalSince1970 <= 86_400 } ?? false
            let scans = kept && !ended ? 1 : 0
            #expect(summary.purged == days.count * 11, "\(period)")
            #expect(summary.scans == days.count * 11 + scans, "\(period)")
            #expect(summary.filed == days.count + scans, "\(period)")
            #expect(summary.failures.map(\.count) == (days.isEmpty ? [] : [days.count * 10]))
        }
    }

    /// How far zones are ahead of UTC, in seconds: Honolulu, Newfoundland in winter, London, Mumbai,
    /// Kathmandu, the Chatham Islands in summer, Kiribati.
    static let zones: [Double] = [-10, -3.5, 0, 5.5, 5.75, 13.75, 14].map { $0 * 3600 }

    @Test("of a day by the local clocks is the same after a purge", arguments: zones)
    func localDays(ahead: Double) throws {
        let container = try emptyRecord()
        let recorder = ScanRecorder(container: container)
        let midnight = 1_000_000 - 1_000_000.truncatingRemainder(dividingBy: 86_400) - ahead
        let moments = [-0.5, 0, 0.5, 899, 900, 40_000, 43_201, 86_399.5, 86_400, 100_000]
        for (number, moment) in moments.enumerated() {
            let text = number.isMultiple(of: 3) ? "no tag" : payload()
            _ = try recorder.record(.of(text, name: "\(number)", second: midnight + moment))
        }
        let days = (-1...1).map { day in
            Period(
                since: Date(timeIntervalSince1970: midnight + Double(day) * 86_400),
                until: Date(timeIntervalSince1970: midnight + Double(day + 1) * 86_400)
            )
        }
        func figures() throws -> [[Int]] {
            try days.map { day in
                let summary = try container.read { try RecordSummary(of: day, in: $0) }
                return [summary.scans, summary.filed]
            }
        }
        let before = try figures()
        #expect(before == [[1, 0], [7, 5], [2, 1]])
        let cutoff = Date(timeIntervalSince1970: 2_000_000)
        _ = try RecordPurge(container: container, scope: .bags, before: cutoff).run()
        #expect(try container.makeContext().count(FetchRequest(Scan.self)) == 0)
        #expect(try figures() == before)
    }

    @Test("counts typed tags, and not in the read rate: no reader has read them")
    func typed() throws {
        let container = try emptyRecord()
        let recorder = ScanRecorder(container: container)
        _ = try recorder.record(.of(payload(), "no tag", name: "a", station: "MUC-2"))
        let corrector = RecordCorrector(container: container)
        let id = try #require(UUID(uuidString: secondID))
        for (point, station) in [(Point.origin, "MUC-2"), (.origin, "MUC-2"), (.destination, "X")] {
            let date = Date(timeIntervalSince1970: 1_000_000)
            var tag = TypedTag(identifier: id, point: point, station: station, date: date)
            tag.weight = 7
            _ = try corrector.file(tag, by: Responsibility(author: "anna", reason: "torn"))
        }
        func check(_ purged: Int) throws {
            let summary = try container.read { try RecordSummary(of: Period(), in: $0) }
            #expect(summary.scans == 5 && summary.filed == 4 && summary.typed == 3)
            #expect(summary.readRate == 0.5 && summary.purged == purged)
            #expect(summary.places.map(\.station) == ["MUC-2", "X"])
            #expect(summary.places.map(\.typed) == [2, 1])
            #expect(summary.places.map(\.filed) == [3, 1])
            #expect(summary.places.map(\.failed) == [1, 0])
        }
        try check(0)
        // Corrections of today keep a bag that is purged by its age.
        let cutoff = Date().addingTimeInterval(60)
        _ = try RecordPurge(container: container, scope: .bags, before: cutoff).run()
        try check(5)
    }

    @Test("of nothing has no read rate", arguments: TestStore.allCases)
    func nothing(store: TestStore) async throws {
        try await store.withRecord { container in
            try container.read { context in
                let summary = try RecordSummary(of: Period(), in: context)
                #expect(summary.readRate == nil)
                #expect(summary.places.isEmpty && summary.oldestMissing.isEmpty)
            }
        }
    }
}

@Suite("A part in per cent")
struct PercentageTests {
    static let parts: [(part: Int, whole: Int, text: String)] = [
        (12, 19, "63.2%"), (2, 3, "66.7%"), (1, 3, "33.3%"), (1, 8, "12.5%"), (1, 16, "6.3%"),
        (0, 7, "0.0%"), (7, 7, "100.0%"), (0, 0, "-"), (1, 1, "100.0%"), (0, 1, "0.0%"),
        (999_999, 1_000_000, "99.9%"), (1, 1_000_000, "0.1%"), (9994, 10_000, "99.9%"),
        (9996, 10_000, "99.9%"), (4, 10_000, "0.1%"), (199, 200, "99.5%"),
        (Int.max - 1, .max, "99.9%"), (1, .max, "0.1%"), (.max, .max, "100.0%"),
    ]

    @Test("is rounded, and is 100.0% only of all and 0.0% only of none", arguments: parts)
    func text(part: Int, whole: Int, text: String) {
        #expect(part.percentage(of: whole) == text)
    }
}

@Suite("What people write in questions")
struct QuestionTextTests {
    /// Passengers on record.
    static let passengers = [
        "D/ZMU", "E/ZMU", "Z/D", "É/MÜL", "A/B", "B/A", "李/小龙", "👩‍👩‍👧/🇩🇪Å", "S/MÜß", "I/İST", "//A/B",
        "O/O'N", "z/zm", "N/ＡＢＣ",
    ]

    /// What is asked, and who is meant.
    static let askings: [(text: String, names: [String])] = [
        ("D/ZMU", ["D/ZMU"]), ("ZMU/D", ["D/ZMU"]), ("d/zmu", ["D/ZMU"]), ("zMu/d", ["D/ZMU"]),
        ("zmu", ["D/ZMU", "E/ZMU"]), ("Zmuda", ["D/ZMU", "E/ZMU"]), ("zm", ["z/zm"]),
        ("Dana/Zmuda", ["D/ZMU"]), ("ZMUDA/DANA", ["D/ZMU"]), ("z/d", ["Z/D"]), ("d", ["Z/D"]),
        ("mul", ["É/MÜL"]), ("MÜLLER", ["É/MÜL"]), ("MU\u{308}L", ["É/MÜL"]), ("e/mul", ["É/MÜL"]),
        ("a/b", ["A/B", "B/A"]), ("小龙", ["李/小龙"]), ("小龙/李", ["李/小龙"]), ("müß", ["S/MÜß"]),
        ("MÜẞ", ["S/MÜß"]),
        ("müssig", ["S/MÜß"]), ("ist", ["I/İST"]), ("🇩🇪å", ["👩‍👩‍👧/🇩🇪Å"]), ("//A/B", ["//A/B"]),
        ("o'n", ["O/O'N"]), ("abc", ["N/ＡＢＣ"]), ("q/zmu", []), ("qqq", []), ("zmu/e", ["E/ZMU"]),
    ]

    @Test("find passengers in any case and order, or by the family name alone", arguments: askings)
    func asking(text: String, names: [String]) throws {
        let container = try emptyRecord()
        let context = container.makeContext()
        for name in Self.passengers {
            let letters = Array(name)
            let passenger = Passenger(context: context)
            passenger.givenName = String(letters[0])
            passenger.familyName = String(letters[2...])
            let luggage = Luggage(context: context)
            luggage.identifier = UUID()
            luggage.weight = 1
            luggage.owner = passenger
        }
        try context.save()
        let question = try #require(OwnerQuestion(text))
        let found = try container.read { context in
            let ids = try question.passengers(in: context)
            return try context.fetch(FetchRequest(Passenger.self).whereObject(isOneOf: ids))
                .map(\.name.description)
        }
        #expect(Set(found) == Set(names) && found.count == names.count, "\(found)")
        var bags = LuggageQuestion()
        bags.owner = question
        let owners = try container.read { context in
            var owners: [String] = []
            try bags.forEachBatch(in: context) {
                owners += $0.compactMap(\.owner?.name.description)
            }
            let all = try context.fetchIDs(FetchRequest(Luggage.self))
            #expect(try bags.ids(among: all, in: context).count == names.count)
            return owners
        }
        #expect(Set(owners) == Set(names) && owners.count == names.count, "\(owners)")
    }

    @Test("name nobody where there is no name", arguments: ["", "/", "D/", "/D", " ", " / ", "//"])
    func nobody(text: String) {
        #expect(OwnerQuestion(text) == nil)
    }

    static let names: [(text: String, name: PassengerName?)] = [
        ("D/ZMU", PassengerName(givenName: "D", familyName: "ZMU")),
        ("ZMU/D", PassengerName(givenName: "D", familyName: "ZMU")),
        ("A/B", PassengerName(givenName: "A", familyName: "B")),
        ("//A/B", PassengerName(givenName: "/", familyName: "A/B")),
        ("///A", PassengerName(givenName: "/", familyName: "/A")),
        ("E\u{301}/MU\u{308}L", PassengerName(givenName: "É", familyName: "MÜL")),
        ("👩‍👩‍👧/A", PassengerName(givenName: "👩‍👩‍👧", familyName: "A")),
        ("", nil), ("/", nil), ("D/", nil), ("/D", nil), ("DZMU", nil), ("DD/ZMU", nil),
    ]

    @Test("names a passenger as it is printed, or family name first", arguments: names)
    func name(text: String, name: PassengerName?) {
        #expect(PassengerName(printed: text) == name)
    }

    static let weights: [(text: String, pounds: Float?)] = [
        ("50lb", 50), ("50 lbs", 50), ("23kg", Float(23 / 0.45359237)), ("0kg", 0),
        ("50", nil), ("kg", nil), ("", nil), ("1,5 kg", nil), ("50 stone", nil), ("23 kg kg", nil),
    ]

    @Test("names a weight with its unit", arguments: weights)
    func weight(text: String, pounds: Float?) {
        #expect((try? MassUnit.pounds(in: text)) == pounds)
    }
}
