internal import CSQLite
internal import FoundationEssentials
internal import ObjectStore

/// The tables of a model: made in a new store, migrated in an older one.
///
/// Tables are strict, so no tool can store a value of another type. Foreign keys are checked at the
/// commit, so rows can be written in any order. The model, not the table, rejects missing values:
/// while unique values move from row to row, they are missing for a moment.
struct SQLiteSchema {
    let model: ManagedObjectModel
    /// The path of the file, for errors.
    let path: String
    let steps: [MigrationStep]
    let duplicates: DuplicateHandling

    private let wanted: StoredModel

    init(
        _ model: ManagedObjectModel,
        path: String,
        steps: [MigrationStep],
        duplicates: DuplicateHandling
    ) {
        self.model = model
        self.path = path
        self.steps = steps
        self.duplicates = duplicates
        wanted = StoredModel(model, steps: steps.map(\.name))
    }

    /// The description that a store has of itself.
    enum State {
        /// It has no tables yet.
        case empty
        /// It fits the model, apart from how its dates are counted.
        case current(StoredModel, StoredDates)
        /// It is of another model, or has an older layout, whose description is nil.
        case other(StoredModel?)
    }

    func state(of db: SQLiteConnection) throws -> State {
        guard try db.hasTable("ObjectStoreModel") else { return .empty }
        let text = try db.value("SELECT definition FROM ObjectStoreModel")?.text ?? ""
        // The first layout stored the statements themselves here.
        if text.hasPrefix("CREATE") { return .other(nil) }
        guard let stored = StoredModel(recorded: text) else {
            throw StoreError(
                .damaged,
                "\(path): the description of its model is damaged; put a backup in its place"
            )
        }
        let isSame = stored.ordered.entities == wanted.ordered.entities
        let hasAllSteps = Set(wanted.steps).isSubset(of: stored.steps)
        return isSame && hasAllSteps
            ? .current(stored, try StoredDates(in: db)) : .other(stored)
    }

    // MARK: A new store

    func create(in db: SQLiteConnection) throws {
        try db.execute("CREATE TABLE ObjectStoreModel (definition TEXT NOT NULL) STRICT")
        try db.execute(
            """
            CREATE TABLE ObjectStoreKeys (
                entity TEXT PRIMARY KEY NOT NULL, lastKey INTEGER NOT NULL
            ) STRICT, WITHOUT ROWID
            """
        )
        try db.execute(SQLiteHistory.definition)
        try db.execute("PRAGMA user_version = \(SQLiteFileHeader.formatVersion)")
        try db.execute(StoredModel.formatDefinition)
        for entity in wanted.entities { try create(entity, in: db) }
        for entity in wanted.entities {
            for index in entity.indices {
                try db.execute(index.createStatement(on: entity.name))
            }
        }
        try record(wanted, in: db)
    }

    private func create(_ entity: StoredModel.Entity, in db: SQLiteConnection) throws {
        try db.execute(entity.createStatement)
        try db.run("INSERT OR IGNORE INTO ObjectStoreKeys VALUES (?, 0)", [.text(entity.name)])
    }

    private func record(_ description: StoredModel, in db: SQLiteConnection) throws {
        let text = try description.recorded(StoredDates(in: db))
        try db.execute("DELETE FROM ObjectStoreModel")
        try db.run("INSERT INTO ObjectStoreModel VALUES (?)", [.text(text)])
    }

    // MARK: An older store

    /// Checks that a store with another description can be read without migration.
    func checkReading(_ recorded: StoredModel?, in db: SQLiteConnection) throws {
        let difference = try difference(recorded, in: db)
        guard difference.isNeeded else { return }
        let remedy =
            difference.problems.isEmpty
            ? "open it for writing once to bring it up to date"
            : "use the version of this program that made it"
        throw incompatible(difference.description, remedy)
    }

    private func difference(_ recorded: StoredModel?, in db: SQLiteConnection) throws
        -> ModelDifference
    {
        ModelDifference(from: try StoredModel(tablesOf: db, recorded: recorded), to: wanted)
    }

