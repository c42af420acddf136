internal import FoundationEssentials
internal import ObjectStore

/// The tables of a store, described by name, so that two descriptions can be compared.
struct StoredModel: Codable, Equatable {
    struct Entity: Codable, Equatable {
        let name: String
        var columns: [Column]
        var indices: [Index]
    }

    struct Column: Codable, Equatable {
        let name: String
        /// The SQL type.
        let type: String
        /// The target entity of a reference.
        let target: String?
        /// Whether every row must have a value; nil if the store does not say.
        var isRequired: Bool?
    }

    struct Index: Codable, Equatable {
        let name: String
        let columns: [String]
        let isUnique: Bool
    }

    var entities: [Entity]

    /// The migration steps that the store has run.
    var steps: [String]

    /// The same description, sorted by name: the order of tables and columns has no meaning.
    var ordered: StoredModel {
        var copy = self
        for index in copy.entities.indices {
            copy.entities[index].columns.sort { $0.name < $1.name }
            copy.entities[index].indices.sort { $0.name < $1.name }
        }
        copy.entities.sort { $0.name < $1.name }
        return copy
    }

    /// The tables of the store itself, which belong to no entity.
    static let ownTables = [
        "ObjectStoreModel", "ObjectStoreKeys", formatTable, SQLiteHistory.table,
    ]
}

// MARK: As recorded in a store

extension StoredModel {
    /// A table that says how dates are counted.
    ///
    /// A program that counts them from 1970 takes it for an entity that its model does not have, and
    /// leaves the store alone, even if it looked at the file's format before another program changed it.
    private static let formatTable = "ObjectStoreFormat"

    static let formatDefinition = """
        CREATE TABLE \(formatTable) (item TEXT PRIMARY KEY NOT NULL, meaning TEXT NOT NULL) STRICT;
        INSERT INTO \(formatTable) VALUES ('dates', 'seconds since 2001-01-01 00:00:00 UTC')
        """

    /// Reads a description that a store has of itself; nil if it is damaged, or of the first layout.
    init?(recorded text: String) {
        guard let model = try? JSONDecoder().decode(StoredModel.self, from: Data(text.utf8)) else {
            return nil
        }
        self = model
        entities.removeAll { $0.name == Self.formatTable }
    }

    /// The description as text, for a store whose dates are counted in a way.
    func recorded(_ dates: StoredDates) throws -> String {
        var model = self
        if dates == .since2001 {
            // Older programs look at the tables only if the description is not that of their model.
            model.entities.append(Entity(name: Self.formatTable, columns: [], indices: []))
        }
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys]
        return String(decoding: try encoder.encode(model), as: UTF8.self)
    }
}

// MARK: From a model

extension StoredModel {
    init(_ model: ManagedObjectModel, steps: [String]) {
        self.init(entities: model.entities.map { Entity($0, in: model) }, steps: steps)
    }
}

extension StoredModel.Entity {
    init(_ entity: ManagedObjectModel.Entity, in model: ManagedObjectModel) {
        name = entity.name
        columns = entity.columns.map { StoredModel.Column($0, in: model) }
        indices = Self.indices(of: entity)
    }

    /// The indices of an entity.
    ///
    /// There is a unique index for each constraint, one for each compound index, one for each
    /// reference, which serves its inverse, and one for each indexed attribute.
    private static func indices(of entity: ManagedObjectModel.Entity) -> [StoredModel.Index] {
        let unique = entity.constraints.map { constraint in
            let names = constraint.map { entity.columns[$0].name }
            // No other name contains parentheses, commas and spaces.
            let name = "\(entity.name)(unique \(names.joined(separator: ",")))"
            return StoredModel.Index(name: name, columns: names, isUnique: true)
        }
        let compound = entity.compoundIndices.map { columns in
            let names = columns.map { entity.columns[$0].name }
            let name = "\(entity.name)(\(names.joined(separator: ",")))"
            return StoredModel.Index(name: name, columns: names, isUnique: false)
        }
        let leading = Set((entity.constraints + entity.compoundIndices).compactMap(\.first))
        let others = entity.columns.indices.compactMap { column -> StoredModel.Index? in
            let isWanted =
                switch entity.columns[column].kind {
                case .reference: true
                case .attribute(let attribute): attribute.isIndexed
                }
            guard isWanted, !leading.contains(column) else { return nil }
            let name = entity.columns[column].name
            return StoredModel.Index(
                name: "\(entity.name)(\(name))",
                columns: [name],
                isUnique: false
            )
        }
        return unique + compound + others
    }
}

extension StoredModel.Column {
    init(_ column: ManagedObjectModel.Column, in model: ManagedObjectModel) {
        name = column.name
        switch column.kind {
        case .attribute(let attribute):
            type = attribute.storage.columnType
            target = nil
            isRequired = !attribute.isOptional
        case .reference(let entity, let isOptional):
            type = "INTEGER"
            target = model.entities[entity].name
            isRequired = !isOptional
        }
    }
}

extension AttributeStorage {
    fileprivate var columnType: String {
        switch self {
        case .integer: "INTEGER"
        case .real, .date: "REAL"
        case .text, .unsigned: "TEXT"
        case .data: "BLOB"
        }
    }
}

// MARK: From the tables themselves

extension StoredModel {
    /// Describes the present tables.
    ///
    /// - Parameters:
    ///   - db: The store.
    ///   - recorded: The recorded description, for what the tables do not show.
    /// - Throws: An error of SQLite.
    init(tablesOf db: SQLiteConnection, recorded: StoredModel?) throws {
        let names = try db.rows(
            """
            SELECT name FROM sqlite_master \
            WHERE type = 'table' AND name NOT LIKE 'sqlite^_%' ESCAPE '^' ORDER BY rowid
            """
        ).map { $0[0].text }.filter { !Self.ownTables.contains($0) }
        self.init(
            entities: try names.map { name in
                try Entity(table: name, db, recorded?.entities.first { $0.name == name })
            },
            steps: recorded?.steps ?? []
        )
    }
}

extension StoredModel.Entity {
    fileprivate init(table: String, _ db: SQLiteConnection, _ recorded: Self?) throws {
        let targets = try db.targets(of: table)
        name = table
        columns = try db.columns(of: table)
            .filter { $0.name != "id" && $0.name != "version" }
            .map { column in
                StoredModel.Column(
                    name: column.name,
                    type: column.type,
                    target: targets[column.name],
                    isRequired: recorded?.columns.first { $0.name == column.name }?.isRequired
                )
            }
        indices = try db.indices(of: table)
    }
}

// MARK: As statements

extension StoredModel.Entity {
    var createStatement: String {
        let definition =
            ["id INTEGER PRIMARY KEY NOT NULL", "version INTEGER NOT NULL"]
            + columns.map(\.definition)
        let table = name.quoted
        return "CREATE TABLE \(table) (\(definition.joined(separator: ", "))) STRICT"
    }
}

extension StoredModel.Column {
    var definition: String {
        let start = "\(name.quoted) \(type)"
        guard let target else { return start }
        return start
            + " REFERENCES \(target.quoted)(id) DEFERRABLE INITIALLY DEFERRED"
    }
}

extension StoredModel.Index {
    /// An index on the same columns that allows duplicates.
    init(name: String, _ unique: Self) {
        self.init(name: name, columns: unique.columns, isUnique: false)
    }

    func createStatement(on entity: String) -> String {
        let list = columns.map(\.quoted).joined(separator: ", ")
        return """
            CREATE \(isUnique ? "UNIQUE " : "")INDEX \(name.quoted) \
            ON \(entity.quoted) (\(list))
            """
    }
}
