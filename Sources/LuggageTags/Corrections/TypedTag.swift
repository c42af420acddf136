public import FoundationEssentials
internal import ObjectStore
internal import SystemSupport
internal import TagReading

/// A tag that no reader could read and a person typed.
public struct TypedTag: Hashable, Sendable {
    /// The identifier of the bag.
    public var identifier: UUID
    /// The point at which the bag is.
    public var point: Point
    /// The role of the point if the point is not built in.
    public var role: Point.Role?
    /// The name of the station; if nil, the name of the point.
    public var station: String?
    /// The time at which the bag was there; a future time counts as the present.
    public var date: Date
    /// The owner, if the tag names one and a person can read it.
    public var owner: PassengerName?
    /// The weight in pounds, if the tag gives one and a person can read it.
    public var weight: Float?
    /// Where the bag is to go, if the tag says it.
    public var route: Route?
    /// The place of the station; nil if it has none.
    public var place: String?
    /// The failed picture that shows the tag, if there is one.
    public var picture: FailedSight?

    /// Describes a tag.
    public init(
        identifier: UUID,
        point: Point,
        role: Point.Role? = nil,
        station: String? = nil,
        date: Date,
        owner: PassengerName? = nil,
        weight: Float? = nil
    ) {
        self.identifier = identifier
        self.point = point
        self.role = role
        self.station = station
        self.date = date
        self.owner = owner
        self.weight = weight
    }
}

/// Files one typed tag in a transaction.
struct TypedFiling {
    let tag: TypedTag
    let person: Responsibility
    let context: ManagedObjectContext
    let now: Date

    func report() throws -> ScanReport {
        context.author = person.author
        if let known = try typedBefore() { return report(.repeated, known) }
        let deriving = BagDeriving(context: context)
        let (luggage, before) = try deriving.bag(tag.identifier)
        let contradicts =
            Weight.contradicts(tag.weight, before?.weight)
            || tag.owner.map { luggage.owner != nil && $0 != luggage.owner?.name } ?? false
        let correction = try Correction(.file, tag.identifier, person, at: now, in: context)
        correction.luggage = luggage
        correction.weight = tag.weight
        correction.owner = tag.owner
        if let failed = tag.picture { correction.take(failed) }
        let scan = Scan(context: context)
        scan.identifier = correction.fact
        scan.luggage = luggage
        scan.point = tag.point
        scan.role = tag.point.roleToKeep(tag.role)
        scan.station = picture.station
        scan.place = tag.place?.composed
        scan.author = person.author
        scan.scannedAt = tag.date.ofFacts
        scan.imageName = Scan.handName
        scan.payload = Data(try payload())
        scan.outcome = before == nil ? .new : .changed
        scan.reason = ""
        scan.filedAt = correction.knownAt
        try deriving.derive(luggage, before)
        if let before, !contradicts { scan.outcome = before.outcome(luggage, after: scan) }
        try context.saveTag()
        return report(scan.told, luggage)
    }

    private func report(_ outcome: Outcome, _ luggage: Luggage) -> ScanReport {
        var report = ScanReport(outcome, luggage, picture, corners: [])
        report.milliseconds = nil
        return report
    }

    /// The bag, if the same tag was typed from the same picture before.
    ///
    /// So a person who was interrupted can type it again.
    private func typedBefore() throws -> Luggage? {
        guard let failed = tag.picture else { return nil }
        let typed = FetchRequest<Correction>.about(failed).where(\.kind, is: .file)
            .where(\.identifier, is: tag.identifier)
        return try context.fetch(typed).first?.luggage
    }

    /// The payload of the tag; empty if the tag gives only the identifier.
    private func payload() throws -> [UInt8] {
        if tag.weight == nil && tag.owner == nil && tag.route == nil { return [] }
        return try TagEncoder().encode(
            TagContents(
                identifier: tag.identifier,
                owner: tag.owner,
                weight: tag.weight,
                route: tag.route
            )
        )
    }

    /// A picture that could have shown the tag.
    private var picture: ReadPicture {
        var picture = ReadPicture(
            name: Scan.handName,
            digest: nil,
            reading: .success(Reading(symbols: [], width: 0, height: 0, duration: .zero)),
            point: tag.point,
            role: tag.role,
            station: tag.station,
            date: tag.date
        )
        picture.place = tag.place
        return picture
    }
}
