/// The places of properties that were used last, by the identities of their key paths.
///
/// Most uses in a program have one constant key path, and identities compare far faster than key
/// paths. Each identity has one entry that it may be in, so that finding it takes one comparison:
/// every read of a property begins here.
struct PlaceCache: Sendable {
    private struct Entry {
        var identity: ObjectIdentifier?
        var place: ManagedObjectModel.PropertyPlace?
        /// Keeps the key path alive, because another could get its identity otherwise.
        var keyPath: PropertyPath?
    }

    private static let sizeBits = 5
    private var entries = Array(repeating: Entry(), count: 1 << sizeBits)

    private static func index(of identity: ObjectIdentifier) -> Int {
        // Spreads addresses, which differ in few of their bits, over all entries.
        let bits = UInt64(UInt(bitPattern: identity)) &* 0x9E37_79B9_7F4A_7C15
        return Int(truncatingIfNeeded: bits &>> UInt64(64 - sizeBits))
    }

    subscript(keyPath: AnyKeyPath) -> ManagedObjectModel.PropertyPlace? {
        get {
            let identity = ObjectIdentifier(keyPath)
            let index = Self.index(of: identity)
            return entries[index].identity == identity ? entries[index].place : nil
        }
        set {
            let identity = ObjectIdentifier(keyPath)
            entries[Self.index(of: identity)] = Entry(
                identity: identity,
                place: newValue,
                keyPath: PropertyPath(keyPath)
            )
        }
    }
}
