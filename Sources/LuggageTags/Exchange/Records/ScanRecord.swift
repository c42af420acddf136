internal import FoundationEssentials
internal import SystemSupport

/// One scan, as files have it.
struct ScanRecord: Hashable {
    /// Its own identifier; nil in files of version 1.
    var identifier: UUID?
    /// The bag, if the tag was read.
    var bag: UUID?
    var point: Point
    /// The role of the point if it is not built in, as the station that filed the scan has it.
    var role: Point.Role?
    /// The name of the station, in composed form.
    let station: String
    /// The place of the station.
    var place: String?
    var scannedAt: Date
    var imageName: String
    var imageDigest: String?
    var payload: Data
    var outcome: Outcome
    var reason: String
    /// The number among equal scans, from 1; only scans without a digest can be equal.
    var copy = 1
    /// When it was filed for the first time, in the record where that was.
    var filedAt: Date?
    /// The person who filed it; nil if a service did.
    var author: String?
    /// Members that a newer version of the program has written.
    var others: UnknownMembers?

    /// Copies a scan as in files of version 1.
    init(_ scan: Scan) {
        bag = scan.luggage?.identifier
        point = scan.point
        role = scan.point.roleToKeep(scan.role)
        station = scan.station.composed
        scannedAt = scan.scannedAt
        imageName = scan.imageName
        imageDigest = scan.imageDigest
        payload = scan.payload
        outcome = scan.outcome
        reason = scan.reason
    }

    /// Copies a scan with all that is known about it.
    init(whole scan: Scan) throws {
        self.init(scan)
        identifier = scan.factIdentifier
        bag = scan.bagTold
        place = scan.place
        filedAt = scan.filedAt
        author = scan.author
        others = try scan.others.map { try UnknownMembers(stored: $0) }
    }

    /// The key of the scan, which is unique among scans with a digest.
    var key: Key {
        Key(
            digest: imageDigest,
            station: station,
            point: point,
            payload: payload,
            reason: reason
        )
    }

    /// The key of a scan, which is unique among scans with a digest.
    struct Key: Hashable {
        var digest: String?
        var station: String
        var point: Point
        var payload: Data
        var reason: String
    }
}

extension ScanRecord {
    /// Reads a scan with an identifier from a line of JSON that is plain; nil if a decoder must read it.
    init?(plain line: [UInt8]) {
        guard let members = PlainJSON.members(of: line) else { return nil }
        var texts: [String: String] = [:]
        texts.reserveCapacity(members.count)
        for (name, value) in members {
            guard case .text(let text) = value, Self.plainMembers.contains(name),
                name == "payload" || ExchangeText.isAllowed(text)
            else { return nil }
            texts[name] = text
        }
        func value<Value>(_ name: String, _ read: (String) -> Value?) -> Value?? {
            guard let text = texts[name] else { return .some(nil) }
            return read(text).map { .some($0) }
        }
        guard texts["record"] == RecordKind.scan.rawValue,
            let identifier = texts["id"].flatMap({ UUID(strictly: $0) }),
            let bag = value("bag", { UUID(strictly: $0) }),
            let point = texts["point"].flatMap({ Point(rawValue: $0) }),
            let told = value("role", { Point.Role(rawValue: $0) }),
            let station = texts["station"],
            let scannedAt = texts["scannedAt"].flatMap({ Moment(text: $0)?.date }),
            let place = value("place", { $0.isRouteName ? $0.composed : nil }),
            let filedAt = value("filedAt", { Moment(text: $0)?.date }),
            let outcome = texts["outcome"].flatMap({ Outcome(rawValue: $0) }),
            let payload = value("payload", { $0.utf8.count <= PayloadBytes.longest ? $0 : nil })
        else { return nil }
        self.identifier = identifier
        self.bag = bag
        self.point = point
        role = point.roleToKeep(told)
        self.station = station.composed
        self.place = place
        self.scannedAt = scannedAt
        self.filedAt = filedAt
        imageName = texts["imageName"] ?? ""
        imageDigest = texts["imageDigest"]
        self.payload = payload.map { Data($0.utf8) } ?? Data()
        self.outcome = outcome
        reason = texts["reason"] ?? ""
        author = texts["author"]
    }

    /// The names of the members that plain lines may have.
    private static let plainMembers = members.subtracting(["base64", "copy", "version"])
}

extension ScanRecord: Codable {
    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: FormKey.self)
        func text(_ name: String) throws -> String? {
            try container.decodeIfStated(ExchangeText.self, name)?.text
        }
        identifier = try container.decodeIfStated(Identifier.self, "id")?.uuid
        bag = try container.decodeIfStated(Identifier.self, "bag")?.uuid
        point = try container.decodeStated(Choice<Point>.self, "point").value
        let told = try container.decodeIfStated(Choice<Point.Role>.self, "role")?.value
        role = point.roleToKeep(told)
        station = try container.decodeStated(ExchangeText.self, "station").text.composed
        scannedAt = try container.decodeStated(Moment.self, "scannedAt").date
        imageName = try text("imageName") ?? ""
        imageDigest = try text("imageDigest")
        payload = try container.decodePayload()
        outcome = try container.decodeStated(Choice<Outcome>.self, "outcome").value
        reason = try text("reason") ?? ""
        copy = max(1, try container.decodeIfStated(WholeNumber.self, "copy")?.value ?? 1)
        if copy > Self.mostCopies {
            throw Refusal(.outOfRange, "expected at most \(Self.mostCopies), found \(copy)")
                .error(at: container.codingPath + [FormKey("copy")])
        }
        if identifier == nil { return }
        place = try container.decodeIfStated(RouteName.self, "place")?.text
        if place == nil {
            place = try UnknownMembers.text("place", in: container).flatMap {
                $0.isRouteName ? $0.composed : nil
            }
        }
        filedAt = try container.decodeIfStated(Moment.self, "filedAt")?.date
        author = try text("author")
        others = try UnknownMembers(in: container, besides: Self.members)
    }

    /// The greatest number of equal scans.
    private static let mostCopies = 10_000

    /// The names of the known members.
    fileprivate static let members: Set<String> = [
        "record", "id", "bag", "point", "role", "station", "place", "scannedAt", "imageName",
        "imageDigest",
        "payload",
        "base64", "outcome", "reason", "copy", "filedAt", "author", "version",
    ]

    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: FormKey.self)
        func write(_ value: (some Encodable)?, _ name: String) throws {
            try container.encodeIfPresent(value, forKey: FormKey(name))
        }
        try write(identifier.map(Identifier.init), "id")
        try write(bag.map(Identifier.init), "bag")
        try write(Choice(point), "point")
        try write(role.map(Choice.init), "role")
        try write(ExchangeText(station), "station")
        try write(place.map(RouteName.init), "place")
        try write(Moment(scannedAt), "scannedAt")
        try write(ExchangeText(imageName), "imageName")
        try write(imageDigest.map(ExchangeText.init), "imageDigest")
        try container.encodePayload(
            payload,
            isNative: encoder.userInfo[.hasNativeData] != nil
        )
        try write(Choice(outcome), "outcome")
        try write(reason.isEmpty ? nil : ExchangeText(reason), "reason")
        try write(copy == 1 ? nil : WholeNumber(copy), "copy")
        try write(filedAt.map(Moment.init), "filedAt")
        try write(author.map(ExchangeText.init), "author")
        try others?.encode(into: &container, for: encoder)
    }
}
