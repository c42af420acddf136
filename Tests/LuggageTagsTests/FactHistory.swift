import Foundation
import ObjectStore
import SeededRandom

@testable import LuggageTags

/// What was done to several records, one thing after the other.
struct FactHistory: CustomStringConvertible {
    /// One thing that is done to a record, told by numbers so that any selection of them can be done.
    enum Deed {
        case scan(picture: Int, bags: [Int], words: Int, point: Int, minute: Int)
        case type(bag: Int, words: Int, point: Int, minute: Int)
        case edit(bag: Int, words: Int)
        case undo(Int)
        case redo(Int)
        case state(bag: Int, words: Int, minute: Int?, policy: Int)
        /// A bag that an older version of the program has had on record is made facts of.
        case settle(bag: Int, words: Int, minute: Int)
        case exchange(from: Int, format: Int, version: ExportSelection.Version, part: Int)
        case purge(RecordPurge.Scope, minute: Int)
        case expect(bag: Int, words: Int, point: Int, minute: Int)
        case note(Int)
    }

    var records: Int
    var deeds: [(record: Int, deed: Deed)]

    var description: String {
        "\(records) records:\n" + deeds.map { "  \($0.record): \($0.deed)" }.joined(separator: "\n")
    }

    init(seed: Int) {
        var random = SeededGenerator(seed: UInt64(seed))
        records = 3 + random.number(below: 2) * random.number(below: 4)
        deeds = []
        for _ in 0..<(4 + random.number(below: 14)) {
            deeds.append((random.number(below: records), Self.deed(records, &random)))
        }
    }

    /// Something that is done to one of several records.
    static func deed(_ records: Int, _ random: inout SeededGenerator) -> Deed {
        func number(_ bound: Int) -> Int { random.number(below: bound) }
        switch number(26) {
        case 0..<6:
            return .scan(
                picture: number(4),
                bags: (0...(number(4) / 3)).map { _ in number(2) },
                words: number(8),
                point: number(3),
                minute: number(60)
            )
        case 6: return .type(bag: number(2), words: number(8), point: number(3), minute: number(60))
        case 7, 8: return .edit(bag: number(2), words: number(8))
        case 9..<12: return .undo(number(4))
        case 12: return .redo(number(2))
        case 13:
            let minute = number(2) == 0 ? nil : Int?(number(60))
            return .state(bag: number(2), words: number(8), minute: minute, policy: number(5))
        case 14: return .purge(number(2) == 0 ? .names : .bags, minute: number(160))
        case 15:
            return .settle(bag: number(2), words: number(4), minute: number(4) * 15)
        case 16, 17:
            return .expect(bag: number(2), words: number(8), point: number(3), minute: number(60))
        case 18, 19: return .note(number(3))
        default:
            return .exchange(
                from: number(records),
                format: number(4),
                version: number(4) == 0 ? .states : .facts,
                part: number(4)
            )
        }
    }
}

/// Records to which a history is done.
final class FactStations {
    static let bags = ["F432BDB8-D84F-4461-8362-AFF89F6C493E", secondID].compactMap {
        UUID(uuidString: $0)
    }
    static let points: [Point] = [.origin, .destination, .transfer]
    static let formats = ExchangeFormat.allCases.filter { $0 != .csv }

    let records: [PersistentContainer]
    /// Minutes since a day; each thing that is done takes one.
    private(set) var minute = 100

    init(_ records: Int) throws {
        self.records = try (0..<records).map { _ in try emptyRecord() }
    }

    private func date(_ minute: Int) -> Date {
        Date(timeIntervalSince1970: 1_000_000 + Double(minute) * 60)
    }

    /// The clocks of the records differ, and one runs back now and then.
    func now(_ record: Int) -> Date {
        date(minute + record * 3 - (record == 1 && minute.isMultiple(of: 5) ? 9 : 0))
    }

    private func person(_ record: Int) -> Responsibility {
        Responsibility(author: "person \(record)", reason: "why")
    }

    private func words(_ number: Int) -> (owner: PassengerName?, weight: Float?) {
        let owners = [
            PassengerName(givenName: "D", familyName: "ZMU"), nil,
            PassengerName(givenName: "E", familyName: "\u{F9E1}"),
            PassengerName(givenName: "E", familyName: "\u{674E}"),
        ]
        return (owners[number % 4], [42, 50, nil][number % 3])
    }

    /// Where tags say that bags are to go; some say the same in other letters.
    private static let routes = [
        nil, Route(from: "ZRH", to: "JFK", trip: "LX14", date: "2026-07-01"), Route(to: "jfk"),
        Route(from: "MUC", to: "SYD", trip: "lh5"),
    ]

    private static let places = [nil, "JFK", "zrh", "SYD"]

    private func route(_ number: Int) -> Route? { Self.routes[number / 2 % 4] }

    private func place(_ number: Int) -> String? { Self.places[number % 4] }

    private func tag(_ bag: Int, _ number: Int) throws -> [UInt8] {
        let words = words(number)
        return try TagEncoder().encode(
            TagContents(
                identifier: Self.bags[bag],
                owner: words.owner,
                weight: words.weight,
                route: route(number)
            )
        )
    }

