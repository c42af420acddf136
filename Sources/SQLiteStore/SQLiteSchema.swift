internal import GRDB
internal import ObjectStore

/// The tables of a model.
///
/// Strict tables, so that no tool can leave a value of another type. Foreign keys are checked at
/// the commit, so that rows can be written in any order. Missing values are the model's business,
/// not the table's: while unique values move from row to row, they are missing for a moment.
struct SQLiteSchema {
    let model: ManagedObjectModel

    /// The definition of the tables as text; a store made with another one is of another model.
    let fingerprint: String

    private let statements: [String]

    init(_ model: ManagedObjectModel) {
        self.model = model
        statements = model.entities.flatMap { Self.statements(for: $0, in: model) }
        fingerprint = statements.joined(separator: ";\n")
    }

    /// The definition that the tables of a store were made with, or nil where it has none yet.
    func fingerprint(in db: Database) throws -> String? {
        guard try db.tableExists("ObjectStoreModel") else { return nil }
        return try String.fetchOne(db, sql: "SELECT definition FROM ObjectStoreModel")
    }

    func create(in db: Database) throws {
        try db.execute(sql: "CREATE TABLE ObjectStoreModel (definition TEXT NOT NULL) STRICT")
        try db.execute(
            sql: """
                CREATE TABLE ObjectStoreKeys (
                    entity TEXT PRIMARY KEY NOT NULL, lastKey INTEGER NOT NULL
                ) STRICT, WITHOUT ROWID
                """
        )
        for entity in model.entities {
            try db.execute(
                sql: "INSERT INTO ObjectStoreKeys VALUES (?, 0)",
                arguments: [entity.name]
            )
        }
        for statement in statements { try db.execute(sql: statement) }
        try db.execute(sql: "INSERT INTO ObjectStoreModel VALUES (?)", arguments: [fingerprint])
    }

    private static func statements(
        for entity: ManagedObjectModel.Entity,
        in model: ManagedObjectModel
    ) -> [String] {
        let table = entity.name.quotedDatabaseIdentifier
        let columns = entity.columns.map { column in
            let name = column.name.quotedDatabaseIdentifier
            switch column.kind {
            case .attribute(let attribute):
                return "\(name) \(attribute.storage.columnType)"
            case .reference(let target, _):
                let targetTable = model.entities[target].name.quotedDatabaseIdentifier
                return "\(name) INTEGER REFERENCES \(targetTable)(id) DEFERRABLE INITIALLY DEFERRED"
            }
        }
        let definition = ["id INTEGER PRIMARY KEY NOT NULL", "version INTEGER NOT NULL"] + columns
        let tableStatement = "CREATE TABLE \(table) (\(definition.joined(separator: ", "))) STRICT"
        return [tableStatement] + indices(of: entity)
    }

    /// One unique index a constraint, and one for each reference, by which inverses are found.
    private static func indices(of entity: ManagedObjectModel.Entity) -> [String] {
        let table = entity.name.quotedDatabaseIdentifier
        let unique = entity.constraints.map { constraint in
            let names = constraint.map { entity.columns[$0].name }
            let index = "\(entity.name)_unique_\(names.joined(separator: "_"))"
            let list = names.map(\.quotedDatabaseIdentifier).joined(separator: ", ")
            return "CREATE UNIQUE INDEX \(index.quotedDatabaseIdentifier) ON \(table) (\(list))"
        }
        let references = entity.columns.indices.compactMap { column -> String? in
            guard case .reference = entity.columns[column].kind,
                !entity.constraints.contains(where: { $0.first == column })
            else { return nil }
            let name = entity.columns[column].name
            let index = "\(entity.name)_\(name)".quotedDatabaseIdentifier
            return "CREATE INDEX \(index) ON \(table) (\(name.quotedDatabaseIdentifier))"
        }
        return unique + references
    }
}

extension AttributeStorage {
    fileprivate var columnType: String {
        switch self {
        case .integer: "INTEGER"
        case .real: "REAL"
        case .text: "TEXT"
        case .data: "BLOB"
        }
    }
}
