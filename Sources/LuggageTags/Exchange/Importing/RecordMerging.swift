internal import Foundation
internal import ObjectStore

/// Merges a batch of records with what is on record.
///
/// What a file says becomes facts: scans, and what it states about bags. Bags are then derived from all
/// facts about them, so the result is the same in whatever order records come, and however often.
struct RecordMerging {
    /// What the records of a file are, as it says about itself.
    struct Source {
        /// Which side counts where a bag differs that no facts tell.
        var policy: ImportPolicy
        /// Whether the file tells all that a store knows, and not single statements.
        var isExchange = false
        /// Whether it tells every fact about its bags.
        var isComplete = false
        /// The identifier of the import.
        let identifier: UUID
    }

    let context: ManagedObjectContext
    let source: Source
    /// When what the file says becomes known here.
    let now: Date
    var met: RecordsMet
    /// Whether anything was added.
    private(set) var hasAdded = false
    /// The bags about which something was added, and what they were before; nil where they are new.
    private var touched: [UUID: BagDeriving.Before?] = [:]
    /// The bags of which something is to be forgotten.
    private var forgotten: Set<UUID> = []
    /// What is to be forgotten of what belongs to no bag.
    private var forgottenFailures: [Forgetting] = []
    /// The failures that were added.
    private var failures: [Scan] = []
    private let deriving: BagDeriving

    init(
        _ batch: RecordBatch,
        of source: Source,
        into context: ManagedObjectContext,
        now: Date
    ) throws {
        self.context = context
        self.source = source
        self.now = now
        met = try RecordsMet(batch, in: context)
        deriving = BagDeriving(context: context)
    }

    private var policy: ImportPolicy { source.policy }

    mutating func merge(_ entry: RecordBatch.Entry) throws -> ImportOutcome {
        switch entry.record {
        case .bag(let bag) where source.isComplete: compare(bag)
        case .bag(let bag): try merge(bag)
        case .passenger(let name): passenger(name)
        case .scan(let scan): try merge(scan, entry.contents)
        case .fact(let fact): try merge(fact)
        case .about, .end: .repeated
        }
    }

    private mutating func passenger(_ name: PassengerName) -> ImportOutcome {
        if met.passengers[name] != nil { return .repeated }
        met.passengers[name] = Passenger(name, context: context)
        hasAdded = true
        return .new
    }

    /// The bag about which something is to be added.
    private mutating func touch(_ identifier: UUID) throws -> Luggage {
        if let luggage = met.bags[identifier] {
            if touched[identifier] == nil {
                let before = BagDeriving.Before(luggage)
                try deriving.adopt(luggage, before)
                touched[identifier] = .some(before)
            }
            return luggage
        }
        let luggage = try deriving.bag(identifier).luggage
        met.bags[identifier] = luggage
        touched[identifier] = .some(nil)
        return luggage
    }

    // MARK: Bags

    /// What comes of a bag that the facts in the file tell.
    private func compare(_ bag: TagContents) -> ImportOutcome {
        guard let luggage = met.bags[bag.identifier] else { return .new }
        let known = TagContents(luggage)
        if known.contradiction(of: bag) != nil { return .changed }
        return known.isSame(as: bag) ? .repeated : .updated
    }

    private mutating func merge(_ bag: TagContents) throws -> ImportOutcome {
        var bag = bag
        switch met.forgottenScope(of: bag, now: now) {
        case .bags: return .repeated
        case .names: bag.owner = nil
        case nil: break
        }
        guard let luggage = met.bags[bag.identifier] else {
            let luggage = try touch(bag.identifier)
            // What the records after it are compared with.
            luggage.weight = bag.weight
            luggage.owner = bag.owner.map { owner($0) }
            luggage.departedAt = bag.departedAt
            luggage.arrivedAt = bag.arrivedAt
            try state(bag, about: luggage)
            return .new
        }
        let before = TagContents(luggage)
        let contradiction = before.contradiction(of: bag)
        if let contradiction, policy == .error { throw contradiction }
        var news = bag
        switch policy {
        case .rollback: return contradiction == nil ? .repeated : .changed
        case .error, .storeTrump:
            news.weight = before.weight ?? bag.weight
            news.owner = before.owner ?? bag.owner
        case .objectTrump, .overwrite: break
        }
        let after = merged(news, into: before)
        if after != before {
            let luggage = try touch(bag.identifier)
            luggage.weight = after.weight
            luggage.owner = after.owner.map { owner($0) }
            luggage.departedAt = after.departedAt
            luggage.arrivedAt = after.arrivedAt
            try state(news, about: luggage)
        }
        if contradiction != nil { return .changed }
        return before.isSame(as: after) ? .repeated : .updated
    }

