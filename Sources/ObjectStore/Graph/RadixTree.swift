/// A map from numbers to values, in the order of the numbers, whose copies share what neither has
/// changed since.
///
/// It is a radix tree: each six bits of a key choose one of up to 64 branches, and the last six a
/// value in its leaf. So nothing is hashed, keys that follow one another share leaves, and the first
/// change after a copy copies the nodes on one path. The root covers no more than the keys need, so
/// close keys make a low tree, however great they are.
struct RadixTree<Value> {
    fileprivate struct Node {
        /// The branches that are there, one bit for each.
        var present: UInt64 = 0
        /// The nodes of the present branches; empty in a leaf.
        var children: [Node] = []
        /// The values of the present keys; empty in a node with children.
        var values: [Value] = []
    }

    private var root = Node()
    /// The position of the lowest of the six bits that choose a branch of the root.
    private var shift: UInt64 = 0
    /// What is above these bits, the same in all keys.
    private var prefix: UInt64 = 0
    /// The number of values.
    private(set) var count = 0

    private func covers(_ key: UInt64) -> Bool { (key >> shift) >> 6 == prefix }

    /// The value of a key; nil if there is none.
    subscript(key: UInt64) -> Value? { withValue(of: key) { $0 } }

    /// Reads a value without copying it.
    ///
    /// - Parameters:
    ///   - key: The key.
    ///   - body: Takes its value.
    /// - Returns: What `body` returns; nil if the key has no value.
    func withValue<Result>(of key: UInt64, _ body: (Value) -> Result) -> Result? {
        covers(key) ? root.withValue(of: key, shift, body) : nil
    }

    /// Sets the value of a key.
    ///
    /// - Returns: The value that it had; nil if it had none.
    @discardableResult
    mutating func updateValue(_ value: Value, forKey key: UInt64) -> Value? {
        if count == 0 { (root, shift, prefix) = (Node(), 0, key >> 6) }
        while !covers(key) {
            root = Node(present: 1 << (prefix & 63), children: [root])
            shift += 6
            prefix >>= 6
        }
        let old = root.update(value, key, shift)
        if old == nil { count += 1 }
        return old
    }

    /// Changes the value of a key in its place.
    ///
    /// - Parameters:
    ///   - key: The key.
    ///   - body: Changes its value.
    /// - Returns: What `body` returns; nil if the key has no value.
    mutating func modifyValue<Result>(
        of key: UInt64,
        _ body: (inout Value) -> Result
    ) -> Result? {
        covers(key) ? root.modify(key, shift, body) : nil
    }

    /// Removes the value of a key.
    ///
    /// - Returns: The value that it had; nil if it had none.
    @discardableResult
    mutating func removeValue(forKey key: UInt64) -> Value? {
        guard covers(key), let old = root.remove(key, shift) else { return nil }
        count -= 1
        return old
    }
}

extension RadixTree.Node {
    /// The place of a branch among those that are there, or before which it would come.
    private func place(_ branch: UInt64) -> (Int, isPresent: Bool) {
        let bit: UInt64 = 1 &<< branch
        return ((present & (bit &- 1)).nonzeroBitCount, present & bit != 0)
    }

    fileprivate func withValue<Result>(
        of key: UInt64,
        _ shift: UInt64,
        _ body: (Value) -> Result
    ) -> Result? {
        let (place, isPresent) = place(key >> shift & 63)
        guard isPresent else { return nil }
        return shift == 0
            ? body(values[place]) : children[place].withValue(of: key, shift - 6, body)
    }

    fileprivate mutating func update(_ value: Value, _ key: UInt64, _ shift: UInt64) -> Value? {
        let branch = key >> shift & 63
        let (place, isPresent) = place(branch)
        present |= 1 << branch
        if shift > 0 {
            if !isPresent { children.insert(Self(), at: place) }
            return children[place].update(value, key, shift - 6)
        }
        if !isPresent {
            values.insert(value, at: place)
            return nil
        }
        let old = values[place]
        values[place] = value
        return old
    }

    fileprivate mutating func modify<Result>(
        _ key: UInt64,
        _ shift: UInt64,
        _ body: (inout Value) -> Result
    ) -> Result? {
        let (place, isPresent) = place(key >> shift & 63)
        guard isPresent else { return nil }
        return shift == 0 ? body(&values[place]) : children[place].modify(key, shift - 6, body)
    }

    fileprivate mutating func remove(_ key: UInt64, _ shift: UInt64) -> Value? {
        let branch = key >> shift & 63
        let (place, isPresent) = place(branch)
        guard isPresent else { return nil }
        let old: Value?
        if shift == 0 {
            old = values.remove(at: place)
        } else {
            old = children[place].remove(key, shift - 6)
            guard children[place].present == 0 else { return old }
            children.remove(at: place)
        }
        present &= ~(1 << branch)
        return old
    }
}

extension RadixTree.Node: Sendable where Value: Sendable {}
extension RadixTree: Sendable where Value: Sendable {}

extension RadixTree: Sequence {
    /// Goes through the keys and values in the order of the keys.
    struct Iterator: IteratorProtocol {
        /// The nodes on the way to the next value, each with its branches that are still to come and
        /// the key of its first.
        private var way: [(node: Node, rest: UInt64, first: UInt64)] = []
        private let height: Int

        fileprivate init(_ tree: RadixTree) {
            height = Int(tree.shift / 6)
            if tree.count > 0 {
                way.append((tree.root, tree.root.present, (tree.prefix << 6) << tree.shift))
            }
        }

        mutating func next() -> (key: UInt64, value: Value)? {
            while let depth = way.indices.last {
                let (node, rest, first) = way[depth]
                if rest == 0 {
                    way.removeLast()
                    continue
                }
                let place = node.present.nonzeroBitCount - rest.nonzeroBitCount
                let shift = UInt64(6 * (height - depth))
                let key = first | UInt64(rest.trailingZeroBitCount) << shift
                way[depth].rest = rest & (rest - 1)
                if shift == 0 { return (key, node.values[place]) }
                let child = node.children[place]
                way.append((child, child.present, key))
            }
            return nil
        }
    }

    func makeIterator() -> Iterator { Iterator(self) }

    var underestimatedCount: Int { count }
}
