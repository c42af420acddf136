internal import CSQLite
internal import ObjectStore

/// Rows of a model in a database connection: reading them, and writing them in a transaction.
final class SQLiteTransaction: StoreTransaction, StateReading {
    let db: SQLiteConnection
    /// The path of the file, for errors.
    let path: String
    private let sql: ModelSQL?

    init(_ db: SQLiteConnection, path: String, sql: ModelSQL?) {
        self.db = db
        self.path = path
        self.sql = sql
    }

    /// Runs statements, and translates errors into those of a store.
    func run<Result>(_ body: () throws -> Result) throws -> Result {
        let result = try StoreError.translating(path) {
            do {
                return try body()
            } catch let error as SQLiteError {
                throw meaning(of: error)
            }
        }
        // A result that may be wrong is never returned.
        try db.frozen?.check()
        return result
    }

    // Not inlined: each use of `run` would have all of it.
    @inline(never)
    private func meaning(of error: SQLiteError) -> any Error {
        let isOfOthers = error.isOfOtherTables || sql?.breaksUnknownConstraint(error) ?? false
        return isOfOthers ? otherTables(error.message, error) : error
    }

    /// The error for a file that has been brought to another model since it was opened.
    private func otherTables(_ words: String, _ underlying: (any Error)? = nil) -> StoreError {
        StoreError(
            .incompatible,
            "another program has changed the tables of \(path) since it was opened here: \(words); end this program, "
                + "and use the version that knows them",
            underlying: underlying
        )
    }

    /// How the dates of the file are counted.
    var dates: StoredDates { sql?.dates ?? .since2001 }

    func sql(of entity: ManagedObjectModel.Entity) -> EntitySQL {
        sql?[entity] ?? EntitySQL(entity, dates)
    }

    /// The rows of an entity that a query selects.
    func source(of entity: ManagedObjectModel.Entity) -> SQLExpression.Source {
        SQLExpression.Source(root: entity, dates)
    }

    // MARK: Reading

    var state: StoreState? { db.state }

    func rows(of entity: ManagedObjectModel.Entity, keys: [Int64]) throws -> [StoredRow] {
        try run {
            let sql = sql(of: entity)
            let statement = try SQLiteStatement(sql.rowWithKey, in: db)
            var reader = RowReader(entity, sql)
            for key in keys {
                try statement.bind(.integer(key), at: 0)
                try reader.readOne(statement)
            }
            return try checked(reader)
        }
    }

    func rows(
        of entity: ManagedObjectModel.Entity,
        where columns: [Int],
        areOneOf values: [[AttributeValue]]
    ) throws -> [StoredRow] {
        let sql = sql(of: entity)
        return try run {
            var reader = RowReader(entity, sql)
            let isReference = columns.count == 1 && sql.targets[columns[0]] != nil
            if isReference && values.count > 1 {
                // References: one query for any number of them.
                let list = ValueList(values.joined().map(\.self))
                let statement = try SQLiteStatement(
                    sql.rows(whoseReference: columns[0], isIn: list),
                    in: db
                )
                try statement.bind(.text(list.json), at: 0)
                try reader.read(statement)
                return try checked(reader)
            }
            let statement = try SQLiteStatement(sql.rows(whose: columns), in: db)
            // A migration looks for references before the constraints of the new model hold.
            let isUnique = !isReference && entity.constraints.contains(columns)
            for values in values {
                try statement.bind(values)
                if isUnique {
                    try reader.readOne(statement)
                } else {
                    try reader.read(statement)
                }
            }
            return try checked(reader)
        }
    }

    // MARK: Writing

    /// Runs statements that write.
    func write<Result>(_ body: () throws -> Result) throws -> Result {
        try run {
            try db.checkTransaction()
            return try body()
        }
    }

    // Two statements cost less than RETURNING, for which SQLite opens a table of its own.
    private static let taking = SQLText(
        "UPDATE ObjectStoreKeys SET lastKey = lastKey + ? WHERE entity = ?"
    )
    private static let looking = SQLText("SELECT lastKey FROM ObjectStoreKeys WHERE entity = ?")

    func makeKeys(for entity: ManagedObjectModel.Entity, count: Int) throws -> [Int64] {
        guard count > 0 else { return [] }
        return try write {
            let first = try db.keys.take(Int64(count), of: entity.name) { more in
                let name = AttributeValue.text(entity.name)
                try SQLiteStatement(Self.taking, in: db).run(.integer(more), name)
                let statement = try SQLiteStatement(Self.looking, in: db)
                defer { statement.reset() }
                try statement.bind(name, at: 0)
                guard try statement.step() else { throw try lostCount(of: entity) }
                return statement.integer(0)
            }
            guard let first else { throw try lostCount(of: entity) }
            return (0..<Int64(count)).map { first + $0 }
        }
    }