    /// Migrates the tables to the model, within the present transaction.
    ///
    /// - Parameters:
    ///   - recorded: The description that the store has of itself.
    ///   - isAlone: Whether no other process has the file open, so that its dates may be converted.
    ///   - db: The store.
    /// - Throws: ``StoreError``, which lists the obstacles; the caller must roll the transaction
    ///   back then.
    func migrate(_ recorded: StoredModel?, alone isAlone: Bool, in db: SQLiteConnection) throws {
        if try !db.hasTable(SQLiteHistory.table) {
            try db.execute(SQLiteHistory.definition)
        }
        let done = recorded?.steps ?? []
        let migration = Migration(db: db, path: path)
        var hasChanged = false
        // Each by itself: one that makes a table anew makes it without what raises versions.
        for step in steps where !done.contains(step.name) {
            hasChanged = try changingRows(in: db) { try step.body(migration) } || hasChanged
        }
        if try isAlone && StoredDates(in: db) == .since1970 {
            try StoredDates.convert(db, to: model)
        }
        let difference = try difference(recorded, in: db)
        guard difference.problems.isEmpty else {
            throw incompatible(
                difference.problems.joined(separator: "; "),
                "use the version of this program that made it, or one that knows how to migrate it"
            )
        }
        for index in difference.removedIndices {
            try db.execute("DROP INDEX \(index.quoted)")
        }
        for entity in difference.addedEntities { try create(entity, in: db) }
        var obstacles: [String] = []
        hasChanged =
            try changingRows(in: db) {
                for (entity, column) in difference.addedColumns {
                    try add(column, to: entity, in: db)
                }
                obstacles = try difference.requiredColumns.compactMap {
                    try fill($0.column, of: $0.entity, in: db)
                }
                try fillComputed(in: db)
            } || hasChanged
        if hasChanged { try recordUnknownChanges(in: db) }
        var indices = difference.addedIndices
        let isForbidden = try indices.contains {
            try !sentences(onDuplicatesOf: $0.index, on: $0.entity, in: db).isEmpty
        }
        if obstacles.isEmpty, isForbidden, case .merge(let policy) = duplicates {
            indices += try mergeDuplicates(by: policy, besides: indices, in: db)
        }
        obstacles += try indices.flatMap {
            try sentences(onDuplicatesOf: $0.index, on: $0.entity, in: db)
        }
        guard obstacles.isEmpty else {
            throw incompatible(
                obstacles.joined(separator: "; "),
                "mend these objects with the version of this program that made it, or in a step of "
                    + "migration, or open it with merging of duplicates"
            )
        }
        for (entity, index) in indices {
            try db.execute(index.createStatement(on: entity))
        }
        var description = wanted
        description.steps = done + wanted.steps.filter { !done.contains($0) }
        try record(description, in: db)
        try db.execute("PRAGMA user_version = \(StoredDates(in: db).format)")
    }

    /// Changes rows, and gives each that it changes another version: programs that have the older model may hold it
    /// as it was.
    ///
    /// - Returns: Whether anything was changed.
    private func changingRows(in db: SQLiteConnection, _ body: () throws -> Void) throws -> Bool {
        // Renaming a table takes its trigger with it, and removing it removes that.
        let triggers = try db.entityTables().map {
            (table: $0.quoted, name: "\($0) (changed)".quoted)
        }
        for (table, name) in triggers {
            try db.execute(
                """
                CREATE TRIGGER \(name) AFTER UPDATE ON \(table) WHEN NEW.version = OLD.version BEGIN
                    UPDATE \(table) SET version = version + 1 WHERE id = NEW.id;
                END
                """
            )
        }
        let before = db.totalChangedCount
        try body()
        let after = db.totalChangedCount
        for (_, name) in triggers { try db.execute("DROP TRIGGER IF EXISTS \(name)") }
        return before != after
    }

    /// Records a save without its changes, so that others who follow the history read everything anew.
    private func recordUnknownChanges(in db: SQLiteConnection) throws {
        _ = try SQLiteHistory(db: db, path: path)
            .record([], by: "migration", at: Date(), in: model, StoredDates(in: db))
    }

    // MARK: Rows of a program with the older model

