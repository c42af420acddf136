import Foundation
import ObjectStore
import SeededRandom
import Testing

@testable import LuggageTags

/// Airlines give a plate to another bag after some weeks.
///
/// Nobody tells when: it follows from all sightings
/// together, so it must not matter who heard of which of them first.
@Suite("The bags that have a licence plate one after the other")
struct PlateUsesTests {
    /// Something that happens to the bag with the plate.
    struct Event: CustomStringConvertible {
        enum Deed {
            case scan(Point, words: Int)
            case edit(words: Int)
        }

        var minute: Int
        var deed: Deed
        var description: String { "\(minute / 1440) d \(minute % 1440) min: \(deed)" }
        var isSighting: Bool { if case .scan = deed { true } else { false } }
    }

    static let plate = LicencePlate("0117814872")
    static let words = [nil, ["D", "ZMU"], ["E", "MUL"]]
    static let silence = Int(LicencePlate.mostSilence / 60)

    /// Events over two months, in order; no two at a time.
    static func history(_ random: inout SeededGenerator) -> [Event] {
        var minute = 0
        return (0..<(2 + random.number(below: 12))).map { _ in
            // Within a journey, just within the silence, just beyond it, and long after.
            switch random.number(below: 8) {
            case 0: minute += silence - random.number(below: 2)
            case 1: minute += silence + 1 + random.number(below: 2)
            case 2: minute += silence + random.number(below: 40_000)
            case 3: minute += random.number(below: 14_000)
            default: minute += 1 + random.number(below: 1500)
            }
            if random.number(below: 6) == 0 {
                return Event(minute: minute, deed: .edit(words: random.number(below: 3)))
            }
            let point = [Point.origin, .origin, .transfer, .destination][random.number(below: 4)]
            return Event(
                minute: minute,
                deed: .scan(point, words: max(0, random.number(below: 5) - 2))
            )
        }
    }

    /// The parts of a history between silences; what people say after the last sighting of one is of it.
    static func uses(of events: [Event]) -> [[Event]] {
        var uses: [[Event]] = []
        var last: Int?
        for event in events {
            let isOther = event.isSighting && last.map { event.minute - $0 > silence } ?? false
            if uses.isEmpty || isOther { uses.append([]) }
            uses[uses.count - 1].append(event)
            if event.isSighting { last = event.minute }
        }
        return uses
    }

    private static func date(_ minute: Int) -> Date {
        Date(timeIntervalSince1970: 1_000_000 + Double(minute) * 60)
    }

    /// The bag with the plate, or with any other identifier, as what happens to it in a record.
    struct Record {
        let container: PersistentContainer
        var identifier: UUID
        /// The clock of who files; nil for that of the events.
        var now: Date?

        init(_ identifier: UUID?, now: Date? = nil) throws {
            container = try emptyRecord()
            self.identifier = try #require(identifier)
            self.now = now
        }

        func perform(_ events: [Event], shift: Int = 0) throws {
            for event in events {
                let date = PlateUsesTests.date(event.minute + shift)
                let now = now ?? date
                switch event.deed {
                case .scan(let point, let words):
                    let owner = PlateUsesTests.words[words]
                    let plate = LicencePlate(identifier)?.description
                    let tag = payload(
                        identifier.uuidString,
                        owner: owner,
                        weight: words == 2 ? "7" : nil
                    )
                    var picture = ReadPicture.of(
                        words == 0 ? plate ?? tag : tag,
                        name: "\(event.minute)",
                        at: point
                    )
                    picture.date = date
                    let recorder = ScanRecorder(container: container, now: { now })
                    _ = try recorder.record(picture)
                case .edit(let words):
                    let edit = BagEdit(
                        owner: PlateUsesTests.words[words].map {
                            .passenger(PassengerName(givenName: $0[0], familyName: $0[1]))
                        },
                        weight: words == 0 ? 9 : nil
                    )
                    let corrector = RecordCorrector(container: container, now: { now })
                    do {
                        let person = Responsibility(author: "anna", reason: "why")
                        _ = try corrector.edit(identifier, edit, by: person)
                    } catch let error as CorrectionError where error.code == .notFound {}
                }
            }
        }

        var bags: [Bag] { get throws { try Bag.all(in: container) } }

        var journeys: [Journey] {
            get throws {
                try container.read { context in
                    try context.luggage(identifier).map {
                        try CustodyReport($0, in: context).journeys
                    } ?? []
                }
            }
        }
    }

