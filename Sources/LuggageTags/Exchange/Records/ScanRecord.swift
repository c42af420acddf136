internal import Foundation

/// One scan as files tell it.
struct ScanRecord: Hashable {
    /// The bag, where the tag was one.
    var bag: UUID?
    var point: Point
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

    /// Takes down a scan.
    init(_ scan: Scan) {
        bag = scan.luggage?.identifier
        point = scan.point
        station = scan.station.composed
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
        point = try container.decodeStated(Choice<Point>.self, "point").value
        station = try container.decodeStated(ExchangeText.self, "station").text.composed
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
        try write(Choice(point), "point")
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
