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
}

/// The facts about one bag that stand, in any order.
struct BagFacts {
    /// What tags say.
    var told: [BagFact] = []
    /// What files say that were imported.
    var stated: [BagFact] = []
    /// What somebody has corrected.
    var corrections: [BagFact] = []
    /// What the bag had come to elsewhere, or before its facts were kept: it fills what they do not
    /// tell.
    var heard: [BagFact] = []
    /// The points at which the bag was ever seen, also by what was taken back.
    var pointsSeen: Set<Point> = []

    /// Whether something is said by which the bag is on record.
    var isOnRecord: Bool { !(told.isEmpty && stated.isEmpty && heard.isEmpty) }

    /// The time of the last tag or sighting.
    var lastTime: Date? {
        [told.map(\.time).max(), (stated + heard).filter { $0.sighting != nil }.map(\.time).max()]
            .compactMap(\.self).max()
    }
}

/// What is said about a bag's weight and owner.
struct BagValues: Hashable {
    /// Whose a bag is said to be.
    enum Owner: Hashable {
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
    /// Whether a fact comes before another one: by time, then by station, then by picture and what it
    /// says, then by identifier, which is random.
    static func < (first: Self, second: Self) -> Bool {
        if first.time != second.time { return first.time < second.time }
        if !first.station.utf8.elementsEqual(second.station.utf8) {
            return first.station.utf8.lexicographicallyPrecedes(second.station.utf8)
        }
        if case .picture(let one, _, _) = first.sighting,
            case .picture(let other, _, _) = second.sighting, one != other
        {
            return one < other
        }
        if case .payload(let one) = first.words, case .payload(let other) = second.words,
            one != other
        {
            return one.lexicographicallyPrecedes(other)
        }
        return first.identifier < second.identifier
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