    /// What must hold for a history; nil if it does.
    private static func wrong(_ events: [Event], _ random: inout SeededGenerator) throws -> String?
    {
        let record = try Record(plate?.identifier)
        try record.perform(events)
        let uses = uses(of: events)

        // What was before the silence is as if it had never been, except in the journeys.
        let last = try Record(plate?.identifier)
        try last.perform(uses.last ?? [])
        if try record.bags != last.bags {
            return "the bag is \(try record.bags), and that of the last part alone \(try last.bags)"
        }
        var journeys: [Journey] = []
        for use in uses {
            let alone = try Record(plate?.identifier)
            try alone.perform(use)
            journeys += try alone.journeys
        }
        if try record.journeys != journeys {
            return "the journeys are \(try record.journeys), and of the parts alone \(journeys)"
        }

        // Without a silence, it is like any other bag.
        if uses.count == 1 {
            let other = try Record(UUID(uuidString: secondID))
            try other.perform(events)
            let (bags, others) = (try record.bags, try other.bags)
            if bags.map({ [$0.departed, $0.arrived] }) != others.map({ [$0.departed, $0.arrived] })
                || bags.map(\.owner) != others.map(\.owner)
                || bags.map(\.weight) != others.map(\.weight)
            {
                return "the bag is \(bags), and another one \(others)"
            }
        }

        // When it happened does not matter, only how long one thing was after the other.
        let shift = random.number(below: 100_000)
        let later = try Record(plate?.identifier)
        try later.perform(events, shift: shift)
        let seconds = Double(shift) * 60
        let shifted = try record.bags.map { bag in
            var bag = bag
            bag.departed = bag.departed.map { $0 + seconds }
            bag.arrived = bag.arrived.map { $0 + seconds }
            return bag
        }
        if try later.bags != shifted { return "later, it is \(try later.bags) and not \(shifted)" }

        // Nor does it matter who files what first, and who hears of it when.
        let end = date(1_000_000)
        let sightings = events.filter(\.isSighting)
        let one = try Record(plate?.identifier, now: end)
        try one.perform(sightings)
        let stations = try (0..<3).map { _ in try Record(plate?.identifier, now: end) }
        for event in sightings.shuffled(using: &random) {
            try stations[random.number(below: 3)].perform([event])
            if random.number(below: 3) == 0 {
                let file = try stations[random.number(below: 3)].container.exported()
                try stations[random.number(below: 3)].container.importing(file)
            }
        }
        for _ in 0..<2 {
            let files = try stations.map { try $0.container.exported() }
            for station in stations {
                for file in files.shuffled(using: &random) { try station.container.importing(file) }
            }
        }
        for station in stations {
            if try station.bags != one.bags {
                return "a station has \(try station.bags), and who has seen all has \(try one.bags)"
            }
            if try station.container.exported() != stations[0].container.exported() {
                return "two stations that have heard of all export different files"
            }
        }
        return nil
    }

    static let count =
        ProcessInfo.processInfo.environment["FACT_HISTORIES"].flatMap { Int($0) } ?? 200

    @Test(
        "are told apart by a long silence, in whatever order anybody hears of them",
        arguments: 0..<4
    )
    func histories(part: Int) throws {
        for seed in stride(from: part, to: Self.count, by: 4) {
            func failure(_ events: [Event]) throws -> String? {
                var random = SeededGenerator(seed: UInt64(seed))
                return try Self.wrong(events, &random)
            }
            var random = SeededGenerator(seed: UInt64(seed))
            var events = Self.history(&random)
            guard var wrong = try failure(events) else { continue }
            var place = events.count - 1
            while place >= 0 {
                var fewer = events
                fewer.remove(at: place)
                if let other = try failure(fewer) {
                    (events, wrong) = (fewer, other)
                    place = events.count
                }
                place -= 1
            }
            let story = events.map(\.description).joined(separator: "\n")
            Issue.record("seed \(seed): \(wrong)\n\(story)")
            return
        }
    }

    @Test("do not contradict one another: a new owner is one only for the same bag")
    func owners() throws {
        let record = try Record(Self.plate?.identifier)
        func file(day: Double, _ family: String) throws -> Outcome? {
            var picture = ReadPicture.of(
                payload(record.identifier.uuidString, owner: ["D", family], weight: nil),
                name: "\(day)"
            )
            picture.date = Date(timeIntervalSince1970: 1_000_000 + day * 86_400)
            return try ScanRecorder(container: record.container).record(picture).first?.outcome
        }
        #expect(try file(day: 0, "ZMU") == .new)
        #expect(try file(day: 1, "MUL") == .changed)
        #expect(try file(day: 30, "KOV") == .updated)
        #expect(try record.bags.map(\.owner) == ["D/KOV"])
        #expect(try record.journeys.count == 2)
    }

    @Test("are one bag if there is no other silence than that of a file copied later")
    func copies() throws {
        let record = try Record(Self.plate?.identifier, now: Self.date(100_000))
        let copy = try Record(Self.plate?.identifier, now: Self.date(100_000))
        let events = [
            Event(minute: 0, deed: .scan(.origin, words: 1)),
            Event(minute: 60, deed: .scan(.transfer, words: 1)),
        ]
        try record.perform(events)
        // The same picture, in a copy that is younger than the file.
        var late = ReadPicture.of(
            payload(record.identifier.uuidString, owner: ["D", "ZMU"], weight: nil),
            name: "60",
            at: .transfer
        )
        late.date = Self.date(60 + 2 * Self.silence)
        _ = try ScanRecorder(container: copy.container, now: { Self.date(100_000) }).record(late)
        try record.container.importing(copy.container.exported())
        #expect(try record.journeys.count == 1)
        #expect(try record.bags.map(\.departed) == [1_000_000])
    }
}
