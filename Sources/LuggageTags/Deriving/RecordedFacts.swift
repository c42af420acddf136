internal import Foundation
internal import ObjectStore

/// All facts on record about one bag: those that do not stand and those that are not saved yet, too.
struct RecordedFacts {
    private(set) var scans: [Scan]
    let corrections: [Correction]
    let withdrawals: Withdrawals

    /// Reads them.
    ///
    /// - Parameters:
    ///   - luggage: The bag.
    ///   - context: Where it is.
    /// - Throws: `StoreError`.
    init(of luggage: Luggage, in context: ManagedObjectContext) throws {
        scans = try context.fetch(FetchRequest(Scan.self).where(\.luggage, is: luggage))
        corrections = try context.fetch(.about(luggage))
        withdrawals = Withdrawals(corrections)
    }

    // MARK: Marks

    /// Marks what does not stand, and which of the filings of one sighting counts.
    ///
    /// - Parameter context: Where they are.
    /// - Throws: `StoreError`.
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

    /// Takes away what is known by its contents only where the same is known by itself: files of older
    /// versions of the program tell no identifiers.
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
            // It came by what has brought it first.
            same.importedBy = scan.importedBy
            try context.delete(scan)
            scans.removeAll { $0 == scan }
        }
    }

    /// Marks which of the filings of one sighting counts: the first that stands.
    static func markRepeats(among scans: [Scan]) {
        var seen: Set<BagFact.Sighting> = []
        let filings = scans.map { (scan: $0, fact: BagFact($0)) }
        for (scan, fact) in filings.sorted(by: { $0.fact < $1.fact }) {
            guard let sighting = fact.sighting else { continue }
            let isRepeat = scan.undoneAt == nil && !seen.insert(sighting).inserted
            if scan.isRepeat != isRepeat { scan.isRepeat = isRepeat }
        }
    }

    // MARK: Values

    /// The facts that stand, as a bag is derived from them.
    var facts: BagFacts {
        var facts = BagFacts()
        var typed: [UUID: Correction] = [:]
        for correction in corrections where withdrawals.time(of: correction) == nil {
            switch correction.kind {
            case .file: if let fact = correction.fact { typed[fact] = correction }
            case .edit: facts.corrections.append(BagFact(correction))
            case .statement: facts.stated += BagFact.facts(of: correction)
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
    /// Reads what somebody has corrected about a bag, and nobody has taken back.
    init(correctionsOf luggage: Luggage, in context: ManagedObjectContext) throws {
        corrections = try context.fetch(.standing(about: luggage).where(\.kind, is: .edit)).map {
            BagFact($0)
        }
    }
}
