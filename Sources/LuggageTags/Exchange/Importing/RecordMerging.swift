internal import Foundation
internal import ObjectStore

/// Merges a batch of records with what is on record.
///
/// What a file says becomes facts: scans, and what it states about bags. Bags are then derived from all
/// facts about them, so the result is the same in whatever order records come, and however often.
struct RecordMerging {
    let context: ManagedObjectContext
    let policy: ImportPolicy
    /// Whether the file tells all that a store knows, and not single statements.
    let isExchange: Bool
    /// When what the file says becomes known here.
    let now: Date
    var met: RecordsMet
    /// The bags about which something was added, and what they were before; nil where they are new.
    private var touched: [UUID: BagDeriving.Before?] = [:]
    private let deriving: BagDeriving

    init(
        _ batch: RecordBatch,
        into context: ManagedObjectContext,
        _ policy: ImportPolicy,
        isExchange: Bool,
        now: Date
    ) throws {
        self.context = context
        self.policy = policy
        self.isExchange = isExchange
        self.now = now
        met = try RecordsMet(batch, in: context)
        deriving = BagDeriving(context: context)
    }

    mutating func merge(_ entry: RecordBatch.Entry) throws -> ImportOutcome {
        switch entry.record {
        case .bag(let bag): try merge(bag)
        case .passenger(let name): passenger(name)
        case .scan(let scan): try merge(scan, entry.contents)
        case .about, .end: .repeated
        }
    }

    private mutating func passenger(_ name: PassengerName) -> ImportOutcome {
        if met.passengers[name] != nil { return .repeated }
        met.passengers[name] = Passenger(name, context: context)
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

    private mutating func merge(_ bag: TagContents) throws -> ImportOutcome {
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
            news.weight = before.weight
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
    private func state(_ bag: TagContents, about luggage: Luggage) throws {
        let isHeard = isExchange || policy == .storeTrump || policy == .error
        let overwrites = policy == .overwrite && !isExchange
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
        let same = standing.first { $0.fact == statement.fact }
        if overwrites { for other in standing where other != same { other.undoneAt = now } }
        let last = standing.filter { $0.kind == .statement }.max {
            ($0.knownAt ?? $0.madeAt) < ($1.knownAt ?? $1.madeAt)
        }
        if let same, isHeard || overwrites || same == last {
            return try context.delete(statement)
        }
        // What was taken back stays so, and what was said before is said anew.
        let others = FetchRequest(Correction.self).where(\.fact, is: statement.fact)
        if try context.count(others) > 1 { statement.fact = .fact(at: now) }
        if isHeard { return }
        statement.author = ImportRun.author
        statement.madeAt = now
        statement.knownAt = now
    }

    /// What the policy makes of two bags.
    private func merged(_ bag: TagContents, into known: TagContents) -> TagContents {
        var merged = bag
        if isExchange && policy == .objectTrump {
            merged.weight = max(known.weight, bag.weight)
            merged.owner = [known.owner, bag.owner].compactMap(\.self)
                .max { $0.order.lexicographicallyPrecedes($1.order) }
        } else if policy != .overwrite {
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
        let known = met.filings(of: record)
        // What was taken back here stays so, wherever it still counts.
        if !known.isEmpty && known.allSatisfy({ $0.undoneAt != nil }) { return .repeated }
        let luggage = try bag(of: record, contents)
        if record.imageDigest == nil {
            guard met.copies[record.single, default: 0] < record.copy else { return .repeated }
            met.copies[record.single, default: 0] += 1
        } else if let same = known.first(where: { $0.undoneAt == nil }) {
            return try join(record, into: same, luggage)
        }
        let scan = Scan(context: context)
        scan.identifier = .fact(at: now)
        scan.filedAt = now
        scan.point = record.point
        scan.station = record.station
        scan.imageDigest = record.imageDigest
        scan.payload = record.payload
        scan.reason = record.reason
        scan.luggage = luggage
        scan.take(record)
        if record.imageDigest != nil { met.scans[record.key, default: []].append(scan) }
        return .new
    }

    /// Takes over what two who have filed the same may tell otherwise.
    private func join(
        _ record: ScanRecord,
        into scan: Scan,
        _ luggage: Luggage?
    ) throws -> ImportOutcome {
        let isEarlier = scan.isPreceded(by: record)
        let isLinked = scan.luggage == nil && luggage != nil
        if isEarlier { scan.take(record) }
        if isLinked { scan.luggage = luggage }
        return isEarlier || isLinked ? .updated : .repeated
    }

    /// The bag of a scan; made of what its payload says where it is not on record.
    private mutating func bag(
        of record: ScanRecord,
        _ contents: TagContents?
    ) throws -> Luggage? {
        guard let id = record.bag else { return nil }
        if met.bags[id] != nil || contents != nil { return try touch(id) }
        throw TagError(
            .graph,
            .keyMissing,
            at: ["bag"],
            "\(id.uuidString) is neither on record nor before this scan in the file"
        )
    }

    // MARK: Deriving

    /// Makes bags what the facts about them say.
    func derive() throws {
        for (id, before) in touched {
            if let luggage = met.bags[id] { try deriving.derive(luggage, before) }
        }
    }

    /// What of a bag was not taken, since its tags say otherwise; nil where all of it was.
    func standing(_ bag: TagContents) -> String? {
        guard !isExchange, policy == .objectTrump || policy == .overwrite,
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
        if Weight.isSame(weight, other.weight) { exact.weight = weight }
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
        if !Weight.isSame(weight, other.weight) {
            return error("weight", "\(weight)", "\(other.weight)")
        }
        return nil
    }
}

extension PassengerName {
    /// By what names are ordered, which must not depend on a language: UTF-8, family name first.
    fileprivate var order: [UInt8] { familyName.utf8 + [0] + givenName.utf8 }
}

extension Date? {
    fileprivate func later(_ other: Date?) -> Date? {
        [self, other].compactMap(\.self).max()
    }
}

extension Scan {
    /// Takes over what two filings of one scan may have otherwise.
    fileprivate func take(_ record: ScanRecord) {
        scannedAt = record.scannedAt
        imageName = record.imageName
        outcome = record.outcome
        role = record.role
    }

    /// Whether another filing of the same scan is the one to keep: the earlier, then by name, outcome and
    /// role.
    fileprivate func isPreceded(by record: ScanRecord) -> Bool {
        if scannedAt != record.scannedAt { return scannedAt > record.scannedAt }
        let (name, other) = (Array(imageName.utf8), Array(record.imageName.utf8))
        if name != other { return name.lexicographicallyPrecedes(other) }
        if outcome != record.outcome { return outcome.rawValue < record.outcome.rawValue }
        return role?.rawValue ?? "" < record.role?.rawValue ?? ""
    }
}
