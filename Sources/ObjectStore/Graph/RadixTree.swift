/// How many bits of a key choose a branch.
///
/// With fewer the tree is higher, with more a change after a copy copies more.
private let branchBits: UInt64 = 4
private let branchMask: UInt64 = 1 << branchBits - 1

/// The bits of all branches.
private let allBranches: UInt64 = 1 << (1 << branchBits) - 1

/// A map from numbers to values, in the order of the numbers, whose copies share what neither has
/// changed since.
///
/// It is a radix tree: each few bits of a key choose a branch, and the last of them a value in a leaf.
/// So nothing is hashed, keys that follow one another share leaves, and the first change after a copy
/// copies the nodes on one path. The root covers no more than the keys need, so close keys make a low
/// tree, however great they are.
struct RadixTree<Value> {
    fileprivate struct Node {
        enum Content {
            case children([Node])
            case values([Value])
        }

        /// The branches that are there, one bit for each.
        var present: UInt64 = 0
        /// What is in them, in their order.
        var content = Content.values([])
    }

    private var root = Node()
    /// The position of the lowest of the bits that choose a branch of the root.
    private var shift: UInt64 = 0
    /// What is above these bits, the same in all keys.
    private var prefix: UInt64 = 0
    /// The number of values.
    private(set) var count = 0

    private func covers(_ key: UInt64) -> Bool { (key &>> shift) >> branchBits == prefix }

    /// The address of a value, until the tree is changed or released; nil if the key has no value.
    ///
    /// By addresses, because the tree and every node would otherwise be retained on the way: every read of a
    /// property goes it whose row may have changed since the last one.
    @inline(__always)
    static func value(of key: UInt64, in tree: UnsafePointer<Self>) -> UnsafePointer<Value>? {
        guard unsafe tree.pointee.covers(key) else { return nil }
        var shift = unsafe tree.pointee.shift
        var step = unsafe tree.pointee.root.step(key &>> shift & branchMask)
        while true {
            switch step {
            case .child(let node):
                shift &-= branchBits
                unsafe step = node.pointee.step(key &>> shift & branchMask)
            case .value(let value): return unsafe value
            case .nothing: return nil
            }
        }
    }

    /// The value of a key; nil if it has none.
    subscript(key: UInt64) -> Value? {
        unsafe withUnsafePointer(to: self) { unsafe Self.value(of: key, in: $0)?.pointee }
    }

