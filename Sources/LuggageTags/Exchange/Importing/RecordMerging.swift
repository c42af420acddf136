internal import Foundation
internal import ObjectStore

/// Merges a batch of records with what is on record.
///
/// Scans are united. Of two with the same key the later one is kept, as of all times of a bag. What
/// the scans of a bag say together about its weight and owner is settled as ``ScanRecorder`` settles
/// it, so the result is the same in whatever order records come, and however often.
struct RecordMerging {
    let context: ManagedObjectContext
    let policy: ImportPolicy
    /// Whether the file tells all that a store knows, and not single statements.
    let isExchange: Bool
    var met: RecordsMet
    /// The bags whose scans are to be asked anew.
    private var unsettled: Set<UUID> = []
    /// Those whose scans had the last word.
    private var settled: Set<UUID> = []

    init(
        _ batch: RecordBatch,
        into context: ManagedObjectContext,
        _ policy: ImportPolicy,
        isExchange: Bool
    ) throws {
        self.context = context
        self.policy = policy
        self.isExchange = isExchange
        met = try RecordsMet(batch, in: context)
    }

    mutating func merge(_ entry: RecordBatch.Entry) throws(TagError) -> ImportOutcome {
        switch entry.record {
        case .bag(let bag): try merge(bag)
        case .passenger(let name): passenger(name).isNew ? .new : .repeated
        case .scan(let scan): try merge(scan, entry.contents)
        case .about, .end: .repeated
        }
    }

    /// The passenger of a name, on record or new.
    private mutating func passenger(
        _ name: PassengerName
    ) -> (passenger: Passenger, isNew: Bool) {
        if let known = met.passengers[name] { return (known, false) }
        let passenger = Passenger(name, context: context)
        met.passengers[name] = passenger
        return (passenger, true)
    }

    /// Inserts a bag that is not on record.
    private mutating func insert(_ bag: TagContents) -> Luggage {
        let luggage = Luggage(context: context)
        luggage.identifier = bag.identifier
        luggage.weight = bag.weight
        if let owner = bag.owner { luggage.owner = passenger(owner).passenger }
        luggage.departedAt = bag.departedAt
        luggage.arrivedAt = bag.arrivedAt
        met.bags[bag.identifier] = luggage
        return luggage
    }

    // MARK: Bags

    private mutating func merge(_ bag: TagContents) throws(TagError) -> ImportOutcome {
        guard let luggage = met.bags[bag.identifier] else {
            _ = insert(bag)
            return .new
        }
        let before = TagContents(luggage)
        let contradiction = before.contradiction(of: bag)
        if let contradiction, policy == .error { throw contradiction }
        // Whoever was named once is on record, whichever side counts.
        if let owner = bag.owner { _ = passenger(owner) }
        let after = merged(bag, into: before)
        if after != before {
            luggage.weight = after.weight
            if after.owner != before.owner {
                luggage.owner = after.owner.map { passenger($0).passenger }
            }
            if after.departedAt != before.departedAt { luggage.departedAt = after.departedAt }
            if after.arrivedAt != before.arrivedAt { luggage.arrivedAt = after.arrivedAt }
        }
        if before.differs(from: bag) || after != before { unsettled.insert(bag.identifier) }
        if contradiction != nil { return .changed }
        return before.isSame(as: after) ? .repeated : .updated
    }

