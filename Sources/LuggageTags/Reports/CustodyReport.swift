public import FoundationEssentials
public import ObjectStore

/// A bag with its chain of custody: journeys, what lists expect, scans, contradictions of its tags, and
/// corrections.
///
/// A contradiction is what a tag says if it differs from the record. In JSON the report is an object
/// with stable keys; it leaves out keys without a value.
public struct CustodyReport: Sendable, Encodable {
    /// The bag.
    public var luggage: LuggageReport
    /// Its journeys, in order.
    public var journeys: [Journey]
    /// Where lists expect it, in the order of their times.
    public var expected: [ExpectedPassage]
    /// Its scans, in order.
    public var scans: [HistoryEntry]
    /// The corrections that people made or undid, in order.
    public var corrections: [CorrectionReport]

    /// Makes the report about a bag.
    ///
    /// - Parameters:
    ///   - luggage: The bag.
    ///   - context: The context of the bag.
    /// - Throws: `StoreError`.
    public init(_ luggage: Luggage, in context: ManagedObjectContext) throws {
        let recorded = try RecordedFacts(of: luggage, in: context)
        self.luggage = LuggageReport(luggage)
        journeys = DerivedBag(recorded.facts).journeys
        expected = recorded.corrections.compactMap(ExpectedPassage.init)
            .sorted { ($0.due, $0.point.rawValue) < ($1.due, $1.point.rawValue) }
        scans = recorded.scans.sorted { ($0.scannedAt, $0.objectID) < ($1.scannedAt, $1.objectID) }
            .map { HistoryEntry($0, of: luggage) }
        self.corrections =
            recorded.corrections.filter(\.kind.isOfPeople)
            .sorted { ($0.madeAt, $0.objectID) < ($1.madeAt, $1.objectID) }
            .map(CorrectionReport.init)
    }
}

/// A scan on record, as reports show it.
public struct HistoryEntry: Sendable, Encodable {
    /// What a tag says that differs from the record, which follows the last of all tags.
    public struct Contradiction: Sendable, Encodable {
        /// The owner that the tag names, if it is another one.
        public var owner: PassengerReport?
        /// The weight in pounds that the tag names, if it differs by more than rounding.
        public var weight: Float?
    }

    /// What a person did about a scan that failed.
    public struct Closing: Sendable, Encodable {
        /// Whether the person typed the tag or dismissed the picture.
        public var kind: Correction.Kind
        /// The person.
        public var author: String
        /// The reason, if one is on record.
        public var reason: String?
        /// The time.
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

    /// The bag's identifier, if the tag was read.
    public var bag: UUID?
    /// The time at which the bag was there.
    public var scannedAt: Date
    /// Where on its way the bag was.
    public var point: Point
    /// The role of the point if the point is not built in.
    public var role: Point.Role?
    /// The station that filed the picture.
    public var station: String
    /// The place of that station, if it has one.
    public var place: String?
    /// The outcome of the scan.
    public var outcome: Outcome
    /// The stable error code, if there was an error.
    public var reason: String?
    /// The name of the picture's file.
    public var imageName: String
    /// The SHA-256 of the picture's file, in hexadecimal.
    public var imageDigest: String?
    /// The payload of the tag if there is one and it is UTF-8.
    public var payload: String?
    /// The payload of the tag if it is not UTF-8.
    public var base64: String?
    /// What the tag says that differs from the record, if anything.
    public var contradiction: Contradiction?
    /// Whether a person typed the tag, without a picture; nil if not.
    public var isTyped: Bool?
    /// When a person undid the scan; nil if the scan counts.
    public var undoneAt: Date?
    /// What people did about the scan later, if it failed, without what they undid.
    public var closed: [Closing]?

    /// Makes the report about a scan.
    ///
    /// - Parameters:
    ///   - scan: The scan.
    ///   - luggage: Its bag, if the report should compare the tag with the record.
    public init(_ scan: Scan, of luggage: Luggage? = nil) {
        self.init(
            bag: (luggage ?? scan.luggage)?.identifier,
            scannedAt: scan.scannedAt,
            point: scan.point,
            role: scan.role,
            station: scan.station,
            place: scan.placeTold,
            outcome: scan.told,
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
        place: String?,
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
        self.place = place
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
    /// Compares a scan's tag with the record; nil if the tag says the same, or nothing.
    fileprivate init?(_ scan: Scan, _ luggage: Luggage) {
        guard let contents = TagContents(onRecord: scan.payload) else { return nil }
        if let owner = contents.owner, let known = luggage.owner?.name, owner != known {
            self.owner = PassengerReport(owner)
        }
        if Weight.contradicts(contents.weight, luggage.weight) { weight = contents.weight }
        if owner == nil && weight == nil { return nil }
    }
}
