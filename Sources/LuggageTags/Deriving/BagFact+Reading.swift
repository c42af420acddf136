internal import Foundation
internal import ObjectStore

extension BagFact {
    /// What a scan tells.
    ///
    /// - Parameters:
    ///   - scan: The scan.
    ///   - typed: What somebody has typed, where nothing was read.
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
            toldRole: scan.role
        )
    }

    /// What somebody says about a bag itself.
    init(_ correction: Correction) {
        self.init(
            time: correction.time,
            station: (correction.station ?? "").composed,
            identifier: correction.factIdentifier,
            words: .values(BagValues(correction))
        )
    }

    /// What somebody says about a bag, and where it was.
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
    /// Its identifier, or one that says what it is where it has none.
    var factIdentifier: UUID { identifier ?? contentIdentifier }

    /// An identifier that says what it is, as far as every version of the program tells it and no purge
    /// takes it away.
    var contentIdentifier: UUID { contentIdentifier(copy: 1) }

    /// The same of one of several that are equal.
    ///
    /// - Parameter copy: Which one it is, from 1.
    /// - Returns: The identifier.
    func contentIdentifier(copy: Int) -> UUID {
        var record = ScanRecord(self)
        record.bag = record.bag ?? bag
        record.copy = copy
        return record.contentIdentifier
    }

    /// The identifier of the bag, also where that is not on record any more.
    var bagTold: UUID? {
        if let known = luggage?.identifier ?? bag { return known }
        guard outcome.isFiled else { return nil }
        return try? TagDecoder().contents(of: Array(payload)).identifier
    }
}

extension ScanRecord {
    /// An identifier that says what it is: that of a scan that is only known by its contents.
    var contentIdentifier: UUID {
        .fact(telling: [
            "scan", imageDigest ?? "", station, point.rawValue,
            scannedAt.ofFacts.reportText,
            bag?.uuidString ?? "", reason, copy == 1 ? "" : "\(copy)",
        ])
    }
}

extension Correction {
    /// By which it has its place among others.
    var time: Date { knownAt ?? madeAt }

    /// Its identifier, or one that says what it is where it has none.
    var factIdentifier: UUID { fact ?? contentIdentifier }

    /// An identifier that says what it is.
    var contentIdentifier: UUID {
        if kind.isByContents {
            return .fact(telling: [
                kind.rawValue, identifier.uuidString,
                "\(weight.map { "\($0)" } ?? "") \(hasNoOwner)", givenName ?? "", familyName ?? "",
                departedAt?.reportText ?? "", arrivedAt?.reportText ?? "",
            ])
        }
        return .fact(telling: [
            kind.rawValue, identifier.uuidString, author.composed, madeAt.ofFacts.reportText,
            reason,
        ])
    }

    /// Inserts what nobody in particular says, without an identifier.
    ///
    /// - Parameters:
    ///   - kind: What is said.
    ///   - bag: The bag that it is about, or what else it is about.
    ///   - date: When it became known.
    ///   - context: The context of a transaction.
    convenience init(_ kind: Kind, of bag: UUID, at date: Date, in context: ManagedObjectContext) {
        self.init(context: context)
        self.kind = kind
        identifier = bag
        author = ""
        reason = ""
        madeAt = date.ofFacts
        knownAt = madeAt
    }

    /// Keeps what is said about a bag by nobody who says why: it is the same wherever it is said.
    ///
    /// - Parameters:
    ///   - kind: Whether it is stated or heard.
    ///   - luggage: The bag.
    ///   - values: Its weight and owner.
    ///   - journey: When it departed and arrived.
    ///   - context: The context of a transaction.
    convenience init(
        _ kind: Kind,
        _ luggage: Luggage,
        _ values: BagValues,
        _ journey: Journey,
        in context: ManagedObjectContext
    ) {
        // What is heard is of no time: all that is told counts more.
        self.init(kind, of: luggage.identifier, at: Date(timeIntervalSince1970: 0), in: context)
        self.luggage = luggage
        weight = values.weight
        hasNoOwner = values.owner == .nobody
        if case .passenger(let name) = values.owner {
            givenName = name.givenName
            familyName = name.familyName
        }
        departedAt = journey.departedAt?.ofFacts
        arrivedAt = journey.arrivedAt?.ofFacts
        fact = contentIdentifier
    }

    /// Keeps that a fact does not count, of which nobody has noted who says so.
    ///
    /// - Parameters:
    ///   - withdrawn: The fact.
    ///   - bag: The bag that it is about.
    ///   - date: When it was taken back.
    ///   - context: The context of a transaction.
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
    /// All that is said about a bag, or about what was said about it.
    static func about(_ luggage: Luggage) -> Self {
        FetchRequest(Correction.self).where(\.luggage, is: luggage)
    }

    /// Those about a bag that nobody has taken back.
    static func standing(about luggage: Luggage) -> Self {
        about(luggage).where(\.undoneAt, isMissing: true)
    }
}

extension FetchRequest<Scan> {
    /// Those of a bag that is not on record.
    static func orphans(of bag: UUID) -> Self { FetchRequest(Scan.self).where(\.bag, is: bag) }
}
