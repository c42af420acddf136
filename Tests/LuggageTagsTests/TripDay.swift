import Foundation
import ObjectStore
import SeededRandom

@testable import LuggageTags

/// A day on which bags travel between places, drawn by lot, with the truth about each.
struct TripDay {
    /// What happens to a bag.
    enum Fate: CaseIterable {
        case arrives, transfers, late, returns, returnsAndIsMissing
        case missing, offloaded, neverSeen, unexpected, arrivesUnseen
        case misrouted, misroutedAndFound, departsElsewhere
        /// It misses its flight, and leaves with that of the next day, on whose list it is too.
        case leftBehind
    }

    /// A trip between two places.
    struct Trip {
        let name: String
        let from: String
        let to: String
        let departs: Date
        var date: String { "2026-07-01" }
    }

    /// A bag, and what is true of it at the end of the day.
    struct Bag {
        let id: UUID
        let trip: Trip
        let fate: Fate

        var isListed: Bool { fate != .unexpected && fate != .returns }
        /// The trip that its last tag names.
        var tag: String? {
            switch fate {
            case .neverSeen: nil
            case .returns, .returnsAndIsMissing: "\(trip.name)R"
            default: trip.name
            }
        }
        var hasDeparted: Bool { fate != .neverSeen && fate != .arrivesUnseen }
        var hasArrived: Bool {
            switch fate {
            case .arrives, .transfers, .late, .returns, .unexpected, .arrivesUnseen,
                .misroutedAndFound, .departsElsewhere, .leftBehind:
                true
            case .missing, .offloaded, .neverSeen, .misrouted, .returnsAndIsMissing: false
            }
        }
        var isMisrouted: Bool { fate == .misrouted }
        var wasMisrouted: Bool {
            [.misrouted, .misroutedAndFound, .departsElsewhere].contains(fate)
        }
        var isLoaded: Bool {
            ![.offloaded, .neverSeen, .arrivesUnseen, .departsElsewhere, .leftBehind].contains(fate)
        }
    }

    static let places = ["ZRH", "JFK", "SYD", "Hotel Bellevue", "Köln", "Pier 3"]

    let trips: [Trip]
    let bags: [Bag]
    private var random: SeededGenerator

    init(seed: UInt64, bags count: Int, trips tripCount: Int = 40) {
        var random = SeededGenerator(seed: seed)
        let beginning = Date(timeIntervalSince1970: 1_782_864_000)
        trips = (0..<tripCount).map { number in
            let from = random.number(below: Self.places.count)
            let to = (from + 1 + random.number(below: Self.places.count - 1)) % Self.places.count
            return Trip(
                name: "LX\(number)",
                from: Self.places[from],
                to: Self.places[to],
                departs: beginning + Double(6 * 3600 + random.number(below: 6 * 3600))
            )
        }
        var bags: [Bag] = []
        for _ in 0..<count {
            let bytes = (0..<16).map { _ in UInt8(random.number(below: 256)) }
            let id = UUID(
                uuid: (
                    bytes[0], bytes[1], bytes[2], bytes[3], bytes[4], bytes[5], bytes[6], bytes[7],
                    bytes[8], bytes[9], bytes[10], bytes[11], bytes[12], bytes[13], bytes[14],
                    bytes[15]
                )
            )
            let all = Fate.allCases
            // Most bags just arrive.
            let fate =
                random.number(below: 2) == 0 ? all[random.number(below: all.count)] : .arrives
            bags.append(Bag(id: id, trip: trips[random.number(below: tripCount)], fate: fate))
        }
        self.bags = bags
        self.random = random
    }

    // MARK: What is done

    /// What a place has scanned: pictures of tags.
    func pictures(in place: String) -> [ReadPicture] {
        bags.flatMap { sightings($0) }.filter { $0.place == place }
    }

