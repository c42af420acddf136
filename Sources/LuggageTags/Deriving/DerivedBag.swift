internal import FoundationEssentials

/// The state of a bag, derived only from its facts; the order in which they became known is irrelevant.
struct DerivedBag: Hashable {
    /// The weight and owner that count.
    private(set) var values = BagValues()
    /// Its journeys, in order.
    private(set) var journeys: [Journey] = []
    /// The last journey; an empty one if there is none.
    private(set) var last = LastJourney()
    /// The sightings at which the bag departed or arrived by mistake.
    private(set) var misrouted: Set<UUID> = []

    /// The expectations that count, and when the bag was first seen as each says; nil if it was not.
    private(set) var expectations: [UUID: Date?] = [:]
    /// The earliest time of an expectation that is not met; nil if there is none.
    private(set) var dueAt: Date?

    /// Derives a bag.
    ///
    /// A sighting that was filed several times counts once, at the earliest time: copying a file makes it
    /// younger, never older. Corrections override tags whenever the tags are scanned, because a tag with a
    /// printing error has the same error everywhere. Statements only fill what no tag tells, because the
    /// time of an import does not tell when its statements were true.
    ///
    /// If bags have had the identifier one after the other, the last one counts. Its journeys come after
    /// those of the others.
    init(_ facts: BagFacts) {
        let uses = facts.uses
        self.init(ofOne: uses.last ?? facts)
        let others = uses.dropLast().map(Self.init(ofOne:))
        journeys = others.flatMap(\.journeys) + journeys
        for other in others {
            misrouted.formUnion(other.misrouted)
            expectations.merge(other.expectations) { own, _ in own }
        }
    }

    /// Derives a bag that nobody has taken for another one.
    private init(ofOne facts: BagFacts) {
        let told = facts.told.sorted()
        var words: Set<Filing> = []
        values = Self.lastWords(of: facts.corrections.sorted())
            .filled(by: Self.lastWords(of: told.filter { words.insert(Filing($0)).inserted }))
            .filled(by: Self.lastWords(of: facts.stated.sorted()))
            .filled(by: Self.greatest(of: facts.heard))
        let heard = facts.heard.filter { facts.lacks($0) }
        let others = facts.stated + heard
        var seen: Set<BagFact.Sighting> = []
        var journeys = Journeys()
        var sightings: [Journey.Sighting] = []
        let expected = Expectation.current(of: facts.expected)
            .sorted { ($0.due, $0.identifier) < ($1.due, $1.identifier) }
        // Most tags of a bag are alike.
        var routes: [Data: Route?] = [:]
        // What tags say, lists need not.
        let isRouted = expected.isEmpty || told.contains { $0.route != nil }
        for fact in others.isEmpty ? told : (told + others).sorted() {
            guard let sighting = fact.sighting, seen.insert(sighting).inserted else { continue }
            let told = routes[fact.payload] ?? fact.route
            routes[fact.payload] = .some(told)
            let route = isRouted ? told : Expectation.route(by: expected, at: fact.time)
            let place = Journey.Sighting(
                sighting.point,
                fact.toldRole,
                fact.time,
                place: fact.place
            )
            if journeys.add(place, to: route) { misrouted.insert(fact.identifier) }
            if !facts.expected.isEmpty { sightings.append(place) }
        }
        self.journeys = journeys.all
        last = journeys.last
        expectations = Expectation.meetings(of: expected, by: sightings)
        dueAt = expected.first { expectations[$0.identifier] == .some(nil) }?.due
    }

    /// The identity of a filing: the same sighting with the same statement is filed again.
    private struct Filing: Hashable {
        let sighting: BagFact.Sighting
        let words: BagFact.Words?

        init(_ fact: BagFact) {
            sighting = fact.sighting ?? .single(fact.identifier, point: .origin)
            words = fact.words
        }
    }

    /// The greatest weight, and the owner whose name sorts last, so that all records choose the same.
    private static func greatest(of heard: [BagFact]) -> BagValues {
        let values = heard.compactMap(\.words?.values)
        return BagValues(
            weight: values.compactMap(\.weight).max(),
            owner: values.compactMap(\.owner).max()
        )
    }

    /// The last weight and the last owner, separately, because not every tag names an owner.
    private static func lastWords(of facts: [BagFact]) -> BagValues {
        var values = BagValues()
        for fact in facts.reversed() where !values.isComplete {
            if let words = fact.words { values = values.filled(by: words.values) }
        }
        return values
    }
}
