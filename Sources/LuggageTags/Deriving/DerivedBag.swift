internal import Foundation

/// What a bag is by the facts about it: nothing but them, in whatever order they have become known.
struct DerivedBag: Hashable {
    /// What is said last about its weight and owner.
    private(set) var values = BagValues()
    /// Its journeys, the last one last.
    private(set) var journeys: [Journey] = []
    /// The last one; an empty one where there is none.
    private(set) var last = LastJourney()

    /// Derives a bag.
    ///
    /// A sighting that was filed several times counts once, at the earliest time: a file that is copied
    /// becomes younger, and never older. A correction has the word whatever tags say,
    /// whenever they are scanned: a tag that was printed wrong says the same wrong thing everywhere.
    /// What is stated fills what no tag tells: when it was imported does not say when it was so.
    init(_ facts: BagFacts) {
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
        for fact in others.isEmpty ? told : (told + others).sorted() {
            guard let sighting = fact.sighting, seen.insert(sighting).inserted else { continue }
            journeys.add(Journey.Sighting(sighting.point, fact.toldRole, fact.time))
        }
        self.journeys = journeys.all
        last = journeys.last
    }

    /// What is filed once more where the same is said of the same sighting.
    private struct Filing: Hashable {
        let sighting: BagFact.Sighting
        let words: BagFact.Words?

        init(_ fact: BagFact) {
            sighting = fact.sighting ?? .single(fact.identifier, point: .origin)
            words = fact.words
        }
    }

    /// The greatest weight, and the owner whose name comes last: those who have heard of different
    /// ones come to the same.
    private static func greatest(of heard: [BagFact]) -> BagValues {
        let values = heard.compactMap(\.words?.values)
        return BagValues(
            weight: values.compactMap(\.weight).max(),
            owner: values.compactMap(\.owner).max()
        )
    }

    /// The weight and the owner that were named last, each by itself: not every tag names an owner.
    private static func lastWords(of facts: [BagFact]) -> BagValues {
        var values = BagValues()
        for fact in facts.reversed() where !values.isComplete {
            if let words = fact.words { values = values.filled(by: words.values) }
        }
        return values
    }
}
