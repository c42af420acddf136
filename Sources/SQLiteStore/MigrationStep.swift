internal import CSQLite
public import FoundationEssentials
public import ObjectStore

/// A change of a store that cannot be derived from the model: renaming, removing, converting.
///
/// Steps run in order, each once in the life of a store, in the one transaction that migrates the
/// store. After them, missing tables, columns and indices are added. A new store does not need
/// them. Keep a step in the program while there may be stores that have not run it.
///
/// Older programs may have the store open meanwhile. So each row that a step changes gets another version,
/// by which they notice it, and the history gets a save by `migration` without its changes: who follows it
/// reads everything anew. A step that makes a table anew, or puts rows in the place of others (`REPLACE`, or inserting
/// what it has deleted), must raise their versions itself. To make a table anew to which others refer, keep its rows
/// in another one, drop it, make it by the same name, and insert them: a table that is renamed to its name comes too
/// late for what refers to it.
///
/// An older program that is not refused goes on writing as it did. So who converts values renames their property in
/// the same migration; otherwise old values come among the new ones.
///
/// ```swift
/// let store = try SQLiteStore(
///     path: path,
///     migrations: [.renamingProperty("label", of: "Luggage", to: "tag"), .removingEntity("Trolley")]
/// )
/// ```
public struct MigrationStep: Sendable {
    /// The name under which a store records the step; it must never change, nor name another step.
    ///
    /// The steps below have names by what they do. Who does the same once more, for example renames something
    /// back and forth, gives the later step a name of its own.
    public let name: String

    let body: @Sendable (Migration) throws -> Void

    /// Makes a step from SQL.
    ///
    /// - Parameters:
    ///   - name: The name under which a store records the step.
    ///   - body: Changes tables and rows; it must not keep its argument. If it throws, or has a statement that begins
    ///     or ends a transaction or leaves something in the connection, as a temporary table, the store stays
    ///     unchanged, and this program cannot open it.
    public init(_ name: String, _ body: @escaping @Sendable (Migration) throws -> Void) {
        self.name = name
        self.body = body
    }

    /// Renames an entity; its objects keep their identity.
    ///
    /// An older program that has the store open finds its table no more, unless the names differ in case only: then
    /// no older program may have it open.
    ///
    /// - Parameters:
    ///   - old: The name in older stores. A store without it is not changed.
    ///   - new: The name in the model.
    ///   - name: The step's own name; nil for one by what it does.
    /// - Returns: The step.
    public static func renamingEntity(
        _ old: String,
        to new: String,
        step name: String? = nil
    ) -> MigrationStep {
        MigrationStep(name ?? "rename \(old) to \(new)") { migration in
            guard try migration.db.hasTable(old), try !migration.db.hasTable(new) else {
                return
            }
            // By another name between, since SQLite takes names for the same that differ in case only.
            let between = "\(new) (renamed)".quoted
            try migration.execute("ALTER TABLE \(old.quoted) RENAME TO \(between)")
            try migration.execute("ALTER TABLE \(between) RENAME TO \(new.quoted)")
            // The count of the old name stays, and goes on if there is such an entity again: no identity is given
            // twice. By a name that differs in case only, an older program would find the table, and go on.
            try migration.execute(
                """
                INSERT INTO ObjectStoreKeys SELECT ?, lastKey FROM ObjectStoreKeys WHERE entity = ?
                ON CONFLICT (entity) DO UPDATE SET lastKey = max(lastKey, excluded.lastKey)
                """,
                [.text(new), .text(old)]
            )
            if old.lowercased() == new.lowercased() {
                try migration.execute(
                    "DELETE FROM ObjectStoreKeys WHERE entity = ?",
                    [.text(old)]
                )
            }
        }
    }

    /// Renames an attribute or to-one relationship.
    ///
    /// - Parameters:
    ///   - old: The name in older stores. A store without it is not changed.
    ///   - entity: The entity, by its name at this step.
    ///   - new: The name in the model.
    ///   - name: The step's own name; nil for one by what it does.
    /// - Returns: The step.
    public static func renamingProperty(
        _ old: String,
        of entity: String,
        to new: String,
        step name: String? = nil
    ) -> MigrationStep {
        MigrationStep(name ?? "rename \(entity).\(old) to \(new)") { migration in
            guard try migration.has(old, of: entity), try !migration.has(new, of: entity) else {
                return
            }
            try migration.raiseVersions(of: entity)
            try migration.execute(
                "ALTER TABLE \(entity.quoted) RENAME COLUMN \(old.quoted) TO \(new.quoted)"
            )
        }
    }

