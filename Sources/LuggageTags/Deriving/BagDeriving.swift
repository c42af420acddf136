internal import FoundationEssentials
internal import ObjectStore

/// Derives bags on record from the facts about them, in one transaction.
///
/// A bag comes on record with the first fact that counts, and is deleted with the last one. A caller that
/// adds a fact about a bag first calls ``adopt(_:_:)``, and afterwards ``derive(_:_:)``.
struct BagDeriving {
    let context: ManagedObjectContext
    /// Whether any facts on record are about bags that are not.
    private let hasOrphans: Bool
    /// Passengers that were read already.
    private let passengers: PassengersMet

    /// Prepares to derive bags.
    init(context: ManagedObjectContext, passengers: PassengersMet = PassengersMet()) {
        self.context = context
        self.passengers = passengers
        hasOrphans = true
    }

    /// Prepares to derive bags for filings that undo nothing.
    init(filingIn context: ManagedObjectContext) throws {
        self.context = context
        passengers = PassengersMet()
        let scans = FetchRequest(Scan.self).where(\.bag, isMissing: false)
            // With this order the store uses an index.
            .sorted(by: \.bag)
        let corrections = FetchRequest(Correction.self).where(\.luggage, is: nil)
        hasOrphans =
            try !context.fetchIDs(scans.limited(to: 1).asFaults()).isEmpty
            || !context.fetchIDs(corrections.limited(to: 1).asFaults()).isEmpty
    }

    /// The state of a bag on record, before a fact is added.
    struct Before {
        let weight: Float?
        let owner: ObjectID?
        let last: LastJourney
        let derivedUpTo: Date?
        /// Whether it has a sighting from another record, which may no longer count after the next scan.
        let isHeard: Bool
        /// Whether a list expects it.
        let isExpected: Bool
        /// Whether another bag has its identifier later, so that its state depends on all facts.
        let isOfPlate: Bool

        init(_ luggage: Luggage) {
            isExpected = luggage.isExpected
            isHeard = luggage.isHeard
            isOfPlate = LicencePlate(luggage.identifier) != nil
            weight = luggage.weight
            owner = luggage.owner?.objectID
            last = luggage.last
            derivedUpTo = luggage.derivedUpTo
        }

        /// The last journey after one more sighting; nil if it depends on all facts.
        func followed(by sighting: Journey.Sighting, to route: Route?) -> LastJourney? {
            guard let derivedUpTo, derivedUpTo < sighting.date, !isHeard, !isExpected, !isOfPlate
            else { return nil }
            return last.followed(by: sighting, to: route)
        }
    }

    // MARK: Bags that come and go

    /// Finds or makes the bag for a fact about it, and returns its state before; nil if it is new.
    func bag(_ identifier: UUID) throws -> (luggage: Luggage, before: Before?) {
        if let known = try context.luggage(identifier) {
            let before = Before(known)
            try adopt(known, before)
            return (known, before)
        }
        let luggage = Luggage(context: context)
        luggage.identifier = identifier
        try adopt(luggage, nil)
        return (luggage, nil)
    }

    /// Prepares a bag for a new fact.
    ///
    /// If the bag comes on record, this links facts about it that are on record already. If the state of the
    /// bag was not derived, but for example kept by an older version, this keeps the state as a fact of the
    /// kind `heard`.
    ///
    /// - Returns: Whether it found any such facts or state.
    @discardableResult
    func adopt(_ luggage: Luggage, _ before: Before?) throws -> Bool {
        guard let before else {
            guard hasOrphans else { return false }
            let scans = try context.fetch(.orphans(of: luggage.identifier))
            for scan in scans {
                scan.luggage = luggage
                scan.bag = nil
            }
            let corrections = try context.fetch(
                FetchRequest(Correction.self)
                    .where(\.identifier, is: luggage.identifier).where(\.luggage, is: nil)
            )
            for correction in corrections { correction.luggage = luggage }
            try identify(scans, corrections)
            return !(scans.isEmpty && corrections.isEmpty)
        }
        if before.derivedUpTo != nil { return false }
        let recorded = try RecordedFacts(of: luggage, in: context)
        try identify(recorded.scans, recorded.corrections)
        var facts = recorded.facts
        return try hear(before, of: luggage, with: &facts) != nil
    }

    /// Gives identifiers to facts of older versions, and makes withdrawals from their marks of undoing.
    func identify(_ scans: [Scan], _ corrections: [Correction]) throws {
        func withdraw(_ fact: UUID, of bag: UUID?, _ luggage: Luggage?, at date: Date?) throws {
            guard let date, let bag else { return }
            let withdrawal = Correction(withdrawing: fact, of: bag, at: date, in: context)
            let same = FetchRequest(Correction.self).where(\.fact, is: withdrawal.fact)
            if try context.count(same) > 1 { return try context.delete(withdrawal) }
            withdrawal.luggage = luggage
        }
        // Equal scans get numbers in an order that is the same in every record.
        let unknown = scans.filter { $0.identifier == nil }
            .sorted { $0.payload.lexicographicallyPrecedes($1.payload) }
        for scan in unknown {
            let bag = scan.bagTold
            if scan.luggage == nil && scan.outcome.isFiled { scan.bag = bag }
            var copy = 1
            while try context.exists(
                FetchRequest(Scan.self).where(\.identifier, is: scan.contentIdentifier(copy: copy))
            ) { copy += 1 }
            let fact = scan.contentIdentifier(copy: copy)
            scan.identifier = fact
            try withdraw(fact, of: bag, scan.luggage, at: scan.undoneAt)
        }
        for correction in corrections where correction.fact == nil {
            let fact = correction.contentIdentifier
            correction.fact = fact
            if correction.withdrawn == nil {
                let bag = correction.identifier
                try withdraw(fact, of: bag, correction.luggage, at: correction.undoneAt)
            }
        }
    }

