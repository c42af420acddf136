extension StoreReading {
    /// Computes the figures from the rows, for stores without a faster way.
    public func groups(of aggregate: StoreAggregate) throws -> [StoreGroup] {
        try aggregate.check()
        return try aggregate.groups(of: rows(matching: aggregate.query))
    }
}

extension StoreAggregate {
    /// Computes the figures from the rows that the query selects.
    ///
    /// - Parameter rows: The rows, in any order.
    /// - Returns: The groups, in the order of their keys.
    /// - Throws: ``StoreError`` if a sum does not fit.
    func groups(of rows: [StoredRow]) throws -> [StoreGroup] {
        if grouping.isEmpty { return [StoreGroup(key: [], figures: try figures(of: rows))] }
        return try Dictionary(grouping: rows) { row in grouping.map { row.values[$0] } }
            .sorted { $0.key.lexicographicallyPrecedes($1.key) }
            .map { StoreGroup(key: $0, figures: try figures(of: $1)) }
    }

    private func figures(of rows: [StoredRow]) throws -> [AttributeValue] {
        try figures.map { figure in
            switch figure {
            case .count: .integer(Int64(rows.count))
            case .sum(let column):
                try total(rows, column).sum(of: query.entity.columns[column], in: query.entity)
            case .average(let column):
                try total(rows, column).average(of: query.entity.columns[column], in: query.entity)
            case .minimum(let column): present(rows, column).min() ?? .null
            case .maximum(let column): present(rows, column).max() ?? .null
            }
        }
    }

    private func present(_ rows: [StoredRow], _ column: Int) -> [AttributeValue] {
        rows.map { $0.values[column] }.filter { !$0.isNull }
    }

    private func total(_ rows: [StoredRow], _ column: Int) -> ColumnSum {
        rows.reduce(into: ColumnSum()) { $0.add($1.values[column]) }
    }
}
