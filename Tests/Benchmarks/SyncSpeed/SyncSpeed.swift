internal import Foundation
internal import Glibc
internal import LuggageTags
internal import ObjectStore
internal import SQLiteStore

/// Measures how fast a record takes the facts of others, and gives its own.
///
/// Each line has the number of facts, the time and the rate, and the same for processor time: on a machine
/// with other work, only these count.
///
/// Run with `BENCHMARK=1 swift run -c release sync-speed [CASE…] [FACTS [BATCH]]`. Cases are `bags`,
/// `tag`, `edits` and `import`, all of them if none is named. FACTS is 40,000 if not given, and BATCH, how
/// many facts come in one transaction, 2,000. `TMPDIR` tells the disk.
@main
enum SyncSpeed {
    private enum Case: String, CaseIterable {
        case bags, tag, edits, `import`
    }

    static func main() throws {
        let arguments = CommandLine.arguments.dropFirst()
        let numbers = arguments.compactMap { Int($0) }
        let names = arguments.filter { Int($0) == nil }
        let cases = names.compactMap(Case.init)
        guard cases.count == names.count else {
            print("cases: \(Case.allCases.map(\.rawValue).joined(separator: " "))")
            return
        }
        let speed = Speed(
            facts: numbers.first ?? 40_000,
            batch: numbers.count > 1 ? numbers[1] : 2000
        )
        for chosen in cases.isEmpty ? Case.allCases : cases {
            switch chosen {
            case .bags: try speed.bags()
            case .tag: try speed.tag()
            case .edits: try speed.edits()
            case .import: try speed.imports()
            }
        }
    }
}

/// What is measured.
private struct Speed {
    let facts: Int
    let batch: Int

    /// New bags, the same bags seen again, and facts that are on record already.
    func bags() throws {
        try withRecord { record in
            let bags = (0..<facts / 2).map { _ in UUID() }
            let departures = Self.scans(of: bags, times: 2, from: 0)
            try take(departures, into: record, "two scans each of new bags")
            try take(
                Self.scans(of: bags, times: 2, from: 2),
                into: record,
                "two more scans of each"
            )
            try take(departures, into: record, "facts that are on record already")
            try give(record)
        }
    }

    /// A tag of a demonstration, which is scanned all the time.
    func tag() throws {
        try withRecord { record in
            let scans = Self.scans(of: [UUID()], times: facts, from: 0)
            try take(scans.dropLast(batch), into: record, "scans of one bag")
            try take(scans.suffix(batch), into: record, "the last ones of them")
        }
    }

    /// Corrections of known bags.
    func edits() throws {
        try withRecord { record in
            let bags = (0..<facts / 2).map { _ in UUID() }
            try take(Self.scans(of: bags, times: 1, from: 0), into: record, "a scan of each bag")
            let edits = bags.enumerated().map { Fact.edit(of: $1, number: $0) }
            try take(edits, into: record, "an edit of each")
        }
    }

    /// The same facts as a file.
    func imports() throws {
        try withRecord { record in
            let scans = Self.scans(of: (0..<facts / 2).map { _ in UUID() }, times: 2, from: 0)
            let header =
                #"{"about":{"complete":true,"format":"luggage","records":["bags","scans","facts"],"#
                + #""version":2}}"#
            let end = #"{"end":{"bags":0,"facts":0,"passengers":0,"scans":\#(scans.count)}}"#
            var file = Array(([header] + scans + [end, ""]).joined(separator: "\n").utf8)[...]
            try measure("a file with two scans each of new bags", scans.count) {
                let report = try StoreImporter(container: record).run {
                    defer { file = file.dropFirst(1 << 16) }
                    return Array(file.prefix(1 << 16))
                }
                if let first = report.refusals.first { throw Wrong(description: "\(first)") }
            }
        }
    }

    private static func scans(of bags: [UUID], times: Int, from first: Int) -> [String] {
        // Each bag comes again after all others, as stations see them.
        (first..<first + times).flatMap { time in
            bags.enumerated().map { Fact.scan(of: $1, number: $0, time: time) }
        }
    }