    /// Whether there are rows without what the class computes for each object: a program that has the older model
    /// inserts them, and no value would do for all of them.
    func hasRowsToFill(in db: SQLiteConnection) throws -> Bool {
        try computedColumns.contains { place in
            let (table, field) = (place.entity.quoted, place.column.quoted)
            return try db.value("SELECT 1 FROM \(table) WHERE \(field) IS NULL LIMIT 1") != nil
        }
    }

    /// Gives these rows their values, within the present transaction.
    func fillRows(in db: SQLiteConnection) throws {
        if try changingRows(in: db, { try fillComputed(in: db) }) {
            try recordUnknownChanges(in: db)
        }
    }

    private func fillComputed(in db: SQLiteConnection) throws {
        for (entity, column) in computedColumns {
            do {
                _ = try fill(column, of: entity, in: db)
            } catch let error as SQLiteError where error.primaryCode == SQLITE_CONSTRAINT {
                // Another object has the value that was computed. The row can be read without one, and the next
                // opening tries again.
            }
        }
    }

    /// The required columns that are computed for each object, and of which no two may be equal.
    private var computedColumns: [(entity: String, column: String)] {
        wanted.entities.flatMap { entity in
            entity.columns.filter { column in
                column.isRequired == true && isComputed(column.name, of: entity.name)
                    && isUnique(column.name, of: entity.name)
            }.map { (entity.name, $0.name) }
        }
    }

    private func incompatible(_ differences: String, _ remedy: String) -> StoreError {
        StoreError(
            .incompatible,
            "\(path) was made for another version of the data model: \(differences); \(remedy)"
        )
    }

    private func add(_ column: StoredModel.Column, to entity: String, in db: SQLiteConnection)
        throws
    {
        let value = try defaultValue(of: column.name, entity, in: db)
        let isComputed = isComputed(column.name, of: entity)
        // For those that still have the older model, too: what they insert has this value, unless it is to be one
        // of its own.
        let isNone = value.isNull || isComputed && isUnique(column.name, of: entity)
        let rest = isNone ? "" : " DEFAULT \(value.literal)"
        let table = entity.quoted
        try db.execute("ALTER TABLE \(table) ADD COLUMN \(column.definition)\(rest)")
        if isComputed { return try fillEach(column.name, of: entity, in: db) }
        // SQLite reads one decimal number in some thousands as the one beside it.
        if try db.value("SELECT \(value.literal) IS ?", [value]) != .integer(1) {
            try db.run("UPDATE \(table) SET \(column.name.quoted) = ?", [value])
        }
    }

    /// Sets a newly required value to its default in the rows that lack it.
    ///
    /// - Returns: What is still missing, as a sentence; nil if nothing is.
    private func fill(_ column: String, of entity: String, in db: SQLiteConnection) throws
        -> String?
    {
        if isComputed(column, of: entity) {
            try fillEach(column, of: entity, where: "\(column.quoted) IS NULL", in: db)
        } else {
            try db.run(
                "UPDATE \(entity.quoted) SET \(column.quoted) = ? WHERE \(column.quoted) IS NULL",
                [defaultValue(of: column, entity, in: db)]
            )
        }
        let missing = try db.count(ofRowsWithout: column, in: entity)
        if missing == 0 { return nil }
        return "\(entity).\(column) is required, and missing in \(missing) of its objects"
    }

    /// The entity of the model with a name, and the slot of one of its columns; nil if it has none of that name.
    private func place(
        of column: String,
        _ entity: String
    ) -> (entity: ManagedObjectModel.Entity, slot: Int)? {
        model.entities.first { $0.name == entity }.flatMap { entity in
            entity.columns.firstIndex { $0.name == column }.map { (entity, $0) }
        }
    }

    /// Whether the class computes another default for each object.
    private func isComputed(_ column: String, of entity: String) -> Bool {
        guard let (entity, slot) = place(of: column, entity) else { return false }
        return entity.columns[slot].computedPosition != nil
    }

    /// Whether a uniqueness constraint has a column.
    private func isUnique(_ column: String, of entity: String) -> Bool {
        guard let (entity, slot) = place(of: column, entity) else { return false }
        return entity.constraints.joined().contains(slot)
    }

