internal import Foundation

/// Which facts do not count, by the withdrawals that stand.
///
/// A fact stands while no standing withdrawal names it. A withdrawal can be withdrawn too, but only by a
/// later one, so that what hostile files say about one another has an end.
struct Withdrawals {
    /// One that stands.
    private struct Entry {
        let fact: UUID
        let knownAt: Date
    }

    /// Those that stand, by what they name.
    private var standing: [UUID: [Entry]] = [:]

    /// Finds those that stand.
    ///
    /// - Parameter corrections: All that is said about the facts, in any order; what is no withdrawal
    ///   does not matter.
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

    /// When something was taken back last; nil where it stands.
    func time(of correction: Correction) -> Date? {
        // Older versions of the program have only marked it.
        guard let fact = correction.fact else { return correction.undoneAt }
        return standing[fact]?.map(\.knownAt).max()
    }

    /// When a scan was taken back last; nil where it stands.
    func time(of scan: Scan) -> Date? {
        if scan.identifier == nil { return scan.undoneAt }
        return entries(naming: scan).map(\.knownAt).max()
    }

    /// Whether nothing that stands names a fact.
    func stands(_ fact: UUID) -> Bool { standing[fact] == nil }

    /// The identifiers of the withdrawals because of which something does not count.
    func naming(_ correction: Correction) -> [UUID] {
        standing[correction.factIdentifier, default: []].map(\.fact)
    }

    /// The identifiers of the withdrawals because of which a scan does not count.
    func naming(_ scan: Scan) -> [UUID] { entries(naming: scan).map(\.fact) }

    private func entries(naming scan: Scan) -> [Entry] {
        if standing.isEmpty { return [] }
        let own = standing[scan.factIdentifier, default: []]
        // Elsewhere it may be known by what it says only, as older versions of the program tell it.
        guard let filedAt = scan.filedAt, let named = standing[scan.contentIdentifier] else {
            return own
        }
        return own + named.filter { $0.knownAt >= filedAt }
    }
}
