internal import HashTreeCollections

/// The objects of a context with unsaved changes, by entity, by the values that requests search, and in
/// the orders that they ask for.
///
/// A request must not look at every changed object: a program that finds or makes one object after
/// the other would take time by the square of their number.
struct ChangedObjects: Sendable {
    /// A column of an entity.
    struct Column: Hashable, Sendable {
        let entity: Int
        let slot: Int
    }

    private var ids = ObjectSet()
    /// The changed rows, without deleted ones, by each value of the columns that requests have searched since there
    /// were none.
    ///
    /// So a context that only saves does not pay for it.
    private var values: [Column: TreeDictionary<AttributeValue, ObjectSet>] = [:]
    /// The same in each order that limited requests, or those with bounds, have asked for since.
    private var orders: [OrderedObjects] = []

    var isEmpty: Bool { ids.isEmpty }

    var count: Int { ids.count }

    /// Whether no column and no order is followed.
    var followsNothing: Bool { values.isEmpty && orders.isEmpty }

    func contains(_ id: ObjectID) -> Bool { ids.contains(id) }

    /// The changed objects of an entity that were never saved.
    func new(of entity: Int) -> ObjectSet { ids.part(of: entity, provisional: true) }

    /// The changed objects of an entity that have a row, deleted ones included.
    func stored(of entity: Int) -> ObjectSet { ids.part(of: entity, provisional: false) }

    /// The changed objects of an entity.
    func all(of entity: Int) -> FlattenSequence<[ObjectSet]> {
        [stored(of: entity), new(of: entity)].joined()
    }

    /// The number of changed objects of an entity.
    func count(of entity: Int) -> Int { ids.count(of: entity) }

    /// Whether an object of one of the entities has changes.
    func concern(_ entities: Set<Int>) -> Bool {
        entities.contains { ids.count(of: $0) > 0 }
    }

    mutating func insert(_ id: ObjectID) { ids.insert(id) }

    mutating func remove(_ id: ObjectID) { ids.remove(id) }

    /// These and the others.
    func union(_ others: ChangedObjects) -> ObjectSet {
        var all = ids
        all.formUnion(others.ids)
        return all
    }

    // MARK: Values

    /// Begins to follow a column.
    mutating func follow(_ column: Column, in rows: ObjectMap<ObjectRow>) {
        guard values[column] == nil else { return }
        values[column] = [:]
        for id in all(of: column.entity) {
            if let value = rows[id]?.pendingValue(column.slot) { add(id, value, column) }
        }
    }

    /// The changed objects with one of some values in a column, those with each together; nil if the column is not
    /// followed.
    func those(with sought: Set<AttributeValue>, in column: Column) -> [ObjectSet]? {
        values[column].map { known in sought.compactMap { known[$0] } }
    }

    /// Begins to follow an order of an entity.
    mutating func follow(_ order: [StoreOrder], of entity: Int, in rows: ObjectMap<ObjectRow>) {
        guard inOrder(order, of: entity) == nil else { return }
        var ordered = OrderedObjects(entity: entity, order: order)
        for id in all(of: entity) {
            if let row = rows[id], row.isPending { ordered.insert(id, row) }
        }
        orders.append(ordered)
    }

    /// The changed objects of an entity that are not deleted, in an order; nil if it is not followed.
    func inOrder(_ order: [StoreOrder], of entity: Int) -> OrderedObjects? {
        orders.first { $0.fits(order, of: entity) }
    }

    /// The same in any order by a column first; nil if none is followed.
    func inOrder(of column: Column) -> OrderedObjects? {
        orders.first { $0.entity == column.entity && $0.order.first?.column == column.slot }
    }

    /// Whether an entity is sorted by a column in an order that is followed.
    func isSorted(by column: Column) -> Bool {
        orders.contains { ordered in
            ordered.entity == column.entity && ordered.order.contains { $0.column == column.slot }
        }
    }

    /// Follows a row that was added, removed or changed.
    ///
    /// - Parameters:
    ///   - old: The row before; nil if it was not here.
    ///   - new: The row now; nil if it is removed.
    ///   - id: The object.
    ///   - slot: The only slot that has changed; nil for any.
    mutating func replace(
        _ old: ObjectRow?,
        _ new: ObjectRow?,
        of id: ObjectID,
        only slot: Int? = nil
    ) {
        for index in orders.indices where orders[index].entity == id.entity {
            if let slot, !orders[index].order.contains(where: { $0.column == slot }) { continue }
            if let old, old.isPending { orders[index].remove(id, old) }
            if let new, new.isPending { orders[index].insert(id, new) }
        }
        for column in values.keys where column.entity == id.entity {
            move(id, old?.pendingValue(column.slot), new?.pendingValue(column.slot), column)
        }
    }

    /// Follows one value of a changed row.
    mutating func move(
        _ id: ObjectID,
        _ old: AttributeValue?,
        _ new: AttributeValue?,
        _ column: Column
    ) {
        guard values[column] != nil, old != new else { return }
        if let old {
            values[column]?.updateValue(forKey: old, default: ObjectSet()) { $0.remove(id) }
            if values[column]?[old]?.isEmpty ?? false { values[column]?[old] = nil }
        }
        if let new { add(id, new, column) }
    }

    private mutating func add(_ id: ObjectID, _ value: AttributeValue, _ column: Column) {
        values[column]?.updateValue(forKey: value, default: ObjectSet()) { $0.insert(id) }
    }
}

extension ChangedObjects: Sequence {
    /// The objects, in the order of their identities.
    func makeIterator() -> ObjectSet.Iterator { ids.makeIterator() }
}

extension ObjectRow {
    /// Whether a request finds it among the changes.
    fileprivate var isPending: Bool { isChanged && !isDeleted }

    /// The value by which a search among the changes finds it; nil if it is not found.
    fileprivate func pendingValue(_ slot: Int) -> AttributeValue? {
        isPending ? self[slot].comparable : nil
    }
}
