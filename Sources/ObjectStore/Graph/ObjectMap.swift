/// A map from identities to values, in the order of the identities, whose copies share what neither
/// has changed since.
struct ObjectMap<Value> {
    /// For each entity the values of stored objects, and of those that were never saved.
    private var trees: [RadixTree<Value>] = []

    init() {}

    /// Takes values; of several for one object the last.
    init(_ values: some Sequence<(key: ObjectID, value: Value)>) {
        for (id, value) in values { updateValue(value, of: id) }
    }

    var isEmpty: Bool { trees.allSatisfy { $0.count == 0 } }

    var count: Int { trees.reduce(0) { $0 + $1.count } }

    /// The value of an object; nil if there is none.
    subscript(id: ObjectID) -> Value? {
        get { withValue(of: id) { $0 } }
        set {
            if let newValue { updateValue(newValue, of: id) } else { removeValue(of: id) }
        }
    }

    func contains(_ id: ObjectID) -> Bool { withValue(of: id) { _ in } != nil }

    /// Reads a value without copying it.
    ///
    /// - Parameters:
    ///   - id: The object.
    ///   - body: Takes its value.
    /// - Returns: What `body` returns; nil if the object has no value.
    func withValue<Result>(of id: ObjectID, _ body: (Value) -> Result) -> Result? {
        let place = id.place
        return unsafe trees.withUnsafeBufferPointer { trees in
            guard trees.indices.contains(place), let first = trees.baseAddress else { return nil }
            return unsafe RadixTree.value(of: id.distance, in: first + place)
                .map { unsafe body($0.pointee) }
        }
    }

    /// Sets the value of an object.
    ///
    /// - Returns: The value that it had; nil if it had none.
    @discardableResult
    mutating func updateValue(_ value: Value, of id: ObjectID) -> Value? {
        let place = id.place
        makeTrees(upTo: place)
        return trees[place].updateValue(value, forKey: id.distance)
    }

    /// Changes the value of an object in its place.
    ///
    /// - Parameters:
    ///   - id: The object.
    ///   - body: Changes its value.
    /// - Returns: What `body` returns; nil if the object has no value.
    mutating func modifyValue<Result>(
        of id: ObjectID,
        _ body: (inout Value) -> Result
    ) -> Result? {
        let place = id.place
        guard trees.indices.contains(place) else { return nil }
        return trees[place].modifyValue(of: id.distance, body)
    }

    /// Removes the value of an object.
    ///
    /// - Returns: The value that it had; nil if it had none.
    @discardableResult
    mutating func removeValue(of id: ObjectID) -> Value? {
        let place = id.place
        guard trees.indices.contains(place) else { return nil }
        return trees[place].removeValue(forKey: id.distance)
    }

    /// Takes the values that another map has for objects that were never saved.
    mutating func updateProvisionalValues(from others: ObjectMap) {
        for (place, tree) in others.trees.enumerated()
        where !place.isMultiple(of: 2) && tree.count > 0 {
            makeTrees(upTo: place)
            if trees[place].count == 0 {
                // Shared, as long as neither changes it.
                trees[place] = tree
            } else {
                for (distance, value) in tree {
                    trees[place].updateValue(value, forKey: distance)
                }
            }
        }
    }

    /// Makes the trees up to a place.
    private mutating func makeTrees(upTo place: Int) {
        guard trees.count <= place else { return }
        // Each by itself, which for a few takes a quarter of the time of adding a sequence.
        trees.reserveCapacity(place + 1)
        while trees.count <= place { trees.append(RadixTree()) }
    }

    /// The values of an entity's objects that are stored, or that were never saved.
    func part(of entity: Int, provisional isProvisional: Bool) -> ObjectMap {
        let place = ObjectID(entity: entity, key: isProvisional ? -1 : 0).place
        var part = ObjectMap()
        if trees.indices.contains(place) {
            part.trees = Array(repeating: RadixTree(), count: place) + [trees[place]]
        }
        return part
    }

    /// The number of an entity's objects.
    func count(of entity: Int) -> Int {
        trees.dropFirst(2 * entity).prefix(2).reduce(0) { $0 + $1.count }
    }
}

extension ObjectMap: Sendable where Value: Sendable {}

extension ObjectMap: Sequence {
    struct Iterator: IteratorProtocol {
        private let trees: [RadixTree<Value>]
        /// The number of trees that were begun, and the rest of the last one.
        private var begun = 0
        private var rest: RadixTree<Value>.Iterator?

