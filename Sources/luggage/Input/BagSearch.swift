internal import LuggageTags
internal import ObjectStore
internal import ProgramSupport

/// Finds the bag that the user means.
struct BagSearch {
    private static let named = 5

    let context: ManagedObjectContext

    /// What the user wants to do with the bag.
    enum Purpose {
        /// To look at it: a matching beginning takes precedence over a matching end.
        case looking
        /// To change it: if one bag's beginning and another bag's end match, neither is taken.
        case changing
    }

    /// Finds the only bag whose identifier begins or ends with some digits.
    ///
    /// - Parameters:
    ///   - digits: The first digits, or the last.
    ///   - purpose: What the user wants to do with it.
    /// - Returns: The bag.
    /// - Throws: ``Failure`` if there is none, or several; it names possible ones.
    func bag(_ digits: IdentifierDigits, for purpose: Purpose) throws -> Luggage {
        let beginning = try context.fetch(first(request(digits.beginning)))
        let ending = try context.fetch(first(ends(digits))).filter { !beginning.contains($0) }
        let all = beginning + ending
        if all.count == 1 { return all[0] }
        if purpose == .looking && beginning.count == 1 { return beginning[0] }
        if all.isEmpty { throw try nothing(digits) }
        let parts = [
            try words(beginning, "begin", digits.beginning, request(digits.beginning)),
            try words(ending, "end", digits.end, ends(digits)),
        ]
        throw Failure(
            .incomplete,
            parts.compactMap(\.self).joined(separator: ", and ") + "; give more of the identifier"
        )
    }

    /// The beginning that the identifiers of all bags that may be meant share.
    ///
    /// - Parameter digits: The first digits of several, or the last of one.
    /// - Returns: The beginning.
    /// - Throws: ``Failure`` if none begins with them, and several end with them.
    func beginning(_ digits: IdentifierDigits) throws -> String {
        let isBeginning = try context.exists(request(digits.beginning))
        let isEnd = try !isBeginning && context.exists(ends(digits))
        return isEnd ? try bag(digits, for: .looking).identifier.text : digits.beginning
    }

    /// Describes the bags found: `two bags begin with F4: …`; nil if there are none.
    private func words(
        _ found: [Luggage],
        _ verb: String,
        _ digits: String,
        _ all: FetchRequest<Luggage>
    ) throws -> String? {
        if found.isEmpty { return nil }
        let number = found.count == 1 ? "one bag \(verb)s" : "\(try count(all)) bags \(verb)"
        return "\(number) with \(digits): \(names(of: found))"
    }

    private func nothing(_ digits: IdentifierDigits) throws -> Failure {
        let isWhole = digits.identifier != nil
        let words = "no bag begins \(isWhole ? "" : "or ends ")with \(digits.beginning)"
        var shorter = digits.beginning
        while !shorter.isEmpty {
            shorter.removeLast()
            if shorter.last == "-" { shorter.removeLast() }
            let found = try context.fetch(first(request(shorter)))
            if found.isEmpty { continue }
            if shorter.isEmpty { break }
            let number = found.count == 1 ? "one begins" : "\(try count(request(shorter))) begin"
            return Failure(
                .incomplete,
                "\(words); \(number) with \(shorter): \(names(of: found))"
            )
        }
        let isEmpty = try !context.exists(FetchRequest(Luggage.self))
        return Failure(
            .incomplete,
            isEmpty
                ? "\(words): none is on record yet; file a first one with `luggage scan`"
                : "\(words); `luggage list` shows those on record"
        )
    }

    /// A request for the bags that begin so.
    private func request(_ prefix: String) -> FetchRequest<Luggage> {
        let request = FetchRequest(Luggage.self)
        return prefix.isEmpty ? request : request.where(\.identifier, hasPrefix: prefix)
    }

    /// A request for the bags that end so.
    private func ends(_ digits: IdentifierDigits) -> FetchRequest<Luggage> {
        // A whole identifier is found by its beginning, without reading every bag.
        if digits.identifier != nil { return FetchRequest(Luggage.self).whereObject(isOneOf: []) }
        return FetchRequest(Luggage.self).where(\.identifier, hasSuffix: digits.end)
    }

    private func first(_ request: FetchRequest<Luggage>) -> FetchRequest<Luggage> {
        request.sorted(by: \.identifier).limited(to: Self.named + 1)
    }

    /// The number of bags, as a word if it is small.
    private func count(_ request: FetchRequest<Luggage>) throws -> String {
        let count = try context.count(request)
        let words = ["two", "three", "four", "five", "six", "seven", "eight", "nine"]
        return words.indices.contains(count - 2) ? words[count - 2] : "\(count)"
    }

    private func names(of found: [Luggage]) -> String {
        let identifiers = ShortIdentifiers()
        identifiers.prepare(found.map(\.identifier))
        return found.prefix(Self.named).map { identifiers.text($0.identifier) }
            .joined(separator: ", ") + (found.count > Self.named ? ", …" : "")
    }
}
