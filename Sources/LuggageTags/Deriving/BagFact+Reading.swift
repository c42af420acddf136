internal import FoundationEssentials
internal import ObjectStore
internal import SystemSupport

extension BagFact {
    /// Makes a fact from a scan.
    ///
    /// - Parameters:
    ///   - scan: The scan.
    ///   - typed: The correction with what a person typed, if no reader has read the tag.
    init(_ scan: Scan, typed: Correction? = nil) {
        let identifier = scan.factIdentifier
        let station = scan.station.composed
        self.init(
            time: scan.scannedAt,
            station: station,
            identifier: identifier,
            sighting: scan.imageDigest.map {
                .picture(digest: $0, station: station, point: scan.point)
            } ?? .single(identifier, point: scan.point),
            words: typed.map { .values(BagValues($0)) }
                ?? (scan.payload.isEmpty ? nil : .payload(scan.payload)),
            toldRole: scan.role,
            place: scan.placeTold,
            payload: scan.payload
        )
    }

    /// Makes a fact from what a correction says about the bag itself.
    init(_ correction: Correction) {
        self.init(
            time: correction.time,
            station: (correction.station ?? "").composed,
            identifier: correction.factIdentifier,
            words: .values(BagValues(correction))
        )
    }

    /// Makes facts from what a correction says about the bag and its departure and arrival.
    static func facts(of correction: Correction) -> [BagFact] {
        let fact = BagFact(correction)
        func seen(_ point: Point, _ date: Date?) -> BagFact? {
            guard let date else { return nil }
            var seen = fact
            seen.time = date
            seen.words = nil
            seen.sighting = .single(fact.identifier, point: point)
            return seen
        }
        return [
            fact, seen(.origin, correction.departedAt), seen(.destination, correction.arrivedAt),
        ].compactMap(\.self)
    }
}

extension BagValues {
    init(_ correction: Correction) {
        self.init(
            weight: correction.weight,
            owner: correction.hasNoOwner ? .nobody : correction.owner.map { .passenger($0) }
        )
    }

    init(_ luggage: Luggage) {
        self.init(weight: luggage.weight, owner: luggage.owner.map { .passenger($0.name) })
    }
}

extension Scan {
    /// The place, also if an older version of the program kept it without knowing what it is.
    var placeTold: String? {
        if let place { return place }
        let unknown = others.flatMap { try? UnknownMembers(stored: $0) }
        return unknown?.text("place").flatMap { $0.isRouteName ? $0.composed : nil }
    }

    /// Its identifier; if it has none, one computed from its contents.
    var factIdentifier: UUID { identifier ?? contentIdentifier }

    /// An identifier computed from contents that all versions of the program have and no purge removes.
    var contentIdentifier: UUID { contentIdentifier(copy: 1) }

    /// Such an identifier for one of several equal scans, whose copies are numbered from 1.
    func contentIdentifier(copy: Int) -> UUID {
        var record = ScanRecord(self)
        record.bag = record.bag ?? bag
        record.copy = copy
        return record.contentIdentifier
    }

    /// The identifier of the bag, even if the bag is no longer on record.
    var bagTold: UUID? {
        if let known = luggage?.identifier ?? bag { return known }
        guard outcome.isFiled else { return nil }
        return TagContents(onRecord: payload)?.identifier
    }
}

extension ScanRecord {
    /// An identifier computed from contents, for a scan without an identifier of its own.
    var contentIdentifier: UUID {
        .fact(telling: [
            "scan", imageDigest ?? "", station, point.rawValue,
            scannedAt.ofFacts.reportText,
            bag?.uuidString ?? "", reason, copy == 1 ? "" : "\(copy)",
        ])
    }
}

extension FactRecord {
    /// An identifier computed from its contents, for a kind that only its contents tell from others.
    var contentIdentifier: UUID {
        .fact(
            stating: kind,
            of: subject,
            weight,
            hasNoOwner,
            owner?.givenName,
            owner?.familyName,
            Journey(departedAt: departedAt, arrivedAt: arrivedAt)
        )
    }
}

extension UUID {
    /// Makes the identifier of a statement about a bag, the same in every record.
    fileprivate static func fact(
        stating kind: Correction.Kind,
        of bag: UUID,
        _ weight: Float?,
        _ hasNoOwner: Bool,
        _ givenName: String?,
        _ familyName: String?,
        _ journey: Journey
    ) -> UUID {
        .fact(telling: [
            kind.rawValue, bag.uuidString, "\(weight.map { "\($0)" } ?? "") \(hasNoOwner)",
            givenName ?? "", familyName ?? "", journey.departedAt?.reportText ?? "",
            journey.arrivedAt?.reportText ?? "",
        ])
    }
}

extension Correction {
    /// Its identifier; if it has none, one computed from its contents.
    var factIdentifier: UUID { fact ?? contentIdentifier }

    /// An identifier computed from its contents.
    var contentIdentifier: UUID {
        if kind.isByContents {
            return .fact(
                stating: kind,
                of: identifier,
                weight,
                hasNoOwner,
                givenName,
                familyName,
                Journey(departedAt: departedAt, arrivedAt: arrivedAt)
            )
        }
        return .fact(telling: [
            kind.rawValue, identifier.uuidString, author.composed, madeAt.ofFacts.reportText,
            reason,
        ])
    }

    /// Inserts a correction that no person makes, without an identifier.
    convenience init(_ kind: Kind, of bag: UUID, at date: Date, in context: ManagedObjectContext) {
        self.init(context: context)
        self.kind = kind
        identifier = bag
        author = ""
        reason = ""
        madeAt = date.ofFacts
        knownAt = madeAt
    }

    /// Inserts a statement about a bag by no person; its identifier is the same in every record.
    ///
    /// Its kind is `statement` or `heard`.
    convenience init(
        _ kind: Kind,
        _ luggage: Luggage,
        _ values: BagValues,
        _ journey: Journey,
        in context: ManagedObjectContext
    ) {
        // A `heard` fact gets the earliest time, because all other facts count more.
        self.init(kind, of: luggage.identifier, at: Date(timeIntervalSince1970: 0), in: context)
        self.luggage = luggage
        weight = values.weight
        hasNoOwner = values.owner == .nobody
        if case .passenger(let name) = values.owner { owner = name }
        departedAt = journey.departedAt?.ofFacts
        arrivedAt = journey.arrivedAt?.ofFacts
        fact = contentIdentifier
    }

    /// Inserts a withdrawal of a fact for which the record does not tell who made it.
    convenience init(
        withdrawing withdrawn: UUID,
        of bag: UUID,
        at date: Date,
        in context: ManagedObjectContext
    ) {
        self.init(.withdrawal, of: bag, at: date, in: context)
        self.withdrawn = withdrawn
        fact = .fact(telling: [
            kind.rawValue, withdrawn.uuidString, madeAt.reportText,
        ])
    }
}

extension FetchRequest<Correction> {
    /// All corrections about a bag, including withdrawals.
    static func about(_ luggage: Luggage) -> Self {
        FetchRequest(Correction.self).where(\.luggage, is: luggage)
    }

    /// The corrections about a bag that nobody has undone.
    static func standing(about luggage: Luggage) -> Self {
        about(luggage).where(\.undoneAt, isMissing: true)
    }
}

extension FetchRequest<Scan> {
    /// The scans of a bag that is not on record.
    static func orphans(of bag: UUID) -> Self { FetchRequest(Scan.self).where(\.bag, is: bag) }
}
