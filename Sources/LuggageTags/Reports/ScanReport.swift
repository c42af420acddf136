public import Foundation
internal import TagReading

/// What came of one tag in a picture, or of a picture that gave none.
///
/// As JSON it is an object with stable keys; those without a value are left out.
public struct ScanReport: Sendable, Codable {
    /// The name of the picture as it was given.
    public var image: String
    /// What came of it.
    public var outcome: Outcome
    /// What was wrong, where something was.
    public var error: Problem?
    /// The bag, where one is on record now.
    public var luggage: LuggageReport?
    /// Where the bag is.
    public var point: Point
    /// What that point is, where it is not built in.
    public var role: Point.Role?
    /// The station that filed the picture.
    public var station: String
    /// When the bag was there.
    public var scannedAt: Date
    /// The time that the picture's file has, where that is before any bag was anywhere, as of a camera
    /// whose clock was never set: it was not taken, and the bag counts as seen when it was filed.
    public var implausibleTime: Date?
    /// The SHA-256 of the picture's file, in hexadecimal; left out where it was not read to its end.
    public var imageDigest: String?
    /// Where in the picture the symbol is, as `[x, y]` in pixels from the top left.
    public var corners: [[Int]]?
    /// How long reading the picture took, in milliseconds.
    public var milliseconds: Double?

    init(
        _ outcome: Outcome,
        _ luggage: Luggage,
        _ picture: PictureScan,
        corners: [PixelPoint]
    ) {
        self.init(outcome, picture, corners)
        self.luggage = LuggageReport(luggage)
    }

    init(_ error: TagError, _ picture: PictureScan, corners: [PixelPoint] = []) {
        self.init(error.outcome, picture, corners)
        self.error = Problem(error)
    }

    private init(_ outcome: Outcome, _ picture: PictureScan, _ corners: [PixelPoint]) {
        image = picture.name
        self.outcome = outcome
        point = picture.point
        role = picture.point.roleToKeep(picture.role)
        station = picture.station
        scannedAt = picture.date
        implausibleTime = picture.implausibleDate
        imageDigest = picture.digest
        self.corners = corners.isEmpty ? nil : corners.map { [$0.x, $0.y] }
        milliseconds = try? picture.reading.get().duration / .milliseconds(1)
    }
}
