internal import Foundation
internal import ObjectStore

/// A purge's statement that facts from before a moment are forgotten.
///
/// It is itself a fact. If a forgotten fact comes back from a record that does not know of the purge, it
/// stays forgotten. The statement does not cover facts made after the purge, whatever time they tell.
struct Forgetting: Hashable {
    let scope: RecordPurge.Scope
    /// Facts from before this moment are forgotten.
    let until: Date
    /// When the statement became known.
    let knownAt: Date

    /// Whether it covers a fact.
    ///
    /// - Parameters:
    ///   - time: The time of the fact.
    ///   - known: When the fact became known; nil if unknown.
    /// - Returns: Whether the fact is forgotten.
    func covers(_ time: Date, known: Date?) -> Bool {
        time < until && (known ?? .distantPast) < knownAt
    }
}

extension [Forgetting] {
    /// How much of a fact is forgotten; nil if nothing is.
    func scope(at time: Date, known: Date?) -> RecordPurge.Scope? {
        let scopes = filter { $0.covers(time, known: known) }.map(\.scope)
        return scopes.contains(.bags) ? .bags : scopes.first
    }
}

extension Correction {
    /// The statement of a purge; nil for any other correction.
    var forgetting: Forgetting? {
        guard Kind.forgettings.contains(kind), let until else { return nil }
        let isOfNames = kind == .forgottenNames || kind == .forgottenFailureNames
        return Forgetting(scope: isOfNames ? .names : .bags, until: until, knownAt: time)
    }

    /// Makes the statement of a purge.
    ///
    /// - Parameters:
    ///   - scope: What is forgotten.
    ///   - until: Facts from before this moment are forgotten.
    ///   - bag: The bag; nil for facts about no bag.
    ///   - date: When the statement became known.
    ///   - context: The context of a transaction.
    convenience init(
        forgetting scope: RecordPurge.Scope,
        until: Date,
        of bag: UUID?,
        at date: Date,
        in context: ManagedObjectContext
    ) {
        let fact = UUID.fact(at: date)
        let kind: Kind =
            switch scope {
            case .names: bag == nil ? .forgottenFailureNames : .forgottenNames
            case .bags: bag == nil ? .forgottenFailures : .forgottenBag
            }
        self.init(kind, of: bag ?? fact, at: date, in: context)
        self.until = until.ofFacts
        self.fact = fact
    }

    /// The time of the fact and when it became known, for deciding whether it is forgotten.
    var age: (time: Date, known: Date?) { FactAge.of(kind, madeAt, time, departedAt, arrivedAt) }
}

extension FactRecord {
    /// The time of the fact and when it became known, for deciding whether it is forgotten.
    var age: (time: Date, known: Date?) {
        FactAge.of(kind, madeAt, knownAt ?? madeAt, departedAt, arrivedAt)
    }

    /// The same without names.
    var withoutNames: Self {
        var fact = self
        fact.owner = nil
        fact.reason = ""
        fact.others = nil
        return fact
    }
}

private enum FactAge {
    /// - Parameters:
    ///   - kind: The kind of correction.
    ///   - madeAt: When it was made.
    ///   - known: When it became known.
    ///   - departedAt: When the bag departed, according to it.
    ///   - arrivedAt: When the bag arrived, according to it.
    /// - Returns: The time of the fact and when it became known.
    static func of(
        _ kind: Correction.Kind,
        _ madeAt: Date,
        _ known: Date,
        _ departedAt: Date?,
        _ arrivedAt: Date?
    ) -> (time: Date, known: Date?) {
        guard kind.isByContents else { return (madeAt, known) }
        // A later import does not make it younger. Without a time, any later purge covers it.
        guard let told = [departedAt, arrivedAt].compactMap(\.self).max() else {
            return (.distantPast, known)
        }
        return (told, nil)
    }
}

/// Deletes facts, or removes the names of people from them.
struct Forgetter {
    let context: ManagedObjectContext
    let scope: RecordPurge.Scope
    private var counts = ScanCounting()

    init(_ scope: RecordPurge.Scope, in context: ManagedObjectContext) {
        self.context = context
        self.scope = scope
    }

    /// Whether a scan has anything to take away.
    func concerns(_ scan: Scan) -> Bool {
        switch scope {
        case .names:
            scan.others != nil
                || !PurgedPayload.isPurged(
                    scan.payload,
                    to: PurgedPayload.of(Array(scan.payload), outcome: scan.outcome)
                )
        case .bags: true
        }
    }

    /// Whether a correction has anything to take away.
    func concerns(_ correction: Correction) -> Bool {
        if correction.forgetting != nil { return false }
        switch scope {
        case .names: return !correction.isPurged
        case .bags: return true
        }
    }

    /// Deletes a scan, or removes the names of people from it.
    mutating func forget(_ scan: Scan) throws {
        switch scope {
        case .names:
            scan.payload = PurgedPayload.of(Array(scan.payload), outcome: scan.outcome)
            scan.others = nil
        case .bags:
            if scan.undoneAt == nil && !scan.isRepeat { counts.count(scan) }
            try context.delete(scan)
        }
    }

    /// Deletes corrections, or removes the names of people from them.
    ///
    /// - Parameters:
    ///   - corrections: The corrections.
    ///   - all: All corrections of the same bag.
    /// - Throws: `StoreError`.
    func forget(_ corrections: [Correction], among all: [Correction]) throws {
        if scope == .bags { return try corrections.forEach { try context.delete($0) } }
        for correction in corrections {
            correction.givenName = nil
            correction.familyName = nil
            correction.givenNameBefore = nil
            correction.familyNameBefore = nil
            correction.reason = ""
            // Nobody knows whether they name people.
            correction.others = nil
        }
        // An identifier made from the contents would reveal the names to anyone who tries all names.
        for correction in corrections
        where correction.kind.isByContents && (correction.fact?.isByContents ?? false) {
            let (old, new) = (correction.factIdentifier, correction.contentIdentifier)
            if old == new { continue }
            for other in all where other.withdrawn == old { other.withdrawn = new }
            if all.contains(where: { $0 != correction && $0.fact == new }) {
                try context.delete(correction)
            } else {
                correction.fact = new
            }
        }
    }

    /// Adds the deleted scans to the counts on record.
    mutating func saveCounts() throws {
        try counts.save(in: context)
        counts = ScanCounting()
    }
}

extension Correction {
    /// Whether it tells nothing about people except its author.
    fileprivate var isPurged: Bool {
        [givenName, familyName, givenNameBefore, familyNameBefore].allSatisfy { $0 == nil }
            && reason.isEmpty && others == nil
    }
}
