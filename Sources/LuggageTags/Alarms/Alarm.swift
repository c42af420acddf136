public import FoundationEssentials
public import ObjectStore
internal import SystemSupport

/// Something on record that somebody should look at: a bag is at the wrong place, or late; a trip has closed
/// without all its bags; a station reads badly, or not at all.
///
/// It follows from the facts and the present moment, and is nowhere on record itself. It is open as long as
/// the facts say so, and for ``AlarmBounds/memory`` at most.
public struct Alarm: Hashable, Sendable {
    /// What is wrong, as an open word.
    public struct Kind: RawRepresentable, Hashable, Codable, Sendable, AttributeType {
        /// The stable word.
        public let rawValue: String

        /// Makes a kind from a word.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// A bag was last seen departing or arriving where it should not.
        public static let misrouted = Kind(rawValue: "misrouted")
        /// A bag departed long ago and has not arrived.
        public static let overdue = Kind(rawValue: "overdue")
        /// The time of a list is over, and some of its bags have not passed.
        public static let incomplete = Kind(rawValue: "incomplete")
        /// A station has read too few of its tags in the last full hour.
        public static let readRate = Kind(rawValue: "read-rate")
        /// A station has scanned nothing for a long time.
        public static let silence = Kind(rawValue: "silence")

        /// The kinds that this version knows.
        public static let all: [Kind] = [.misrouted, .overdue, .incomplete, .readRate, .silence]

        /// The kind of a correction without one.
        public static var absent: Kind { Kind(rawValue: "") }
    }

    /// What tells an alarm from all others, in every record.
    public struct Key: Hashable, Sendable {
        /// What is wrong.
        public var kind: Kind
        /// The bag; nil if it is about a trip or a station.
        public var bag: UUID?
        /// The station that reads badly or not at all.
        public var station: String?
        /// The point that bags have not passed.
        public var point: Point?
        /// The place of that point.
        public var place: String?
        /// The trip of these bags; nil if their list names none.
        public var trip: String?
        /// The day of the trip.
        public var date: String?
        /// The time of the fact that made it: a departure, a sighting, the end of a list, the first hour of
        /// bad reading, or a last scan.
        ///
        /// The same again at another time is another alarm.
        public var occasion: Date

        init(_ kind: Kind, bag: UUID? = nil, station: String? = nil, occasion: Date) {
            (self.kind, self.bag, self.station) = (kind, bag, station)
            self.occasion = occasion.ofFacts
        }

        /// The identifier by which people and programs name it; the same in every record.
        public var id: UUID {
            .fact(telling: [
                "alarm", kind.rawValue, bag?.uuidString ?? "", station?.composed ?? "",
                point?.rawValue ?? "", place?.nameKey ?? "", trip?.nameKey ?? "", date ?? "",
                occasion.reportText,
            ])
        }
    }

    /// Who has taken note of it, when and why.
    public struct Note: Hashable, Sendable, Encodable {
        /// The person.
        public var author: String
        /// The reason; nil if it was purged.
        public var reason: String?
        /// The time.
        public var madeAt: Date
    }

    /// What tells it from others.
    public var key: Key
    /// Since when it is one.
    public var since: Date
    /// The bag; nil if it is about a trip or a station.
    public var bag: LuggageReport?
    /// How many of how many: bags that have not passed of those on the list, or tags that were read of those
    /// scanned in the last full hour.
    public var count: Int?
    /// The whole of ``count``.
    public var whole: Int?
    /// Who has taken note of it; nil if nobody has.
    public var note: Note?

    init(_ key: Key, since: Date, bag: LuggageReport? = nil) {
        (self.key, self.since, self.bag) = (key, since, bag)
    }

    /// What is wrong.
    public var kind: Kind { key.kind }
    /// The identifier by which people and programs name it.
    public var id: UUID { key.id }
}

extension Alarm: Encodable {
    private enum Member: CodingKey {
        case id, kind, since, message, bag, station, point, place, trip, date, count, whole, note
    }

    /// Encodes an object with stable keys, without those that have no value.
    public func encode(to encoder: any Encoder) throws {
        var members = encoder.container(keyedBy: Member.self)
        try members.encode(id, forKey: .id)
        try members.encode(kind, forKey: .kind)
        try members.encode(since, forKey: .since)
        try members.encode(words(), forKey: .message)
        try members.encodeIfPresent(bag, forKey: .bag)
        try members.encodeIfPresent(key.station, forKey: .station)
        try members.encodeIfPresent(key.point, forKey: .point)
        try members.encodeIfPresent(key.place, forKey: .place)
        try members.encodeIfPresent(key.trip, forKey: .trip)
        try members.encodeIfPresent(key.date, forKey: .date)
        try members.encodeIfPresent(count, forKey: .count)
        try members.encodeIfPresent(whole, forKey: .whole)
        try members.encodeIfPresent(note, forKey: .note)
    }
}