    private func lostCount(of entity: ManagedObjectModel.Entity) throws -> StoreError {
        // SQLite finds a table also by a name that differs in case only.
        let known =
            StoredModel(recorded: try db.recordedDescription())?.entities.map(\.name) ?? [
                entity.name
            ]
        if !known.contains(entity.name) { return otherTables("there is no \(entity.name)") }
        return StoreError(
            .damaged,
            "\(path) has lost count of the keys of \(entity.name); put a backup in its place"
        )
    }

    func insert(_ rows: [StoredRow], into entity: ManagedObjectModel.Entity) throws {
        try write {
            let statement = try SQLiteStatement(sql(of: entity).insertion, in: db)
            for row in rows {
                try statement.bind(.integer(row.id.key), at: 0)
                try statement.bind(.integer(row.version), at: 1)
                try statement.bind(row.values, from: 2)
                try statement.finish()
            }
        }
    }

    func update(_ rows: [StoredRow], of entity: ManagedObjectModel.Entity) throws {
        try write {
            let sql = sql(of: entity)
            do {
                try write(rows, sql)
            } catch let error as SQLiteError
                where error.code == sqlite3_constraint_unique && rows.count > 1
            {
                // Unless the constraint is that of another program.
                guard let clearing = sql.clearing else { throw error }
                // Unique values move from one of these rows to another: clear them all first.
                try runForEach(rows.map(\.id.key), clearing)
                try write(rows, sql)
            }
        }
    }

    private func write(_ rows: [StoredRow], _ sql: EntitySQL) throws {
        var statement = try SQLiteStatement(sql.updateBesideIndices, in: db)
        var isWhole = false
        for row in rows {
            try write(row, statement)
            if isWhole || db.changedCount > 0 { continue }
            // Those that follow have probably changed alike.
            statement = try SQLiteStatement(sql.update, in: db)
            isWhole = true
            try write(row, statement)
        }
    }

    private func write(_ row: StoredRow, _ statement: SQLiteStatement) throws {
        try statement.bind(.integer(row.version), at: 0)
        try statement.bind(row.values, from: 1)
        try statement.bind(.integer(row.id.key), at: row.values.count + 1)
        try statement.finish()
    }

    func delete(_ keys: [Int64], from entity: ManagedObjectModel.Entity) throws {
        try write { try runForEach(keys, sql(of: entity).deletion) }
    }

    private func runForEach(_ keys: [Int64], _ sql: SQLText) throws {
        let statement = try SQLiteStatement(sql, in: db)
        for key in keys {
            try statement.bind(.integer(key), at: 0)
            try statement.finish()
        }
    }
}

/// Takes the rows of an entity from statements.
struct RowReader {
    let entity: ManagedObjectModel.Entity
    private let targets: [Int?]
    private var packer: RowPacker
    private(set) var rows: [StoredRow] = []
    /// The least key that a row has or leads to.
    private(set) var leastKey: Int64 = 0

    init(_ entity: ManagedObjectModel.Entity, _ sql: EntitySQL) {
        self.entity = entity
        targets = sql.targets
        packer = RowPacker(columnCount: targets.count)
    }

    /// Reads the row of a selection that gives one at most.
    mutating func readOne(_ statement: SQLiteStatement) throws {
        // Not to its end, which is another step.
        if try !read(statement, upTo: rows.count + 1) { statement.reset() }
    }

    /// Reads more rows of a selection, up to a number of them in all.
    ///
    /// - Returns: Whether there are no more.
    @discardableResult
    mutating func read(_ statement: SQLiteStatement, upTo limit: Int = .max) throws -> Bool {
        while rows.count < limit {
            guard try statement.step() else { return true }
            for (place, target) in targets.enumerated() {
                statement.pack(place + 2, leadingTo: target, &packer)
                if target != nil { leastKey = min(leastKey, statement.integer(place + 2)) }
            }
            let values =
                packer.takeRow()
                ?? RowValues(
                    plain: targets.enumerated().map { statement.value($0 + 2, leadingTo: $1) }
                )
            let id = ObjectID(entity: entity.index, key: statement.integer(0))
            leastKey = min(leastKey, id.key)
            rows.append(StoredRow(id: id, version: statement.integer(1), values: values))
        }
        return false
    }
}
