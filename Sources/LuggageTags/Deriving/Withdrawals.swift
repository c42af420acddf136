internal import FoundationEssentials

/// Tells which facts do not count, from the withdrawals in force.
///
/// A fact counts while no withdrawal in force names it. A later withdrawal can withdraw an earlier one,
/// but not the other way round. So circular withdrawals in a hostile file cannot cause an endless loop.
struct Withdrawals {
    /// A withdrawal in force.
    private struct Entry {
        let fact: UUID
        let knownAt: Date
    }

    /// The withdrawals in force, by the facts that they name.
    private var standing: [UUID: [Entry]] = [:]

    /// Finds the withdrawals in force.
    ///
    /// - Parameter corrections: All corrections about the facts, in any order; those that withdraw
    ///   nothing are ignored.
    init(_ corrections: [Correction]) {
        let all = corrections.compactMap { correction in
            correction.withdrawn.map { (correction, $0, correction.factIdentifier) }
        }
        if all.isEmpty { return }
        let latestFirst = all.sorted { first, second in
            let times = (first.0.time, second.0.time)
            return times.0 != times.1 ? times.0 > times.1 : first.2 > second.2
        }
        for (withdrawal, fact, identifier) in latestFirst {
            if standing[identifier] != nil { continue }
            standing[fact, default: []].append(Entry(fact: identifier, knownAt: withdrawal.time))
        }
    }

    /// When a correction was last undone; nil if it counts.
    func time(of correction: Correction) -> Date? {
        // Older versions of the program only set a mark.
        guard let fact = correction.fact else { return correction.undoneAt }
        return standing[fact]?.map(\.knownAt).max()
    }

    /// When a scan was last undone; nil if it counts.
    func time(of scan: Scan) -> Date? {
        if scan.identifier == nil { return scan.undoneAt }
        return entries(naming: scan).map(\.knownAt).max()
    }

    /// Whether no withdrawal in force names a fact.
    func stands(_ fact: UUID) -> Bool { standing[fact] == nil }

    /// The identifiers of the withdrawals in force that name a correction.
    func naming(_ correction: Correction) -> [UUID] {
        standing[correction.factIdentifier, default: []].map(\.fact)
    }

    /// The identifiers of the withdrawals in force that name a scan.
    func naming(_ scan: Scan) -> [UUID] { entries(naming: scan).map(\.fact) }

    private func entries(naming scan: Scan) -> [Entry] {
        if standing.isEmpty { return [] }
        let own = standing[scan.factIdentifier, default: []]
        // Another record may name the scan by its contents, because an older version exported it so.
        guard let filedAt = scan.filedAt, let named = standing[scan.contentIdentifier] else {
            return own
        }
        return own + named.filter { $0.knownAt >= filedAt }
    }
}
