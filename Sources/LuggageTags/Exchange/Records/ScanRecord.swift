internal import Foundation

/// One scan as files tell it.
struct ScanRecord: Hashable {
    /// The bag, where the tag was one.
    var bag: UUID?
    var point: Point
    /// What that point is, where it is not built in; it is of the place that has filed the scan.
    var role: Point.Role?
    var station: String
    var scannedAt: Date
    var imageName: String
    var imageDigest: String?
    var payload: Data
    var outcome: Outcome
    var reason: String
    /// Which of several equal scans it is, from 1: only pictures without a digest are kept twice.
    var copy = 1

    /// Takes down a scan.
    init(_ scan: Scan) {
        bag = scan.luggage?.identifier
        point = scan.point
        role = scan.point.roleToKeep(scan.role)
        station = scan.station
        scannedAt = scan.scannedAt
        imageName = scan.imageName
        imageDigest = scan.imageDigest
        payload = scan.payload
        outcome = scan.outcome
        reason = scan.reason
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
        bag = try container.decodeIfStated(Identifier.self, "bag")?.uuid
        point = try container.decodeStated(PointWord.self, "point").point
        let told = try container.decodeIfStated(Choice<Point.Role>.self, "role")?.value
        role = point.roleToKeep(told)
        station = try container.decodeStated(ExchangeText.self, "station").text
        scannedAt = try container.decodeStated(Moment.self, "scannedAt").date
        imageName = try text("imageName") ?? ""
        imageDigest = try text("imageDigest")
        payload = try container.decodePayload()
        outcome = try container.decodeStated(Choice<Outcome>.self, "outcome").value
        reason = try text("reason") ?? ""
        copy = max(1, try container.decodeIfStated(WholeNumber.self, "copy")?.value ?? 1)
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: FormKey.self)
        func write(_ value: (some Encodable)?, _ name: String) throws {
            try container.encodeIfPresent(value, forKey: FormKey(name))
        }
        try write(bag.map(Identifier.init), "bag")
        try write(PointWord(point), "point")
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
    }
}

/// The word of a point; one that is not known here may be known elsewhere.
private struct PointWord: Form {
    static let expectation =
        "a word of 1 to 32 small letters, digits and hyphens that begins with a letter"

    let point: Point

    init(_ point: Point) {
        self.point = point
    }

    init(from decoder: any Decoder) throws {
        guard let text = try decoder.attempt({ try String(from: decoder) }) else {
            throw decoder.noForm(of: Self.self)
        }
        guard let point = Point(rawValue: text) else {
            throw Refusal.expected(Self.expectation, found: "the text \(text.quoted)")
                .error(at: decoder.codingPath)
        }
        self.point = point
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(point.rawValue)
    }
}