        fileprivate init(_ trees: [RadixTree<Value>]) { self.trees = trees }

        mutating func next() -> (key: ObjectID, value: Value)? {
            while true {
                if let (distance, value) = rest?.next() {
                    return (ObjectID(place: begun - 1, distance: distance), value)
                }
                guard begun < trees.count else { return nil }
                rest = trees[begun].makeIterator()
                begun += 1
            }
        }
    }

    func makeIterator() -> Iterator { Iterator(trees) }

    var underestimatedCount: Int { count }
}

extension ObjectID {
    /// The place of its tree in a map; negative for an entity that no model has, whoever made the identity.
    fileprivate var place: Int {
        entity & ~0xFFFF_FFFF == 0 ? 2 &* entity &+ (isProvisional ? 1 : 0) : -1
    }

    /// How many keys are between it and the first of its tree; provisional keys count down.
    fileprivate var distance: UInt64 { UInt64(bitPattern: isProvisional ? ~key : key) }

    fileprivate init(place: Int, distance: UInt64) {
        let key = Int64(bitPattern: distance)
        self.init(entity: place / 2, key: place.isMultiple(of: 2) ? key : ~key)
    }
}

/// Identities in their order; copies share what neither has changed since.
struct ObjectSet: Sendable {
    private var map = ObjectMap<Void>()

    init() {}

    init(_ ids: some Sequence<ObjectID>) { formUnion(ids) }

    var isEmpty: Bool { map.isEmpty }

    var count: Int { map.count }

    func contains(_ id: ObjectID) -> Bool { map.contains(id) }

    mutating func insert(_ id: ObjectID) { map.updateValue((), of: id) }

    mutating func remove(_ id: ObjectID) { map.removeValue(of: id) }

    mutating func formUnion(_ others: some Sequence<ObjectID>) {
        for id in others { insert(id) }
    }

    mutating func subtract(_ others: some Sequence<ObjectID>) {
        for id in others { remove(id) }
    }

    /// The objects that are in both, which costs what the smaller one has.
    func intersection(_ other: ObjectSet) -> ObjectSet {
        count < other.count
            ? ObjectSet(lazy.filter(other.contains)) : ObjectSet(other.lazy.filter(contains))
    }

    /// An entity's objects that are stored, or that were never saved.
    func part(of entity: Int, provisional isProvisional: Bool) -> ObjectSet {
        var part = ObjectSet()
        part.map = map.part(of: entity, provisional: isProvisional)
        return part
    }

    /// The number of an entity's objects.
    func count(of entity: Int) -> Int { map.count(of: entity) }

    /// Adds the present identities of objects that were merged or got a key.
    mutating func follow(_ forwarding: ObjectMap<ObjectID>) {
        if forwarding.count < count {
            for (id, target) in forwarding where contains(id) { insert(target) }
        } else {
            for id in self { if let target = forwarding[id] { insert(target) } }
        }
    }
}

extension [ObjectSet] {
    /// How many objects they have, those that several have counted again.
    var total: Int { reduce(0) { $0 + $1.count } }

    /// All of their objects; one set alone is not copied.
    var union: ObjectSet {
        dropFirst().reduce(into: first ?? ObjectSet()) { $0.formUnion($1) }
    }
}

/// The objects of several sets, each once and in the order of identities, none of them before it is asked for.
struct MergedObjects: IteratorProtocol {
    /// The sets that are not at their ends, with the next object of each; the one with the first of these is the last.
    private var rest: [(next: ObjectID, others: ObjectSet.Iterator)]
    private var last: ObjectID?

    init(_ sets: [ObjectSet]) {
        rest = sets.compactMap { set in
            var others = set.makeIterator()
            return others.next().map { ($0, others) }
        }
        rest.sort { $0.next > $1.next }
    }

    mutating func next() -> ObjectID? {
        while let first = rest.popLast() {
            let id = first.next
            var others = first.others
            if let next = others.next() {
                rest.insert((next, others), at: rest.firstPlace { $0.next < next })
            }
            guard id != last else { continue }
            last = id
            return id
        }
        return nil
    }
}

extension ObjectSet: Sequence {
    struct Iterator: IteratorProtocol {
        fileprivate var map: ObjectMap<Void>.Iterator

        mutating func next() -> ObjectID? { map.next()?.key }
    }

    func makeIterator() -> Iterator { Iterator(map: map.makeIterator()) }

    var underestimatedCount: Int { count }
}
