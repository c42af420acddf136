import Foundation
import ObjectStore
import SeededRandom

@testable import LuggageTags

/// What was done to two records of which each tells its alarms, one thing after the other.
struct AlarmHistory: CustomStringConvertible {
    /// One thing that is done to a record, told by numbers so that any selection of them can be done.
    enum Deed {
        /// A bag is seen, now or long before it is filed; no two are seen in the same slot of time.
        case scan(bag: Int, point: Int, place: Int, slot: Int)
        /// A station reads some of many tags in an hour.
        case burst(station: Int, hour: Int, read: Int)
        case expect(bags: [Int], point: Int, place: Int, slot: Int, trip: Int)
        case undo(Int)
        case redo(Int)
        case note(Int)
        case pass(hours: Int)
        case exchange
        /// A service that has just started asks for alarms to tell.
        case tell
    }

    var deeds: [(record: Int, deed: Deed)] = []

    var description: String {
        deeds.map { "  \($0.record): \($0.deed)" }.joined(separator: "\n")
    }

    init(seed: Int) {
        var random = SeededGenerator(seed: UInt64(seed))
        var slots = Array(0..<AlarmStations.slots).shuffled(using: &random)
        func number(_ bound: Int) -> Int { random.number(below: bound) }
        for _ in 0..<(6 + number(20)) {
            let deed: Deed
            switch number(20) {
            case 0..<5:
                deed = .scan(
                    bag: number(2),
                    point: number(4),
                    place: number(4),
                    slot: slots.removeLast()
                )
            case 5, 6: deed = .burst(station: number(2), hour: number(4), read: number(20))
            case 7, 8, 9:
                deed = .expect(
                    bags: number(3) == 0 ? [0, 1] : [number(2)],
                    point: number(4),
                    place: number(4),
                    slot: number(AlarmStations.slots + 30),
                    trip: number(3)
                )
            case 10: deed = .undo(number(4))
            case 11: deed = .redo(number(2))
            case 12, 13: deed = .note(number(3))
            case 14, 15: deed = .pass(hours: [1, 1, 7, 26, 800][number(5)])
            case 16: deed = .exchange
            default: deed = .tell
            }
            deeds.append((number(2), deed))
        }
    }
}

/// Two records to which a history is done, and what their services have told.
final class AlarmStations {
    static let slots = 120
    static let bounds = AlarmBounds(overdue: 6 * 3600, readRate: 0.9, silence: 24 * 3600)
    private static let bags = FactStations.bags
    private static let points: [Point] = [.origin, .load, .destination, .transfer]
    private static let places = [nil, "ZRH", "jfk", "SYD"]
    /// A bag that is seen only under way, in bursts.
    private static let other = UUID(uuidString: "3FD1586C-E240-4977-B60A-C92E147D85F3") ?? UUID()

    let records: [PersistentContainer]
    /// What each has told, one after the other.
    private(set) var told: [[UUID]] = [[], []]
    private(set) var now: Date
    private var count = 0

    init() throws {
        records = try (0..<2).map { _ in try emptyRecord() }
        // All slots are over.
        now = Self.time(Self.slots) + 60
    }

    /// The beginning of a slot: they are far enough apart for clocks to differ.
    private static func time(_ slot: Int) -> Date {
        Date(timeIntervalSince1970: 1_782_864_000 + Double(slot) * 1200)
    }

    private func person(_ record: Int) -> Responsibility {
        Responsibility(author: "person \(record)", reason: "why")
    }

    private func file(
        _ payloads: [[UInt8]],
        _ point: Point,
        _ place: String?,
        _ station: String,
        _ date: Date,
        on record: Int
    ) throws {
        count += 1
        var picture = ReadPicture(
            name: "\(count).png",
            digest: "digest \(count)",
            reading: .success(.of(payloads)),
            point: point,
            station: station,
            date: date
        )
        picture.place = place
        let now = now
        _ = try ScanRecorder(container: records[record], author: "person \(record)", now: { now })
            .record(picture)
    }

    private func tag(_ bag: UUID, _ route: Route?) throws -> [UInt8] {
        try TagEncoder().encode(
            TagContents(identifier: bag, owner: nil, weight: nil, route: route)
        )
    }

