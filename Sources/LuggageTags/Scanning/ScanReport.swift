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
    public var problem: Problem?
    /// The bag, where one is on record now.
    public var luggage: LuggageReport?
    /// Where the bag is.
    public var point: Point
    /// The station that filed the picture.
    public var station: String
    /// When the bag was there.
    public var scannedAt: Date
    /// The SHA-256 of the picture's file, in hexadecimal.
    public var imageDigest: String
    /// Where in the picture the symbol is, as `[x, y]` in pixels from the top left.
    public var corners: [[Int]]?
    /// How long reading the picture took, in milliseconds.
    public var milliseconds: Double?

    /// What was wrong with a tag or a picture.
    public struct Problem: Sendable, Codable, Hashable {
        /// How far the way from picture to record was gone.
        public var stage: TagError.Stage
        /// The stable code of the reason.
        public var reason: String
        /// Where in the payload.
        public var path: [String]?
        /// What is wrong, for a person.
        public var message: String
    }

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
        problem = Problem(
            stage: error.stage,
            reason: error.reason,
            path: error.codingPath.isEmpty ? nil : error.codingPath,
            message: error.message
        )
    }

    private init(_ outcome: Outcome, _ picture: PictureScan, _ corners: [PixelPoint]) {
        image = picture.name
        self.outcome = outcome
        point = picture.point
        station = picture.station
        scannedAt = picture.date
        imageDigest = picture.digest
        self.corners = corners.isEmpty ? nil : corners.map { [$0.x, $0.y] }
        milliseconds = try? picture.reading.get().duration / .milliseconds(1)
    }
}

/// A bag on record, as reports give it.
public struct LuggageReport: Sendable, Codable, Hashable {
    /// The identifier.
    public var id: UUID
    /// The owner, where a tag has named one.
    public var owner: PassengerReport?
    /// The weight in pounds.
    public var weight: Float
    /// When the bag was last scanned where it departs.
    public var departedAt: Date?
    /// When the bag was last scanned where it arrives.
    public var arrivedAt: Date?

    /// Takes down what is on record about a bag.
    public init(_ luggage: Luggage) {
        id = luggage.identifier
        owner = luggage.owner.map(PassengerReport.init)
        weight = luggage.weight
        departedAt = luggage.departedAt
        arrivedAt = luggage.arrivedAt
    }
}

/// A passenger on record, as reports give it.
public struct PassengerReport: Sendable, Codable, Hashable {
    /// The initial of the given name.
    public var givenName: String
    /// The beginning of the family name.
    public var familyName: String

    /// Takes down what is on record about a passenger.
    public init(_ passenger: Passenger) {
        givenName = passenger.givenName
        familyName = passenger.familyName
    }

    /// Both names the way they are printed, as `D/ZMU`.
    public var name: String { "\(givenName)/\(familyName)" }
}
