internal import Foundation
internal import ObjectStore

/// That something from before a moment is forgotten, as a purge has said.
///
/// It is a fact like others: what it is about stays forgotten when it comes back from a record that has
/// not heard of it. What was said after the purge is not meant, whatever time it tells.
struct Forgetting: Hashable {
    let scope: RecordPurge.Scope
    /// What is from before this moment is forgotten.
    let until: Date
    /// When it became known.
    let knownAt: Date

    /// Whether it means a fact.
    ///
    /// - Parameters:
    ///   - time: From when the fact is.
    ///   - known: When it became known; nil where nobody knows.
    /// - Returns: Whether that is to be forgotten.
    func covers(_ time: Date, known: Date?) -> Bool {
        time < until && (known ?? .distantPast) < knownAt
    }
}

extension [Forgetting] {
    /// How much of a fact is forgotten; nil for nothing.
    func scope(at time: Date, known: Date?) -> RecordPurge.Scope? {
        let scopes = filter { $0.covers(time, known: known) }.map(\.scope)
        return scopes.contains(.bags) ? .bags : scopes.first
    }
}

extension Correction {
    /// What a purge says by it; nil of anything else.
    var forgetting: Forgetting? {
        guard Kind.forgettings.contains(kind), let until else { return nil }
        let isOfNames = kind == .forgottenNames || kind == .forgottenFailureNames
        return Forgetting(scope: isOfNames ? .names : .bags, until: until, knownAt: time)
    }

    /// Notes what a purge says.
    ///
    /// - Parameters:
    ///   - scope: What is taken away.
    ///   - until: What is from before this moment is.
    ///   - bag: The bag; nil for what belongs to none.
    ///   - date: When it became known.
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

    /// From when it is, and when it became known, as far as forgetting it is concerned.
    var age: (time: Date, known: Date?) { FactAge.of(kind, madeAt, time, departedAt, arrivedAt) }
}

extension FactRecord {
    /// From when it is, and when it became known, as far as forgetting it is concerned.
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
    ///   - kind: What was done.
    ///   - madeAt: When.
    ///   - known: When it became known.
    ///   - departedAt: When the bag is said to have departed.
    ///   - arrivedAt: When it is said to have arrived.
    /// - Returns: From when it is, and when it became known.
    static func of(
        _ kind: Correction.Kind,
        _ madeAt: Date,
        _ known: Date,
        _ departedAt: Date?,
        _ arrivedAt: Date?
    ) -> (time: Date, known: Date?) {
        guard kind.isByContents else { return (madeAt, known) }
        // When it was imported does not make it younger; without a time it goes with all that was known.
        guard let told = [departedAt, arrivedAt].compactMap(\.self).max() else {
            return (.distantPast, known)
        }
        return (told, nil)
    }
}

/// Takes facts away, or what names people in them.
struct Forgetter {
    let context: ManagedObjectContext
    let scope: RecordPurge.Scope
    private var counts = ScanCounting()

    init(_ scope: RecordPurge.Scope, in context: ManagedObjectContext) {
        self.context = context
        self.scope = scope
    }

    /// Whether anything of a scan is to be taken away.
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

    /// Whether anything of a correction is to be taken away.
    func concerns(_ correction: Correction) -> Bool {
        if correction.forgetting != nil { return false }
        switch scope {
        case .names: return !correction.isPurged
        case .bags: return true
        }
    }

    /// Takes a scan away, or what it says about people.
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

    /// Takes corrections away, or what they say about people.
    ///
    /// - Parameters:
    ///   - corrections: The corrections.
    ///   - all: All that are about the same bag.
    /// - Throws: `StoreError`.
    func forget(_ corrections: [Correction], among all: [Correction]) throws {
        if scope == .bags { return try corrections.forEach { try context.delete($0) } }
        for correction in corrections {
            correction.givenName = nil
            correction.familyName = nil
            correction.givenNameBefore = nil
            correction.familyNameBefore = nil
            correction.reason = ""
            // Nobody knows whom it names.
            correction.others = nil
        }
        // An identifier that tells what was said would tell the names to whoever tries them all.
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

    /// Adds how many scans there were to the numbers on record.
    mutating func saveCounts() throws {
        try counts.save(in: context)
        counts = ScanCounting()
    }
}

extension Correction {
    /// Whether it tells nothing about people but who has made it.
    fileprivate var isPurged: Bool {
        [givenName, familyName, givenNameBefore, familyNameBefore].allSatisfy { $0 == nil }
            && reason.isEmpty && others == nil
    }
}
