internal import FoundationEssentials

/// One fact about a bag, with what the derivation of the bag uses.
struct BagFact: Hashable {
    /// The statement about the bag itself.
    enum Words: Hashable {
        /// The payload of a tag, byte for byte.
        case payload(Data)
        /// The values in a correction.
        case values(BagValues)
    }

    /// The identity of a sighting, which may be filed several times.
    enum Sighting: Hashable {
        /// The bag's tag in a picture, at a station.
        case picture(digest: String, station: String, point: Point)
        /// A sighting that was filed once, such as a typed tag.
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
    /// The sighting; nil if the fact is not one.
    var sighting: Sighting?
    var words: Words?
    /// The role that its point was given, if the point is not built in.
    ///
    /// It is not part of the identity of the sighting.
    var toldRole: Point.Role?
    /// The place of the station; it is not part of the identity either.
    var place: String?
    /// The payload of the tag, or one like it if a person typed the tag; empty if there is none.
    var payload = Data()

    /// Where the bag is to go, as the tag says; nil if it does not.
    var route: Route? { payload.isEmpty ? nil : TagContents(onRecord: payload)?.route }

    /// The role of the sighting's point; nil if the fact is not a sighting.
    var role: Point.Role? { sighting?.point.role(told: toldRole) }
}

/// The facts about one bag that count, in any order; and withdrawn sightings.
struct BagFacts {
    /// The scans of its tags.
    var told: [BagFact] = []
    /// The statements of imported files.
    var stated: [BagFact] = []
    /// What lists expect; they also state what they say of the bag itself.
    var expected: [Expectation] = []
    /// The edits by people.
    var corrections: [BagFact] = []
    /// The states in other records, which only fill what other facts leave open.
    var heard: [BagFact] = []
    /// The scans of its tags that were undone.
    var withdrawn: [BagFact] = []
    /// For how long, in seconds, nobody sees the bag under way, at the most; nil if no other bag ever has its
    /// identifier.
    var mostSilence: TimeInterval?

    /// Whether any fact keeps the bag on record.
    var isOnRecord: Bool { !(told.isEmpty && stated.isEmpty && heard.isEmpty) }

    /// Whether a sighting from another record is missing here.
    ///
    /// It is missing if no scan has its role, and nobody has undone a scan with its role and time.
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

/// The weight and owner of a bag, as far as something gives them.
struct BagValues: Hashable {
    /// The owner of a bag.
    enum Owner: Hashable, Comparable {
        case nobody
        case passenger(PassengerName)
    }

    /// The weight in pounds; nil if nothing gives one.
    var weight: Float?
    /// The owner; nil if nothing tells whether there is one.
    var owner: Owner?

    var isComplete: Bool { weight != nil && owner != nil }

    /// These values, with other values for those that are nil.
    func filled(by other: Self) -> Self {
        Self(weight: weight ?? other.weight, owner: owner ?? other.owner)
    }
}

extension BagFact: Comparable {
    /// Orders facts, in the same way in every record.
    ///
    /// The order is by time, station, role of the point (departing first), point, picture, the contents
    /// that no purge of names removes, and at last by the identifier, which is random.
    static func < (first: Self, second: Self) -> Bool {
        if first.time != second.time { return first.time < second.time }
        let orders = [
            order(first.station, second.station),
            (first.role?.rank ?? 0, second.role?.rank ?? 0),
            order(first.sighting?.point.rawValue ?? "", second.sighting?.point.rawValue ?? ""),
            order(first.sighting?.digest ?? "", second.sighting?.digest ?? ""),
        ]
        for (place, otherPlace) in orders where place != otherPlace { return place < otherPlace }
        // Only tags of one bag in one picture come this far.
        let payloads = order(first.words?.lasting ?? Data(), second.words?.lasting ?? Data())
        if payloads.0 != payloads.1 { return payloads.0 < payloads.1 }
        return first.identifier < second.identifier
    }

    /// Compares bytes: 0 for the lesser of the two and 1 for the other; 0 for both if they are equal.
    private static func order(_ first: String, _ second: String) -> (Int, Int) {
        order(Data(first.utf8), Data(second.utf8))
    }

    private static func order(_ first: Data, _ second: Data) -> (Int, Int) {
        first == second ? (0, 0) : first.lexicographicallyPrecedes(second) ? (0, 1) : (1, 0)
    }
}

extension Point.Role {
    /// The order of roles at the same time: bags depart, are under way, and arrive.
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
    /// The contents that no purge of names removes.
    fileprivate var lasting: Data? {
        guard case .payload(let payload) = self else { return nil }
        return PurgedPayload.of(Array(payload), outcome: .new)
    }
}

extension BagFact.Words {
    /// The values; none if the payload can no longer be decoded, or was purged.
    var values: BagValues {
        switch self {
        case .values(let values): return values
        case .payload(let payload):
            guard let contents = TagContents(onRecord: payload) else {
                return BagValues()
            }
            return BagValues(
                weight: contents.weight,
                owner: contents.owner.map { .passenger($0) }
            )
        }
    }
}
