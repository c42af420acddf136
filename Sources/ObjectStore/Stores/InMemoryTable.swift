internal import HashTreeCollections

/// The rows of one entity, found by key and by the values of each uniqueness constraint.
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

    init(_ entity: ManagedObjectModel.Entity) {
        name = entity.name
        columns = entity.columns.map(\.name)
        constraints = entity.constraints
        uniqueRows = entity.constraints.map { _ in [:] }
    }

    /// Whether the rows are those of an entity.
    func fits(_ entity: ManagedObjectModel.Entity) -> Bool {
        name == entity.name && columns == entity.columns.map(\.name)
            && constraints == entity.constraints
    }

    /// The rows whose columns together hold one of the given combinations of values.
    func rows(where columns: [Int], areOneOf values: [[AttributeValue]]) -> [StoredRow] {
        guard let index = constraints.firstIndex(of: columns) else {
            let wanted = Set(values)
            return rows.values.filter { row in wanted.contains(columns.map { row.values[$0] }) }
        }
        return values.compactMap { uniqueRows[index][$0].flatMap { rows[$0] } }
    }

    /// Adds a row, or puts it in the place of the one with its key.
    mutating func put(_ row: StoredRow) {
        remove(row.id.key)
        rows[row.id.key] = row
        for (index, constraint) in constraints.enumerated() {
            if let values = bound(constraint, in: row) { uniqueRows[index][values] = row.id.key }
        }
    }

    /// Takes a row away; one that is not there is passed over.
    mutating func remove(_ key: Int64) {
        guard let row = rows.removeValue(forKey: key) else { return }
        for (index, constraint) in constraints.enumerated() {
            if let values = bound(constraint, in: row) { uniqueRows[index][values] = nil }
        }
    }

    /// The values of a constraint, or nil where one is missing, so that it does not bind.
    private func bound(_ constraint: [Int], in row: StoredRow) -> [AttributeValue]? {
        let values = constraint.map { row.values[$0] }
        return values.contains(where: \.isNull) ? nil : values
    }
}
