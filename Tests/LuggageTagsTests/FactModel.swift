import Foundation

@testable import LuggageTags

/// What bags are by a set of facts, worked out slowly from what an export tells.
///
/// It knows no store and no order in which facts came: each question is answered by looking at all of them.
struct FactModel {
    struct Fact {
        let members: [String: Any]

        subscript(name: String) -> String { members[name] as? String ?? "" }

        func time(_ name: String) -> Date? {
            (members[name] as? String).flatMap { try? Self.date($0) }
        }

        private static func date(_ text: String) throws -> Date {
            try Date(
                text,
                strategy: Date.ISO8601FormatStyle(includingFractionalSeconds: text.contains("."))
            )
        }

        var id: String { self["id"] }
        var weight: Float? { (members["weight"] as? NSNumber)?.floatValue }
        var owner: [String]? { members["owner"] as? [String] }
        /// When it became known.
        var known: Date { time("knownAt") ?? time("madeAt") ?? .distantPast }
    }

    /// A bag as an export tells it.
    struct Bag: Equatable, CustomStringConvertible {
        var weight: Float?
        var owner: [String]?
        var departedAt: Date?
        var arrivedAt: Date?
        /// Where its tag says that it is to go.
        var route: [String: String] = [:]

        var description: String {
            "\(route) \(weight.map { "\($0)" } ?? "?") lb of \(owner ?? []), \(departedAt?.reportText ?? "-") to "
                + "\(arrivedAt?.reportText ?? "-")"
        }
    }

    let told: [String: Bag]
    private let scans: [Fact]
    private let others: [Fact]

    init(export: [UInt8]) throws {
        let document = try JSONSerialization.jsonObject(with: Data(export)) as? [String: Any] ?? [:]
        func facts(_ name: String) -> [Fact] {
            (document[name] as? [[String: Any]] ?? []).map { Fact(members: $0) }
        }
        scans = facts("scans")
        others = facts("facts")
        told = Dictionary(
            uniqueKeysWithValues: facts("bags").map { bag in
                (
                    bag.id,
                    Bag(
                        weight: bag.weight,
                        owner: bag.owner,
                        departedAt: bag.time("departedAt"),
                        arrivedAt: bag.time("arrivedAt"),
                        route: Self.route(bag.members)
                    )
                )
            }
        )
    }

    /// The members that say where a bag is to go.
    private static func route(_ members: [String: Any]) -> [String: String] {
        members.compactMapValues { $0 as? String }
            .filter { ["from", "to", "trip", "date"].contains($0.key) }
    }

    // MARK: What stands

    /// Whether no withdrawal that stands names it; only later ones can withdraw a withdrawal.
    private func stands(_ fact: Fact) -> Bool {
        !others.contains { other in
            other["withdraws"] == fact.id && (fact["withdraws"] == "" || isLater(other, fact))
                && stands(other)
        }
    }

    private func isLater(_ first: Fact, _ second: Fact) -> Bool {
        (first.known, first.id) > (second.known, second.id)
    }

    private func stands(scan: Fact) -> Bool {
        if !stands(scan) { return false }
        guard let filedAt = scan.time("filedAt") else { return true }
        // It may have been taken back where it was known by its contents only.
        let alias = contents(of: scan)
        return !others.contains {
            $0["withdraws"] == alias && $0.known >= filedAt && stands($0)
        }
    }

    private func contents(of scan: Fact) -> String {
        UUID.fact(telling: [
            "scan", scan["imageDigest"], scan["station"], scan["point"],
            (scan.time("scannedAt") ?? .distantPast).reportText, scan["bag"], scan["reason"], "",
        ]).uuidString
    }

    // MARK: What they say

    /// A sighting, or a statement of one.
    private struct Seen {
        let time: Date
        let station: String
        let point: String
        let digest: String
        let payload: [UInt8]
        let id: String
        /// What tells it from other sightings.
        let key: String
        var place = ""
        var route: [String: String] = [:]

        /// Whether the bag cannot have arrived, as it is to go to another place.
        func isElsewhere(_ route: [String: String]) -> Bool {
            guard let to = route["to"], !place.isEmpty else { return false }
            return to.lowercased() != place.lowercased()
        }

        private var ranks: [[UInt8]] {
            let rank: UInt8 = point == "origin" ? 0 : point == "transfer" ? 1 : 2
            let lasting = Array(PurgedPayload.of(payload, outcome: .new))
            return [Array(station.utf8), [rank], Array(digest.utf8), lasting]
        }

        /// By time, and then by what does not depend on who knows it.
        func isBefore(_ other: Self) -> Bool {
            if time != other.time { return time < other.time }
            for (one, two) in zip(ranks, other.ranks) where one != two {
                return one.lexicographicallyPrecedes(two)
            }
            return id < other.id
        }
    }

    private func sighting(_ scan: Fact) -> Seen {
        let digest = scan["imageDigest"]
        let isTyped = others.contains { $0.id == scan.id && $0["kind"] == "file" }
        return Seen(
            time: scan.time("scannedAt") ?? .distantPast,
            station: scan["station"],
            point: scan["point"],
            digest: digest,
            payload: isTyped ? [] : Array(scan["payload"].utf8),
            id: scan.id,
            key: digest.isEmpty ? scan.id : "\(digest) \(scan["station"]) \(scan["point"])",
            place: scan["place"],
            route: (try? JSONSerialization.jsonObject(with: Data(scan["payload"].utf8)))
                .flatMap { $0 as? [String: Any] }.map(Self.route) ?? [:]
        )
    }

