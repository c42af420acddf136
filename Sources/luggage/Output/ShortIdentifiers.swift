internal import Foundation

/// Gives identifiers as short as a list can have them: no two of it begin alike.
///
/// The first rows of a list are known together, and each has as many digits as it needs. One that comes
/// later and begins like another is given as a whole. Of each only four bytes are kept.
final class ShortIdentifiers {
    private static let shortest = 8

    /// Whether later ones are known again when they come again, as in a list that has no end.
    private let remembersAll: Bool
    private var longer: [UUID: Int] = [:]
    private var seen: Set<UInt32> = []
    private var known: Set<UUID> = []

    init(remembersAll: Bool = false) {
        self.remembersAll = remembersAll
    }

    /// Takes the first identifiers, before any is asked for.
    func prepare(_ identifiers: [UUID]) {
        known = Set(identifiers)
        for identifier in known where !seen.insert(identifier.beginning).inserted {
            longer[identifier] = Self.shortest
        }
        if longer.isEmpty { return }
        let alike = Set(longer.keys.map(\.beginning))
        let sorted = known.filter { alike.contains($0.beginning) }
            .map { (identifier: $0, text: $0.uuidString) }.sorted { $0.text < $1.text }
        for (first, second) in zip(sorted, sorted.dropFirst()) {
            var length = zip(first.text, second.text).prefix { $0 == $1 }.count + 1
            // Not with a hyphen at the end.
            if first.text.prefix(length).last == "-" || second.text.prefix(length).last == "-" {
                length += 1
            }
            for identifier in [first.identifier, second.identifier] {
                longer[identifier] = max(longer[identifier] ?? Self.shortest, length)
            }
        }
    }

    /// The beginning of an identifier, or the whole of it.
    func text(_ identifier: UUID) -> String {
        let text = identifier.uuidString
        if known.contains(identifier) {
            return String(text.prefix(longer[identifier] ?? Self.shortest))
        }
        let isFirst = seen.insert(identifier.beginning).inserted
        if remembersAll {
            known.insert(identifier)
            if !isFirst { longer[identifier] = text.count }
        }
        return isFirst ? String(text.prefix(Self.shortest)) : text
    }
}

extension UUID {
    /// The first eight digits.
    fileprivate var beginning: UInt32 {
        UInt32(uuid.0) << 24 | UInt32(uuid.1) << 16 | UInt32(uuid.2) << 8 | UInt32(uuid.3)
    }
}
