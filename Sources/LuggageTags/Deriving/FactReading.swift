internal import Foundation
internal import ObjectStore

extension BagFacts {
    /// Reads the facts about a bag, those that are not saved yet included.
    init(of luggage: Luggage, in context: ManagedObjectContext) throws {
        try self.init(correctionsOf: luggage, in: context)
        let corrections = try context.fetch(.standing(about: luggage))
        var typed: [UUID: Correction] = [:]
        for correction in corrections {
            switch correction.kind {
            case .file: if let fact = correction.fact { typed[fact] = correction }
            case .statement: stated += BagFact.facts(of: correction)
            case .heard: heard += BagFact.facts(of: correction)
            case .dismiss, .edit, .undo, .redo: break
            }
        }
        let scans = try context.fetch(FetchRequest(Scan.self).where(\.luggage, is: luggage))
        for scan in scans where scan.outcome.isFiled {
            if scan.undoneAt != nil {
                withdrawn.append(BagFact(scan))
            } else {
                told.append(BagFact(scan, typed: scan.identifier.flatMap { typed[$0] }))
            }
        }
    }

    /// Reads what somebody has corrected about a bag.
    init(correctionsOf luggage: Luggage, in context: ManagedObjectContext) throws {
        corrections = try context.fetch(.standing(about: luggage).where(\.kind, is: .edit)).map {
            BagFact($0)
        }
    }
}

extension BagFact {
    /// What a scan tells.
    ///
    /// - Parameters:
    ///   - scan: The scan.
    ///   - typed: What somebody has typed, where nothing was read.
    init(_ scan: Scan, typed: Correction? = nil) {
        let identifier = scan.factIdentifier
        self.init(
            time: scan.scannedAt,
            station: scan.station,
            identifier: identifier,
            sighting: scan.imageDigest.map {
                .picture(digest: $0, station: scan.station, point: scan.point)
            } ?? .single(identifier, point: scan.point),
            words: typed.map { .values(BagValues($0)) }
                ?? (scan.payload.isEmpty ? nil : .payload(scan.payload)),
            toldRole: scan.role
        )
    }

    /// What somebody says about a bag itself.
    init(_ correction: Correction) {
        self.init(
            time: correction.knownAt ?? correction.madeAt,
            station: correction.station ?? "",
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
    var factIdentifier: UUID {
        identifier
            ?? .fact(telling: [
                "scan", imageDigest ?? "", station, point.rawValue, scannedAt.ofFacts.reportText,
                luggage?.identifier.uuidString ?? bag?.uuidString ?? "", reason,
            ])
    }
}

extension Correction {
    /// Its identifier, or one that says what it is where it has none.
    var factIdentifier: UUID {
        fact
            ?? .fact(telling: [
                kind.rawValue, identifier.uuidString, author, madeAt.ofFacts.reportText, reason,
            ])
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
        self.init(context: context)
        self.kind = kind
        identifier = luggage.identifier
        self.luggage = luggage
        author = ""
        reason = ""
        // What is heard is of no time: all that is told counts more.
        madeAt = Date(timeIntervalSince1970: 0)
        knownAt = madeAt
        weight = values.weight
        hasNoOwner = values.owner == .nobody
        if case .passenger(let name) = values.owner {
            givenName = name.givenName
            familyName = name.familyName
        }
        departedAt = journey.departedAt?.ofFacts
        arrivedAt = journey.arrivedAt?.ofFacts
        fact = .fact(telling: [
            kind.rawValue, identifier.uuidString, "\(weight ?? 0) \(hasNoOwner)", givenName ?? "",
            familyName ?? "", departedAt?.reportText ?? "", arrivedAt?.reportText ?? "",
        ])
    }
}

extension FetchRequest<Correction> {
    /// Those about a bag that nobody has taken back.
    static func standing(about luggage: Luggage) -> Self {
        FetchRequest(Correction.self).where(\.luggage, is: luggage)
            .where(\.undoneAt, isMissing: true)
    }
}

extension FetchRequest<Scan> {
    /// Those of a bag that is not on record.
    static func orphans(of bag: UUID) -> Self { FetchRequest(Scan.self).where(\.bag, is: bag) }
}
