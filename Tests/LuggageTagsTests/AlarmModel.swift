import Foundation

@testable import LuggageTags

/// What is an alarm by a set of facts, worked out slowly from what an export tells.
///
/// It knows no store. All tags of a bag say the same route, and no two sightings are close to one another.
struct AlarmModel: CustomStringConvertible {
    /// The open alarms by identifier, with words for them.
    private(set) var open: [UUID: String] = [:]
    /// Those that somebody has taken note of.
    private(set) var noted: Set<UUID> = []
    private let told: Set<UUID>

    var unnoted: Set<UUID> { Set(open.keys).subtracting(noted) }
    var untold: Set<UUID> { unnoted.subtracting(told) }
    var description: String { "\(open), noted \(noted), told \(told)" }

    private typealias Fact = FactModel.Fact
    private let scans: [Fact]
    private let others: [Fact]
    private let now: Date
    private let bounds = AlarmStations.bounds

    init(export: [UInt8], now: Date, told: [UUID]) throws {
        let document = try JSONSerialization.jsonObject(with: Data(export)) as? [String: Any] ?? [:]
        func facts(_ name: String) -> [Fact] {
            (document[name] as? [[String: Any]] ?? []).map { Fact(members: $0) }
        }
        (scans, others, self.now, self.told) = (facts("scans"), facts("facts"), now, Set(told))
        let bags = Set(scans.map { $0["bag"] } + others.map { $0["subject"] }).subtracting([""])
        for bag in bags { add(bag: bag) }
        addLists()
        for station in Set(scans.map { $0["station"] }) { add(station: station) }
        let notes = others.filter { $0["kind"] == "note" && stands($0) }
        noted = Set(open.keys.filter { alarm in notes.contains { names($0, alarm) } })
    }

    private func stands(_ fact: Fact) -> Bool {
        !others.contains { other in
            other["withdraws"] == fact.id
                && (fact["withdraws"] == ""
                    || (other.known, other.id) > (fact.known, fact.id))
                && stands(other)
        }
    }

    /// Whether a note is one of an alarm.
    private func names(_ note: Fact, _ alarm: UUID) -> Bool {
        let isOfBag = ["misrouted", "overdue"].contains(note["alarm"])
        let other = identifier(
            note["alarm"],
            bag: isOfBag ? note["subject"] : "",
            station: note["station"],
            stop: [note["point"], note["place"], note["trip"], note["date"]],
            note.time("due") ?? .distantPast
        )
        return other == alarm
    }

    private func identifier(
        _ kind: String,
        bag: String = "",
        station: String = "",
        stop: [String] = ["", "", "", ""],
        _ occasion: Date
    ) -> UUID {
        .fact(
            telling: [
                "alarm", kind, bag, station, stop[0], stop[1].lowercased(), stop[2].lowercased(),
            ]
                + [stop[3], occasion.reportText]
        )
    }

    private mutating func add(_ alarm: UUID, since: Date, _ words: String) {
        if since < now, since > now - AlarmBounds.memory { open[alarm] = words }
    }

    // MARK: Bags

    private mutating func add(bag: String) {
        let seen = scans.filter { $0["bag"] == bag && stands($0) }.sorted {
            ($0.time("scannedAt") ?? now) < ($1.time("scannedAt") ?? now)
        }
        /// Whether it is where its tag does not say; all tags say ZRH to JFK.
        func isWrong(_ scan: Fact) -> Bool {
            let right = scan["point"] == "origin" ? "ZRH" : "JFK"
            return scan["place"] != "" && scan["place"].uppercased() != right
        }
        let ends = seen.filter { ["origin", "destination"].contains($0["point"]) }
        // Seen there again, it is the same alarm.
        let there = ends.reversed().prefix {
            isWrong($0) && $0["place"].lowercased() == ends.last?["place"].lowercased()
        }
        if let time = there.last?.time("scannedAt") {
            add(identifier("misrouted", bag: bag, time), since: time, "misrouted \(bag)")
        }
        let journeys = ends.filter { $0["point"] == "origin" || !isWrong($0) }
        if let last = journeys.last, last["point"] == "origin", let time = last.time("scannedAt"),
            let bound = bounds.overdue
        {
            add(identifier("overdue", bag: bag, time), since: time + bound, "overdue \(bag)")
        }
    }

