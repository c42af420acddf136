import Foundation
import SeededRandom
import Testing

@testable import LuggageTags

@Suite("A bag that is derived from its facts")
struct DerivedBagTests {
    /// The points of the table, by their letters; those in small letters are not built in, and have a role.
    static let points: [Character: (word: String, role: Point.Role?)] = [
        "O": ("origin", nil), "L": ("load", nil), "T": ("transfer", nil), "U": ("unload", nil),
        "D": ("destination", nil), "Y": ("delivery", nil), "k": ("kerb", .departing),
        "s": ("security", .underWay), "h": ("hotel", .arriving),
        // Of these, nobody has told the role, or a wrong one.
        "x": ("x-ray", nil), "o": ("origin", .arriving), "d": ("delivery", .underWay),
    ]

    /// Sightings by the minute, as `O8 D20`, and the journeys that they make, as `8-20`; behind that, what
    /// was seen under way on it, as `8-20:L10`.
    static let rows: [(sightings: String, journeys: String)] = [
        ("", ""),
        ("O8", "8-"),
        ("D8", "-8"),
        ("O8 D60", "8-60"),
        // It departs again before it has arrived.
        ("O8 O9 D60", "9-60"),
        // It is seen twice where it arrives.
        ("O8 D60 D61", "8-61"),
        ("D60 D61", "-61"),
        // The next journey, and the one after it.
        ("O8 D60 O90", "8-60 90-"),
        ("O8 D60 O90 D120 O200 D300", "8-60 90-120 200-300"),
        ("O8 D60 O61", "8-60 61-"),
        // The clock of the place of arrival is slow.
        ("D8 O10", "10-8"),
        ("D8 O23", "23-8"),
        ("D8 O24", "-8 24-"),
        ("D8 O10 O12", "12-8"),
        ("D8 O10 O30", "10-8 30-"),
        ("D8 O10 D60", "10-60"),
        ("O8 D60 D88 O90", "8-60 90-88"),
        ("O8 D60 D87 D88 O90", "8-60 90-88"),
        ("D60 D88 O90", "-60 90-88"),
        // All arrivals of a journey are not those of the next.
        ("O80 D88 O90", "80-88 90-"),
        // What is seen under way is kept in between, and ends nothing: also where it is taken out.
        ("O8 L20 U60", "8-:L20:U60"),
        ("O8 L20 U60 T70 L80 U120 D140", "8-140:L20:U60:T70:L80:U120"),
        ("O8 L20 O40", "40-:L20"),
        ("O8 U60 Y80", "8-80:U60"),
        ("O8 D60 Y80", "8-80"),
        ("O8 D60 Y80 O200", "8-80 200-"),
        // Nobody has seen it depart: it is somewhere.
        ("L20", "-:L20"),
        ("L20 U60", "-:L20:U60"),
        ("U60 D80", "-80:U60"),
        ("L20 O40 D80", "40-80:L20"),
        // It is under way again, or the clock of where it was taken out is fast.
        ("O8 D60 L90", "8-60 -:L90"),
        ("O8 D60 L90 D140", "8-60 -140:L90"),
        ("O8 D60 L90 O95 D140", "8-60 95-140:L90"),
        ("O8 D60 U75", "8-60:U75"),
        ("O8 D60 U76", "8-60 -:U76"),
        ("O8 D60 U62 D70", "8-70:U62"),
        ("O8 D60 U62 O90 L95", "8-60:U62 90-:L95"),
        ("D60 U76 O80", "-60 80-:U76"),
        // At one time, it departs, is under way, and arrives.
        ("D20 L20 O20", "20-20:L20"),
        ("h20 s20 k20", "20-20:s20"),
        ("O8 D60 D100 L100", "8-60 -100:L100"),
        // Points that are not built in, each with its role.
        ("k8 s20 h60", "8-60:s20"),
        ("k8 h60 k90", "8-60 90-"),
        ("O8 k9 h60 D61", "9-61"),
        ("h8 k10", "10-8"),
        // Where nobody knows what a point is, it is one under way; what is built in keeps its role.
        ("x20", "-:x20"),
        ("O8 x20 D60", "8-60:x20"),
        ("o8 d60", "8-60"),
    ]

