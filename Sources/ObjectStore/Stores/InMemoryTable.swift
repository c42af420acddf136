internal import HashTreeCollections

/// The rows of one entity, indexed by key, by uniqueness constraint, and by searched values.
///
/// Copies of a tree share everything that is not written, so a transaction costs what it changes,
/// not what the table holds.
struct InMemoryTable: Sendable {
    private var rows = ObjectMap<StoredRow>()
    /// The greatest key ever given.
    var lastKey: Int64 = 0

    private let entity: Int
    private let name: String
    private let columns: [Form]
    private let constraints: [[Int]]
    /// The keys of the rows by the values of each constraint.
    private var uniqueRows: [TreeDictionary<[AttributeValue], Int64>]
    /// The columns that have an index.
    private let indexed: [Int]
    /// The keys of the rows by each value in a column that has an index.
    private var rowsByValue: [TreeDictionary<AttributeValue, ObjectSet>]

    /// What a column keeps.
    private enum Form: Hashable {
        case attribute(String, AttributeStorage)
        case reference(String, entity: Int)

        init(_ column: ManagedObjectModel.Column) {
            switch column.kind {
            case .attribute(let attribute): self = .attribute(column.name, attribute.storage)
            case .reference(let entity, _): self = .reference(column.name, entity: entity)
            }
        }
    }

    init(_ entity: ManagedObjectModel.Entity) {
        self.entity = entity.index
        name = entity.name
        columns = entity.columns.map { Form($0) }
        constraints = entity.constraints
        uniqueRows = entity.constraints.map { _ in [:] }
        indexed = entity.searchedSlots
        rowsByValue = indexed.map { _ in [:] }
    }

    /// Whether the table has the form of an entity.
    func fits(_ entity: ManagedObjectModel.Entity) -> Bool {
        name == entity.name && columns == entity.columns.map { Form($0) }
            && constraints == entity.constraints
    }

    /// The row with a key; nil if there is none.
    subscript(key: Int64) -> StoredRow? { rows[ObjectID(entity: entity, key: key)] }

    /// The rows that hold one of the given combinations of values in the columns.
    func rows(where columns: [Int], areOneOf values: [[AttributeValue]]) -> [StoredRow] {
        if let index = constraints.firstIndex(of: columns) {
            return values.compactMap { uniqueRows[index][$0].flatMap { self[$0] } }
        }
        let wanted = Set(values)
        var keys: ObjectSet?
        if let place = columns.firstIndex(where: indexed.contains) {
            keys = self.keys(whose: columns[place], areOneOf: wanted.map { $0[place] })
        }
        return rows(keys).filter { row in wanted.contains(columns.map { row.values[$0] }) }
    }

    /// All rows that fulfil a condition, and possibly others; as few as the indices allow.
    func candidates(for filter: StoreExpression?) -> [StoredRow] {
        let fewest = filter?.conjuncts.compactMap(keys(fulfilling:)).min { $0.count < $1.count }
        return rows(fewest)
    }

    /// Adds a row, or replaces the row with its key.
    mutating func put(_ row: StoredRow) {
        remove(row.id.key)
        rows[row.id] = row
        for (index, constraint) in constraints.enumerated() {
            if let values = row.values.key(of: constraint) {
                uniqueRows[index][values] = row.id.key
            }
        }
        for (index, column) in indexed.enumerated() {
            let value = row.values[column]
            if value.isNull { continue }
            rowsByValue[index].updateValue(forKey: value, default: ObjectSet()) {
                $0.insert(Self.place(of: row.id.key))
            }
        }
    }

    /// Removes a row; does nothing if there is none.
    mutating func remove(_ key: Int64) {
        let id = ObjectID(entity: entity, key: key)
        guard let row = rows.removeValue(of: id) else { return }
        for (index, constraint) in constraints.enumerated() {
            if let values = row.values.key(of: constraint) { uniqueRows[index][values] = nil }
        }
        for (index, column) in indexed.enumerated() {
            let value = row.values[column]
            if value.isNull { continue }
            rowsByValue[index].updateValue(forKey: value, default: ObjectSet()) {
                $0.remove(Self.place(of: key))
            }
            if rowsByValue[index][value]?.isEmpty ?? false { rowsByValue[index][value] = nil }
        }
    }

    // MARK: Indices

    /// Where an index has a key: as of the first entity, whose sets take the least memory.
    private static func place(of key: Int64) -> ObjectID { ObjectID(entity: 0, key: key) }

    /// The rows with some keys; all rows if nil.
    private func rows(_ keys: ObjectSet?) -> [StoredRow] {
        keys.map { $0.compactMap { self[$0.key] } } ?? rows.map(\.value)
    }

    /// The keys of the rows that fulfil a condition, and possibly others; nil if no index helps.
    private func keys(fulfilling condition: StoreExpression) -> ObjectSet? {
        if let ids = condition.soughtKeys { return ObjectSet(ids.map { Self.place(of: $0.key) }) }
        return switch condition {
        case .equal(.column(let column), .constant(let value)),
            .equal(.constant(let value), .column(let column)):
            keys(whose: column, areOneOf: [value])
        case .isOneOf(.column(let column), let values): keys(whose: column, areOneOf: values)
        case .or(let a, let b):
            keys(fulfilling: a).flatMap { these in
                keys(fulfilling: b).map { others in
                    var both = these
                    both.formUnion(others)
                    return both
                }
            }
        default: nil
        }
    }

    /// The keys of the rows that have one of some values; nil if no index helps.
    private func keys(
        whose column: Int,
        areOneOf values: some Sequence<AttributeValue>
    ) -> ObjectSet? {
        guard let index = indexed.firstIndex(of: column) else { return nil }
        var keys = ObjectSet()
        for value in values {
            guard value.isOnlyEqualToItself else { return nil }
            guard let found = rowsByValue[index][value] else { continue }
            // One alone is not copied.
            if keys.isEmpty { keys = found } else { keys.formUnion(found) }
        }
        return keys
    }
}

extension AttributeValue {
    /// Whether it is not missing and only the same value of the same kind is equal to it in a
    /// condition.
    ///
    /// An integer can be equal to a real.
    fileprivate var isOnlyEqualToItself: Bool {
        switch self {
        case .text, .data, .reference: true
        case .null, .integer, .real, .invalid: false
        }
    }
}

extension ManagedObjectModel.Entity {
    /// The slots by which objects are searched: references, and the first columns of constraints
    /// and indices.
    fileprivate var searchedSlots: [Int] {
        let leading = (constraints + compoundIndices).compactMap(\.first)
        return columns.indices.filter { slot in
            switch columns[slot].kind {
            case .reference: true
            case .attribute(let attribute):
                [.text, .data].contains(attribute.storage)
                    && (attribute.isIndexed || leading.contains(slot))
            }
        }
    }
}
