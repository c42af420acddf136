internal import ObjectStore

extension SQLiteTransaction {
    func rows(matching query: StoreQuery) throws -> [StoredRow] {
        let source = source(of: query.entity)
        let (clauses, arguments) = clauses(of: query, source)
        return try run {
            let sql = sql(of: query.entity)
            let statement = try SQLiteStatement(sql.selection + clauses, in: db)
            try statement.bind(arguments)
            var reader = RowReader(query.entity, sql)
            try reader.read(statement)
            return try checked(reader)
        }
    }

    func forEachBatch(
        matching query: StoreQuery,
        size: Int,
        _ body: ([StoredRow]) throws -> Void
    ) throws {
        let source = source(of: query.entity)
        let (clauses, arguments) = clauses(of: query, source)
        let sql = sql(of: query.entity)
        // A statement of its own, because the body may run the same SQL.
        let statement = try run {
            let selection = sql.selection(omitting: query.omittedColumns)
            let statement = try SQLiteStatement(unshared: selection + clauses, in: db)
            try statement.bind(arguments)
            return statement
        }
        defer { statement.reset() }
        while true {
            let (rows, isLast) = try run {
                var reader = RowReader(query.entity, sql)
                let isLast = try reader.read(statement, upTo: max(1, size))
                return (try checked(reader), isLast)
            }
            if !rows.isEmpty { try body(rows) }
            if isLast { return }
        }
    }

    func keys(matching query: StoreQuery) throws -> [Int64] {
        let source = source(of: query.entity)
        let (clauses, arguments) = clauses(of: query, isOrdered: query.hasOrder, source)
        return try run {
            let sql = "SELECT \(source.alias).id FROM \(source.table)\(clauses)"
            let statement = try SQLiteStatement(sql, in: db)
            try statement.bind(arguments)
            var keys: [Int64] = []
            while try statement.step() { keys.append(statement.integer(0)) }
            try check(leastKey: keys.min() ?? 0, of: query.entity)
            return keys
        }
    }

    func count(matching query: StoreQuery) throws -> Int {
        let source = source(of: query.entity)
        let (selection, arguments) = selection(of: query, columns: [], isOrdered: false, source)
        return try run {
            let statement = try SQLiteStatement("SELECT count(*) FROM \(selection)", in: db)
            try statement.bind(arguments)
            defer { statement.reset() }
            return try statement.step() ? Int(statement.integer(0)) : 0
        }
    }

    /// The part of a query after FROM: the table with a condition, or a subquery.
    ///
    /// If an offset or limit leaves rows out, it is a subquery with the same columns and alias.
    ///
    /// - Parameters:
    ///   - query: The query.
    ///   - columns: The positions of the columns that are needed.
    ///   - isOrdered: Whether it matters which rows are left out.
    ///   - source: The row, as the columns name it.
    /// - Returns: The selection, with the values of its parameters.
    func selection(
        of query: StoreQuery,
        columns: Set<Int>,
        isOrdered: Bool = true,
        _ source: SQLExpression.Source
    ) -> (String, [AttributeValue]) {
        guard query.limit != nil || query.offset > 0 else {
            let (condition, arguments) = condition(of: query, source)
            return (source.table + condition, arguments)
        }
        let (clauses, arguments) = clauses(of: query, isOrdered: isOrdered, source)
        let list = ["\(source.alias).id"] + columns.sorted().map { source.stored($0) }
        let sql =
            "(SELECT \(list.joined(separator: ", ")) FROM \(source.table)\(clauses)) "
            + "AS \(source.alias)"
        return (sql, arguments)
    }

    /// The condition, the order and the limits of a query in SQL, with their values.
    private func clauses(
        of query: StoreQuery,
        isOrdered: Bool = true,
        _ source: SQLExpression.Source
    ) -> (String, [AttributeValue]) {
        var (clauses, arguments) = condition(of: query, source)
        if isOrdered {
            let order =
                query.order.map { source.stored($0.column) + ($0.isDescending ? " DESC" : "") }
                + ["\(source.alias).id"]
            clauses += " ORDER BY " + order.joined(separator: ", ")
        }
        if query.limit != nil || query.offset > 0 {
            // SQLite takes a negative limit for none.
            clauses += " LIMIT ? OFFSET ?"
            arguments += [.integer(Int64(query.limit ?? -1)), .integer(Int64(query.offset))]
        }
        return (clauses, arguments)
    }

    /// The condition of a query in SQL, with its values.
    private func condition(
        of query: StoreQuery,
        _ source: SQLExpression.Source
    ) -> (String, [AttributeValue]) {
        guard let filter = query.filter else { return ("", []) }
        var expression = SQLExpression(query.model, source)
        let condition = expression.condition(filter, of: source)
        return (" WHERE " + condition, expression.arguments)
    }

    /// The rows; throws if one has a value that no object can have stored.
    func checked(_ reader: RowReader) throws -> [StoredRow] {
        try check(leastKey: reader.leastKey, of: reader.entity)
        for check in reader.entity.rangeChecks {
            for row in reader.rows where check.isOutOfRange(row.values[check.column]) {
                throw damaged(
                    row.values[check.column],
                    check.column,
                    of: reader.entity,
                    key: row.id.key
                )
            }
        }
        return reader.rows
    }

    /// Throws if a key is one of those that only objects have which were never saved.
    func check(leastKey key: Int64, of entity: ManagedObjectModel.Entity) throws {
        if key >= 0 { return }
        throw StoreError(
            .damaged,
            "\(path): \(entity.name) has the key \(key), or leads to it, which no object on record has; "
                + "put a backup in its place, or mend it with the program that wrote it"
        )
    }

    func damaged(
        _ value: AttributeValue,
        _ column: Int,
        of entity: ManagedObjectModel.Entity,
        key: Int64? = nil
    ) -> StoreError {
        let object = key.map { " of the object with the key \($0)" } ?? ""
        return StoreError(
            .damaged,
            "\(path): \(entity.name).\(entity.columns[column].name)\(object) holds \(value), which is "
                + "out of the range of its type; put a backup in its place, or mend it with the "
                + "program that wrote it"
        )
    }
}
