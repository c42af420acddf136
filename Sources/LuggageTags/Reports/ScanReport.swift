public import Foundation
internal import TagReading

/// The result of filing one tag in a picture, or a picture without tags.
///
/// In JSON it is an object with stable keys; it leaves out keys without a value.
public struct ScanReport: Sendable, Codable {
    /// The name of the picture as it was given.
    public var image: String
    /// The outcome of the scan.
    public var outcome: Outcome
    /// The error, if there was one.
    public var error: Problem?
    /// The bag, if one is on record now.
    public var luggage: LuggageReport?
    /// The point at which the bag is.
    public var point: Point
    /// The role of the point if the point is not built in.
    public var role: Point.Role?
    /// The station that filed the picture.
    public var station: String
    /// The time at which the bag was there.
    public var scannedAt: Date
    /// The time of the picture's file, if it is too early to be true.
    ///
    /// A camera whose clock was never set gives such a time. It was not used: the bag counts as seen when
    /// the picture was filed.
    public var implausibleTime: Date?
    /// The SHA-256 of the picture's file, in hexadecimal; left out if the file was not read to its end.
    public var imageDigest: String?
    /// The corners of the symbol in the picture, as `[x, y]` in pixels from the top left.
    public var corners: [[Int]]?
    /// How long reading the picture took, in milliseconds.
    public var milliseconds: Double?

    init(
        _ outcome: Outcome,
        _ luggage: Luggage,
        _ picture: ReadPicture,
        corners: [PixelPoint]
    ) {
        self.init(outcome, picture, corners)
        self.luggage = LuggageReport(luggage)
    }

    init(_ error: TagError, _ picture: ReadPicture, corners: [PixelPoint] = []) {
        self.init(error.outcome, picture, corners)
        self.error = Problem(error)
    }

    private init(_ outcome: Outcome, _ picture: ReadPicture, _ corners: [PixelPoint]) {
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
