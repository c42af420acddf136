internal import FoundationEssentials
internal import SystemSupport

/// A correction, as files have it.
///
/// It leaves out what a bag was before or became by it, because every reader can derive that.
struct FactRecord: Hashable {
    /// Its own identifier.
    var identifier: UUID
    /// The kind; a newer version of the program may have added the word.
    var kind: Correction.Kind
    /// The identifier of the bag; if it is about none, of the fact itself or of the undone fact.
    var subject: UUID
    var author: String
    var reason: String
    var madeAt: Date
    /// When it became known in the record where it was made; this orders facts.
    var knownAt: Date?
    var weight: Float?
    var owner: PassengerName?
    var hasNoOwner: Bool
    var departedAt: Date?
    var arrivedAt: Date?
    /// The fact that this one withdraws.
    var withdrawn: UUID?
    /// The moment before which facts are forgotten.
    var until: Date?
    var imageDigest: String?
    var imageName: String?
    var station: String?
    var point: Point?
    /// What the alarm tells that a person took note of.
    var alarm: Alarm.Kind?
    /// If a list expects the bag: the time by which, the place, and the trip; of a note, those of the alarm.
    var due: Date?
    var place: String?
    var route: Route?
    var others: UnknownMembers?

    /// Copies a correction on record.
    init(_ correction: Correction) throws {
        identifier = correction.factIdentifier
        kind = correction.kind
        subject = correction.identifier
        author = correction.author
        reason = correction.reason
        madeAt = correction.madeAt
        knownAt = correction.knownAt
        // These kinds note values before and after a change; all other kinds state values.
        let says = ![.undo, .redo, .withdrawal].contains(correction.kind)
        weight = says ? correction.weight : nil
        owner = says ? correction.owner : nil
        hasNoOwner = says && correction.hasNoOwner
        departedAt = correction.departedAt
        arrivedAt = correction.arrivedAt
        withdrawn = correction.withdrawn
        until = correction.until
        imageDigest = correction.imageDigest
        imageName = correction.imageName
        station = correction.station?.composed
        point = correction.point
        alarm = correction.alarm
        due = correction.dueAt
        place = correction.place
        route = correction.route
        others = try correction.others.map { try UnknownMembers(stored: $0) }
    }

    /// The failed scan that it withdraws; nil if it withdraws none.
    var withdrawnFailure: UUID? { withdrawn == subject ? withdrawn : nil }

    /// Copies it into a correction to keep on record.
    func fill(_ correction: Correction) throws {
        correction.fact = identifier
        correction.kind = kind
        correction.identifier = subject
        correction.author = author
        correction.reason = reason
        correction.madeAt = madeAt
        correction.knownAt = knownAt
        correction.weight = weight
        correction.owner = owner
        correction.hasNoOwner = hasNoOwner
        correction.departedAt = departedAt
        correction.arrivedAt = arrivedAt
        correction.withdrawn = withdrawn
        correction.until = until
        correction.imageDigest = imageDigest
        correction.imageName = imageName
        correction.station = station
        correction.point = point
        correction.alarm = alarm
        correction.dueAt = due
        correction.place = place
        correction.route = route
        correction.others = try others?.stored
    }
}

extension FactRecord: Codable {
    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: FormKey.self)
        func text(_ name: String) throws -> String? {
            try container.decodeIfStated(ExchangeText.self, name)?.text
        }
        func time(_ name: String) throws -> Date? {
            try container.decodeIfStated(Moment.self, name)?.date.ofFacts
        }
        func fact(_ name: String) throws -> UUID? {
            try container.decodeIfStated(Identifier.self, name)?.uuid
        }
        identifier = try container.decodeStated(Identifier.self, "id").uuid
        kind = .init(rawValue: try container.decodeStated(ExchangeText.self, "kind").text)
        subject = try container.decodeStated(Identifier.self, "subject").uuid
        author = try text("author") ?? ""
        reason = try text("reason") ?? ""
        madeAt = try container.decodeStated(Moment.self, "madeAt").date.ofFacts
        knownAt = try time("knownAt")
        weight = try container.decodeIfStated(Weight.self, "weight")?.pounds
        owner = try container.decodeIfStated(PassengerName.self, "owner")
        hasNoOwner = try container.decodeIfStated(Bool.self, "noOwner") ?? false
        departedAt = try time("departedAt")
        arrivedAt = try time("arrivedAt")
        withdrawn = try fact("withdraws")
        until = try time("until")
        imageDigest = try text("imageDigest")
        imageName = try text("imageName")
        station = try text("station")?.composed
        point = try container.decodeIfStated(Choice<Point>.self, "point")?.value
        alarm = try text("alarm").map(Alarm.Kind.init)
        due = try time("due")
        place = try container.decodeIfStated(RouteName.self, "place")?.text
        // What an unknown kind of fact says by these names, only a newer version of the program knows.
        route = try container.decodeRoute(isOnRecord: true)
        others = try UnknownMembers(in: container, besides: Self.members)
    }

    /// The names of the known members.
    private static let members: Set<String> = [
        "record", "id", "kind", "subject", "author", "reason", "madeAt", "knownAt", "weight",
        "owner",
        "noOwner", "departedAt", "arrivedAt", "withdraws", "until", "imageDigest",
        "imageName", "station", "point", "version", "due", "place", "from", "to", "trip", "date",
        "alarm",
    ]

    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: FormKey.self)
        func write(_ value: (some Encodable)?, _ name: String) throws {
            try container.encodeIfPresent(value, forKey: FormKey(name))
        }
        func write(text: String?, _ name: String) throws {
            try write(text.flatMap { $0.isEmpty ? nil : ExchangeText($0) }, name)
        }
        func write(time: Date?, _ name: String) throws {
            try write(time.map(Moment.init), name)
        }
        func write(fact: UUID?, _ name: String) throws {
            try write(fact.map(Identifier.init), name)
        }
        try write(fact: identifier, "id")
        try write(text: kind.rawValue, "kind")
        try write(fact: subject, "subject")
        try write(text: author, "author")
        try write(text: reason, "reason")
        try write(time: madeAt, "madeAt")
        try write(time: knownAt, "knownAt")
        try write(weight.map { Weight(pounds: $0) }, "weight")
        try write(owner, "owner")
        try write(hasNoOwner ? true : nil, "noOwner")
        try write(time: departedAt, "departedAt")
        try write(time: arrivedAt, "arrivedAt")
        try write(fact: withdrawn, "withdraws")
        try write(time: until, "until")
        try write(text: imageDigest, "imageDigest")
        try write(text: imageName, "imageName")
        try write(text: station, "station")
        try write(point.map(Choice.init), "point")
        try write(text: alarm?.rawValue, "alarm")
        try write(time: due, "due")
        try write(place.map(RouteName.init), "place")
        try container.encode(route)
        try others?.encode(into: &container, for: encoder)
    }
}