    private func sightings(_ bag: Bag) -> [ReadPicture] {
        let trip = bag.trip
        let other = Self.places.first { $0 != trip.from && $0 != trip.to } ?? ""
        var pictures: [ReadPicture] = []
        func see(_ point: Point, _ place: String, _ minutes: Double, back: Bool = false) {
            let tag = TagContents(
                identifier: bag.id,
                owner: PassengerName(givenName: "D", familyName: "ZMU"),
                weight: 42,
                route: Route(
                    // Not everybody writes names alike.
                    from: back ? trip.to : trip.from.uppercased(),
                    to: back ? trip.from : trip.to.lowercased(),
                    trip: back ? "\(trip.name)R" : trip.name,
                    date: trip.date
                )
            )
            let payload = (try? TagEncoder().encode(tag)) ?? []
            let number = pictures.count
            var picture = ReadPicture(
                name: "\(bag.id).\(number).png",
                digest: "\(bag.id) \(number)",
                reading: .success(.of([payload])),
                point: point,
                station: "\(place) 1",
                date: trip.departs + minutes * 60
            )
            picture.place = place
            pictures.append(picture)
        }
        if bag.fate == .neverSeen { return [] }
        if bag.fate == .arrivesUnseen {
            see(.destination, trip.to, 300)
            return pictures
        }
        see(.origin, bag.fate == .departsElsewhere ? other : trip.from, -90)
        if bag.isLoaded { see(.load, trip.from, bag.fate == .late ? 20 : -30) }
        if bag.fate == .transfers { see(.transfer, other, 120) }
        if bag.fate == .leftBehind { see(.load, trip.from, Self.day - 30) }
        switch bag.fate {
        case .missing, .offloaded: break
        case .misrouted: see(.destination, other, 300)
        case .misroutedAndFound:
            see(.destination, other, 300)
            see(.destination, trip.to, 600)
        case .returns, .returnsAndIsMissing:
            see(.destination, trip.to, 300)
            see(.origin, trip.to, 400, back: true)
            if bag.fate == .returns { see(.destination, trip.from, 700, back: true) }
        case .leftBehind: see(.destination, trip.to, Self.day + 300)
        default: see(.destination, trip.to, 300)
        }
        return pictures
    }

    /// The minutes of a day.
    private static let day = 24.0 * 60
    /// The day after.
    static let nextDate = "2026-07-02"

    /// What is expected to be loaded on a trip, and to arrive, on its day and on the next.
    func list(of trip: Trip) -> ExpectationList {
        let listed = bags.filter { $0.isListed && $0.trip.name == trip.name }
        let left = listed.filter { $0.fate == .leftBehind }
        return ExpectationList(
            [(listed, trip.date, 0.0), (left, Self.nextDate, Self.day)].flatMap {
                bags,
                date,
                later in
                bags.flatMap { bag in
                    [(Point.load, trip.from, 0.0), (.destination, trip.to, 400)].map { stop in
                        ExpectedBag(
                            identifier: bag.id,
                            point: stop.0,
                            place: stop.1,
                            due: trip.departs + (stop.2 + later) * 60,
                            route: Route(trip: trip.name.lowercased(), date: date)
                        )
                    }
                }
            }
        )
    }

    /// Files what some places have seen and expect, in an order of its own.
    mutating func file(_ places: [String], in container: PersistentContainer) throws {
        let now = Date(timeIntervalSince1970: 1_783_000_000)
        let recorder = ScanRecorder(container: container, now: { now })
        let person = Responsibility(author: "anna", reason: "")
        let expecting = ExpectationRecorder(container: container, by: person, now: { now })
        let mine = trips.filter { places.contains($0.from) }.shuffled(using: &random)
        // Some lists come before the bags, and others after them.
        for trip in mine.prefix(mine.count / 2) { _ = try expecting.file(list(of: trip)) }
        let pictures = places.flatMap { self.pictures(in: $0) }.shuffled(using: &random)
        for start in stride(from: 0, to: pictures.count, by: 64) {
            _ = try recorder.record(Array(pictures[start..<min(start + 64, pictures.count)]))
        }
        for trip in mine.dropFirst(mine.count / 2) { _ = try expecting.file(list(of: trip)) }
    }
}
