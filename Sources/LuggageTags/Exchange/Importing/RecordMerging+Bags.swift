internal import FoundationEssentials
internal import ObjectStore
internal import SystemSupport

// Merges the bags in files that do not have all facts about them.

extension RecordMerging {
    /// Compares a bag with the record, if the file also has all facts about it.
    func compare(_ bag: TagContents) -> ImportOutcome {
        guard let luggage = met.bags[bag.identifier] else { return .new }
        let known = TagContents(luggage)
        if known.contradiction(of: bag) != nil { return .changed }
        return known.isSame(as: bag) ? .repeated : .updated
    }

    mutating func merge(_ bag: TagContents) throws -> ImportOutcome {
        var bag = bag
        let forgotten = met.forgottenScope(of: bag, now: now)
        switch forgotten {
        case .bags: return .repeated
        case .names: bag.owner = nil
        case nil: break
        }
        guard let luggage = met.bags[bag.identifier] else {
            let luggage = try touch(bag.identifier)
            // Later records of the file are compared with these values.
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
            // A name that the record knows from later facts is no part of one that every record forgets.
            if forgotten == .names { news.owner = nil }
            try state(news, about: luggage)
        }
        if contradiction != nil { return .changed }
        return before.isSame(as: after) ? .repeated : .updated
    }

    /// The passenger with a name, on record or new.
    private mutating func owner(_ name: PassengerName) -> Passenger {
        if let known = met.passengers[name] { return known }
        let passenger = Passenger(name, context: context)
        met.passengers[name] = passenger
        return passenger
    }

    /// Keeps the statement of a file about a bag.
    ///
    /// The state of a bag in another record becomes a `heard` fact, and so do values that only fill gaps. A
    /// statement that overwrites the record withdraws earlier statements.
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
        let others = try context.fetch(
            FetchRequest<Correction>.about(luggage).where(\.kind, isOneOf: [.statement, .heard])
        ).filter { $0 != statement }
        let contents = statement.contentIdentifier
        let equal = others.filter {
            $0.kind == statement.kind && $0.contentIdentifier == contents
        }
        // A `heard` fact that was undone stays undone, however often it is heard.
        if isHeard && !equal.isEmpty { return try context.delete(statement) }
        let standing = others.filter { $0.undoneAt == nil }
        let same = equal.first { $0.undoneAt == nil }
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
                facts.add(withdrawal, to: luggage.identifier)
                hasAdded = true
            }
        }
        let last = standing.filter { $0.kind == .statement }.max { $0.time < $1.time }
        if let same, overwrites || same == last {
            return try context.delete(statement)
        }
        hasAdded = true
        facts.add(statement, to: luggage.identifier)
        // A repeated statement is a new fact; the one that was undone stays undone.
        statement.fact = .fact(at: now)
        statement.importedBy = source.identifier
        statement.knownAt = now
        if isHeard { return }
        statement.author = ImportRun.author
        statement.madeAt = now
    }

    /// Combines two bags as the policy says.
    private func merged(_ bag: TagContents, into known: TagContents) -> TagContents {
        var merged = bag
        if source.isExchange && policy == .objectTrump {
            merged.weight = [known.weight, bag.weight].compactMap(\.self).max()
            merged.owner = [known.owner, bag.owner].compactMap(\.self).max()
        } else if policy != .overwrite {
            merged.weight = bag.weight ?? known.weight
            merged.owner = bag.owner ?? known.owner
        }
        // Only tags say where a bag is to go.
        merged.route = known.route
        merged.departedAt = known.departedAt.later(bag.departedAt)
        merged.arrivedAt = known.arrivedAt.later(bag.arrivedAt)
        return merged
    }

    /// A sentence about what was not taken because tags contradict it; nil if everything was taken.
    func standing(_ bag: TagContents) -> String? {
        guard !source.isExchange, policy == .objectTrump || policy == .overwrite,
            touched[bag.identifier] != nil, let luggage = met.bags[bag.identifier]
        else { return nil }
        let contradiction = TagContents(luggage).contradiction(of: bag)
        return contradiction.map { "\($0.message); its scans say so" }
    }
}

extension TagContents {
    /// Whether another bag is equal except for rounding of the weight.
    fileprivate func isSame(as other: TagContents) -> Bool {
        var exact = other
        if weight != nil, other.weight != nil, !Weight.contradicts(weight, other.weight) {
            exact.weight = weight
        }
        return exact == self
    }

    /// The contradiction of another bag about owner or weight, by more than rounding; nil if there is none.
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
