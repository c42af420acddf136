public import FoundationEssentials
internal import TagReading

/// The result of filing one tag in a picture, or a picture without tags.
///
/// In JSON it is an object with stable keys; it leaves out keys without a value.
public struct ScanReport: Sendable, Codable {
    /// The name of the picture as it was given; for a payload from a hand scanner, what it is called here.
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
    /// The place of that station, if it has one.
    public var place: String?
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
    /// The places in the picture that look like a tag and could not be read, each with its corners like
    /// those of a symbol; left out if there are none.
    ///
    /// All reports of one picture have the same.
    public var unread: [[[Int]]]?
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
        place = picture.place
        scannedAt = picture.date
        implausibleTime = picture.implausibleDate
        imageDigest = picture.digest
        self.corners = corners.isEmpty ? nil : corners.map(\.pair)
        guard let reading = try? picture.reading.get() else { return }
        unread = reading.unreadCorners
        // Nothing was read from a picture if a hand scanner has sent the tag.
        if !picture.isReceived { milliseconds = reading.duration / .milliseconds(1) }
    }

    /// What a person must know of a misrouted bag; nil if it is not.
    package var misroutedRemark: String? {
        outcome == .misrouted ? luggage?.misroutedWords : nil
    }

    /// What a person must know of the places that could not be read, if a tag beside them was; nil if there
    /// are none, or if the error says it.
    package var unreadRemark: String? {
        guard let unread, outcome != .noCode else { return nil }
        return unread.count == 1
            ? "another place in the picture looks like a tag and could not be read; look at the bag"
            : "other places in the picture look like tags and could not be read; look at the bags"
    }
}

/// An error in a tag or a picture, as reports show it.
public struct Problem: Sendable, Codable, Hashable {
    /// The stage, from picture to record, at which the error occurred.
    public var stage: TagError.Stage
    /// The stable error code.
    public var reason: String
    /// The place in the payload, from the outside in; left out for the payload as a whole.
    public var path: [String]?
    /// The error as a text for a person.
    public var message: String
    /// The value that should be there; left out if there is not just one.
    public var expected: String?
    /// The value that is there instead; left out if there is none or it does not matter.
    public var found: String?

    /// Makes the report about an error.
    public init(_ error: TagError) {
        stage = error.stage
        reason = error.code.description
        path = error.codingPath.isEmpty ? nil : error.codingPath
        message = error.message
        expected = error.expected
        found = error.found
    }
}
