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

    let wanted: StoredModel

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
        let text = try db.recordedDescription()
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

    func create(_ entity: StoredModel.Entity, in db: SQLiteConnection) throws {
        try db.execute(entity.createStatement)
        try db.run("INSERT OR IGNORE INTO ObjectStoreKeys VALUES (?, 0)", [.text(entity.name)])
    }

    func record(_ description: StoredModel, in db: SQLiteConnection) throws {
        let text = try description.recorded(StoredDates(in: db))
        try db.execute("DELETE FROM ObjectStoreModel")
        try db.run("INSERT INTO ObjectStoreModel VALUES (?)", [.text(text)])
    }

    // MARK: An older store

    /// Checks that a store with another description can be read without migration.
    func checkReading(_ recorded: StoredModel?, in db: SQLiteConnection) throws {
        let difference = try difference(recorded, in: db)
        // What a step would convert, a reader would take for what it is not.
        let steps = wanted.steps.filter { !(recorded?.steps ?? []).contains($0) }
        guard difference.isNeeded || !steps.isEmpty else { return }
        let pending = steps.map { "the step \"\($0)\" has not been run" }
        let differences = (difference.isNeeded ? [difference.description] : []) + pending
        let remedy =
            difference.problems.isEmpty || !steps.isEmpty
            ? "open it for writing once to bring it up to date"
            : "use the version of this program that made it"
        throw incompatible(differences.joined(separator: "; "), remedy)
    }

    func difference(_ recorded: StoredModel?, in db: SQLiteConnection) throws
        -> ModelDifference
    {
        ModelDifference(from: try StoredModel(tablesOf: db, recorded: recorded), to: wanted)
    }

    func incompatible(_ differences: String, _ remedy: String) -> StoreError {
        StoreError(
            .incompatible,
            "\(path) was made for another version of the data model: \(differences); \(remedy)"
        )
    }
}
