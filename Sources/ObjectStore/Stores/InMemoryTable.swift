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
        var sets: [ObjectSet]?
        if let place = columns.firstIndex(where: indexed.contains) {
            sets = keys(whose: columns[place], areOneOf: wanted.map { $0[place] })
        }
        return rows(sets).filter { row in wanted.contains(columns.map { row.values[$0] }) }
    }

    /// All rows that a query selects, and possibly others; as few as the indices allow.
    func candidates(for query: StoreQuery) -> [StoredRow] {
        let sets = query.filter?.sets { condition in
            if let ids = condition.soughtKeys {
                return [ObjectSet(ids.map { Self.place(of: $0.key) })]
            }
            return condition.soughtValues(of: query.entity).flatMap {
                keys(whose: $0.column, areOneOf: $0.values)
            }
        }
        return rows(sets)
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

    /// The rows whose keys are in some sets; all rows if nil.
    private func rows(_ sets: [ObjectSet]?) -> [StoredRow] {
        sets.map { $0.union.compactMap { self[$0.key] } } ?? rows.map(\.value)
    }

    /// The keys of the rows that have one of some values; nil if no index helps.
    private func keys(
        whose column: Int,
        areOneOf values: some Collection<AttributeValue>
    ) -> [ObjectSet]? {
        guard let index = indexed.firstIndex(of: column), !values.contains(where: \.isNull) else {
            return nil
        }
        return values.compactMap { rowsByValue[index][$0] }
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