    /// The passenger of a name, on record or new.
    private mutating func owner(_ name: PassengerName) -> Passenger {
        if let known = met.passengers[name] { return known }
        let passenger = Passenger(name, context: context)
        met.passengers[name] = passenger
        return passenger
    }

    /// Keeps what a file states about a bag.
    ///
    /// What a record of another place has come to is only heard. So is what fills gaps. What is to
    /// overwrite all that is on record takes back what was stated before.
    private mutating func state(_ bag: TagContents, about luggage: Luggage) throws {
        let isHeard = source.isExchange || policy == .storeTrump || policy == .error
        let overwrites = policy == .overwrite && !source.isExchange
        let owner = bag.owner.map { BagValues.Owner.passenger($0) }
        let statement = Correction(
            isHeard ? .heard : .statement,
            luggage,
            BagValues(weight: bag.weight, owner: owner ?? (overwrites ? .nobody : nil)),
            Journey(departedAt: bag.departedAt, arrivedAt: bag.arrivedAt),
            in: context
        )
        let standing = try context.fetch(
            FetchRequest<Correction>.standing(about: luggage)
                .where(\.kind, isOneOf: [.statement, .heard])
        ).filter { $0 != statement }
        let contents = statement.contentIdentifier
        let same = standing.first {
            $0.kind == statement.kind && $0.contentIdentifier == contents
        }
        if overwrites {
            for other in standing where other != same {
                let withdrawal = Correction(
                    withdrawing: other.factIdentifier,
                    of: luggage.identifier,
                    at: now,
                    in: context
                )
                withdrawal.luggage = luggage
                withdrawal.importedBy = source.identifier
                hasAdded = true
            }
        }
        let last = standing.filter { $0.kind == .statement }.max { $0.time < $1.time }
        if let same, isHeard || overwrites || same == last {
            return try context.delete(statement)
        }
        hasAdded = true
        // Who says it again says something new: what was taken back stays so.
        statement.fact = .fact(at: now)
        statement.importedBy = source.identifier
        statement.knownAt = now
        if isHeard { return }
        statement.author = ImportRun.author
        statement.madeAt = now
    }

    /// What the policy makes of two bags.
    private func merged(_ bag: TagContents, into known: TagContents) -> TagContents {
        var merged = bag
        if source.isExchange && policy == .objectTrump {
            merged.weight = [known.weight, bag.weight].compactMap(\.self).max()
            merged.owner = [known.owner, bag.owner].compactMap(\.self).max()
        } else if policy != .overwrite {
            merged.weight = bag.weight ?? known.weight
            merged.owner = bag.owner ?? known.owner
        }
        merged.departedAt = known.departedAt.later(bag.departedAt)
        merged.arrivedAt = known.arrivedAt.later(bag.arrivedAt)
        return merged
    }

    // MARK: Scans

    private mutating func merge(
        _ record: ScanRecord,
        _ contents: TagContents?
    ) throws -> ImportOutcome {
        if let same = try known(record) { return try join(record, into: same) }
        let filings = met.scans[record.key, default: []]
        if record.identifier == nil {
            // What was taken back here stays so, wherever it still counts.
            if !filings.isEmpty && filings.allSatisfy({ $0.undoneAt != nil }) { return .repeated }
            if record.imageDigest == nil {
                guard met.copies[record.single, default: 0] < record.copy else { return .repeated }
            }
        }
        var record = record
        switch met.forgottenScope(of: record) {
        case .bags: return .repeated
        case .names:
            record.payload = PurgedPayload.of(Array(record.payload), outcome: record.outcome)
            record.others = nil
        case nil: break
        }
        let luggage = try bag(of: record, contents)
        hasAdded = true
        let scan = Scan(context: context)
        scan.identifier = try record.identifier ?? freeIdentifier(for: record)
        scan.filedAt = record.filedAt
        scan.author = record.author
        scan.importedBy = source.identifier
        scan.point = record.point
        scan.role = record.role
        scan.station = record.station
        scan.scannedAt = record.scannedAt
        scan.imageName = record.imageName
        scan.imageDigest = record.imageDigest
        scan.payload = record.payload
        scan.outcome = record.outcome
        scan.reason = record.reason
        scan.others = try record.others?.stored
        scan.luggage = luggage
        if let identifier = scan.identifier { met.known[identifier] = scan }
        if luggage == nil { failures.append(scan) }
        if record.imageDigest == nil {
            met.copies[record.single, default: 0] += 1
        } else {
            met.scans[record.key, default: []].append(scan)
        }
        return filings.isEmpty ? .new : .updated
    }