    private func sightings(_ fact: Fact) -> [Seen] {
        ["origin": "departedAt", "destination": "arrivedAt"].compactMap { point, name in
            fact.time(name).map {
                Seen(
                    time: $0,
                    station: "",
                    point: point,
                    digest: "",
                    payload: [],
                    id: fact.id,
                    key: "\(fact.id) \(point)"
                )
            }
        }
    }

    /// The bags that the facts make.
    var bags: [String: Bag] {
        let names = Set(scans.map { $0["bag"] } + others.map { $0["subject"] }).subtracting([""])
        return Dictionary(
            uniqueKeysWithValues: names.compactMap { name in bag(name).map { (name, $0) } }
        )
    }

    private func bag(_ name: String) -> Bag? {
        let filed = scans.filter { $0["bag"] == name }
        let standing = filed.filter { stands(scan: $0) }
        let about = others.filter { $0["subject"] == name && stands($0) }
        func said(_ kind: String) -> [Fact] {
            about.filter { $0["kind"] == kind }.sorted { ($0.known, $0.id) < ($1.known, $1.id) }
        }
        let listed = said("expected")
        if standing.isEmpty && said("statement").isEmpty && said("heard").isEmpty && listed.isEmpty
        {
            return nil
        }

        var bag = Bag()
        var hasOwner = false
        func take(_ weight: Float?, _ owner: [String]?, nobody: Bool = false) {
            bag.weight = bag.weight ?? weight
            if !hasOwner, owner != nil || nobody { (bag.owner, hasOwner) = (owner, true) }
        }
        for edit in said("edit").reversed() {
            take(edit.weight, edit.owner, nobody: edit.members["noOwner"] as? Bool ?? false)
        }
        let typed = said("file")
        let tags = standing.map(sighting).sorted { $0.isBefore($1) }
        var filings: Set<String> = []
        let first = tags.filter { tag in
            let type = typed.contains { $0.id == tag.id } ? "typed" : "\(tag.payload)"
            return filings.insert("\(tag.key) \(type)").inserted
        }
        for tag in first.reversed() {
            if let typed = typed.first(where: { $0.id == tag.id }) {
                take(typed.weight, typed.owner)
            } else if let contents = try? TagDecoder().contents(of: tag.payload) {
                take(contents.weight, contents.owner.map { [$0.givenName, $0.familyName] })
            }
        }
        let stated = (said("statement") + listed).sorted { ($0.known, $0.id) < ($1.known, $1.id) }
        for statement in stated.reversed() {
            take(
                statement.weight,
                statement.owner,
                nobody: statement.members["noOwner"] as? Bool ?? false
            )
        }
        let heard = said("heard")
        take(
            heard.compactMap(\.weight).max(),
            heard.compactMap(\.owner).max(by: Self.precedes)
        )
        let undone = filed.filter { !stands(scan: $0) }.map(sighting)
        let heardOf = heard.flatMap(sightings).filter { place in
            !tags.contains { $0.point == place.point }
                && !undone.contains { $0.point == place.point && $0.time == place.time }
        }
        var keys: Set<String> = []
        var all = (tags + said("statement").flatMap(sightings) + heardOf).sorted { $0.isBefore($1) }
            .filter { keys.insert($0.key).inserted }
        // Lists say where it goes if no tag does.
        if !tags.contains(where: { !$0.route.isEmpty }) {
            let way = Self.way(by: listed)
            all = all.map { seen in
                var seen = seen
                seen.route = way
                return seen
            }
        }
        (bag.departedAt, bag.arrivedAt, bag.route) = Self.lastJourney(all)
        return bag
    }

    /// Where lists say that the bag goes; all their times are of one day.
    private static func way(by lists: [Fact]) -> [String: String] {
        let current = Dictionary(grouping: lists) { list in
            [
                list["point"], list["place"].lowercased(), list["trip"].lowercased(), list["date"],
                list["trip"].isEmpty ? list["due"] : "",
            ]
        }.values.compactMap(\.last).sorted {
            ($0.time("due") ?? .distantPast, $0.id) < ($1.time("due") ?? .distantPast, $1.id)
        }
        let ways = current.map { route($0.members) }.filter { !$0.isEmpty }
        guard var way = ways.last else { return [:] }
        way["from"] = ways.first?["from"]
        return way
    }

    private static func precedes(_ one: [String], _ two: [String]) -> Bool {
        let names = [one, two].map { Array("\($0[1])\0\($0[0])".utf8) }
        return names[0].lexicographicallyPrecedes(names[1])
    }

    /// When the last journey began and ended, and where it was to go.
    private static func lastJourney(_ seen: [Seen]) -> (Date?, Date?, [String: String]) {
        /// The departures and arrivals of the journey so far.
        var (departures, arrivals): ([Date], [Date]) = ([], [])
        var route: [String: String] = [:]
        for one in seen {
            let (point, time) = (one.point, one.time)
            defer { if !one.route.isEmpty { route = one.route } }
            let told = one.route.isEmpty ? route : one.route
            let isElsewhere = point == "destination" && one.isElsewhere(told)
            if point == "destination" && !isElsewhere {
                arrivals.append(time)
                continue
            }
            if point == "transfer" || isElsewhere {
                // Under way after it has arrived, it is on a journey that nobody has seen begin.
                if let last = arrivals.last, last + 900 < time {
                    (departures, arrivals, route) = ([], [], [:])
                }
                if isElsewhere { route = told }
                continue
            }
            let before = arrivals.filter { $0 + 900 < time }
            let hasArrived =
                !departures.isEmpty && arrivals.last.map { $0 > departures[0] } ?? false
            if before.isEmpty && !hasArrived {
                departures = [time]
            } else {
                (departures, arrivals, route) = (
                    [time], before.isEmpty ? [] : arrivals.filter { $0 + 900 >= time }, [:]
                )
            }
        }
        return (departures.last, arrivals.last, route)
    }
}