    /// Adds a fact with the state of a bag that was not derived, unless its facts tell the same.
    ///
    /// - Returns: The fact; nil if it was not necessary.
    private func hear(
        _ before: Before,
        of luggage: Luggage,
        with facts: inout BagFacts
    ) throws -> Correction? {
        let passenger = try before.owner.flatMap {
            try context.existingObject(Passenger.self, id: $0)
        }
        let values = BagValues(weight: before.weight, owner: passenger.map { .passenger($0.name) })
        let told = facts
        let heard = Correction(.heard, luggage, values, before.last.journey, in: context)
        facts.heard += BagFact.facts(of: heard)
        if !told.told.isEmpty, DerivedBag(facts) == DerivedBag(told) {
            try context.delete(heard)
            facts = told
            return nil
        }
        return heard
    }

    /// Derives a bag that was not derived yet, so that a report shows only the effect of a fact.
    func renew(_ luggage: Luggage) throws {
        let before = Before(luggage)
        if before.derivedUpTo != nil { return }
        try adopt(luggage, before)
        try derive(luggage, before)
    }

    // MARK: Deriving

    /// Derives a bag from one new scan, which is not saved yet.
    ///
    /// If the scan is later than everything known about the bag, the old state is enough.
    func derive(
        _ luggage: Luggage,
        with scan: Scan,
        saying told: BagValues,
        to route: Route?,
        _ before: Before
    ) throws {
        guard let last = before.followed(by: scan.sighting, to: route) else {
            try derive(luggage, before)
            return
        }
        let values = told.filled(by: BagValues(luggage))
        if values != BagValues(luggage) || luggage.owner?.hasKeptSpelling == false {
            // Corrections override the tag.
            let facts = try BagFacts(correctionsOf: luggage, in: context)
            try apply(DerivedBag(facts).values.filled(by: values), to: luggage, before)
        }
        luggage.apply(last)
        luggage.derivedUpTo = scan.scannedAt
        if last.isMisrouted(by: scan.sighting) { scan.isMisrouted = true }
    }

    /// Derives a bag of which nothing is known but one new scan.
    func begin(_ luggage: Luggage, with scan: Scan) {
        let last = LastJourney().followed(by: scan.sighting, to: luggage.route)
        if let last { luggage.apply(last) }
        luggage.derivedUpTo = scan.scannedAt
        if last?.isMisrouted(by: scan.sighting) ?? false { scan.isMisrouted = true }
    }

    /// The state of a bag after sightings that are later than everything known before.
    struct Next {
        let values: BagValues
        let last: LastJourney
        let derivedUpTo: Date
    }

    /// Gives a bag a state that follows from the one before.
    func apply(_ next: Next, to luggage: Luggage, _ before: Before) throws {
        if next.values != BagValues(luggage) || luggage.owner?.hasKeptSpelling == false {
            try apply(next.values, to: luggage, before)
        }
        luggage.apply(next.last)
        luggage.derivedUpTo = next.derivedUpTo
    }

    /// Derives a bag from all facts about it, including unsaved ones.
    ///
    /// - Returns: Whether it is still on record.
    @discardableResult
    func derive(_ luggage: Luggage, _ before: Before?) throws -> Bool {
        try derive(luggage, before, from: RecordedFacts(of: luggage, in: context))
    }

    /// Derives a bag from all facts about it, which were read already.
    ///
    /// - Returns: Whether it is still on record.
    func derive(
        _ luggage: Luggage,
        _ before: Before?,
        from recorded: RecordedFacts
    ) throws -> Bool {
        var recorded = recorded
        try recorded.mark(in: context)
        let facts = recorded.facts
        guard facts.isOnRecord else {
            recorded.mark([:])
            for scan in recorded.scans {
                scan.bag = luggage.identifier
                if scan.isMisrouted { scan.isMisrouted = false }
            }
            let owner = luggage.owner?.objectID
            try context.delete(luggage)
            for id in Set([owner, before?.owner]) { try removePassenger(id, unlessOwnerOf: nil) }
            return false
        }
        let bag = DerivedBag(facts)
        for scan in recorded.scans {
            let isMisrouted = bag.misrouted.contains(scan.factIdentifier)
            if scan.isMisrouted != isMisrouted { scan.isMisrouted = isMisrouted }
        }
        recorded.mark(bag.expectations)
        if luggage.isExpected == bag.expectations.isEmpty { luggage.isExpected.toggle() }
        if luggage.dueAt != bag.dueAt { luggage.dueAt = bag.dueAt }
        try apply(bag.values, to: luggage, before)
        luggage.apply(bag.last)
        luggage.derivedUpTo = facts.lastTime ?? .distantPast
        let isHeard = facts.heard.contains { $0.sighting != nil }
        if luggage.isHeard != isHeard { luggage.isHeard = isHeard }
        return true
    }

