import Foundation
import LuggageTags
import ObjectStore
import SeededRandom

/// Random bags with their scans, and what is asked about them, answered by looking at each.
struct RandomBags {
    struct Bag {
        var id: UUID
        var owner: PassengerName?
        var weight: Float?
        var departed: Date?
        var arrived: Date?
        var scans: [(station: String, time: Date)]
    }

    static let stations = ["MUC", "LHR", "muc", "'; --", "出発"]
    static let owners = [
        PassengerName(givenName: "D", familyName: "ZMU"),
        PassengerName(givenName: "É", familyName: "MÜL"),
        PassengerName(givenName: "/", familyName: "A/B"),
        PassengerName(givenName: "D", familyName: "ZM"),
    ]

    private(set) var bags: [Bag] = []
    private var random: SeededGenerator

    init(seed: UInt64, count: Int) {
        random = SeededGenerator(seed: seed)
        for _ in 0..<count {
            bags.append(
                Bag(
                    id: id(),
                    owner: maybe(4) { $0.owner() },
                    weight: maybe(5) { $0.weight() },
                    departed: maybe(4) { $0.time() },
                    arrived: maybe(2) { $0.time() },
                    scans: (0..<random.number(below: 3)).map { _ in (station(), time()) }
                )
            )
        }
    }

    private mutating func id() -> UUID {
        func digits(_ count: Int) -> String {
            String((0..<count).map { _ in "0123456789ABCDEF".randomElement(using: &random) ?? "0" })
        }
        let text = "F4\(digits(6))-\(digits(4))-\(digits(4))-\(digits(4))-\(digits(12))"
        return UUID(uuidString: text) ?? UUID()
    }

    /// Nothing once in a number of times.
    private mutating func maybe<Value>(_ rarity: Int, _ make: (inout Self) -> Value) -> Value? {
        random.number(below: rarity) == 0 ? nil : make(&self)
    }

    private mutating func owner() -> PassengerName { Self.owners[random.number(below: 4)] }
    private mutating func station() -> String { Self.stations[random.number(below: 5)] }
    private mutating func weight() -> Float { Float(random.number(below: 20)) / 2 }
    /// One of few times, so that many bags have the same.
    private mutating func time() -> Date {
        Date(timeIntervalSince1970: Double(1_000_000 + random.number(below: 12)))
    }

    /// Puts the bags on record.
    func fill(_ container: PersistentContainer) throws {
        let context = container.makeContext()
        for bag in bags {
            let luggage = Luggage(context: context)
            luggage.identifier = bag.id
            luggage.weight = bag.weight
            luggage.departedAt = bag.departed
            luggage.arrivedAt = bag.arrived
            if let name = bag.owner {
                let passenger = Passenger(context: context)
                passenger.givenName = name.givenName
                passenger.familyName = name.familyName
                luggage.owner = passenger
            }
            for (number, place) in bag.scans.enumerated() {
                let scan = Scan(context: context)
                scan.luggage = luggage
                scan.point = .origin
                scan.station = place.station
                scan.scannedAt = place.time
                scan.imageName = "\(number).png"
                scan.imageDigest = "\(bag.id) \(number)"
                scan.payload = Data()
                scan.outcome = number == 0 ? .new : .updated
                scan.reason = ""
            }
        }
        try context.save()
    }

    /// Somebody, in one of the ways in which people ask for them.
    private mutating func asked() -> OwnerQuestion? {
        let name = owner()
        let (given, family) = (name.givenName, name.familyName)
        let texts = ["\(given)/\(family)", "\(family)/\(given)", family.lowercased(), family + "X"]
        return OwnerQuestion(texts[random.number(below: texts.count)])
    }

    /// A question with some of its conditions.
    mutating func question() -> LuggageQuestion {
        var question = LuggageQuestion()
        question.hasDeparted = random.number(below: 4) == 0
        question.hasArrived = random.number(below: 4) == 0
        question.isMissing = random.number(below: 4) == 0
        question.departedBefore = maybe(5) { _ in true } == nil ? time() : nil
        question.owner = maybe(4) { _ in true } == nil ? asked() : nil
        question.heavierThan = maybe(4) { _ in true } == nil ? weight() : nil
        question.station = maybe(4) { _ in true } == nil ? station() : nil
        if random.number(below: 3) == 0 {
            question.period = Period(since: maybe(3) { $0.time() }, until: maybe(3) { $0.time() })
        }
        question.key = LuggageQuestion.Key.allCases[random.number(below: 4)]
        question.isDescending = random.number(below: 2) == 0
        question.limit = maybe(2) { 1 + $0.random.number(below: 20) }
        return question
    }

    /// What the question asks for, by what it means.
    func answer(_ question: LuggageQuestion) -> [Bag] {
        let chosen = bags.filter { $0.fulfils(question) }
        let sign = question.isDescending
        let sorted = chosen.enumerated().sorted { a, b in
            func ordered<Value: Comparable>(_ x: Value?, _ y: Value?) -> Bool {
                guard x != y else { return a.offset < b.offset }
                guard let x else { return false }
                guard let y else { return true }
                return sign ? x > y : x < y
            }
            switch question.key {
            case .departed: return ordered(a.element.departed, b.element.departed)
            case .arrived: return ordered(a.element.arrived, b.element.arrived)
            case .weight: return ordered(a.element.weight, b.element.weight)
            case .id: return ordered(a.element.id.uuidString, b.element.id.uuidString)
            }
        }.map(\.element)
        return Array(sorted.prefix(question.limit ?? sorted.count))
    }
}

extension RandomBags.Bag {
    fileprivate func fulfils(_ question: LuggageQuestion) -> Bool {
        if question.hasDeparted && departed == nil { return false }
        if question.hasArrived && arrived == nil { return false }
        if question.isMissing && (departed == nil || arrived != nil) { return false }
        if let before = question.departedBefore {
            guard let departed, departed < before else { return false }
        }
        if let asked = question.owner, owner.map(asked.isAbout) != true { return false }
        if let pounds = question.heavierThan, weight.map({ $0 <= pounds }) ?? true { return false }
        func isIn(_ time: Date?) -> Bool {
            guard let time else { return false }
            return question.period.since.map { time >= $0 } ?? true
                && question.period.until.map { time < $0 } ?? true
        }
        if let station = question.station {
            return scans.contains { $0.station == station && isIn($0.time) }
        }
        if question.period.isUnbounded { return true }
        if question.hasArrived { return isIn(arrived) }
        if question.hasDeparted || question.isMissing { return isIn(departed) }
        return isIn(departed) || isIn(arrived)
    }
}