    /// Sets a value to the default that the class computes for each object.
    private func fillEach(
        _ column: String,
        of name: String,
        where condition: String = "true",
        in db: SQLiteConnection
    ) throws {
        guard let (entity, slot) = place(of: column, name) else { return }
        let (table, field) = (name.quoted, column.quoted)
        let dates = try StoredDates(in: db)
        for row in try db.rows("SELECT id FROM \(table) WHERE \(condition)") {
            let value = dates.stored(entity.newValues()[slot], in: entity.columns[slot])
            try db.run("UPDATE \(table) SET \(field) = ? WHERE id = ?", [value, row[0]])
        }
    }

    private func defaultValue(
        of name: String,
        _ entity: String,
        in db: SQLiteConnection
    ) throws -> AttributeValue {
        guard let column = place(of: name, entity).map({ $0.entity.columns[$0.slot] }),
            case .attribute(let attribute) = column.kind
        else { return .null }
        return try StoredDates(in: db).stored(attribute.defaultValue, in: column)
    }

    // MARK: Duplicates

    /// Merges objects that violate new constraints.
    ///
    /// - Parameters:
    ///   - policy: The policy for merging.
    ///   - added: The indices that are still to be made.
    ///   - db: The store.
    /// - Returns: More indices to make: existing unique indices must be dropped while references move.
    /// - Throws: An error of SQLite, or of the store.
    private func mergeDuplicates(
        by policy: MergePolicy,
        besides added: [(entity: String, index: StoredModel.Index)],
        in db: SQLiteConnection
    ) throws -> [(entity: String, index: StoredModel.Index)] {
        let unique = wanted.entities.flatMap { entity in
            entity.indices.filter(\.isUnique).map { (entity: entity.name, index: $0) }
        }
        let present = unique.filter { place in
            !added.contains { $0.entity == place.entity && $0.index == place.index }
        }
        for place in present {
            try db.execute("DROP INDEX \(place.index.name.quoted)")
        }
        // These indices find duplicates and references meanwhile.
        let searched = unique.map { place in
            (place.entity, StoredModel.Index(name: "\(place.index.name) merging", place.index))
        }
        for (entity, index) in searched { try db.execute(index.createStatement(on: entity)) }
        var merging = try DuplicateMerging(db, path: path, model, policy)
        try merging.run()
        try merging.record()
        for (_, index) in searched {
            try db.execute("DROP INDEX \(index.name.quoted)")
        }
        return present
    }

    /// The most groups of objects that an error lists.
    private static let listedGroups = 5

    /// The objects that violate a new uniqueness constraint, each group as a sentence.
    private func sentences(
        onDuplicatesOf index: StoredModel.Index,
        on entity: String,
        in db: SQLiteConnection
    ) throws -> [String] {
        guard index.isUnique else { return [] }
        let groups = try db.duplicates(in: entity, index.columns)
        let listed = groups.prefix(Self.listedGroups).map { keys in
            "\(keys.count) objects of \(entity) have the same "
                + "\(index.columns.joined(separator: " and ")), those with the keys "
                + keys.map { "\($0)" }.joined(separator: ", ")
        }
        let rest = groups.count - listed.count
        return listed + (rest > 0 ? ["and \(rest) more such groups"] : [])
    }
}

extension SQLiteConnection {
    /// The number of rows in which a column has no value.
    func count(ofRowsWithout column: String, in table: String) throws -> Int {
        let (table, name) = (table.quoted, column.quoted)
        let sql = "SELECT count(*) FROM \(table) WHERE \(name) IS NULL"
        return Int(try value(sql)?.integer ?? 0)
    }
}

extension AttributeValue {
    /// The value as SQL has it in the definition of a table; only for what a store accepts.
    fileprivate var literal: String {
        switch self {
        case .null, .reference, .invalid: "NULL"
        case .integer(let number): "\(number)"
        case .real(let number):
            number.isFinite ? "\(number)" : number < 0 ? "-9e999" : "9e999"
        case .text(let text): text.quoted(by: "'")
        case .data(let data):
            "x'" + data.map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined()
                + "'"
        }
    }
}
