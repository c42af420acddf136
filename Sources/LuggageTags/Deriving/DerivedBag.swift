internal import Foundation

/// What a bag is by the facts about it: nothing but them, in whatever order they have become known.
struct DerivedBag: Hashable {
    /// What is said last about its weight and owner.
    private(set) var values = BagValues()
    /// Its journeys, the last one last.
    private(set) var journeys: [Journey] = []

    /// Derives a bag.
    ///
    /// Of one sighting that was filed several times, the filing with the earliest time counts: a file
    /// that is copied becomes younger, and never older. A correction has the word whatever tags say,
    /// whenever they are scanned: a tag that was printed wrong says the same wrong thing everywhere.
    ///
    /// - Parameters:
    ///   - facts: The tags and statements about the bag that stand, in any order.
    ///   - corrections: Those that stand, in any order.
    init(facts: [BagFact], corrections: [BagFact] = []) {
        var seen: Set<BagFact.Sighting> = []
        let counted = facts.sorted().filter { fact in
            fact.sighting.map { seen.insert($0).inserted } ?? true
        }
        values = Self.lastWords(of: corrections.sorted()).filled(by: Self.lastWords(of: counted))
        var journeys = Journeys()
        for fact in counted {
            if let point = fact.sighting?.point { journeys.add(point, fact.time) }
        }
        self.journeys = journeys.all
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