    func perform(_ deed: FactHistory.Deed, on number: Int) throws {
        minute += 1
        let (record, now) = (records[number], now(number))
        let person = person(number)
        switch deed {
        case .scan(let picture, let bags, let words, let point, let minute):
            let payloads = try bags.enumerated().map { try tag($1, words + $0) }
            var image = ReadPicture(
                name: "\(picture).png",
                digest: "digest \(picture)",
                reading: .success(
                    .of(picture == 3 && bags.count > 1 ? [[0xFF], [0xFE]] : payloads)
                ),
                point: Self.points[point],
                // Two records may be of one station.
                station: "station \(number / 2)",
                date: date(minute)
            )
            image.place = place(minute)
            _ = try ScanRecorder(container: record, author: person.author, now: { now }).record(
                image
            )
        case .type(let bag, let words, let point, let minute):
            var tag = TypedTag(
                identifier: Self.bags[bag],
                point: Self.points[point],
                date: date(minute)
            )
            (tag.owner, tag.weight) = self.words(words)
            (tag.route, tag.place) = (route(words), place(minute))
            _ = try RecordCorrector(container: record, now: { now }).file(tag, by: person)
        case .edit(let bag, let words):
            let told = self.words(words)
            let edit = BagEdit(
                owner: told.owner.map { .passenger($0) } ?? .nobody,
                weight: told.weight
            )
            let corrector = RecordCorrector(container: record, now: { now })
            do {
                _ = try corrector.edit(Self.bags[bag], edit, by: person)
            } catch let error as CorrectionError where error.code == .notFound {}
        case .undo(let place), .redo(let place):
            let isRedo = if case .redo = deed { true } else { false }
            let undoing = ChangeUndoing(container: record, now: { now })
            let changes = try undoing.changes(areUndone: isRedo, limit: 10)
            guard !changes.isEmpty else { return }
            let change = changes[place % changes.count].number
            _ = isRedo ? try undoing.redo(change, by: person) : try undoing.undo(change, by: person)
        case .state(let bag, let words, let minute, let policy):
            var contents = TagContents(
                identifier: Self.bags[bag],
                owner: self.words(words).owner,
                weight: self.words(words).weight
            )
            contents.departedAt = minute.map { date($0) }
            let line = try PayloadFormats.all[0].encode(
                contents,
                userInfo: [.dateForm: DateForm.text]
            )
            let policies = ImportPolicy.allCases
            try merge(line, into: number, policy: policies[policy % policies.count])
        case .settle(let bag, let words, let minute):
            try insertOlder(bag, words, minute, into: record)
            _ = try RecordCheckup(container: record).settle()
        case .exchange(let from, let format, let version, let part):
            let selection = ExportSelection(
                records: part == 1 ? .scans : part == 2 && version == .facts ? .facts : .all,
                version: version
            )
            let file = try records[from].exported(as: Self.formats[format], selection)
            // Scans alone do not tell all bags, in files of version 1.
            try merge(file, into: number, mayRefuse: part == 1 && version == .states)
        case .expect(let bag, let words, let point, let minute):
            let list = ExpectationList([
                ExpectedBag(
                    identifier: Self.bags[bag],
                    owner: self.words(words).owner,
                    weight: self.words(words).weight,
                    point: Self.points[point],
                    place: place(minute),
                    due: date(minute),
                    route: route(words)
                )
            ])
            let recorder = ExpectationRecorder(container: record, by: person, now: { now })
            let report = try recorder.file(list)
            if !report.isClean { throw Wrong("refused: \(report.refusals)") }
        case .note(let place):
            let bounds = AlarmBounds(overdue: 600, silence: 1200)
            let open = try record.read { try Alarm.open(at: now, within: bounds, in: $0) }
            if open.isEmpty { return }
            let corrector = RecordCorrector(container: record, now: { now })
            try corrector.note(open[place % open.count], by: person)
        case .purge(let scope, let minute):
            // Nobody purges what is to come.
            let cutoff = min(date(minute), now - 600)
            _ = try RecordPurge(container: record, scope: scope, before: cutoff, now: { now }).run()
        }
    }

    /// Puts a bag on record without a fact that tells it, where nothing is known about it.
    private func insertOlder(
        _ bag: Int,
        _ words: Int,
        _ minute: Int,
        into record: PersistentContainer
    ) throws {
        let context = record.makeContext()
        let corrections = FetchRequest(Correction.self).where(\.identifier, is: Self.bags[bag])
        let scans = FetchRequest(Scan.self).where(\.bag, is: Self.bags[bag])
        if try context.luggage(Self.bags[bag]) != nil || context.exists(corrections)
            || context.exists(scans)
        {
            return
        }
        let told = self.words(words)
        let luggage = Luggage(context: context)
        luggage.identifier = Self.bags[bag]
        luggage.weight = told.weight
        luggage.owner = try told.owner.map {
            try context.passenger($0) ?? Passenger($0, context: context)
        }
        luggage.departedAt = date(minute)
        try context.save()
    }

    /// Imports a file; what is refused of statements does not matter.
    private func merge(
        _ file: [UInt8],
        into number: Int,
        policy: ImportPolicy = .objectTrump,
        mayRefuse: Bool = false
    ) throws {
        let now = now(number)
        var rest = file
        let importer = StoreImporter(container: records[number], policy: policy, now: { now })
        let report = try importer.run {
            defer { rest = [] }
            return rest
        }
        if policy != .error, !mayRefuse, !report.isClean {
            throw Wrong("refused: \(report.refusals)")
        }
    }

    /// Lets everybody hear of all that anybody knows, in an order of its own.
    func exchangeAll(_ random: inout SeededGenerator) throws {
        for _ in 0..<2 {
            let files = try records.map {
                try $0.exported(as: Self.formats[random.number(below: Self.formats.count)])
            }
            for place in records.indices {
                minute += 1
                for file in files.shuffled(using: &random) { try merge(file, into: place) }
            }
        }
    }

    struct Wrong: Error, CustomStringConvertible {
        let description: String
        init(_ description: String) { self.description = description }
    }
}