    /// The differences between a bag and what its facts say, each as words; empty if there are none.
    ///
    /// A bag without facts has no differences.
    func differences(of luggage: Luggage) throws -> [String] {
        var facts = try RecordedFacts(of: luggage, in: context).facts
        if luggage.derivedUpTo == nil {
            let heard = try hear(Before(luggage), of: luggage, with: &facts)
            // It was only a trial.
            if let heard { try context.delete(heard) }
        }
        guard facts.isOnRecord else { return [] }
        let bag = DerivedBag(facts)
        let (was, journey) = (BagValues(luggage), bag.last.journey)
        func time(_ name: String, _ stored: Date?, _ derived: Date?) -> String? {
            if stored == derived { return nil }
            return "\(name) \(stored?.reportText ?? "never") and not "
                + (derived?.reportText ?? "never")
        }
        var differences = [
            time("departed", luggage.departedAt, journey.departedAt),
            time("arrived", luggage.arrivedAt, journey.arrivedAt),
            time("misrouted", luggage.misroutedAt, journey.misroutedAt),
            time("due", luggage.dueAt, bag.dueAt),
        ].compactMap(\.self)
        if luggage.route != journey.route { differences.append("another route") }
        if luggage.weight != bag.values.weight {
            let words = [luggage.weight, bag.values.weight].map {
                $0.map { "\($0) lb" } ?? "unknown"
            }
            differences.append("weight \(words[0]) and not \(words[1])")
        }
        if was.owner != (bag.values.owner == .nobody ? nil : bag.values.owner) {
            differences.append("another owner")
        }
        return differences
    }

    /// Marks which failed scans are undone, for example because their import was undone.
    func mark(failures: [Scan]) throws {
        let ids = failures.compactMap(\.identifier)
        let corrections = try context.fetch(
            FetchRequest(Correction.self).where(\.identifier, isOneOf: ids)
                .where(\.withdrawn, isMissing: false)
        )
        let withdrawals = Withdrawals(corrections)
        for failure in failures { failure.undoneAt = withdrawals.time(of: failure) }
    }

    private func apply(_ values: BagValues, to luggage: Luggage, _ before: Before?) throws {
        if luggage.weight != values.weight { luggage.weight = values.weight }
        let named = luggage.owner?.objectID
        switch values.owner {
        case .passenger(let name)
        where name != luggage.owner?.name || luggage.owner?.hasKeptSpelling == false:
            luggage.owner = try passengers.passenger(name, in: context)
        case .nobody, nil: if named != nil { luggage.owner = nil }
        case .passenger: break
        }
        for id in Set([named, before?.owner]) { try removePassenger(id, unlessOwnerOf: luggage) }
    }

    /// Deletes a passenger who owns no bags, because passengers are on record only as owners.
    private func removePassenger(_ id: ObjectID?, unlessOwnerOf luggage: Luggage?) throws {
        guard let id, id != luggage?.owner?.objectID,
            let passenger = try context.existingObject(Passenger.self, id: id),
            try !context.exists(FetchRequest(Luggage.self).where(\.owner, is: passenger))
        else { return }
        try context.delete(passenger)
    }
}

extension Luggage {
    /// The last journey, as far as later sightings need it.
    var last: LastJourney {
        var journey = Journey(departedAt: departedAt, arrivedAt: arrivedAt)
        journey.route = route
        (journey.misroutedAt, journey.misroutedTo) = (misroutedAt, misroutedTo)
        return LastJourney(journey: journey, firstArrival: firstArrivedAt)
    }

    /// Sets the last journey.
    fileprivate func apply(_ last: LastJourney) {
        if route != last.journey.route { route = last.journey.route }
        if misroutedAt != last.journey.misroutedAt { misroutedAt = last.journey.misroutedAt }
        if misroutedTo != last.journey.misroutedTo { misroutedTo = last.journey.misroutedTo }
        if departedAt != last.journey.departedAt { departedAt = last.journey.departedAt }
        if arrivedAt != last.journey.arrivedAt { arrivedAt = last.journey.arrivedAt }
        if firstArrivedAt != last.firstArrival { firstArrivedAt = last.firstArrival }
    }
}

extension LastJourney {
    /// Whether the bag departs or arrives by mistake at the last sighting of the journey.
    func isMisrouted(by last: Journey.Sighting) -> Bool {
        last.role != .underWay && journey.misroutedAt != nil
    }
}

extension Scan {
    /// The sighting that it is.
    var sighting: Journey.Sighting { Journey.Sighting(point, role, scannedAt, place: placeTold) }
}
