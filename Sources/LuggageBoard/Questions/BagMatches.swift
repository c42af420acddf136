internal import FoundationEssentials
package import LuggageTags
package import ObjectStore
internal import SystemSupport

/// The bags that a person may mean by a text: a part of an identifier, an owner, or a station.
package struct BagMatches: Sendable {
    /// The bags, those that departed last first; of a station, those that it has seen last.
    package var bags: [LuggageReport] = []
    /// Whether there are more than these.
    package var hasMore = false

    /// Whether bags with the digits elsewhere in their identifiers were not looked for, which takes a while.
    package var isUnfinished = false

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
    ///   - most: How many identifiers may be looked through one by one; nil for any number.
    ///   - context: The context to read in.
    /// - Throws: `StoreError`.
    package init(
        _ text: String,
        onlyMissing: Bool,
        lookingThrough most: Int?,
        in context: ManagedObjectContext
    ) throws {
        let text = text.trimmed
        var seen: Set<UUID> = []
        if text.isEmpty {
            guard onlyMissing else { return }
            try add(LuggageQuestion(), onlyMissing, limit: Self.mostMissing, &seen, context)
            let count = try context.count(FetchRequest(Luggage.self).missing)
            (total, hasMore) = (count, bags.count < count)
            return
        }
        let digits = text.uppercased().filter { $0 != "-" && $0 != " " }
        if digits.count >= 2, digits.count <= 32,
            digits.allSatisfy({ $0.isASCII && $0.isHexDigit })
        {
            let all = onlyMissing ? FetchRequest(Luggage.self).missing : FetchRequest()
            let found = try context.bags(
                withDigits: digits,
                among: all,
                lookingThrough: most,
                limit: Self.most + 1
            )
            isUnfinished = found == nil
            for bag in found ?? [] where seen.insert(bag.id).inserted { bags.append(bag) }
        }
        if let owner = OwnerQuestion(text.withSlash) {
            var question = LuggageQuestion()
            question.owner = owner
            try add(question, onlyMissing, limit: Self.most + 1, &seen, context)
        }
        // Nobody types the name of a station with less than two letters.
        if text.count > 1 {
            let found =
                onlyMissing
                ? try context.missingBags(seenAt: text, limit: Self.most + 1)
                : try context.bags(lastSeenAt: text, limit: Self.most + 1)
            for bag in found where seen.insert(bag.id).inserted { bags.append(bag) }
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
    /// The bags that a station has seen last, the last one first: all that it has ever seen may be a million.
    fileprivate func bags(lastSeenAt station: String, limit: Int) throws -> [LuggageReport] {
        // A bag may have been seen there several times.
        let scans = FetchRequest(Scan.self).at(station).where(\.undoneAt, isMissing: true)
            .sorted(by: \.scannedAt, .descending).limited(to: 4 * limit)
        var seen: Set<ObjectID> = []
        return try fetch(scans).compactMap(\.luggage).filter { seen.insert($0.objectID).inserted }
            .prefix(limit).map { LuggageReport($0) }
    }

    /// The missing bags that a station has seen, those missing longest first.
    fileprivate func missingBags(seenAt station: String, limit: Int) throws -> [LuggageReport] {
        let missing = FetchRequest(Luggage.self).missing.sorted(by: \.departedAt)
        let scans = FetchRequest(Scan.self).where(\.undoneAt, isMissing: true)
        // Either may be a million, and looking through them takes long: so the fewer are looked through, which are the
        // scans of the station, or the missing bags with theirs. No index of the store has both.
        let most = try count(missing)
        // Its index alone tells how many there are, undone ones too.
        if try count(FetchRequest(Scan.self).at(station).limited(to: most + 1)) <= most {
            let found = missing.where(\.scans, contains: scans.at(station)).limited(to: limit)
            return try fetch(found).map { LuggageReport($0) }
        }
        let (place, bag) = (model.property(\Scan.station), model.property(\Scan.luggage))
        var found: [ObjectID] = []
        for ids in try fetchIDs(missing.asFaults()).pages(of: 500) where found.count < limit {
            var seen: Set<ObjectID> = []
            try forEachBatch(
                ofSnapshots: scans.where(\.luggage, isOneOf: ids),
                omitting: [\.payload]
            ) { scans in
                for scan in scans where scan[place] == station.composed {
                    if let bag = scan[bag] { seen.insert(bag) }
                }
            }
            found += ids.filter(seen.contains)
        }
        return try fetch(missing.whereObject(isOneOf: found.prefix(limit))).map {
            LuggageReport($0)
        }
    }

    /// The bags whose identifiers begin with some digits, in order; if none does, those that end with them; if none
    /// does, those that have them anywhere.
    ///
    /// - Returns: The bags; nil if more identifiers would have to be looked through than may be.
    func bags(
        withDigits digits: String,
        among all: FetchRequest<Luggage> = FetchRequest(),
        lookingThrough most: Int? = nil,
        limit: Int
    ) throws -> [LuggageReport]? {
        func text(from start: Int) -> String {
            var text = ""
            for (position, digit) in zip(start..., digits) {
                if !text.isEmpty, [8, 12, 16, 20].contains(position) { text.append("-") }
                text.append(digit)
            }
            return text
        }
        func find(_ bags: FetchRequest<Luggage>) throws -> [LuggageReport] {
            // Only identifiers are looked through, by their index.
            let ids = try fetchIDs(bags.sorted(by: \.identifier).limited(to: limit).asFaults())
            let found = FetchRequest(Luggage.self).whereObject(isOneOf: ids)
            return try fetch(found.sorted(by: \.identifier)).map { LuggageReport($0) }
        }
        let beginning = text(from: 0)
        let first = try find(all.where(\.identifier, hasPrefix: beginning))
        // A few digits stand in many: only if it helps. Most people who do not begin at the beginning read the last ones.
        if !first.isEmpty || digits.count < 4 { return first }
        if let most, try count(all.limited(to: most + 1)) > most { return nil }
        let end = text(from: 32 - digits.count)
        let last = try find(all.where(\.identifier, hasSuffix: end))
        if !last.isEmpty { return last }
        func contains(_ texts: Set<String>, _ bags: FetchRequest<Luggage>) -> FetchRequest<Luggage>
        {
            bags.whereEither(
                texts.sorted().map { text in { $0.where(\.identifier, contains: text) } }
            )
        }
        var bags = all
        if digits.count >= 5 {
            // Each place of a hyphen is a text of its own, and each text takes time. Hyphens stand at least four
            // digits apart: of five digits, the first three or the last three stand together, in few identifiers.
            let five = digits.prefix(5)
            bags = contains([String(five.prefix(3)), String(five.suffix(3))], bags)
        }
        let places = Set((0...32 - digits.count).map { text(from: $0) })
        return try find(contains(places, bags))
    }
}
