/// The places of properties that were used last, by the identities of their key paths.
///
/// Most uses in a program have one constant key path, and identities compare far faster than key
/// paths. Each identity has one entry that it may be in, so that finding it takes one comparison:
/// every read of a property begins here.
struct PlaceCache: Sendable {
    private static let sizeBits = 6

    private var identities: [ObjectIdentifier?] = Array(repeating: nil, count: 1 << sizeBits)
    private var places: [ManagedObjectModel.PropertyPlace?] =
        Array(repeating: nil, count: 1 << sizeBits)
    /// Keeps the key paths alive, because others could get their identities otherwise.
    private var keyPaths: [PropertyPath?] = Array(repeating: nil, count: 1 << sizeBits)

    private static func entry(of keyPath: AnyKeyPath) -> Int {
        // Spreads addresses, which differ in few of their bits, over all entries.
        let bits = UInt64(UInt(bitPattern: ObjectIdentifier(keyPath))) &* 0x9E37_79B9_7F4A_7C15
        return Int(truncatingIfNeeded: bits &>> UInt64(64 - sizeBits))
    }

    subscript(keyPath: AnyKeyPath) -> ManagedObjectModel.PropertyPlace? {
        get {
            let entry = Self.entry(of: keyPath)
            return identities[entry] == ObjectIdentifier(keyPath) ? places[entry] : nil
        }
        set {
            let entry = Self.entry(of: keyPath)
            identities[entry] = ObjectIdentifier(keyPath)
            keyPaths[entry] = PropertyPath(keyPath)
            places[entry] = newValue
        }
    }
}
