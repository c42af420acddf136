internal import FoundationEssentials
internal import LuggageTags
internal import ObjectStore

/// Shortens identifiers as far as a list allows: no two in it begin alike.
///
/// The first rows of a list are known together, and each gets as many digits as it needs. A later one
/// that begins like another is written whole. An identifier that comes again is written as before.
final class ShortIdentifiers {
    private static let shortest = 8

    /// The rest of the first identifier with each beginning, as a number that hardly any other has.
    ///
    /// A list may have millions, and this takes only twelve bytes for each.
    private var rests: [UInt32: UInt64] = [:]
    /// The number of digits of identifiers that need more than the minimum.
    private var lengths: [UUID: Int] = [:]

    /// Takes the first identifiers, before any text is requested.
    func prepare(_ identifiers: [UUID]) {
        var alike: Set<UInt32> = []
        for identifier in identifiers where !identifier.isPlate && !isFirst(identifier) {
            alike.insert(identifier.beginning)
        }
        if alike.isEmpty { return }
        let sorted = Set(identifiers.filter { alike.contains($0.beginning) && !$0.isPlate })
            .map { (identifier: $0, text: $0.text) }.sorted { $0.text < $1.text }
        for (first, second) in zip(sorted, sorted.dropFirst()) {
            var length = zip(first.text, second.text).prefix { $0 == $1 }.count + 1
            // Does not end with a hyphen.
            if first.text.prefix(length).last == "-" || second.text.prefix(length).last == "-" {
                length += 1
            }
            for identifier in [first.identifier, second.identifier] {
                lengths[identifier] = max(lengths[identifier] ?? Self.shortest, length)
            }
        }
    }

    /// The beginning of an identifier, or all of it.
    func text(_ identifier: UUID) -> String {
        if identifier.isPlate { return identifier.short }
        if !lengths.isEmpty, let length = lengths[identifier] {
            return String(identifier.text.prefix(length))
        }
        return isFirst(identifier) ? identifier.short : identifier.text
    }

    /// Whether no other identifier with the same beginning has come before.
    private func isFirst(_ identifier: UUID) -> Bool {
        let rest = identifier.rest
        if let first = rests[identifier.beginning] { return first == rest }
        rests[identifier.beginning] = rest
        return true
    }
}

extension UUID {
    /// Whether it has a name of its own, which no other bag has.
    fileprivate var isPlate: Bool { LicencePlate(self) != nil }

    /// The first eight digits.
    fileprivate var beginning: UInt32 {
        UInt32(uuid.0) << 24 | UInt32(uuid.1) << 16 | UInt32(uuid.2) << 8 | UInt32(uuid.3)
    }

    /// The other digits, folded into one number.
    fileprivate var rest: UInt64 {
        unsafe withUnsafeBytes(of: uuid) { bytes in
            let middle = unsafe bytes.loadUnaligned(fromByteOffset: 4, as: UInt32.self)
            let end = unsafe bytes.loadUnaligned(fromByteOffset: 8, as: UInt64.self)
            // An odd number with bits everywhere, so that all bits depend on both parts.
            return end ^ (UInt64(middle) &* 0x9E37_79B9_7F4A_7C15)
        }
    }
}