    /// Does something, and returns what is wrong then; nil for nothing.
    func perform(_ deed: AlarmHistory.Deed, on number: Int) throws -> String? {
        // Nothing happens at the same moment.
        now += 1
        let (record, now) = (records[number], now)
        switch deed {
        case .scan(let bag, let point, let place, let slot):
            let route = Route(from: "ZRH", to: "JFK", trip: "LX14", date: "2026-07-01")
            try file(
                [tag(Self.bags[bag], route)],
                Self.points[point],
                Self.places[place],
                "desk",
                Self.time(slot),
                on: number
            )
        case .burst(let station, let hour, let read):
            let start = (now.timeIntervalSince1970 / 3600).rounded(.down) - Double(hour)
            let date = min(now, Date(timeIntervalSince1970: start * 3600 + 60 * Double(hour + 1)))
            for place in 0..<20 {
                let payload = try place < read ? tag(Self.other, nil) : Array("no tag".utf8)
                try file([payload], .transfer, nil, "belt \(station)", date, on: number)
            }
        case .expect(let bags, let point, let place, let slot, let trip):
            let list = ExpectationList(
                bags.map { bag in
                    ExpectedBag(
                        identifier: Self.bags[bag],
                        point: Self.points[point],
                        place: Self.places[place],
                        due: Self.time(slot),
                        route: [
                            nil, Route(trip: "lx14", date: "2026-07-01"), Route(trip: "Köln"),
                        ][trip]
                    )
                }
            )
            let recorder = ExpectationRecorder(
                container: record,
                by: person(number),
                now: { now }
            )
            if try !recorder.file(list).isClean { return "a list was refused" }
        case .undo(let place), .redo(let place):
            let isRedo = if case .redo = deed { true } else { false }
            let undoing = ChangeUndoing(container: record, now: { now })
            let changes = try undoing.changes(areUndone: isRedo, limit: 5)
            if changes.isEmpty { return nil }
            let change = changes[place % changes.count].number
            _ =
                try isRedo
                ? undoing.redo(change, by: person(number))
                : undoing.undo(change, by: person(number))
        case .note(let place):
            let open = try open(number)
            if open.isEmpty { return nil }
            let corrector = RecordCorrector(container: record, now: { now })
            try corrector.note(open[place % open.count], by: person(number))
        case .pass(let hours): self.now += Double(hours) * 3600
        case .exchange:
            let importer = StoreImporter(container: record, policy: .objectTrump, now: { now })
            var rest = try records[1 - number].exported()
            let report = try importer.run {
                defer { rest = [] }
                return rest
            }
            if !report.isClean { return "refused: \(report.refusals)" }
        case .tell:
            let telling = AlarmTelling(container: record, bounds: Self.bounds)
            let before = try AlarmModel(export: record.exported(), now: now, told: told[number])
            let news = try telling.take(at: now)
            let new = news.new.map(\.id)
            if Set(new) != before.untold { return "told \(news.new), and to tell were \(before)" }
            if news.open != before.unnoted.count { return "\(news.open) open of \(before)" }
            told[number] += new
            // A second service, or the same after a kill, finds nothing to tell.
            if try !telling.take(at: now).new.isEmpty { return "told twice" }
        }
        return try difference(number)
    }

    private func open(_ record: Int) throws -> [Alarm] {
        let now = now
        return try records[record].read {
            try Alarm.open(at: now, within: Self.bounds, in: $0)
        }
    }

    /// Where the alarms of a record are not what its facts make them; nil where they are.
    private func difference(_ number: Int) throws -> String? {
        let open = try open(number)
        let model = try AlarmModel(
            export: records[number].exported(),
            now: now,
            told: told[number]
        )
        if Set(told[number]).count != told[number].count { return "one was told twice" }
        let noted = Set(open.filter { $0.note != nil }.map(\.id))
        if Set(open.map(\.id)) == Set(model.open.keys), noted == model.noted,
            Set(open.map(\.id)).count == open.count
        {
            return nil
        }
        return "\(open.map { $0.words() }), noted \(noted), and the facts make \(model)"
    }
}