    // MARK: Lists

    private mutating func addLists() {
        let expected = current
        func stop(_ fact: Fact) -> [String] {
            // Without a trip of a day, the time tells one list from another.
            let due = fact["trip"] != "" && fact["date"] != "" ? "" : fact["due"]
            return [
                fact["point"], fact["place"].lowercased(), fact["trip"].lowercased(), fact["date"],
                due,
            ]
        }
        for (stop, all) in Dictionary(grouping: expected, by: stop) {
            guard let end = all.map(due).max() else { continue }
            // Those that are long over are no alarm by themselves.
            let missed = all.filter { fact in
                !isMet(fact) && fact.time("due") ?? .distantPast > now - AlarmBounds.memory
            }
            if missed.isEmpty { continue }
            add(identifier("incomplete", stop: stop, end), since: end, "incomplete \(stop)")
        }
    }

    private func due(_ fact: Fact) -> Date { fact.time("due") ?? .distantPast }

    /// What lists expect, and no later one says anew.
    private var current: [Fact] {
        let latestFirst = others.filter { $0["kind"] == "expected" && stands($0) }
            .sorted { ($0.known, $0.id) > ($1.known, $1.id) }
        return latestFirst.enumerated().filter { place, fact in
            !latestFirst.prefix(place).contains { other in
                let isAlike = ["subject", "point", "place", "trip", "date"].allSatisfy {
                    other[$0].lowercased() == fact[$0].lowercased()
                }
                let apart = abs(due(other).timeIntervalSince(due(fact)))
                if fact["trip"].isEmpty { return isAlike && apart == 0 }
                return isAlike && (!fact["date"].isEmpty || apart <= 12 * 3600)
            }
        }.map(\.element)
    }

    /// Whether the bag was seen there, and not at a time that fits another list better.
    private func isMet(_ fact: Fact) -> Bool {
        let own = current.filter { $0["subject"] == fact["subject"] }
        return scans.contains { scan in
            guard scan["bag"] == fact["subject"], stands(scan), let time = scan.time("scannedAt")
            else { return false }
            let possible = own.filter { list in
                list["point"] == scan["point"] && time >= due(list) - 24 * 3600
                    && ["", scan["place"].lowercased()].contains(list["place"].lowercased())
            }
            let nearest = possible.map(due).min {
                (abs($0.timeIntervalSince(time)), $0) < (abs($1.timeIntervalSince(time)), $1)
            }
            guard let nearest, possible.contains(where: { $0.id == fact.id }) else { return false }
            return abs(due(fact).timeIntervalSince(nearest)) <= 4 * 3600
        }
    }

    // MARK: Stations

    private mutating func add(station: String) {
        let own = scans.filter { $0["station"] == station }
        let read = own.filter { $0["imageName"] != Scan.handName }
        if let last = read.compactMap({ $0.time("scannedAt") }).max(), let bound = bounds.silence {
            add(identifier("silence", station: station, last), since: last + bound, "\(station)")
        }
        func isBad(_ hour: Double) -> Bool? {
            let all = own.filter { scan in
                guard let time = scan.time("scannedAt") else { return false }
                return (time.timeIntervalSince1970 / 3600).rounded(.down) == hour && stands(scan)
            }
            let read = all.filter { $0["reason"] == "" }
            if all.isEmpty { return false }
            if all.count < 20 { return nil }
            return Double(read.count) < (bounds.readRate ?? 0) * Double(all.count)
        }
        var hour = (now.timeIntervalSince1970 / 3600).rounded(.down) - 1
        guard isBad(hour) == true else { return }
        var first = Date(timeIntervalSince1970: hour * 3600)
        while isBad(hour) != false {
            if isBad(hour) == true { first = Date(timeIntervalSince1970: hour * 3600) }
            hour -= 1
        }
        add(
            identifier("read-rate", station: station, first),
            since: first + 3600,
            "\(station) reads"
        )
    }
}
