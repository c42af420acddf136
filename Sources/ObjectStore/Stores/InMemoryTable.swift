internal import HashTreeCollections

/// The rows of one entity, found by key, by the values of each uniqueness constraint, and by the values
/// that stores are asked for.
///
/// Trees share with their copies all that is not written, so that a transaction costs what it changes
/// and not what the table holds.
struct InMemoryTable: Sendable {
    private(set) var rows: TreeDictionary<Int64, StoredRow> = [:]
    /// The greatest key that was ever given.
    var lastKey: Int64 = 0

    private let name: String
    private let columns: [String]
    private let constraints: [[Int]]
    /// The keys of the rows by the values of each constraint.
    private var uniqueRows: [TreeDictionary<[AttributeValue], Int64>]
    /// The columns that have an index.
    private let indexed: [Int]
    /// The keys of the rows by each value in a column that has an index.
    private var rowsByValue: [TreeDictionary<AttributeValue, TreeSet<Int64>>]

    init(_ entity: ManagedObjectModel.Entity) {
        name = entity.name
        columns = entity.columns.map(\.name)
        constraints = entity.constraints
        uniqueRows = entity.constraints.map { _ in [:] }
        indexed = entity.searchedSlots
        rowsByValue = indexed.map { _ in [:] }
    }

    /// Whether the rows are those of an entity.
    func fits(_ entity: ManagedObjectModel.Entity) -> Bool {
        name == entity.name && columns == entity.columns.map(\.name)
            && constraints == entity.constraints
    }

    /// The rows whose columns together hold one of the given combinations of values.
    func rows(where columns: [Int], areOneOf values: [[AttributeValue]]) -> [StoredRow] {
        if let index = constraints.firstIndex(of: columns) {
            return values.compactMap { uniqueRows[index][$0].flatMap { rows[$0] } }
        }
        let wanted = Set(values)
        var keys: TreeSet<Int64>?
        if let place = columns.firstIndex(where: indexed.contains) {
            keys = self.keys(whose: columns[place], areOneOf: wanted.map { $0[place] })
        }
        return rows(keys).filter { row in wanted.contains(columns.map { row.values[$0] }) }
    }

    /// Rows among which are all that fulfil a condition: as few as the indices tell.
    func candidates(for filter: StoreExpression?) -> [StoredRow] {
        let fewest = filter?.conjuncts.compactMap(keys(fulfilling:)).min { $0.count < $1.count }
        return rows(fewest)
    }

    /// Adds a row, or puts it in the place of the one with its key.
    mutating func put(_ row: StoredRow) {
        remove(row.id.key)
        rows[row.id.key] = row
        for (index, constraint) in constraints.enumerated() {
            if let values = bound(constraint, in: row) { uniqueRows[index][values] = row.id.key }
        }
        for (index, column) in indexed.enumerated() where !row.values[column].isNull {
            rowsByValue[index].updateValue(forKey: row.values[column], default: []) {
                _ = $0.insert(row.id.key)
            }
        }
    }

    /// Takes a row away; one that is not there is passed over.
    mutating func remove(_ key: Int64) {
        guard let row = rows.removeValue(forKey: key) else { return }
        for (index, constraint) in constraints.enumerated() {
            if let values = bound(constraint, in: row) { uniqueRows[index][values] = nil }
        }
        for (index, column) in indexed.enumerated() where !row.values[column].isNull {
            let value = row.values[column]
            rowsByValue[index].updateValue(forKey: value, default: []) { _ = $0.remove(key) }
            if rowsByValue[index][value]?.isEmpty ?? false { rowsByValue[index][value] = nil }
        }
    }

    /// The values of a constraint, or nil where one is missing, so that it does not bind.
    private func bound(_ constraint: [Int], in row: StoredRow) -> [AttributeValue]? {
        let values = constraint.map { row.values[$0] }
        return values.contains(where: \.isNull) ? nil : values
    }

    // MARK: Indices

    /// The rows with some keys; all where nil.
    private func rows(_ keys: TreeSet<Int64>?) -> [StoredRow] {
        keys.map { $0.compactMap { rows[$0] } } ?? Array(rows.values)
    }

    /// The keys of the rows that fulfil a condition, and maybe of others; nil where no index tells.
    private func keys(fulfilling condition: StoreExpression) -> TreeSet<Int64>? {
        switch condition {
        case .equal(.column(let column), .constant(let value)),
            .equal(.constant(let value), .column(let column)):
            keys(whose: column, areOneOf: [value])
        case .isOneOf(.column(let column), let values): keys(whose: column, areOneOf: values)
        case .isOneOf(.key, let values): TreeSet(values.compactMap { $0.reference?.key })
        default: nil
        }
    }

    /// The keys of the rows that have one of some values; nil where no index tells.
    private func keys(
        whose column: Int,
        areOneOf values: some Sequence<AttributeValue>
    ) -> TreeSet<Int64>? {
        guard let index = indexed.firstIndex(of: column) else { return nil }
        var keys: TreeSet<Int64> = []
        for value in values {
            guard value.isOnlyEqualToItself else { return nil }
            if let found = rowsByValue[index][value] { keys.formUnion(found) }
        }
        return keys
    }
}

extension StoreExpression {
    /// Conditions that all hold where this one does.
    fileprivate var conjuncts: [StoreExpression] {
        if case .and(let a, let b) = self { a.conjuncts + b.conjuncts } else { [self] }
    }
}

extension AttributeValue {
    /// Whether no value of another kind is equal to it in a condition, as a whole number is to a
    /// fraction, and it is not missing.
    fileprivate var isOnlyEqualToItself: Bool {
        switch self {
        case .text, .data, .reference: true
        case .null, .integer, .real, .invalid: false
        }
    }
}

extension ManagedObjectModel.Entity {
    /// The slots by whose values objects are searched: references, and what a constraint or an index
    /// begins with.
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
