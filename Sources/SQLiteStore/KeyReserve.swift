/// Keys that are counted as given before they are, so that not every save writes the count of keys.
///
/// They end as soon as another connection writes to the file, which counts on from there or may have put older
/// contents in its place: so later objects have higher keys, whoever saves them. Keys that are left at the end
/// are given to no object. Work that is taken back takes back what it did here too.
struct KeyReserve {
    /// The keys of an entity.
    private struct Keys {
        let entity: String
        /// The last one that is counted as given.
        var last: Int64 = 0
        /// How many up to the last one are left.
        var left: Int64 = 0
        /// How many were asked for since another connection has written.
        var taken: Int64 = 0
    }

    /// The most keys that are left of an entity: few saves of one object count then, and few keys are lost.
    private static let most: Int64 = 64

    /// Of some entities, found by their names.
    private var keys: [Keys] = []
    /// The state of the file in which they are left; nil if it is not known.
    private var version: UInt32?
    /// Whether a transaction may take keys that are left, and leave some.
    private var isOpen = false

    /// Begins a transaction, which finds the file in a state.
    mutating func begin(at version: UInt32?) {
        if version == nil || version != self.version { keys = [] }
        self.version = version
        isOpen = true
    }

    /// Ends a transaction that has left the file in a state.
    mutating func commit(at version: UInt32?) {
        self.version = version
        isOpen = false
    }

    /// Ends a transaction that was taken back, so that what was left at its begin is left again.
    mutating func takeBack(to begun: KeyReserve) {
        self = begun
        isOpen = false
    }

    /// Takes keys of an entity, one after the other.
    ///
    /// - Parameters:
    ///   - count: How many, at least one.
    ///   - entity: Its name.
    ///   - add: Counts more keys as given, and returns the last one.
    /// - Returns: The first one; nil if the count is wrong.
    /// - Throws: What `add` throws.
    mutating func take(
        _ count: Int64,
        of entity: String,
        _ add: (_ more: Int64) throws -> Int64
    ) rethrows -> Int64? {
        let place = isOpen ? keys.firstIndex { $0.entity == entity } : nil
        var found = place.map { keys[$0] } ?? Keys(entity: entity)
        if found.left < count {
            // Whoever saves once needs no more than this.
            let spare = isOpen ? min(found.taken, Self.most) : 0
            let more = count - found.left + spare
            let last = try add(more)
            // Negative keys belong to objects that were never saved, and nobody else counts while some are left.
            guard last >= more, found.left == 0 || last - more == found.last else { return nil }
            found.last = last
            found.left += more
        }
        let first = found.last - found.left + 1
        found.left -= count
        found.taken += count
        if let place { keys[place] = found } else if isOpen { keys.append(found) }
        return first
    }
}