    private func facts(_ text: String) -> [BagFact] {
        text.split(separator: " ").enumerated().map { index, word in
            let identifier = UUID(
                uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, UInt8(index))
            )
            let (point, role) = Self.point(word)
            return BagFact(
                time: Date(timeIntervalSince1970: 60 * (Double(word.dropFirst()) ?? 0)),
                station: "gate",
                identifier: identifier,
                sighting: .single(identifier, point: point),
                toldRole: role
            )
        }
    }

    private static func point(_ word: some StringProtocol) -> (Point, Point.Role?) {
        let entry = word.first.flatMap { points[$0] } ?? ("origin", nil)
        return (Point(rawValue: entry.word) ?? .origin, entry.role)
    }

    private func words(_ journeys: [Journey]) -> String {
        func minute(_ date: Date?) -> String {
            date.map { "\(Int($0.timeIntervalSince1970 / 60))" } ?? ""
        }
        return journeys.map { journey in
            let seen = journey.underWay.map { sighting in
                let letter = Self.points.first { $0.value.word == sighting.point.rawValue }?.key
                return ":\(letter ?? "?")\(minute(sighting.date))"
            }
            return "\(minute(journey.departedAt))-\(minute(journey.arrivedAt))\(seen.joined())"
        }.joined(separator: " ")
    }

    @Test("has the journeys that its sightings tell, in whatever order they come", arguments: rows)
    func journeys(sightings: String, expected: String) {
        let facts = facts(sightings)
        #expect(words(DerivedBag(BagFacts(told: facts)).journeys) == expected)
        #expect(words(DerivedBag(BagFacts(told: facts.reversed())).journeys) == expected)
        var generator = SeededGenerator(seed: 1)
        for _ in 0..<20 {
            #expect(
                words(DerivedBag(BagFacts(told: facts.shuffled(using: &generator))).journeys)
                    == expected
            )
        }
    }

    /// What is said of a bag by tags, statements, records of other places and tags that were taken back,
    /// and what it weighs then and whose it is.
    static let told: [(facts: String, bag: String)] = [
        ("", "- -"),
        ("told:42:D", "42.0 /D"),
        // Not every tag tells everything.
        ("told:42:D told:-:E", "42.0 /E"),
        ("told:42:D told:-:-", "42.0 /D"),
        ("told:-:D", "- /D"),
        // What was taken back tells nothing.
        ("told:-:D withdrawn:42:E", "- /D"),
        ("withdrawn:42:E", "- -"),
        // What is stated and heard fills what no tag tells.
        ("told:-:D stated:50:E", "50.0 /D"),
        ("told:-:- stated:-:E heard:60:F", "60.0 /E"),
        ("told:42:- heard:60:F", "42.0 /F"),
        // Of what is heard, the greatest counts, whoever is heard first.
        ("heard:60:F heard:-:G heard:70:E", "70.0 /G"),
        ("heard:-:Z heard:-:\u{C9} heard:-:E\u{300}", "- /\u{C9}"),
    ]

    @Test("has the weight and the owner that were told last", arguments: told)
    func weightAndOwner(text: String, expected: String) {
        var facts = BagFacts()
        for (minute, word) in text.split(separator: " ").enumerated() {
            let parts = word.split(separator: ":")
            let values = BagValues(
                weight: Float(parts[1]),
                owner: parts[2] == "-"
                    ? nil : .passenger(PassengerName(givenName: "", familyName: "\(parts[2])"))
            )
            var fact = self.facts("O\(minute)")[0]
            fact.sighting = nil
            fact.words = .values(values)
            switch parts[0] {
            case "told": facts.told.append(fact)
            case "stated": facts.stated.append(fact)
            case "heard": facts.heard.append(fact)
            default: facts.withdrawn.append(fact)
            }
        }
        func words(_ values: BagValues) -> String {
            let owner: String =
                if case .passenger(let name) = values.owner { name.description } else { "-" }
            return (values.weight.map { "\($0)" } ?? "-") + " \(owner)"
        }
        #expect(words(DerivedBag(facts).values) == expected)
        facts.told.reverse()
        facts.heard.reverse()
        #expect(words(DerivedBag(facts).values) == expected)
    }

    @Test("is missing where it has departed, and not where it was only seen under way")
    func missing() throws {
        for (sightings, isMissing, lastSeen) in [
            ("O8 U60", true, "unload"), ("k8", true, nil), ("L20", false, "load"),
            ("O8 D60 T90", false, "transfer"), ("O8 U20 h60", false, "unload"),
            ("O8 s60 O90 D120 k150", true, nil),
        ] as [(String, Bool, String?)] {
            let journey = try #require(DerivedBag(BagFacts(told: facts(sightings))).journeys.last)
            let hasGone = journey.departedAt != nil && journey.arrivedAt == nil
            #expect(hasGone == isMissing, "\(sightings)")
            #expect(journey.underWay.last?.point.rawValue == lastSeen, "\(sightings)")
        }
    }

    @Test("is seen once where a sighting was filed twice, with the role of the earlier filing")
    func changedRole() throws {
        let gate = try #require(Point(rawValue: "gate"))
        func filing(_ minute: Double, _ role: Point.Role, _ last: UInt8) -> BagFact {
            BagFact(
                time: Date(timeIntervalSince1970: 60 * minute),
                station: "gate",
                identifier: UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, last)),
                sighting: .picture(digest: "a", station: "gate", point: gate),
                toldRole: role
            )
        }
        for filings in [
            [filing(8, .departing, 1), filing(9, .arriving, 2)],
            // At one time, the role decides, and not which has the smaller identifier.
            [filing(8, .departing, 2), filing(8, .arriving, 1)],
        ] {
            for order in [filings, filings.reversed()] {
                #expect(words(DerivedBag(BagFacts(told: order)).journeys) == "8-")
            }
        }
    }

    @Test(
        "has not arrived once more by what was heard, where it was seen to arrive at whatever point"
    )
    func heardArrival() {
        let told = facts("O8 h60")
        let heard = facts("D55 O7")
        #expect(words(DerivedBag(BagFacts(told: told, heard: heard)).journeys) == "8-60")
        let underWay = facts("O8 U60")
        #expect(words(DerivedBag(BagFacts(told: underWay, heard: heard)).journeys) == "8-55:U60")
    }

    @Test("is on the same last journey when each sighting is taken by itself", arguments: 0..<500)
    func increments(seed: Int) {
        var generator = SeededGenerator(seed: UInt64(seed))
        var (known, minute): ([BagFact], Int) = ([], 0)
        var last = LastJourney()
        for _ in 0..<12 {
            minute += 1 + generator.number(below: 24)
            let letters = Array("OLTUDYkshx")
            let word = "\(letters[generator.number(below: letters.count)])\(minute)"
            var fact = facts(word)[0]
            fact.identifier = UUID(
                uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, UInt8(known.count))
            )
            let (point, role) = Self.point(word)
            fact.sighting = .single(fact.identifier, point: point)
            let next = last.followed(by: Journey.Sighting(point, role, fact.time))
            known.append(fact)
            let derived = DerivedBag(BagFacts(told: known)).last
            if let next { #expect(next == derived, "\(known)") }
            last = derived
        }
    }

    @Test("a bag that is seen here and there within minutes is derived from what it was")
    func alternating() throws {
        var (known, last): ([BagFact], LastJourney) = ([], LastJourney())
        for minute in 1...40 {
            let point: Point = minute.isMultiple(of: 2) ? .destination : .origin
            var fact = facts("O\(minute)")[0]
            fact.sighting = .single(UUID(), point: point)
            known.append(fact)
            let next = last.followed(by: Journey.Sighting(point, nil, fact.time))
            last = try #require(next)
            #expect(last == DerivedBag(BagFacts(told: known)).last)
        }
    }
}
