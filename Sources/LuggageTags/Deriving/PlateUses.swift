internal import FoundationEssentials

// Airlines give a licence plate to another bag after some weeks. Which facts are about the same bag
// follows from all of them together: two sightings in order are of two bags if there is a long silence
// between them. So the answer is the same in whatever order the facts came, and there is no calendar
// whose periods could divide the journey of one bag.

extension BagFacts {
    /// The facts about each of the bags that have had the identifier, in order.
    ///
    /// A statement of a file counts for the bag that it has sightings of, or else for the last one, and an
    /// edit for the bag that was seen last when somebody made it. A list expects the first bag that was seen
    /// so late that it can be the one, or else the last.
    var uses: [BagFacts] {
        guard let mostSilence else { return [self] }
        // A sighting that was filed several times counts once, at the earliest time.
        var earliest: [BagFact.Sighting: Date] = [:]
        for fact in told + stated + heard {
            guard let sighting = fact.sighting else { continue }
            earliest[sighting] = min(fact.time, earliest[sighting] ?? fact.time)
        }
        var starts: [Date] = []
        var ends: [Date] = []
        for time in earliest.values.sorted() {
            if let last = ends.last, time <= last + mostSilence {
                ends[ends.count - 1] = time
            } else {
                starts.append(time)
                ends.append(time)
            }
        }
        if starts.count < 2 { return [self] }
        func use(at time: Date) -> Int { starts.lastIndex { $0 <= time } ?? 0 }
        func use(of fact: BagFact) -> Int {
            use(at: fact.sighting.flatMap { earliest[$0] } ?? fact.time)
        }
        // When a statement's bag was seen, by the identifier of the statement.
        var seen: [UUID: Date] = [:]
        for fact in stated + heard where fact.sighting != nil {
            seen[fact.identifier] = max(fact.time, seen[fact.identifier] ?? fact.time)
        }
        func use(ofStated fact: BagFact) -> Int {
            if fact.sighting != nil { return use(of: fact) }
            return seen[fact.identifier].map(use(at:)) ?? starts.count - 1
        }
        var uses = starts.map { _ in BagFacts(withdrawn: withdrawn) }
        for fact in told { uses[use(of: fact)].told.append(fact) }
        for fact in stated { uses[use(ofStated: fact)].stated.append(fact) }
        for fact in heard { uses[use(ofStated: fact)].heard.append(fact) }
        for fact in corrections { uses[use(at: fact.time)].corrections.append(fact) }
        for fact in expected {
            let use = ends.firstIndex { $0 >= fact.due - Expectation.earliness }
            uses[use ?? ends.count - 1].expected.append(fact)
        }
        return uses
    }
}

extension BagDeriving.Before {
    /// Whether a sighting is so long after or before the last one that it is of another bag.
    func isOfOther(at date: Date) -> Bool {
        guard isOfPlate, let derivedUpTo else { return false }
        return abs(date.timeIntervalSince(derivedUpTo)) > LicencePlate.mostSilence
    }
}
