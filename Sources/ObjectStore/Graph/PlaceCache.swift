internal import CSwiftRuntime

/// The places of properties that were used last, by the identities of their key paths.
///
/// Most uses in a program have one constant key path, and identities compare far faster than key
/// paths: every read of a property begins here.
struct PlaceCache: Sendable {
    struct Entry {
        var identity: ObjectIdentifier?
        var place: ManagedObjectModel.PropertyPlace?
        /// Keeps the key path alive, because another could get its identity otherwise.
        var keyPath: PropertyPath?
        /// Whether the key path stays for as long as the program.
        var isConstant = false
    }

    private static let sizeBits = 7
    /// In how many entries, one after the other, an identity may be.
    private static let ways = 4

    private(set) var entries = Array(repeating: Entry(), count: 1 << sizeBits)

    /// The entries that an identity may be in.
    private func candidates(for identity: ObjectIdentifier) -> some Sequence<Int> {
        // Spreads addresses, which differ in few of their bits, over all entries.
        let bits = UInt64(UInt(bitPattern: identity)) &* 0x9E37_79B9_7F4A_7C15
        let first = Int(truncatingIfNeeded: bits &>> UInt64(64 - Self.sizeBits))
        return (first..<first + Self.ways).lazy.map { $0 & (1 << Self.sizeBits - 1) }
    }

    /// The entry of a key path; nil if it has none.
    private func index(of keyPath: AnyKeyPath) -> Int? {
        let identity = ObjectIdentifier(keyPath)
        for index in candidates(for: identity) where entries[index].identity == identity {
            return index
        }
        return nil
    }

    /// The place of a wrapper's key path that stays for as long as the program; nil for another one.
    func constant(_ keyPath: AnyKeyPath) -> ManagedObjectModel.PropertyPlace? {
        guard let index = index(of: keyPath), entries[index].isConstant else { return nil }
        return entries[index].place
    }

    /// Notes that a key path with which a wrapper has been read twice stays for as long as the program, if it is known.
    ///
    /// The compiler makes it once and keeps it, unless the class is generic: then each reading makes another, none of
    /// which has the identity of one that is kept here. (An assignment may have that of the reading before it: `+=`
    /// makes one for both.) To count the references to one that stays takes as long as the rest of a reading, and they
    /// need not be counted.
    mutating func setConstant(_ keyPath: AnyKeyPath) {
        guard let index = index(of: keyPath), !entries[index].isConstant else { return }
        entries[index].isConstant = true
        unsafe _swift_stdlib_immortalize(Unmanaged.passUnretained(keyPath).toOpaque())
    }

    /// The place of a key path; nil if it is not known.
    subscript(keyPath: AnyKeyPath) -> ManagedObjectModel.PropertyPlace? {
        index(of: keyPath).flatMap { entries[$0].place }
    }

    /// Notes the place of a key path, unless another context has noted it already.
    mutating func note(_ place: ManagedObjectModel.PropertyPlace, of keyPath: AnyKeyPath) {
        if index(of: keyPath) != nil { return }
        let identity = ObjectIdentifier(keyPath)
        let candidates = Array(candidates(for: identity))
        let free = candidates.first { entries[$0].identity == nil }
        entries[free ?? candidates[0]] = Entry(
            identity: identity,
            place: place,
            keyPath: PropertyPath(keyPath)
        )
    }
}
