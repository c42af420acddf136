import Foundation
import SeededRandom
import Testing

@testable import LuggageTags

@Suite("A bag that is derived from its facts")
struct DerivedBagTests {
    /// Sightings by the minute, as `O8 D20`, and the journeys that they make, as `8-20`.
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
    ]

    private func facts(_ text: String) -> [BagFact] {
        text.split(separator: " ").enumerated().map { index, word in
            let identifier = UUID(
                uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, UInt8(index))
            )
            return BagFact(
                time: Date(timeIntervalSince1970: 60 * (Double(word.dropFirst()) ?? 0)),
                station: "gate",
                identifier: identifier,
                sighting: .single(identifier, point: word.hasPrefix("O") ? .origin : .destination)
            )
        }
    }

    private func words(_ journeys: [Journey]) -> String {
        func minute(_ date: Date?) -> String {
            date.map { "\(Int($0.timeIntervalSince1970 / 60))" } ?? ""
        }
        return journeys.map { "\(minute($0.departedAt))-\(minute($0.arrivedAt))" }
            .joined(separator: " ")
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

    @Test("is on the same last journey when each sighting is taken by itself", arguments: 0..<500)
    func increments(seed: Int) {
        var generator = SeededGenerator(seed: UInt64(seed))
        var (known, minute): ([BagFact], Int) = ([], 0)
        var last: Journey?
        for _ in 0..<12 {
            minute += generator.number(below: 25)
            let word = (generator.number(below: 2) == 0 ? "O" : "D") + "\(minute)"
            var fact = facts(word)[0]
            fact.identifier = UUID(
                uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, UInt8(known.count))
            )
            let point: Point = word.hasPrefix("O") ? .origin : .destination
            fact.sighting = .single(fact.identifier, point: point)
            let next = (last ?? Journey()).followed(by: point, fact.time)
            known.append(fact)
            let derived = DerivedBag(BagFacts(told: known)).journeys.last
            if let next { #expect(next == derived, "\(known)") }
            last = derived
        }
    }
}
