public import Foundation
public import ObjectStore

/// A bag with its chain of custody: its journeys, every scan, what its tags said other than the record
/// does, and what was corrected by hand.
///
/// As JSON it is an object with stable keys; those without a value are left out.
public struct CustodyReport: Sendable, Encodable {
    /// The bag.
    public var luggage: LuggageReport
    /// Its journeys, the last one last.
    public var journeys: [Journey]
    /// Its scans, the first one first.
    public var scans: [HistoryEntry]
    /// What was corrected, and taken back, by hand, the first one first.
    public var corrections: [CorrectionReport]

    /// Takes down a bag with all that is known of it.
    ///
    /// - Parameters:
    ///   - luggage: The bag.
    ///   - context: Where it is.
    /// - Throws: `StoreError`.
    public init(_ luggage: Luggage, in context: ManagedObjectContext) throws {
        let recorded = try RecordedFacts(of: luggage, in: context)
        self.luggage = LuggageReport(luggage)
        journeys = DerivedBag(recorded.facts).journeys
        scans = recorded.scans.sorted { ($0.scannedAt, $0.objectID) < ($1.scannedAt, $1.objectID) }
            .map { HistoryEntry($0, of: luggage) }
        self.corrections =
            recorded.corrections.filter(\.kind.isOfPeople)
            .sorted { ($0.madeAt, $0.objectID) < ($1.madeAt, $1.objectID) }
            .map(CorrectionReport.init)
    }
}

/// A scan on record, as reports give it.
public struct HistoryEntry: Sendable, Encodable {
    /// What a tag says other than the record does: the record has the last word of all tags.
    public struct Contradiction: Sendable, Encodable {
        /// The owner that the tag names, where that is another one.
        public var owner: PassengerReport?
        /// The weight in pounds that the tag names, where that is another one by more than rounding.
        public var weight: Float?
    }

    /// What somebody has done about a scan that failed.
    public struct Closing: Sendable, Encodable {
        /// Whether its tag was typed, or the picture dismissed.
        public var kind: Correction.Kind
        /// Who did it.
        public var author: String
        /// Why, where that is on record.
        public var reason: String?
        /// When.
        public var madeAt: Date
        /// The bag whose tag was typed.
        public var bag: UUID?

        init(_ correction: Correction) {
            kind = correction.kind
            author = correction.author
            reason = correction.reason.isEmpty ? nil : correction.reason
            madeAt = correction.madeAt
            bag = correction.kind == .file ? correction.identifier : nil
        }
    }

    /// The bag's identifier, where the tag was one.
    public var bag: UUID?
    /// When the bag was there.
    public var scannedAt: Date
    /// Where on its way the bag was.
    public var point: Point
    /// What that point is, where it is not built in.
    public var role: Point.Role?
    /// The station that filed the picture.
    public var station: String
    /// What came of it.
    public var outcome: Outcome
    /// The stable code of what was wrong, where something was.
    public var reason: String?
    /// The name of the picture's file.
    public var imageName: String
    /// The SHA-256 of the picture's file, in hexadecimal.
    public var imageDigest: String?
    /// The payload of the tag, where it is UTF-8 and there is one.
    public var payload: String?
    /// The payload of the tag, where it is not UTF-8.
    public var base64: String?
    /// What the tag says other than the record does, where it does.
    public var contradiction: Contradiction?
    /// Whether the tag was typed, without a picture; nil where it was not.
    public var isTyped: Bool?
    /// When somebody has taken back what the scan did; nil where it counts.
    public var undoneAt: Date?
    /// What somebody has done about it since, where it failed, and where that was not taken back.
    public var closed: [Closing]?

    /// Takes down a scan.
    ///
    /// - Parameters:
    ///   - scan: The scan.
    ///   - luggage: Its bag, where what the tag says is to be compared with the record.
    public init(_ scan: Scan, of luggage: Luggage? = nil) {
        self.init(
            bag: (luggage ?? scan.luggage)?.identifier,
            scannedAt: scan.scannedAt,
            point: scan.point,
            role: scan.role,
            station: scan.station,
            outcome: scan.outcome,
            reason: scan.reason,
            imageName: scan.imageName,
            imageDigest: scan.imageDigest,
            payload: scan.payload,
            undoneAt: scan.undoneAt
        )
        if let luggage { contradiction = Contradiction(scan, luggage) }
    }

    init(
        bag: UUID?,
        scannedAt: Date,
        point: Point,
        role: Point.Role?,
        station: String,
        outcome: Outcome,
        reason: String,
        imageName: String,
        imageDigest: String?,
        payload: Data,
        undoneAt: Date?
    ) {
        self.bag = bag
        self.scannedAt = scannedAt
        self.point = point
        self.role = role
        self.station = station
        self.outcome = outcome
        self.reason = reason.isEmpty ? nil : reason
        self.imageName = imageName
        self.imageDigest = imageDigest
        self.undoneAt = undoneAt
        if imageDigest == nil && imageName == Scan.handName { isTyped = true }
        if payload.isEmpty { return }
        self.payload = String(validating: payload, as: UTF8.self)
        if self.payload == nil { base64 = payload.base64EncodedString() }
    }
}

extension HistoryEntry.Contradiction {
    /// Compares what a scan's tag says with the record; nil where it says the same, or nothing.
    fileprivate init?(_ scan: Scan, _ luggage: Luggage) {
        guard let contents = try? TagDecoder().contents(of: Array(scan.payload)) else { return nil }
        if let owner = contents.owner, let known = luggage.owner?.name, owner != known {
            self.owner = PassengerReport(owner)
        }
        if Weight.contradicts(contents.weight, luggage.weight) { weight = contents.weight }
        if owner == nil && weight == nil { return nil }
    }
}
