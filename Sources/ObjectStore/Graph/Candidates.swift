/// The changed rows that a query may select, perhaps deleted ones among them: as few as the values and orders that are
/// followed tell.
struct Candidates {
    private let query: StoreQuery
    private let bounds: [ValueBounds]
    private let changed: ChangedObjects
    /// Sets in which they all are.
    private let sets: [ObjectSet]
    /// Where they are in an order, if these are fewer.
    private var between: (objects: OrderedObjects, places: Range<Int>)?
    /// How many there are at most.
    private(set) var count: Int

    init(_ query: StoreQuery, among changed: ChangedObjects) {
        self.query = query
        self.changed = changed
        bounds = query.bounds
        let entity = query.entity
        sets =
            changed.sought(by: query)
            ?? [changed.stored(of: entity.index), changed.new(of: entity.index)]
        count = sets.total
        for bound in bounds {
            guard let objects = changed.inOrder(of: query.place(of: bound.column)) else { continue }
            let places = objects.places(within: bounds)
            if places.count < count { (between, count) = ((objects, places), places.count) }
        }
    }

    /// Each once, and none before it is asked for, unless the query is in the order of identities: then in this order.
    var ids: AnyIterator<ObjectID> {
        guard let (objects, places) = between else { return AnyIterator(merged) }
        let ids = objects.ids(at: places)
        // To sort the identities takes a third of the time that sorting the rows takes.
        let isSorted = query.hasOrder && query.order.isEmpty
        return isSorted ? AnyIterator(MergedObjects([ObjectSet(ids)])) : ids
    }

    /// All that the query may select, and perhaps many others, in its order; nil if that is not followed.
    ///
    /// - Parameter end: The row before which they are wanted; nil for all.
    /// - Returns: Each once, and none before it is asked for.
    func inOrder(before end: StoredRow?) -> AnyIterator<ObjectID>? {
        if !query.hasOrder { return ids }
        if query.order.isEmpty {
            // To put together all would take longer.
            if between != nil, sets.count > Self.fewSets { return ids }
            var rest = merged
            return AnyIterator {
                rest.next().flatMap { id in end.map { id < $0.id } ?? true ? id : nil }
            }
        }
        return changed.inOrder(query.order, of: query.entity.index).map { objects in
            objects.ids(at: objects.places(within: bounds, before: end))
        }
    }

    /// As many sets as are not put together before the first object is known.
    private static let fewSets = 16

    private var merged: MergedObjects {
        MergedObjects(sets.count > Self.fewSets ? [sets.union] : sets)
    }
}

extension ObjectGraph {
    /// Makes the changed rows quick to find by the values that a query seeks, in its order, and between its bounds.
    mutating func follow(_ query: StoreQuery) {
        // A few rows are looked at faster than they are indexed.
        let few = 16
        // Each edit moves an object in an order, which looking at fewer of them does not make up for.
        let many = 1000
        let entity = query.entity.index
        let count = changed.count(of: entity)
        if count > few {
            for column in query.soughtColumns { follow(query.place(of: column)) }
            func isUnknown(_ column: Int) -> Bool {
                changed.inOrder(of: query.place(of: column)) == nil
            }
            let bounded = query.bounds.map(\.column)
            let isLimited = query.end ?? 0 > 0 && !query.order.isEmpty
            let isOrderUnknown = isLimited && changed.inOrder(query.order, of: entity) == nil
            // Mostly all are known: what is sought need not be found for this, then.
            if isOrderUnknown || bounded.contains(where: isUnknown) {
                let sought = changed.sought(by: query)?.total
                if isOrderUnknown, sought ?? .max > many { follow(query.order, of: entity) }
                if sought ?? count > many {
                    for column in bounded where isUnknown(column) {
                        follow([StoreOrder(column: column)], of: entity)
                    }
                }
            }
        }
        for place in query.filter?.memberPlaces ?? [] where changed.count(of: place.entity) > few {
            follow(ChangedObjects.Column(entity: place.entity, slot: place.slot))
        }
    }
}

extension ChangedObjects {
    /// Sets of the rows that have values which a query seeks; nil if it seeks none in columns that are followed.
    fileprivate func sought(by query: StoreQuery) -> [ObjectSet]? {
        query.filter?.sets { condition in
            if let keys = condition.soughtKeys {
                return [ObjectSet(keys.filter { $0.entity == query.entity.index && contains($0) })]
            }
            guard let (column, values) = condition.soughtValues(of: query.entity) else {
                return nil
            }
            return those(with: values, in: query.place(of: column))
        }
    }
}

extension StoreQuery {
    /// Where one of its columns is.
    fileprivate func place(of column: Int) -> ChangedObjects.Column {
        ChangedObjects.Column(entity: entity.index, slot: column)
    }

    /// The bounds that conditions set.
    fileprivate var bounds: [ValueBounds] {
        (filter?.conjuncts ?? []).compactMap { $0.bounds(in: entity) }
    }

    /// The columns whose values conditions seek.
    fileprivate var soughtColumns: Set<Int> {
        var columns: Set<Int> = []
        var open = filter.map { [$0] } ?? []
        while let condition = open.popLast() {
            switch condition {
            case .and(let a, let b), .or(let a, let b): open += [a, b]
            default:
                if let (column, _) = condition.soughtValues(of: entity) { columns.insert(column) }
            }
        }
        return columns
    }
}
