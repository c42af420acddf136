/// Properties of the keys of a scanned map: whether all are text, and whether one is repeated.
///
/// Keys are equal if their values are: the number 1 in one byte equals that in eight, but not the
/// text "1".
struct MapKeys {
    /// Up to this number of keys, each is compared with each other; beyond it, hashes are used.
    private static let fewKeys = 12

    private(set) var traits = KeyTraits()

    /// The entry of the first repeated key; nil if all differ.
    private(set) var firstRepeated: Int?

    init(map: Int, tape: [TapeEntry], bytes: [UInt8]) {
        let count = Int(tape[map].count)
        if count <= Self.fewKeys {
            compareEach(map: map, tape: tape, bytes: bytes)
        } else {
            compareByHash(map: map, tape: tape, bytes: bytes)
        }
        if firstRepeated != nil { traits.insert(.repeated) }
    }

    private mutating func compareEach(map: Int, tape: [TapeEntry], bytes: [UInt8]) {
        let end = Int(tape[map].end)
        var key = map + 1
        while key < end {
            if tape[key].kind != .text { traits.insert(.notAllText) }
            var earlier = map + 1
            while earlier < key {
                if tape.holdsSame(earlier, key, in: bytes) { firstRepeated = firstRepeated ?? key }
                earlier = tape.keyAfter(earlier)
            }
            key = tape.keyAfter(key)
        }
    }

    private mutating func compareByHash(map: Int, tape: [TapeEntry], bytes: [UInt8]) {
        var hashes: [(hash: Int, key: Int)] = []
        hashes.reserveCapacity(Int(tape[map].count))
        // A key may contain maps with keys that contain maps. If each key were hashed with all of
        // its contents, the time would grow with the depth. So only keys with an equal number of
        // entries are hashed this way: a map has at most one key that is longer than half of it.
        var containers: [Int: [Int]] = [:]
        let end = Int(tape[map].end)
        var key = map + 1
        while key < end {
            if tape[key].kind != .text { traits.insert(.notAllText) }
            if tape[key].kind == .array || tape[key].kind == .map {
                containers[Int(tape[key].end) - key, default: []].append(key)
            } else {
                hashes.append((tape.hash(key, in: bytes), key))
            }
            key = tape.keyAfter(key)
        }
        for keys in containers.values where keys.count > 1 {
            hashes += keys.map { (tape.hash($0, in: bytes), $0) }
        }
        hashes.sort { ($0.hash, $0.key) < ($1.hash, $1.key) }
        // Hashes are seeded anew in each process, so equal hashes of different keys are very rare.
        var run = 0
        for index in hashes.indices {
            if hashes[index].hash != hashes[run].hash { run = index }
            for earlier in run..<index
            where tape.holdsSame(hashes[earlier].key, hashes[index].key, in: bytes) {
                firstRepeated = min(firstRepeated ?? .max, hashes[index].key)
                break
            }
        }
    }
}

extension [TapeEntry] {
    /// The key after a key and its value; after the last one, the map's end.
    @inline(__always)
    func keyAfter(_ key: Int) -> Int {
        Int(self[Int(self[key].end)].end)
    }

    /// Whether two entries have the same value.
    @inline(__always)
    func holdsSame(_ one: Int, _ other: Int, in bytes: [UInt8]) -> Bool {
        // Most keys are texts of different lengths.
        if self[one].kind == .text, self[one].count != self[other].count { return false }
        return holdsSameItems(one, other, in: bytes)
    }

    private func holdsSameItems(_ one: Int, _ other: Int, in bytes: [UInt8]) -> Bool {
        let length = Int(self[one].end) - one
        guard length == Int(self[other].end) - other else { return false }
        return (0..<length).allSatisfy { self[one + $0].isSame(as: self[other + $0], in: bytes) }
    }

    /// A hash that is equal for equal values.
    func hash(_ index: Int, in bytes: [UInt8]) -> Int {
        var hasher = Hasher()
        for entry in self[index..<Int(self[index].end)] {
            entry.hash(into: &hasher, in: bytes)
        }
        return hasher.finalize()
    }
}

extension TapeEntry {
    fileprivate func isSame(as other: TapeEntry, in bytes: [UInt8]) -> Bool {
        guard kind == other.kind else { return false }
        switch kind {
        case .integer: return integer(in: bytes) == other.integer(in: bytes)
        case .null: return true
        case .boolean: return marker == other.marker
        case .array, .map: return count == other.count
        case .float, .double, .text, .binary, .extension:
            return count == other.count && bytes[payload].elementsEqual(bytes[other.payload])
        }
    }

    fileprivate func hash(into hasher: inout Hasher, in bytes: [UInt8]) {
        hasher.combine(kind)
        switch kind {
        case .integer: hasher.combine(integer(in: bytes))
        case .null: break
        case .boolean: hasher.combine(marker)
        case .array, .map: hasher.combine(count)
        case .float, .double, .text, .binary, .extension:
            unsafe bytes.withUnsafeBytes {
                // The payload lies within the bytes, and the pointer stays in this closure.
                unsafe hasher.combine(bytes: UnsafeRawBufferPointer(rebasing: $0[payload]))
            }
        }
    }
}
