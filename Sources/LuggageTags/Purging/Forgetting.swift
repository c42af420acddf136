internal import FoundationEssentials
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
}

extension FactRecord {
    /// The same without names.
    var withoutNames: Self {
        var fact = self
        fact.owner = nil
        fact.reason = ""
        fact.others = nil
        return fact
    }
}

/// A correction, on record or in a file, with the times by which it is forgotten.
protocol DatedCorrection {
    var kind: Correction.Kind { get }
    var madeAt: Date { get }
    var knownAt: Date? { get }
    var departedAt: Date? { get }
    var arrivedAt: Date? { get }
}

extension Correction: DatedCorrection {}
extension FactRecord: DatedCorrection {}

extension DatedCorrection {
    /// The time that orders it among other corrections.
    var time: Date { knownAt ?? madeAt }

    /// The time of the fact and when it became known, for deciding whether it is forgotten.
    var age: (time: Date, known: Date?) {
        guard kind.isByContents else { return (madeAt, time) }
        // A later import does not make it younger. Without a time, any later purge covers it.
        guard let told = [departedAt, arrivedAt].compactMap(\.self).max() else {
            return (.distantPast, time)
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
    /// `all` are the corrections of the same bag.
    func forget(_ corrections: [Correction], among all: [Correction]) throws {
        if scope == .bags { return try corrections.forEach { try context.delete($0) } }
        for correction in corrections {
            correction.owner = nil
            correction.ownerBefore = nil
            correction.reason = ""
            // Nobody knows whether they name people.
            correction.others = nil
        }
        for correction in corrections where correction.isNamedByContents {
            try correction.takeContentIdentifier(among: all, in: context)
        }
    }

    /// Adds the deleted scans to the counts on record.
    mutating func saveCounts() throws {
        try counts.save(in: context)
        counts = ScanCounting()
    }
}

extension Correction {
    /// Whether its identifier was computed from its contents.
    var isNamedByContents: Bool { kind.isByContents && fact?.isByContents ?? false }

    /// Takes the identifier of its contents without names, and makes its withdrawals name that one.
    ///
    /// The old identifier would reveal the names to anyone who tries all names. If another fact has
    /// the new one, this fact is deleted.
    ///
    /// - Returns: Whether it stays.
    @discardableResult
    func takeContentIdentifier(
        among all: [Correction],
        in context: ManagedObjectContext
    ) throws -> Bool {
        let (old, new) = (factIdentifier, contentIdentifier)
        if old == new { return true }
        for other in all where other.withdrawn == old { other.withdrawn = new }
        if all.contains(where: { $0 != self && $0.fact == new }) {
            try context.delete(self)
            return false
        }
        fact = new
        return true
    }

    /// Whether it tells nothing about people except its author.
    fileprivate var isPurged: Bool {
        [givenName, familyName, givenNameBefore, familyNameBefore].allSatisfy { $0 == nil }
            && reason.isEmpty && others == nil
    }
}

/// What is left of a tag's payload after names were removed.
enum PurgedPayload {
    /// The part that tells nothing about people: identifier and weight of a bag, otherwise nothing.
    static func of(_ payload: [UInt8], outcome: Outcome) -> Data {
        guard outcome.isFiled, var contents = TagContents(onRecord: payload)
        else { return Data() }
        contents.owner = nil
        return (try? TagEncoder().encode(contents)).map { Data($0) } ?? Data()
    }

    /// Whether a payload on record is the rest of another one after a purge.
    ///
    /// Spaces at its end are ignored: they keep rests apart whose payloads were different.
    static func isPurged(_ payload: Data, to rest: Data) -> Bool {
        let spaces = payload.reversed().prefix { $0 == UInt8(ascii: " ") }.count
        return payload.dropLast(spaces) == rest
    }
}
