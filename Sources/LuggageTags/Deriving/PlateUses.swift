internal import FoundationEssentials

// Airlines give a licence plate to another bag after some weeks. Which facts are about the same bag
// follows from all of them together: two sightings in order are of two bags if there is a long silence
// between them. So the answer is the same in whatever order the facts came, and there is no calendar
// whose periods could divide the journey of one bag.

extension BagFacts {
    /// The facts about each of the bags that have had the identifier, in order.
    ///
    /// A statement of a file counts for the bag that it has sightings of, or else for the last one that was seen,
    /// and an edit for the bag that was there when somebody made it. A list expects the first bag that was seen so
    /// late that it can be the one, or else the last before; if neither was seen for a long time around that
    /// moment, it is about a bag that nobody has seen.
    var uses: [BagFacts] {
        guard let mostSilence else { return [self] }
        // A sighting that was filed several times counts once, at the earliest time.
        var earliest: [BagFact.Sighting: Date] = [:]
        for fact in told + stated + heard {
            guard let sighting = fact.sighting else { continue }
            earliest[sighting] = min(fact.time, earliest[sighting] ?? fact.time)
        }
        var times: [(start: Date, end: Date)] = []
        for time in earliest.values.sorted() {
            if let last = times.last, time <= last.end + mostSilence {
                times[times.count - 1].end = time
            } else {
                times.append((time, time))
            }
        }
        guard let lastSeen = times.last?.start else { return [self] }
        // By their times, so that lists about a bag that nobody has seen come together.
        var due: [UUID: Date] = [:]
        for list in expected.sorted(by: { $0.due < $1.due }) {
            let start = list.due - Expectation.earliness
            let bag =
                times.first { $0.end >= start && $0.start <= list.due + mostSilence }
                ?? times.last { $0.end + mostSilence >= start && $0.start <= list.due }
            due[list.identifier] = bag?.start ?? start
            if bag != nil { continue }
            let place = times.firstIndex { $0.start > start } ?? times.count
            times.insert((start, list.due), at: place)
        }
        if times.count < 2 { return [self] }
        let starts = times.map(\.start)
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
            return use(at: due[fact.identifier] ?? seen[fact.identifier] ?? lastSeen)
        }
        var uses = starts.map { _ in BagFacts(withdrawn: withdrawn) }
        for fact in told { uses[use(of: fact)].told.append(fact) }
        for fact in stated { uses[use(ofStated: fact)].stated.append(fact) }
        for fact in heard { uses[use(ofStated: fact)].heard.append(fact) }
        for fact in corrections { uses[use(at: fact.time)].corrections.append(fact) }
        for list in expected {
            uses[use(at: due[list.identifier] ?? lastSeen)].expected.append(list)
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