    /// Removes an entity with all its objects.
    ///
    /// References to them lead to nothing then.
    ///
    /// - Parameters:
    ///   - entity: The name in older stores. A store without it is not changed.
    ///   - name: The step's own name; nil for one by what it does.
    /// - Returns: The step.
    public static func removingEntity(
        _ entity: String,
        step name: String? = nil
    ) -> MigrationStep {
        MigrationStep(name ?? "remove \(entity)") { migration in
            guard try migration.db.hasTable(entity) else { return }
            for table in try migration.db.entityTables() where table != entity {
                for (column, target) in try migration.db.targets(of: table) where target == entity {
                    let field = column.quoted
                    try migration.execute(
                        "UPDATE \(table.quoted) SET \(field) = NULL WHERE \(field) IS NOT NULL"
                    )
                }
            }
            // The count of its keys stays, as above.
            try migration.execute("DROP TABLE \(entity.quoted)")
        }
    }

    /// Removes an attribute or to-one relationship with all its values.
    ///
    /// - Parameters:
    ///   - property: The name in older stores. A store without it is not changed.
    ///   - entity: The entity, by its name at this step.
    ///   - name: The step's own name; nil for one by what it does.
    /// - Returns: The step.
    public static func removingProperty(
        _ property: String,
        of entity: String,
        step name: String? = nil
    ) -> MigrationStep {
        MigrationStep(name ?? "remove \(entity).\(property)") { migration in
            guard try migration.has(property, of: entity) else { return }
            for index in try migration.db.indices(of: entity)
            where index.columns.contains(property) {
                try migration.execute("DROP INDEX \(index.name.quoted)")
            }
            try migration.raiseVersions(of: entity)
            try migration.execute(
                "ALTER TABLE \(entity.quoted) DROP COLUMN \(property.quoted)"
            )
        }
    }
}

/// A store during migration, for a ``MigrationStep``.
///
/// Each entity is a table with its name, the columns `id` and `version`, and one column for each
/// attribute and to-one relationship. References hold the `id` of their target.
public struct Migration {
    let db: SQLiteConnection
    /// The path of the file, for errors.
    let path: String

    /// The date from which the store counts the seconds of its dates now: the beginning of 2001, or of
    /// 1970 in a file of an earlier version.
    public var dateOrigin: Date {
        get throws {
            try StoreError.translating(path) {
                switch try StoredDates(in: db) {
                case .since2001: Date(timeIntervalSinceReferenceDate: 0)
                case .since1970: Date(timeIntervalSince1970: 0)
                }
            }
        }
    }

    /// Runs a statement that changes tables or rows.
    ///
    /// - Parameters:
    ///   - sql: One statement in the dialect of SQLite.
    ///   - arguments: The values of its question marks, in order.
    /// - Throws: `StoreError`.
    public func execute(_ sql: String, _ arguments: [AttributeValue] = []) throws {
        _ = try rows(sql, arguments)
    }

    /// Runs a statement that selects rows.
    ///
    /// - Parameters:
    ///   - sql: One statement in the dialect of SQLite.
    ///   - arguments: The values of its question marks, in order.
    /// - Returns: The rows, each as its values in column order; references are integers.
    /// - Throws: `StoreError`.
    public func rows(
        _ sql: String,
        _ arguments: [AttributeValue] = []
    ) throws -> [[AttributeValue]] {
        try StoreError.translating(path) {
            // Of what SQLite has rolled back by itself, a step that goes on would store the rest.
            try db.checkTransaction()
            do {
                return try db.confined { try db.rows(sql, arguments) }
            } catch let error as SQLiteError where error.primaryCode == SQLITE_AUTH {
                throw StoreError(
                    .failed,
                    "\(path) was not opened: \"\(sql)\" would begin or end a transaction, or leave something in the "
                        + "connection (temporary tables or triggers, other files, settings); remove it",
                    underlying: error
                )
            }
        }
    }

    /// Gives all rows of an entity other versions: the model may have a property again by a name that means another
    /// one, or none, to whoever has read them.
    fileprivate func raiseVersions(of entity: String) throws {
        try execute("UPDATE \(entity.quoted) SET version = \(SQLiteSchema.otherVersion)")
    }

    fileprivate func has(_ property: String, of entity: String) throws -> Bool {
        try db.hasTable(entity)
            && db.columns(of: entity).contains { $0.name == property }
    }
}
