internal import FoundationEssentials
package import LuggageTags
internal import ObjectStore
internal import SystemSupport

/// The bags that a person may mean by a text: a part of an identifier, an owner, or a station.
package struct BagMatches: Sendable {
    /// The bags, those that departed last first.
    package var bags: [LuggageReport] = []
    /// Whether there are more than these.
    package var hasMore = false

    /// How many there are, if that is known.
    package var total: Int?

    /// How many are listed; of missing bags, for who wants to see them all, more.
    static let most = 50
    static let mostMissing = 500

    /// Looks for bags.
    ///
    /// - Parameters:
    ///   - text: What was typed.
    ///   - onlyMissing: Whether only missing bags are meant.
    ///   - context: The context to read in.
    /// - Throws: `StoreError`.
    init(_ text: String, onlyMissing: Bool, in context: ManagedObjectContext) throws {
        let text = text.trimmed
        var seen: Set<UUID> = []
        if text.isEmpty {
            guard onlyMissing else { return }
            try add(LuggageQuestion(), onlyMissing, limit: Self.mostMissing, &seen, context)
            var missing = LuggageQuestion()
            missing.isMissing = true
            total = try missing.count(in: context)
            hasMore = bags.count < total ?? 0
            return
        }
        let digits = text.uppercased().filter { $0 != "-" && $0 != " " }
        if digits.count >= 2, digits.count <= 32,
            digits.allSatisfy({ $0.isASCII && $0.isHexDigit })
        {
            for bag in try context.bags(
                withDigits: digits,
                onlyMissing: onlyMissing,
                limit: Self.most + 1
            ) where seen.insert(bag.id).inserted { bags.append(bag) }
        }
        if let owner = OwnerQuestion(text.withSlash) {
            var question = LuggageQuestion()
            question.owner = owner
            try add(question, onlyMissing, limit: Self.most + 1, &seen, context)
        }
        // Nobody types the name of a station with less than two letters.
        if text.count > 1 {
            var question = LuggageQuestion()
            question.station = text
            try add(question, onlyMissing, limit: Self.most + 1, &seen, context)
        }
        if bags.count > Self.most {
            bags.removeLast(bags.count - Self.most)
            hasMore = true
        }
    }

    private mutating func add(
        _ question: LuggageQuestion,
        _ onlyMissing: Bool,
        limit: Int,
        _ seen: inout Set<UUID>,
        _ context: ManagedObjectContext
    ) throws {
        var question = question
        question.isMissing = onlyMissing
        // Those missing longest first; of others the last.
        question.isDescending = !onlyMissing
        question.limit = limit
        var found: [LuggageReport] = []
        try question.forEachBatch(in: context) { found += $0 }
        for bag in found where seen.insert(bag.id).inserted { bags.append(bag) }
    }
}

extension ManagedObjectContext {
    /// The bags whose identifiers begin with some digits, in order; if none does, those that have them anywhere.
    func bags(
        withDigits digits: String,
        onlyMissing: Bool = false,
        limit: Int
    ) throws -> [LuggageReport] {
        func text(from start: Int) -> String {
            var text = ""
            for (position, digit) in zip(start..., digits) {
                if !text.isEmpty, [8, 12, 16, 20].contains(position) { text.append("-") }
                text.append(digit)
            }
            return text
        }
        var all = FetchRequest(Luggage.self)
        if onlyMissing {
            all = all.where(\.arrivedAt, isMissing: true).where(\.departedAt, isMissing: false)
        }
        var found = try fetch(
            all.where(\.identifier, hasPrefix: text(from: 0)).sorted(by: \.identifier)
                .limited(to: limit)
        )
        // Every bag is looked at for what stands elsewhere, and a few digits stand in many: only if it helps.
        if found.isEmpty, digits.count >= 4 {
            let places = Set((0...32 - digits.count).map(text))
            found = try fetch(
                all.whereEither(
                    places.sorted().map { text in { $0.where(\.identifier, contains: text) } }
                ).limited(to: limit)
            )
        }
        return found.map { LuggageReport($0) }
    }
}