    /// What the policy makes of two bags.
    private func merged(_ bag: TagContents, into known: TagContents) -> TagContents {
        var merged = known
        switch policy {
        case .rollback: return known
        case .overwrite: return bag
        case .error, .storeTrump:
            merged.owner = known.owner ?? bag.owner
        case .objectTrump where isExchange:
            merged.weight = max(known.weight, bag.weight)
            merged.owner = [known.owner, bag.owner].compactMap(\.self)
                .max { $0.order.lexicographicallyPrecedes($1.order) }
        case .objectTrump:
            merged.weight = bag.weight
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
    ) throws(TagError) -> ImportOutcome {
        // What was taken back here stays so, wherever it still counts.
        if record.imageDigest != nil, met.scans[record.key]?.undoneAt != nil { return .repeated }
        let luggage = try bag(of: record, contents)
        if let owner = contents?.owner { _ = passenger(owner) }
        if let luggage {
            let date = luggage[record.point].later(record.scannedAt)
            if luggage[record.point] != date { luggage[record.point] = date }
        }
        if record.imageDigest == nil {
            guard met.copies[record.single, default: 0] < record.copy else { return .repeated }
            met.copies[record.single, default: 0] += 1
        } else if let known = met.scans[record.key] {
            return join(record, into: known, luggage)
        }
        let scan = Scan(context: context)
        scan.point = record.point
        scan.station = record.station
        scan.imageDigest = record.imageDigest
        scan.payload = record.payload
        scan.reason = record.reason
        scan.luggage = luggage
        scan.take(record)
        if record.imageDigest != nil { met.scans[record.key] = scan }
        if let luggage, let contents { note(contents, of: luggage) }
        return .new
    }

    /// Takes note of what a new scan says.
    private mutating func note(_ contents: TagContents, of luggage: Luggage) {
        let known = TagContents(luggage)
        if known.differs(from: contents) {
            unsettled.insert(known.identifier)
        } else if known.owner == nil, let owner = contents.owner {
            luggage.owner = passenger(owner).passenger
            unsettled.insert(known.identifier)
        }
    }

    private mutating func join(
        _ record: ScanRecord,
        into scan: Scan,
        _ luggage: Luggage?
    ) -> ImportOutcome {
        let isLater = scan.isPrecedingSame(record)
        let isLinked = scan.luggage == nil && luggage != nil
        if isLater { scan.take(record) }
        if isLinked { scan.luggage = luggage }
        guard isLater || isLinked else { return .repeated }
        if let luggage = scan.luggage {
            unsettled.insert(luggage.identifier)
            met.bags[luggage.identifier] = luggage
        }
        return .updated
    }

    /// The bag of a scan; made of what its payload says where it is not on record.
    private mutating func bag(
        of record: ScanRecord,
        _ contents: TagContents?
    ) throws(TagError) -> Luggage? {
        guard let id = record.bag else { return nil }
        if let known = met.bags[id] { return known }
        if let contents { return insert(contents) }
        throw TagError(
            .graph,
            .keyMissing,
            at: ["bag"],
            "\(id.uuidString) is neither on record nor before this scan in the file"
        )
    }

    // MARK: Settling

    /// Gives bags what their scans say together.
    ///
    /// The batch is to be saved before and afterwards.
    mutating func settle() throws {
        for id in unsettled {
            guard let luggage = met.bags[id] else { continue }
            let words = try LastWords(of: luggage, in: context)
            if words.weight == nil && words.owner == nil { continue }
            settled.insert(id)
            if let weight = words.weight, weight != luggage.weight { luggage.weight = weight }
            switch words.owner {
            case .passenger(let name) where name != luggage.owner?.name:
                luggage.owner = passenger(name).passenger
            case .nobody where luggage.owner != nil: luggage.owner = nil
            case .passenger, .nobody, nil: break
            }
            let scans = try context.fetch(
                FetchRequest(Scan.self)
                    .where(\.luggage, is: luggage)
                    .where(\.undoneAt, isMissing: true)
            )
            for scan in scans {
                let date = luggage[scan.point].later(scan.scannedAt)
                if luggage[scan.point] != date { luggage[scan.point] = date }
            }
        }
        unsettled = []
    }

    /// What of a bag was not taken, since its scans say otherwise; nil where all of it was.
    func standing(_ bag: TagContents) -> String? {
        guard !isExchange, policy == .objectTrump || policy == .overwrite,
            settled.contains(bag.identifier), let luggage = met.bags[bag.identifier]
        else { return nil }
        let contradiction = TagContents(luggage).contradiction(of: bag)
        return contradiction.map { "\($0.message); its scans say so" }
    }
}

extension TagContents {
    /// Whether another bag has another owner, where both have one, or another weight, be it only by
    /// rounding.
    fileprivate func differs(from other: TagContents) -> Bool {
        weight != other.weight
            || (owner != nil && other.owner != nil && owner != other.owner)
    }

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
    }

    /// Whether another filing of the same scan is the one to keep: the later, by time, then by name and
    /// outcome.
    fileprivate func isPrecedingSame(_ record: ScanRecord) -> Bool {
        if scannedAt != record.scannedAt { return scannedAt < record.scannedAt }
        let (name, other) = (Array(imageName.utf8), Array(record.imageName.utf8))
        if name != other { return name.lexicographicallyPrecedes(other) }
        return outcome.rawValue < record.outcome.rawValue
    }
}
