internal import GRDB
internal import ObjectStore

/// Rows of a model in a database connection: reading them, and writing them in a transaction.
struct SQLiteTransaction: StoreTransaction {
    let db: Database
    /// The path of the file, for errors.
    let path: String

    /// The most values that one statement asks for; more go in several statements.
    private static let batchSize = 500

    init(_ db: Database, path: String) {
        self.db = db
        self.path = path
    }

    /// Runs one statement, or several; a program that goes on after an error gets that of a store.
    func run<Result>(_ body: () throws -> Result) throws -> Result {
        try StoreError.translating(path, body)
    }

    // MARK: Reading

    func rows(of entity: ManagedObjectModel.Entity, keys: [Int64]) throws -> [StoredRow] {
        try batches(of: keys).flatMap { keys in
            let marks = Array(repeating: "?", count: keys.count).joined(separator: ", ")
            return try fetch(
                entity,
                "WHERE id IN (\(marks))",
                StatementArguments(keys)
            )
        }
    }

    func rows(
        of entity: ManagedObjectModel.Entity,
        where columns: [Int],
        areOneOf values: [[AttributeValue]]
    ) throws -> [StoredRow] {
        let names = columns.map { entity.columns[$0].name.quotedDatabaseIdentifier }
        let group = "(" + Array(repeating: "?", count: columns.count).joined(separator: ", ") + ")"
        return try batches(of: values).flatMap { values in
            let groups = Array(repeating: group, count: values.count).joined(separator: ", ")
            return try fetch(
                entity,
                "WHERE (\(names.joined(separator: ", "))) IN (VALUES \(groups))",
                StatementArguments(values.joined().map(\.databaseValue))
            )
        }
    }

    func rows(matching query: StoreQuery) throws -> [StoredRow] {
        let source = SQLExpression.Source(root: query.entity)
        var (condition, arguments) = condition(of: query, source)
        let order =
            query.order.map { source.column($0.column) + ($0.isDescending ? " DESC" : "") }
            + ["\(source.alias).id"]
        condition += " ORDER BY " + order.joined(separator: ", ")
        if query.limit != nil || query.offset > 0 {
            // SQLite takes a limit below zero for none.
            condition += " LIMIT ? OFFSET ?"
            arguments += [(query.limit ?? -1).databaseValue, query.offset.databaseValue]
        }
        return try fetch(query.entity, condition, StatementArguments(arguments))
    }

    func count(matching query: StoreQuery) throws -> Int {
        let source = SQLExpression.Source(root: query.entity)
        let (condition, arguments) = condition(of: query, source)
        let count = try run {
            let sql = "SELECT count(*) FROM \(source.table) \(condition)"
            let statement = try db.cachedStatement(sql: sql)
            return try Int.fetchOne(statement, arguments: StatementArguments(arguments)) ?? 0
        }
        return min(max(0, count - query.offset), query.limit ?? .max)
    }

    /// The condition of a query in SQL, with its values.
    private func condition(
        of query: StoreQuery,
        _ source: SQLExpression.Source
    ) -> (String, [DatabaseValue]) {
        guard let filter = query.filter else { return ("", []) }
        var expression = SQLExpression(query.model)
        let condition = expression.condition(filter, of: source)
        return ("WHERE " + condition, expression.arguments)
    }

    private func fetch(
        _ entity: ManagedObjectModel.Entity,
        _ condition: String,
        _ arguments: StatementArguments
    ) throws -> [StoredRow] {
        let source = SQLExpression.Source(root: entity)
        let columns = entity.columns.indices.map { source.column($0) }
        let list = (["id", "version"] + columns).joined(separator: ", ")
        return try run {
            let sql = "SELECT \(list) FROM \(source.table) \(condition)"
            let cursor = try Row.fetchCursor(db.cachedStatement(sql: sql), arguments: arguments)
            var rows: [StoredRow] = []
            while let row = try cursor.next() {
                rows.append(
                    StoredRow(
                        id: ObjectID(entity: entity.index, key: row[0]),
                        version: row[1],
                        values: entity.columns.indices.map { column in
                            entity.columns[column].value(from: row[column + 2])
                        }
                    )
                )
            }
            return rows
        }
    }

    private func batches<Element>(of elements: [Element]) -> [ArraySlice<Element>] {
        stride(from: 0, to: elements.count, by: Self.batchSize).map {
            elements[$0..<min($0 + Self.batchSize, elements.count)]
        }
    }

