internal import HashTreeCollections

/// The objects of a context with unsaved changes, by entity and by the values that requests search.
///
/// A request must not look at every changed object: a program that finds or makes one object after
/// the other would take time by the square of their number.
struct ChangedObjects: Sendable {
    /// A column of an entity.
    struct Column: Hashable, Sendable {
        let entity: Int
        let slot: Int
    }

    /// The objects of one entity.
    private struct Objects: Sendable {
        /// Those that were never saved.
        var new: TreeSet<ObjectID> = []
        /// Those with a row in the store, deleted ones included.
        var stored: TreeSet<ObjectID> = []

        var isEmpty: Bool { new.isEmpty && stored.isEmpty }
    }

    private var ids: [Int: Objects] = [:]
    /// The changed rows by each value of the columns that requests have searched.
    ///
    /// Deleted rows and missing values are not in it. It stays empty until the first search, so a
    /// context that only saves does not pay for it.
    private var values: [Column: TreeDictionary<AttributeValue, TreeSet<ObjectID>>] = [:]

    var isEmpty: Bool { ids.isEmpty }

    var count: Int { ids.values.reduce(0) { $0 + $1.new.count + $1.stored.count } }

    /// Whether no column is followed.
    var followsNothing: Bool { values.isEmpty }

    func contains(_ id: ObjectID) -> Bool {
        guard let known = ids[id.entity] else { return false }
        return id.isProvisional ? known.new.contains(id) : known.stored.contains(id)
    }

    /// The changed objects of an entity that were never saved.
    func new(of entity: Int) -> TreeSet<ObjectID> { ids[entity]?.new ?? [] }

    /// The changed objects of an entity that have a row, deleted ones included.
    func stored(of entity: Int) -> TreeSet<ObjectID> { ids[entity]?.stored ?? [] }

    /// The changed objects of an entity.
    func all(of entity: Int) -> FlattenSequence<[TreeSet<ObjectID>]> {
        [new(of: entity), stored(of: entity)].joined()
    }

    /// The number of changed objects of an entity.
    func count(of entity: Int) -> Int { new(of: entity).count + stored(of: entity).count }

    /// Whether an object of one of the entities has changes.
    func concern(_ entities: Set<Int>) -> Bool {
        !ids.isEmpty && entities.contains { ids[$0] != nil }
    }

    mutating func insert(_ id: ObjectID) {
        if id.isProvisional {
            ids[id.entity, default: Objects()].new.insert(id)
        } else {
            ids[id.entity, default: Objects()].stored.insert(id)
        }
    }

    mutating func remove(_ id: ObjectID) {
        let removed =
            id.isProvisional
            ? ids[id.entity]?.new.remove(id) : ids[id.entity]?.stored.remove(id)
        if removed != nil, ids[id.entity]?.isEmpty ?? false { ids[id.entity] = nil }
    }

    mutating func removeAll() {
        ids = [:]
        for column in values.keys { values[column] = [:] }
    }

    /// These and the others.
    func union(_ others: ChangedObjects) -> TreeSet<ObjectID> {
        var all: TreeSet<ObjectID> = []
        for ids in [ids, others.ids] {
            for ids in ids.values { all.formUnion(ids.new.union(ids.stored)) }
        }
        return all
    }

    // MARK: Values

    /// Begins to follow a column.
    mutating func follow(_ column: Column, in rows: TreeDictionary<ObjectID, ObjectRow>) {
        guard values[column] == nil else { return }
        values[column] = [:]
        for id in all(of: column.entity) {
            if let value = rows[id]?.pendingValue(column.slot) { add(id, value, column) }
        }
    }

    /// The changed objects with a value in a column; nil if the column is not followed.
    func those(with value: AttributeValue, in column: Column) -> TreeSet<ObjectID>? {
        values[column].map { $0[value] ?? [] }
    }

    /// Follows a row that was added, removed or changed.
    mutating func replace(_ old: ObjectRow?, _ new: ObjectRow?, of id: ObjectID) {
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
            values[column]?.updateValue(forKey: old, default: []) { _ = $0.remove(id) }
            if values[column]?[old]?.isEmpty ?? false { values[column]?[old] = nil }
        }
        if let new { add(id, new, column) }
    }

    private mutating func add(_ id: ObjectID, _ value: AttributeValue, _ column: Column) {
        values[column]?.updateValue(forKey: value, default: []) { _ = $0.insert(id) }
    }
}

extension ChangedObjects: Sequence {
    /// The objects, entity by entity.
    func makeIterator() -> FlattenSequence<[TreeSet<ObjectID>]>.Iterator {
        ids.values.flatMap { [$0.new, $0.stored] }.joined().makeIterator()
    }
}

extension ObjectRow {
    /// The value that a search among the changes finds; nil if it finds none.
    fileprivate func pendingValue(_ slot: Int) -> AttributeValue? {
        guard !isDeleted, !values[slot].isNull, isChanged else { return nil }
        return values[slot]
    }
}