    /// Sets the value of a key.
    ///
    /// - Returns: The value that it had; nil if it had none.
    @discardableResult
    mutating func updateValue(_ value: Value, forKey key: UInt64) -> Value? {
        if count == 0 { (root, shift, prefix) = (Node(), 0, key >> branchBits) }
        while !covers(key) {
            root = Node(present: 1 << (prefix & branchMask), content: .children([root]))
            shift += branchBits
            prefix >>= branchBits
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
        // As in most nodes; counting bits takes a dozen instructions on some processors.
        if present == allBranches { return (Int(truncatingIfNeeded: branch), true) }
        let bit: UInt64 = 1 &<< branch
        return ((present & (bit &- 1)).nonzeroBitCount, present & bit != 0)
    }

    /// Where a branch leads.
    @safe fileprivate enum Step {
        case child(UnsafePointer<RadixTree.Node>)
        case value(UnsafePointer<Value>)
        case nothing
    }

    @inline(__always)
    fileprivate func step(_ branch: UInt64) -> Step {
        let (place, isPresent) = place(branch)
        guard isPresent else { return .nothing }
        switch content {
        case .children(let children):
            return unsafe children.withUnsafeBufferPointer { children in
                unsafe children.baseAddress.map { unsafe .child($0 + place) } ?? .nothing
            }
        case .values(let values):
            return unsafe values.withUnsafeBufferPointer { values in
                unsafe values.baseAddress.map { unsafe .value($0 + place) } ?? .nothing
            }
        }
    }

    /// Takes the content, so that it has one owner and is changed in its place.
    private mutating func takeContent() -> Content {
        var content = Content.values([])
        swap(&content, &self.content)
        return content
    }

    fileprivate mutating func update(_ value: Value, _ key: UInt64, _ shift: UInt64) -> Value? {
        let branch = key >> shift & branchMask
        let (place, isPresent) = place(branch)
        present |= 1 << branch
        var old: Value?
        switch takeContent() {
        case .children(var children):
            if !isPresent { children.insert(Self(for: shift - branchBits), at: place) }
            old = children[place].update(value, key, shift - branchBits)
            content = .children(children)
        case .values(var values):
            if isPresent {
                old = values[place]
                values[place] = value
            } else {
                // At once what the leaf can hold, unless it stays the only one: keys mostly follow one another.
                if values.count == 1 { values.reserveCapacity(1 << Int(branchBits)) }
                // Which costs less than inserting at the end.
                if place == values.count {
                    values.append(value)
                } else {
                    values.insert(value, at: place)
                }
            }
            content = .values(values)
        }
        return old
    }

    /// A node without branches, at a position of the bits that choose one.
    private init(for shift: UInt64) {
        if shift > 0 { content = .children([]) }
    }

    fileprivate mutating func modify<Result>(
        _ key: UInt64,
        _ shift: UInt64,
        _ body: (inout Value) -> Result
    ) -> Result? {
        let (place, isPresent) = place(key >> shift & branchMask)
        guard isPresent else { return nil }
        switch takeContent() {
        case .children(var children):
            defer { content = .children(children) }
            return children[place].modify(key, shift - branchBits, body)
        case .values(var values):
            defer { content = .values(values) }
            return body(&values[place])
        }
    }

    fileprivate mutating func remove(_ key: UInt64, _ shift: UInt64) -> Value? {
        let branch = key >> shift & branchMask
        let (place, isPresent) = place(branch)
        guard isPresent else { return nil }
        let old: Value?
        var isGone = true
        switch takeContent() {
        case .children(var children):
            old = children[place].remove(key, shift - branchBits)
            isGone = children[place].present == 0
            if isGone { children.remove(at: place) }
            content = .children(children)
        case .values(var values):
            old = values.remove(at: place)
            content = .values(values)
        }
        if isGone { present &= ~(1 << branch) }
        return old
    }
}

extension RadixTree.Node: Sendable where Value: Sendable {}
extension RadixTree.Node.Content: Sendable where Value: Sendable {}
extension RadixTree: Sendable where Value: Sendable {}

extension RadixTree: Sequence {
    /// Goes through the keys and values in the order of the keys.
    struct Iterator: IteratorProtocol {
        /// The branches of a node that are still to come.
        private struct Rest<Branch> {
            let branches: [Branch]
            /// Which of them are there and still to come, one bit for each.
            var present: UInt64
            /// The place of the next one among those that are there.
            var place = 0
            /// The first key that the node can have.
            let first: UInt64
            /// The position of the bits that choose a branch.
            let shift: UInt64

            /// The next branch and the first key that it can have; nil if none is left.
            mutating func next() -> (key: UInt64, branch: Branch)? {
                guard present != 0 else { return nil }
                defer {
                    present &= present &- 1
                    place &+= 1
                }
                return (first | UInt64(present.trailingZeroBitCount) << shift, branches[place])
            }
        }

        private var leaf: Rest<Value>
        /// The nodes above the leaf, which a low tree has not.
        private var way: [Rest<Node>] = []

        fileprivate init(_ tree: RadixTree) {
            leaf = Rest(branches: [], present: 0, first: 0, shift: 0)
            enter(tree.root, first: (tree.prefix << branchBits) << tree.shift, tree.shift)
        }

        private mutating func enter(_ node: Node, first: UInt64, _ shift: UInt64) {
            switch node.content {
            case .values(let values):
                leaf = Rest(branches: values, present: node.present, first: first, shift: shift)
            case .children(let children):
                way.append(
                    Rest(branches: children, present: node.present, first: first, shift: shift)
                )
            }
        }

        mutating func next() -> (key: UInt64, value: Value)? {
            while true {
                if let (key, value) = leaf.next() { return (key, value) }
                guard let last = way.indices.last else { return nil }
                if let (key, node) = way[last].next() {
                    enter(node, first: key, way[last].shift - branchBits)
                } else {
                    way.removeLast()
                }
            }
        }
    }

    func makeIterator() -> Iterator { Iterator(self) }

    var underestimatedCount: Int { count }
}
