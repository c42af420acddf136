internal import FoundationEssentials
internal import ObjectStore

/// All facts on record about one bag, including withdrawn and unsaved ones.
struct RecordedFacts {
    private(set) var scans: [Scan]
    let corrections: [Correction]
    let withdrawals: Withdrawals

    /// Takes facts that were read.
    init(_ scans: [Scan], _ corrections: [Correction]) {
        self.scans = scans
        self.corrections = corrections
        withdrawals = Withdrawals(corrections)
    }

    /// The same facts, without those that were deleted since.
    var withoutDeleted: Self {
        Self(scans.filter { !$0.isDeleted }, corrections.filter { !$0.isDeleted })
    }

    /// Reads the facts.
    init(of luggage: Luggage, in context: ManagedObjectContext) throws {
        self.init(
            try context.fetch(FetchRequest(Scan.self).where(\.luggage, is: luggage)),
            try context.fetch(.about(luggage))
        )
    }

    // MARK: Marks

    /// Marks undone facts, and which filing of each sighting counts.
    mutating func mark(in context: ManagedObjectContext) throws {
        try dropHearsay(in: context)
        for scan in scans {
            let date = withdrawals.time(of: scan)
            if scan.undoneAt != date { scan.undoneAt = date }
        }
        for correction in corrections where correction.withdrawn == nil {
            let date = withdrawals.time(of: correction)
            if correction.undoneAt != date { correction.undoneAt = date }
        }
        Self.markRepeats(among: scans)
    }

    /// Deletes scans known only by contents if the same scan is also known by its own identifier.
    ///
    /// Files of older versions of the program have no identifiers.
    private mutating func dropHearsay(in context: ManagedObjectContext) throws {
        let heard = scans.filter { $0.identifier?.isByContents ?? false }
        if heard.isEmpty || heard.count == scans.count { return }
        var known: [UUID: Scan] = [:]
        let identified = scans.filter { !($0.identifier?.isByContents ?? true) }
        for scan in identified.sorted(by: { $0.factIdentifier < $1.factIdentifier }) {
            var copy = 1
            while known[scan.contentIdentifier(copy: copy)] != nil { copy += 1 }
            known[scan.contentIdentifier(copy: copy)] = scan
        }
        for scan in heard {
            guard let same = known[scan.factIdentifier] else { continue }
            // The scan came with the import that brought it first.
            same.importedBy = scan.importedBy
            try context.delete(scan)
            scans.removeAll { $0 == scan }
        }
    }

    /// Marks which filing of each sighting counts: the first one that was not undone.
    static func markRepeats(among scans: [Scan]) {
        var seen: Set<BagFact.Sighting> = []
        let filings = scans.map { (scan: $0, fact: BagFact($0)) }
        for (scan, fact) in filings.sorted(by: { $0.fact < $1.fact }) {
            guard let sighting = fact.sighting else { continue }
            let isRepeat = scan.undoneAt == nil && !seen.insert(sighting).inserted
            if scan.isRepeat != isRepeat { scan.isRepeat = isRepeat }
        }
    }

    /// Marks which expectations count, and when each was met.
    func mark(_ expectations: [UUID: Date?]) {
        for correction in corrections where correction.kind == .expected {
            let met = expectations[correction.factIdentifier]
            if correction.isCurrent == (met == nil) { correction.isCurrent.toggle() }
            let date = met ?? nil
            if correction.metAt != date { correction.metAt = date }
        }
    }

    // MARK: Values

    /// The facts that count, as the derivation of a bag needs them.
    var facts: BagFacts {
        var facts = BagFacts()
        let bag = scans.first?.bagTold ?? corrections.first?.identifier
        facts.mostSilence = bag.flatMap(LicencePlate.init) == nil ? nil : LicencePlate.mostSilence
        var typed: [UUID: Correction] = [:]
        for correction in corrections where withdrawals.time(of: correction) == nil {
            switch correction.kind {
            case .file: if let fact = correction.fact { typed[fact] = correction }
            case .edit: facts.corrections.append(BagFact(correction))
            case .statement: facts.stated += BagFact.facts(of: correction)
            case .expected:
                facts.stated.append(BagFact(correction))
                if let expectation = Expectation(correction) {
                    facts.expected.append(expectation)
                }
            case .heard: facts.heard += BagFact.facts(of: correction)
            default: break
            }
        }
        for scan in scans where scan.outcome.isFiled {
            if withdrawals.time(of: scan) != nil {
                facts.withdrawn.append(BagFact(scan))
            } else {
                facts.told.append(BagFact(scan, typed: scan.identifier.flatMap { typed[$0] }))
            }
        }
        return facts
    }
}

extension BagFacts {
    /// Reads the edits of a bag that nobody has undone.
    init(correctionsOf luggage: Luggage, in context: ManagedObjectContext) throws {
        corrections = try context.fetch(.standing(about: luggage).where(\.kind, is: .edit)).map {
            BagFact($0)
        }
    }
}
