/// The places of properties that were used last, by the identities of their key paths.
///
/// Most uses in a program have one constant key path, and identities compare far faster than key
/// paths: every read of a property begins here.
struct PlaceCache: Sendable {
    private struct Entry {
        var identity: ObjectIdentifier?
        var place: ManagedObjectModel.PropertyPlace?
        /// Keeps the key path alive, because another could get its identity otherwise.
        var keyPath: PropertyPath?
    }

    private static let sizeBits = 7
    /// In how many entries, one after the other, an identity may be.
    private static let ways = 4

    private var entries = Array(repeating: Entry(), count: 1 << sizeBits)

    /// The entries that an identity may be in.
    private func candidates(for identity: ObjectIdentifier) -> some Sequence<Int> {
        // Spreads addresses, which differ in few of their bits, over all entries.
        let bits = UInt64(UInt(bitPattern: identity)) &* 0x9E37_79B9_7F4A_7C15
        let first = Int(truncatingIfNeeded: bits &>> UInt64(64 - Self.sizeBits))
        return (first..<first + Self.ways).lazy.map { $0 & (1 << Self.sizeBits - 1) }
    }

    subscript(keyPath: AnyKeyPath) -> ManagedObjectModel.PropertyPlace? {
        get {
            let identity = ObjectIdentifier(keyPath)
            for index in candidates(for: identity) where entries[index].identity == identity {
                return entries[index].place
            }
            return nil
        }
        set {
            let identity = ObjectIdentifier(keyPath)
            let candidates = Array(candidates(for: identity))
            // Another context may have set it.
            let free = candidates.first { [nil, identity].contains(entries[$0].identity) }
            entries[free ?? candidates[0]] = Entry(
                identity: identity,
                place: newValue,
                keyPath: PropertyPath(keyPath)
            )
        }
    }
}
