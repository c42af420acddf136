internal import Foundation

/// One fact about a bag that stands, as far as the bag is derived from it.
struct BagFact: Hashable {
    /// What it says about the bag itself.
    enum Words: Hashable {
        /// What a tag says, byte for byte.
        case payload(Data)
        /// What somebody says.
        case values(BagValues)
    }

    /// What tells one sighting from another, however often it is filed.
    enum Sighting: Hashable {
        /// The tag of the bag in a picture, at a station.
        case picture(digest: String, station: String, point: Point)
        /// What was filed once, as a tag that somebody has typed.
        case single(UUID, point: Point)

        var point: Point {
            switch self {
            case .picture(_, _, let point), .single(_, let point): point
            }
        }
    }

    var time: Date
    var station: String
    var identifier: UUID
    /// Where the bag was seen; nil where nobody has seen it.
    var sighting: Sighting?
    var words: Words?
    /// The role that its point was given, where that is not built in.
    ///
    /// It comes with the fact, and does not make another sighting of it.
    var toldRole: Point.Role?

    /// What being seen there says about the journey; nil where nobody has seen the bag.
    var role: Point.Role? { sighting?.point.role(told: toldRole) }
}

/// The facts about one bag that stand, in any order.
struct BagFacts {
    /// What tags say.
    var told: [BagFact] = []
    /// What files say that were imported.
    var stated: [BagFact] = []
    /// What somebody has corrected.
    var corrections: [BagFact] = []
    /// What the bag has come to elsewhere: it fills what the others do not tell.
    var heard: [BagFact] = []
    /// What tags say that was taken back.
    var withdrawn: [BagFact] = []

    /// Whether something is said by which the bag is on record.
    var isOnRecord: Bool { !(told.isEmpty && stated.isEmpty && heard.isEmpty) }

    /// Whether the bag was seen as is heard, as far as is known: nothing else tells where it was, and it
    /// is not what somebody has taken back.
    func lacks(_ heard: BagFact) -> Bool {
        guard let role = heard.role else { return false }
        return !told.contains { $0.role == role }
            && !withdrawn.contains { $0.role == role && $0.time == heard.time }
    }

    /// The time of the last tag or sighting.
    var lastTime: Date? {
        [told.map(\.time).max(), (stated + heard).filter { $0.sighting != nil }.map(\.time).max()]
            .compactMap(\.self).max()
    }
}

/// What is said about a bag's weight and owner.
struct BagValues: Hashable {
    /// Whose a bag is said to be.
    enum Owner: Hashable, Comparable {
        case nobody
        case passenger(PassengerName)
    }

    /// The weight in pounds, where anybody has told one.
    var weight: Float?
    /// The owner, where anybody has said something about that.
    var owner: Owner?

    var isComplete: Bool { weight != nil && owner != nil }

    /// The same, and what else is said where this says nothing.
    func filled(by other: Self) -> Self {
        Self(weight: weight ?? other.weight, owner: owner ?? other.owner)
    }
}

extension BagFact: Comparable {
    /// Whether a fact comes before another one: by time, then by station, by the role of the point, where
    /// bags depart first, by its word, by picture and by what it says but for names, which may be purged;
    /// at last by identifier, which is random.
    static func < (first: Self, second: Self) -> Bool {
        if first.time != second.time { return first.time < second.time }
        let orders = [
            order(first.station, second.station),
            (first.role?.rank ?? 0, second.role?.rank ?? 0),
            order(first.sighting?.point.rawValue ?? "", second.sighting?.point.rawValue ?? ""),
            order(first.sighting?.digest ?? "", second.sighting?.digest ?? ""),
        ]
        for (place, otherPlace) in orders where place != otherPlace { return place < otherPlace }
        // Few come so far: the tags of one picture that are of one bag.
        let payloads = order(first.words?.lasting ?? Data(), second.words?.lasting ?? Data())
        if payloads.0 != payloads.1 { return payloads.0 < payloads.1 }
        return first.identifier < second.identifier
    }

    /// 0 for the one of two that comes first, byte by byte, and 1 for the other; 0 for both where they
    /// are the same.
    private static func order(_ first: String, _ second: String) -> (Int, Int) {
        order(Data(first.utf8), Data(second.utf8))
    }

    private static func order(_ first: Data, _ second: Data) -> (Int, Int) {
        first == second ? (0, 0) : first.lexicographicallyPrecedes(second) ? (0, 1) : (1, 0)
    }
}

extension Point.Role {
    /// Bags depart before they are under way, and arrive then.
    fileprivate var rank: Int {
        switch self {
        case .departing: 1
        case .underWay: 2
        case .arriving: 3
        }
    }
}

extension BagFact.Sighting {
    fileprivate var digest: String? {
        if case .picture(let digest, _, _) = self { digest } else { nil }
    }
}

extension BagFact.Words {
    /// What no purge of names takes away.
    fileprivate var lasting: Data? {
        guard case .payload(let payload) = self else { return nil }
        return PurgedPayload.of(Array(payload), outcome: .new)
    }
}

extension BagFact.Words {
    /// What is said; nothing where a payload cannot be decoded any more, or somebody has purged it.
    var values: BagValues {
        switch self {
        case .values(let values): return values
        case .payload(let payload):
            guard let contents = try? TagDecoder().contents(of: Array(payload)) else {
                return BagValues()
            }
            return BagValues(
                weight: contents.weight,
                owner: contents.owner.map { .passenger($0) }
            )
        }
    }
}
