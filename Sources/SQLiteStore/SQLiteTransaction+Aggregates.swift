internal import ObjectStore

extension SQLiteTransaction {
    func groups(of aggregate: StoreAggregate) throws -> [StoreGroup] {
        try aggregate.check()
        let source = source(of: aggregate.query.entity)
        let figures = aggregate.figures.map { AggregateTerms($0, source) }
        let columns = Set(aggregate.grouping + aggregate.figures.compactMap(\.column))
        let (selection, arguments) = selection(of: aggregate.query, columns: columns, source)
        let keys = aggregate.grouping.map { source.column($0) }
        let list = keys + figures.flatMap(\.terms)
        if list.isEmpty { return [StoreGroup(key: [], figures: [])] }
        var sql = "SELECT \(list.joined(separator: ", ")) FROM \(selection)"
        if !keys.isEmpty {
            let list = keys.joined(separator: ", ")
            sql += " GROUP BY \(list) ORDER BY \(list)"
        }
        return try run {
            let statement = try SQLiteStatement(sql, in: db)
            try statement.bind(arguments)
            defer { statement.reset() }
            var groups: [StoreGroup] = []
            while try statement.step() {
                groups.append(try group(statement, aggregate, figures))
            }
            return groups
        }
    }

    /// The group in the present row of a statement.
    private func group(
        _ statement: SQLiteStatement,
        _ aggregate: StoreAggregate,
        _ figures: [AggregateTerms]
    ) throws -> StoreGroup {
        let entity = aggregate.query.entity
        let key = try aggregate.grouping.enumerated().map { place, column in
            try value(statement, place, column, of: entity)
        }
        var place = key.count
        let values = try figures.map { figure in
            defer { place += figure.terms.count }
            return try value(of: figure, statement, place, entity)
        }
        return StoreGroup(key: key, figures: values)
    }

    /// The value of a column; it throws if no object can have stored the value.
    private func value(
        _ statement: SQLiteStatement,
        _ place: Int,
        _ column: Int,
        of entity: ManagedObjectModel.Entity
    ) throws -> AttributeValue {
        var target: Int?
        if case .reference(let entity, _) = entity.columns[column].kind { target = entity }
        let value = statement.value(place, leadingTo: target)
        if target != nil { try check(leastKey: statement.integer(place), of: entity) }
        for check in entity.rangeChecks where check.column == column && check.isOutOfRange(value) {
            throw damaged(value, column, of: entity)
        }
        return value
    }

    /// The value of a figure from its terms, which begin at a position in the row.
    private func value(
        of figure: AggregateTerms,
        _ statement: SQLiteStatement,
        _ place: Int,
        _ entity: ManagedObjectModel.Entity
    ) throws -> AttributeValue {
        switch figure.figure {
        case .count: return .integer(statement.integer(place))
        case .minimum(let column), .maximum(let column):
            return try value(statement, place, column, of: entity)
        case .sum(let column), .average(let column):
            let description = entity.columns[column]
            let count = Int(statement.integer(place))
            if count == 0 { return .null }
            if description.storage == .real {
                let name = "\(entity.name).\(description.name)"
                var number: Double?
                if case .real(let real) = statement.value(place + 1, leadingTo: nil) {
                    number = real
                }
                return .real(try ColumnSum.number(number, figure.isMean ? "mean" : "sum", name))
            }
            if description.storage == .integer {
                _ = try value(statement, place + 3, column, of: entity)
                _ = try value(statement, place + 4, column, of: entity)
            }
            let whole = figure.wholeSum(statement, place, description)
            let sum = ColumnSum(count: count, whole: whole)
            return try figure.isMean
                ? sum.average(of: description, in: entity) : sum.sum(of: description, in: entity)
        }
    }
}

/// The SQL terms from which a figure is computed.
private struct AggregateTerms {
    let figure: StoreAggregate.Figure
    let terms: [String]

    init(_ figure: StoreAggregate.Figure, _ source: SQLExpression.Source) {
        self.figure = figure
        switch figure {
        case .count: terms = ["count(*)"]
        case .minimum(let column): terms = ["min(\(source.column(column)))"]
        case .maximum(let column): terms = ["max(\(source.column(column)))"]
        case .sum(let column), .average(let column):
            let name = source.column(column)
            switch source.entity.columns[column].storage {
            case .integer:
                // Summed in halves: their sums cannot overflow if the whole sum does not.
                terms = [
                    "count(\(name))", "sum(\(name) >> 32)", "sum(\(name) & 4294967295)",
                    "min(\(name))", "max(\(name))",
                ]
            case .real where figure == .average(column):
                terms = ["count(\(name))", "\(SQLFunctions.mean)(\(name))"]
            default:
                terms = ["count(\(name))", "\(SQLFunctions.sum)(\(name))"]
            }
        }
    }

    var isMean: Bool {
        if case .average = figure { true } else { false }
    }

    /// The sum of integers, from terms that begin at a position in the row.
    func wholeSum(
        _ statement: SQLiteStatement,
        _ place: Int,
        _ column: ManagedObjectModel.Column
    ) -> Int128 {
        if column.storage == .unsigned {
            guard case .text(let digits) = statement.value(place + 1, leadingTo: nil) else {
                return 0
            }
            return Int128(digits) ?? 0
        }
        return Int128(statement.integer(place + 1)) << 32 + Int128(statement.integer(place + 2))
    }
}

extension StoreAggregate.Figure {
    /// The column of the figure.
    fileprivate var column: Int? {
        switch self {
        case .count: nil
        case .sum(let column), .average(let column), .minimum(let column), .maximum(let column):
            column
        }
    }
}
