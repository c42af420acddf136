internal import LuggageTags
internal import ObjectStore
internal import ProgramSupport

/// Finds the bag that somebody means.
struct BagSearch {
    private static let named = 5

    let context: ManagedObjectContext

    /// The one bag whose identifier begins so.
    ///
    /// - Parameter beginning: The beginning.
    /// - Returns: The bag.
    /// - Throws: ``Failure`` where there is none, or several; it names those that may be meant.
    func bag(beginningWith beginning: IdentifierPrefix) throws -> Luggage {
        let prefix = beginning.text
        let found = try context.fetch(request(prefix).limited(to: Self.named + 1))
        if found.count == 1 { return found[0] }
        if found.isEmpty { throw try nothing(beginningWith: prefix) }
        throw Failure(
            .incomplete,
            "\(try count(prefix)) bags begin with \(prefix): \(names(of: found)); "
                + "give more of the identifier"
        )
    }

    private func nothing(beginningWith prefix: String) throws -> Failure {
        let words = "no bag begins with \(prefix)"
        var shorter = prefix
        while !shorter.isEmpty {
            shorter.removeLast()
            if shorter.last == "-" { shorter.removeLast() }
            let found = try context.fetch(request(shorter).limited(to: Self.named + 1))
            if found.isEmpty { continue }
            if shorter.isEmpty { break }
            let number = found.count == 1 ? "one begins" : "\(try count(shorter)) begin"
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

    private func request(_ prefix: String) -> FetchRequest<Luggage> {
        let request = FetchRequest(Luggage.self).sorted(by: \.identifier)
        return prefix.isEmpty ? request : request.where(\.identifier, hasPrefix: prefix)
    }

    /// The number of bags that begin so, in a word where there is one that reads better.
    private func count(_ prefix: String) throws -> String {
        let count = try context.count(request(prefix))
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