    /// An identifier for a scan that has none of its own: several tags of a picture may differ only in
    /// what they say.
    private func freeIdentifier(for record: ScanRecord) throws -> UUID {
        var record = record
        while try context.exists(
            FetchRequest(Scan.self).where(\.identifier, is: record.contentIdentifier)
        ) { record.copy += 1 }
        return record.contentIdentifier
    }

    /// The same filing of the same sighting, where it is on record.
    private func known(_ record: ScanRecord) throws -> Scan? {
        if let identifier = record.identifier { return met.known[identifier] }
        if record.imageDigest == nil { return nil }
        return met.scans[record.key, default: []].first {
            $0.undoneAt == nil && $0.scannedAt == record.scannedAt
        }
    }

    /// Takes over what two may tell otherwise who have filed the same, and know it by its contents only.
    private mutating func join(_ record: ScanRecord, into scan: Scan) throws -> ImportOutcome {
        guard scan.identifier?.isByContents ?? true, scan.isPreceded(by: record) else {
            return .repeated
        }
        scan.imageName = record.imageName
        scan.outcome = record.outcome
        scan.role = record.role
        hasAdded = true
        return .updated
    }

    /// The bag of a scan; made of what its payload says where it is not on record.
    private mutating func bag(
        of record: ScanRecord,
        _ contents: TagContents?
    ) throws -> Luggage? {
        guard let id = record.bag ?? contents?.identifier else { return nil }
        if met.bags[id] != nil || contents != nil || record.identifier != nil {
            return try touch(id)
        }
        throw TagError(
            .graph,
            .keyMissing,
            at: ["bag"],
            "\(id.uuidString) is neither on record nor before this scan in the file"
        )
    }

    // MARK: Other facts

    private mutating func merge(_ fact: FactRecord) throws -> ImportOutcome {
        if !met.facts.insert(fact.identifier).inserted { return .repeated }
        var fact = fact
        var isWithoutNames = false
        switch met.forgottenScope(of: fact) {
        case .bags: return .repeated
        case .names: (fact, isWithoutNames) = (fact.withoutNames, true)
        case nil: break
        }
        let correction = Correction(context: context)
        try fact.fill(correction)
        if isWithoutNames, correction.kind.isByContents, fact.identifier.isByContents {
            // An identifier that tells what was said would tell the names to whoever tries them all.
            correction.fact = correction.contentIdentifier
            let same = FetchRequest(Correction.self).where(\.fact, is: correction.fact)
            if try context.count(same) > 1 {
                try context.delete(correction)
                return .repeated
            }
        }
        hasAdded = true
        correction.importedBy = source.identifier
        switch fact.kind {
        case .forgottenFailures, .forgottenFailureNames:
            forgottenFailures += [correction.forgetting].compactMap(\.self)
            return .new
        case .forgottenBag, .forgottenNames: forgotten.insert(fact.subject)
        default: break
        }
        if let withdrawn = fact.withdrawn, withdrawn == fact.subject {
            let failed = FetchRequest(Scan.self).where(\.identifier, is: withdrawn)
            failures += try context.fetch(failed).filter { !$0.outcome.isFiled }
        }
        correction.luggage = try touch(fact.subject)
        return .new
    }

    // MARK: Deriving

    /// Makes bags what the facts about them say.
    mutating func derive() throws {
        for (id, before) in touched {
            guard let luggage = met.bags[id] else { continue }
            if forgotten.contains(id) { try forget(luggage) }
            try deriving.derive(luggage, before)
        }
        try deriving.mark(failures: failures)
        for failure in failures where failure.imageDigest != nil {
            try RecordedFacts.markRepeats(among: context.fetch(.filings(of: failure)))
        }
    }

