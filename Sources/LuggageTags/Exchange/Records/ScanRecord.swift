internal import Foundation
internal import MessagePack

/// One scan as files tell it.
struct ScanRecord: Hashable {
    /// Its own identifier; nil in files of version 1.
    var identifier: UUID?
    /// The bag, where the tag was one.
    var bag: UUID?
    var point: Point
    /// What that point is, where it is not built in; it is of the place that has filed the scan.
    var role: Point.Role?
    /// The name of the station, in its composed form.
    let station: String
    var scannedAt: Date
    var imageName: String
    var imageDigest: String?
    var payload: Data
    var outcome: Outcome
    var reason: String
    /// Which of several equal scans it is, from 1: only pictures without a digest are kept twice.
    var copy = 1
    /// When it was filed where it was filed first.
    var filedAt: Date?
    /// Who has filed it; nil where a service has.
    var author: String?
    /// What a newer version of the program says besides.
    var others: UnknownMembers?

    /// Takes down a scan as files of version 1 tell it.
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

    /// Takes down a scan with all that is known of it.
    init(whole scan: Scan) throws {
        self.init(scan)
        identifier = scan.factIdentifier
        bag = scan.bagTold
        filedAt = scan.filedAt
        author = scan.author
        others = try scan.others.map { try UnknownMembers(stored: $0) }
    }

    /// What no two scans with a digest have in common.
    var key: Key {
        Key(
            digest: imageDigest,
            station: station,
            point: point,
            payload: payload,
            reason: reason
        )
    }

    /// What no two scans with a digest have in common.
    struct Key: Hashable {
        var digest: String?
        var station: String
        var point: Point
        var payload: Data
        var reason: String
    }
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
        filedAt = try container.decodeIfStated(Moment.self, "filedAt")?.date
        author = try text("author")
        others = try UnknownMembers(in: container, besides: Self.members)
    }

    /// As many equal scans are told apart.
    private static let mostCopies = 10_000

    /// The names of the members that are known.
    private static let members: Set<String> = [
        "record", "id", "bag", "point", "role", "station", "scannedAt", "imageName", "imageDigest",
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