    // MARK: Writing

    func makeKeys(for entity: ManagedObjectModel.Entity, count: Int) throws -> [Int64] {
        let sql =
            "UPDATE ObjectStoreKeys SET lastKey = lastKey + ? WHERE entity = ? RETURNING lastKey"
        let last = try run {
            try Int64.fetchOne(
                db.cachedStatement(sql: sql),
                arguments: [count, entity.name]
            )
        }
        guard let last else {
            throw StoreError(.damaged, "the store has lost count of \(entity.name)")
        }
        return (0..<Int64(count)).map { last - Int64(count) + 1 + $0 }
    }

    func insert(_ rows: [StoredRow], into entity: ManagedObjectModel.Entity) throws {
        let names = entity.columns.map(\.name.quotedDatabaseIdentifier)
        let marks = Array(repeating: "?", count: names.count + 2).joined(separator: ", ")
        let sql = """
            INSERT INTO \(entity.name.quotedDatabaseIdentifier) \
            (\((["id", "version"] + names).joined(separator: ", "))) VALUES (\(marks))
            """
        try run {
            let statement = try db.cachedStatement(sql: sql)
            for row in rows {
                let head = [row.id.key.databaseValue, row.version.databaseValue]
                try statement.execute(
                    arguments: StatementArguments(head + row.values.map(\.databaseValue))
                )
            }
        }
    }

    func update(_ rows: [StoredRow], of entity: ManagedObjectModel.Entity) throws {
        try run {
            do {
                try write(rows, of: entity)
            } catch let error as DatabaseError
                where error.extendedResultCode == .SQLITE_CONSTRAINT_UNIQUE && rows.count > 1
            {
                // Unique values move from one of these rows to another: take them all away first.
                try clearUniqueValues(of: rows, entity)
                try write(rows, of: entity)
            }
        }
    }

    private func write(_ rows: [StoredRow], of entity: ManagedObjectModel.Entity) throws {
        let assignments = entity.columns.map { "\($0.name.quotedDatabaseIdentifier) = ?" }
        let statement = try db.cachedStatement(
            sql: """
                UPDATE \(entity.name.quotedDatabaseIdentifier) \
                SET \((["version = ?"] + assignments).joined(separator: ", ")) WHERE id = ?
                """
        )
        for row in rows {
            let values = [row.version.databaseValue] + row.values.map(\.databaseValue)
            try statement.execute(
                arguments: StatementArguments(values + [row.id.key.databaseValue])
            )
        }
    }

    private func clearUniqueValues(
        of rows: [StoredRow],
        _ entity: ManagedObjectModel.Entity
    ) throws {
        let columns = Set(entity.constraints.joined()).sorted().map {
            "\(entity.columns[$0].name.quotedDatabaseIdentifier) = NULL"
        }
        let statement = try db.cachedStatement(
            sql: """
                UPDATE \(entity.name.quotedDatabaseIdentifier) \
                SET \(columns.joined(separator: ", ")) WHERE id = ?
                """
        )
        for row in rows { try statement.execute(arguments: [row.id.key]) }
    }

    func delete(_ keys: [Int64], from entity: ManagedObjectModel.Entity) throws {
        try run {
            let statement = try db.cachedStatement(
                sql: "DELETE FROM \(entity.name.quotedDatabaseIdentifier) WHERE id = ?"
            )
            for key in keys { try statement.execute(arguments: [key]) }
        }
    }
}

extension AttributeValue {
    /// The value as SQLite keeps it.
    var databaseValue: DatabaseValue {
        switch self {
        case .null: .null
        case .integer(let number): number.databaseValue
        case .real(let number): number.databaseValue
        case .text(let text): text.databaseValue
        case .data(let data): data.databaseValue
        case .reference(let id): id.key.databaseValue
        }
    }
}

extension ManagedObjectModel.Column {
    fileprivate func value(from value: DatabaseValue) -> AttributeValue {
        switch (value.storage, kind) {
        case (.null, _): .null
        case (.int64(let key), .reference(let entity, _)):
            .reference(ObjectID(entity: entity, key: key))
        case (.int64(let number), .attribute): .integer(number)
        case (.double(let number), _): .real(number)
        case (.string(let text), _): .text(text)
        case (.blob(let data), _): .data(data)
        }
    }
}