    /// Forgets of a bag what is to be.
    private func forget(_ luggage: Luggage) throws {
        let recorded = try RecordedFacts(of: luggage, in: context)
        for forgetting in recorded.corrections.compactMap(\.forgetting) {
            var forgetter = Forgetter(forgetting.scope, in: context)
            for scan in recorded.scans
            where !scan.isDeleted && forgetting.covers(scan.scannedAt, known: scan.filedAt) {
                try forgetter.forget(scan)
            }
            let covered = recorded.corrections.filter {
                !$0.isDeleted && $0.forgetting == nil
                    && forgetting.covers($0.age.time, known: $0.age.known)
            }
            try forgetter.forget(covered, among: recorded.corrections)
            try forgetter.saveCounts()
        }
    }

    /// Forgets what is to be forgotten of what belongs to no bag.
    ///
    /// What was merged is saved; nothing of it is in use any more.
    func forgetFailures() throws {
        for forgetting in forgottenFailures {
            var forgetter = Forgetter(forgetting.scope, in: context)
            let scans = try context.fetchIDs(Scan.looseBefore(forgetting.until).asFaults())
            for page in scans.pages(of: RecordBatch.size) {
                for scan in try context.fetch(FetchRequest(Scan.self).whereObject(isOneOf: page))
                where scan.bagTold == nil
                    && forgetting.covers(scan.scannedAt, known: scan.filedAt)
                {
                    try forgetter.forget(scan)
                }
                try context.save()
                context.reset()
            }
            let dismissals = try context.fetch(
                Correction.looseBefore(forgetting.until).where(\.kind, is: .dismiss)
            ).filter { forgetting.covers($0.age.time, known: $0.age.known) }
            try forgetter.forget(dismissals, among: dismissals)
            try forgetter.saveCounts()
        }
    }

    /// What of a bag was not taken, since its tags say otherwise; nil where all of it was.
    func standing(_ bag: TagContents) -> String? {
        guard !source.isExchange, policy == .objectTrump || policy == .overwrite,
            touched[bag.identifier] != nil, let luggage = met.bags[bag.identifier]
        else { return nil }
        let contradiction = TagContents(luggage).contradiction(of: bag)
        return contradiction.map { "\($0.message); its scans say so" }
    }
}

extension TagContents {
    /// Whether another bag is the same but for the rounding of its weight.
    fileprivate func isSame(as other: TagContents) -> Bool {
        var exact = other
        if weight != nil, other.weight != nil, !Weight.contradicts(weight, other.weight) {
            exact.weight = weight
        }
        return exact == self
    }

    /// What another bag says otherwise about owner or weight, and not only by rounding.
    fileprivate func contradiction(of other: TagContents) -> TagError? {
        func error(_ member: String, _ known: String, _ found: String) -> TagError {
            TagError(
                .graph,
                .conflict,
                at: [member],
                "the file has \(found.onOneLine), and the record of \(identifier.uuidString) has "
                    + known.onOneLine
            )
        }
        if let owner, let found = other.owner, owner != found {
            return error("owner", owner.description, found.description)
        }
        if let weight, let found = other.weight, !Weight.isSame(weight, found) {
            return error("weight", "\(weight)", "\(found)")
        }
        return nil
    }
}

extension Date? {
    fileprivate func later(_ other: Date?) -> Date? {
        [self, other].compactMap(\.self).max()
    }
}

extension FetchRequest<Scan> {
    /// The filings of the same failure.
    fileprivate static func filings(of failure: Scan) -> Self {
        FetchRequest(Scan.self).where(\.imageDigest, is: failure.imageDigest)
            .where(\.station, is: failure.station).where(\.point, is: failure.point)
            .where(\.reason, is: failure.reason).where(\.payload, is: failure.payload)
    }
}

extension Scan {
    /// Whether another telling of the same filing is the one to keep, by name, outcome and role.
    fileprivate func isPreceded(by record: ScanRecord) -> Bool {
        let (name, other) = (Array(imageName.utf8), Array(record.imageName.utf8))
        if name != other { return name.lexicographicallyPrecedes(other) }
        if outcome != record.outcome { return outcome.rawValue < record.outcome.rawValue }
        return role?.rawValue ?? "" < record.role?.rawValue ?? ""
    }
}