    private func take(
        _ facts: some Collection<String>,
        into record: PersistentContainer,
        _ name: String
    ) throws {
        let intake = FactIntake(container: record)
        let all = Array(facts)
        try measure(name, all.count) {
            for start in stride(from: 0, to: all.count, by: batch) {
                let report = try intake.merge(Array(all[start..<min(start + batch, all.count)]))
                if let first = report.refusals.first { throw Wrong(description: "\(first)") }
            }
        }
    }

    /// Gives everything, by days and as rows for people.
    private func give(_ record: PersistentContainer) throws {
        let count = try record.read { try $0.count(FetchRequest(Scan.self)) }
        try record.read { context in
            let days = FactDays(context)
            var sums: [FactDays.Day: FactDays.Digest] = [:]
            try measure("facts summed up by day", count) { sums = try days.digests() }
            try measure("facts made ready to go out", count) {
                try days.facts(of: Set(sums.keys)) { _ in }
            }
        }
        try measure("facts as rows to publish", count) {
            _ = try RowPublishing(record).all { _ = try $0.json }
        }
    }

    private func measure(_ name: String, _ count: Int, _ body: () throws -> Void) throws {
        let (started, processor) = (ContinuousClock.now, clock())
        try body()
        let seconds = (ContinuousClock.now - started) / .seconds(1)
        let worked = Double(clock() - processor) / Double(CLOCKS_PER_SEC)
        let columns = [
            "\(count)", String(format: "%.2f s", seconds), "\(Int(Double(count) / seconds))/s",
            String(format: "%.2f s", worked), "\(Int(Double(count) / worked))/s",
        ].map { String(repeating: " ", count: max(1, 12 - $0.count)) + $0 }
        print(name.padding(toLength: 44, withPad: " ", startingAt: 0) + columns.joined())
    }

    private func withRecord(_ body: (PersistentContainer) throws -> Void) throws {
        let folder = FileManager.default.temporaryDirectory
            .appending(path: "sync-speed-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let store = try SQLiteStore(path: folder.appending(path: "luggage.sqlite").path)
        try body(PersistentContainer(model: LuggageModel.make(), store: store))
        try store.close()
    }
}

/// Facts as hubs pass them on.
private enum Fact {
    private static let points: [Point] = [.origin, .destination]

    static func scan(of bag: UUID, number: Int, time: Int) -> String {
        let seen = date(number, time)
        let payload =
            #"{\"id\":\"\#(bag.uuidString)\",\"owner\":[\"\#(owner(number).given)\",\""#
            + #"\#(owner(number).family)\"],\"weight\":\#(20 + number % 50)}"#
        return #"{"bag":"\#(bag.uuidString)","filedAt":"\#(seen)","id":"\#(UUID().uuidString)","#
            + #""imageDigest":"\#(digest())","imageName":"IMG_\#(number)_\#(time).jpg","#
            + #""outcome":"new","payload":"\#(payload)","point":"\#(points[time % 2])","#
            + #""record":"scan","scannedAt":"\#(seen)","station":"station \#(time % 8)"}"#
    }

    static func edit(of bag: UUID, number: Int) -> String {
        #"{"author":"ann","id":"\#(UUID().uuidString)","kind":"edit","knownAt":"\#(date(number, 9))","#
            + #""madeAt":"\#(date(number, 9))","reason":"weighed again","record":"fact","#
            + #""subject":"\#(bag.uuidString)","weight":\#(30 + number % 20)}"#
    }

    private static func date(_ number: Int, _ time: Int) -> String {
        // Stations whose clocks differ do not matter here.
        let second = 1_600_000_000.25 + Double(time * 1000 + number % 100)
        return Date(timeIntervalSince1970: second)
            .formatted(Date.ISO8601FormatStyle(includingFractionalSeconds: true))
    }

    private static func owner(_ number: Int) -> (given: Character, family: String) {
        let letters = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZ")
        let family = [number / 26, number / 7, number].map { letters[$0 % 26] }
        return (letters[number % 26], String(family))
    }

    private static func digest() -> String {
        (UUID().uuidString + UUID().uuidString).filter { $0 != "-" }.lowercased()
    }
}

private struct Wrong: Error, CustomStringConvertible {
    let description: String
}
