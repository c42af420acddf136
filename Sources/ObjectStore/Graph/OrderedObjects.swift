/// Objects of an entity in the order of some of their values.
///
/// They are in a tree, so that a change after a copy copies a few of them and not all, and that it is known at once
/// how many there are between two values.
struct OrderedObjects: Sendable {
    /// The entity, by its position in the model.
    let entity: Int
    /// The order; equal objects are in the order of their identities.
    let order: [StoreOrder]
    private var root = Node()

    private struct Entry: Sendable {
        let key: [AttributeValue]
        let id: ObjectID
    }

    init(entity: Int, order: [StoreOrder]) {
        self.entity = entity
        self.order = order
    }

    /// Whether these are the objects of an entity, in an order.
    func fits(_ other: [StoreOrder], of entity: Int) -> Bool {
        entity == self.entity
            && order.elementsEqual(other) {
                $0.column == $1.column && $0.isDescending == $1.isDescending
            }
    }

    /// The places of those whose first term is within all bounds of its column, and that come before a row; where
    /// that is nil, it is no bound.
    func places(within bounds: [ValueBounds], before end: StoredRow? = nil) -> Range<Int> {
        var (first, next) = (0, end.map { place(of: entry($0.id, $0.values)) } ?? root.count)
        for bound in bounds where bound.column == order[0].column {
            let (isBefore, isBeyond) =
                order[0].isDescending
                ? (bound.isAbove, bound.isBelow) : (bound.isBelow, bound.isAbove)
            first = max(first, root.place { !isBefore($0.key[0]) })
            next = min(next, root.place { isBeyond($0.key[0]) })
        }
        return first..<max(first, next)
    }

    /// The objects at some places, none of them before it is asked for.
    func ids(at places: Range<Int>) -> AnyIterator<ObjectID> {
        var (places, leaf) = (places, [Entry]()[...])
        return AnyIterator {
            if leaf.isEmpty, !places.isEmpty {
                leaf = root.entries(from: places.lowerBound).prefix(places.count)
                places.removeFirst(leaf.count)
            }
            return leaf.popFirst()?.id
        }
    }

    /// Adds an object that is not here.
    mutating func insert(_ id: ObjectID, _ row: ObjectRow) {
        let new = entry(id, row)
        if let half = root.insert(new, at: place(of: new)) { root = Node(children: [root, half]) }
    }

    /// Removes an object; its row is as it was when it was added.
    mutating func remove(_ id: ObjectID, _ row: ObjectRow) {
        let place = place(of: entry(id, row))
        if place < root.count, root.entries(from: place).first?.id == id { root.remove(at: place) }
    }

    private func entry<Values: RandomAccessCollection<AttributeValue>>(
        _ id: ObjectID,
        _ values: Values
    ) -> Entry where Values.Index == Int {
        Entry(key: order.map { values[$0.column].comparable }, id: id)
    }

    /// The place of an entry, or where it would come.
    private func place(of entry: Entry) -> Int { root.place { !isInOrder($0, entry) } }

    private func isInOrder(_ a: Entry, _ b: Entry) -> Bool {
        for (place, term) in order.enumerated() where a.key[place] != b.key[place] {
            return (a.key[place] < b.key[place]) != term.isDescending
        }
        return a.id < b.id
    }

    /// A leaf with entries, or a node with children, none of which is empty.
    private struct Node: Sendable {
        var entries: [Entry] = []
        var children: [Node] = []
        /// How many entries are in it and below.
        var count = 0

        /// The greatest number of entries, or of children.
        private static let most = 64

        init(entries: [Entry] = [], children: [Node] = []) {
            self.entries = entries
            self.children = children
            count = children.reduce(entries.count) { $0 + $1.count }
        }

        private var first: Entry? { entries.first ?? children.first?.first }

        /// The number of entries before the first that fulfils a condition, as all after it do.
        func place(where isBeyond: (Entry) -> Bool) -> Int {
            if children.isEmpty { return entries.firstPlace(where: isBeyond) }
            // It may be within the last child that begins before it.
            let child = max(0, children.firstPlace { $0.first.map(isBeyond) ?? true } - 1)
            let before = children[..<child].reduce(0) { $0 + $1.count }
            return before + children[child].place(where: isBeyond)
        }

        /// The child in which a place is, or at whose end it is; and the place there.
        private func child(at place: Int) -> (child: Int, place: Int) {
            var (child, place) = (0, place)
            while place > children[child].count {
                place -= children[child].count
                child += 1
            }
            return (child, place)
        }

        /// The entries of a leaf from a place on, which is not the end.
        func entries(from place: Int) -> ArraySlice<Entry> {
            if children.isEmpty { return entries[place...] }
            let (child, after) = child(at: place + 1)
            return children[child].entries(from: after - 1)
        }

        /// Adds an entry.
        ///
        /// - Returns: What has become too much, and comes next after this node.
        mutating func insert(_ entry: Entry, at place: Int) -> Node? {
            count += 1
            if children.isEmpty {
                entries.insert(entry, at: place)
            } else {
                let (child, place) = child(at: place)
                let next = children[child].insert(entry, at: place)
                if let next { children.insert(next, at: child + 1) }
            }
            guard max(entries.count, children.count) > Self.most else { return nil }
            let half = Self.most / 2
            let rest = Node(
                entries: Array(entries.dropFirst(half)),
                children: Array(children.dropFirst(half))
            )
            self = Node(
                entries: Array(entries.prefix(half)),
                children: Array(children.prefix(half))
            )
            return rest
        }

        mutating func remove(at place: Int) {
            count -= 1
            if children.isEmpty {
                entries.remove(at: place)
                return
            }
            let (child, after) = child(at: place + 1)
            children[child].remove(at: after - 1)
            if children[child].count == 0 { children.remove(at: child) }
        }
    }
}

extension Array {
    /// The first place whose element fulfils a condition, as all elements after it do; the end if none does.
    func firstPlace(where isBeyond: (Element) -> Bool) -> Int {
        var (low, high) = (0, count)
        while low < high {
            let middle = (low + high) / 2
            if isBeyond(self[middle]) { high = middle } else { low = middle + 1 }
        }
        return low
    }
}
