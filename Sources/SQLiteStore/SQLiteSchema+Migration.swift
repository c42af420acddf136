internal import FoundationEssentials
internal import ObjectStore

extension SQLiteSchema {
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
        var hasChanged = try run(steps.filter { !done.contains($0.name) }, in: db)
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
        var indices = difference.addedIndices
        let computed = places.filter(\.isComputed)
        // While rows get values, some may be the same: it is seen below what becomes of those. What is computed for
        // each object is computed again where another one has it, as the indices tell.
        for entity in wanted.entities {
            let required = difference.requiredColumns.filter { $0.entity == entity.name }
                .map(\.column)
            let again = computed.filter { $0.entity.name == entity.name }.map(\.name)
            for index in try db.indices(of: entity.name)
            where index.isUnique && index.columns.contains(where: required.contains)
                && !index.columns.contains(where: { required.contains($0) && again.contains($0) })
            {
                try db.execute("DROP INDEX \(index.name.quoted)")
                indices.append((entity.name, index))
            }
        }
        let before = db.totalChangedCount
        let added = difference.addedColumns.compactMap { entity, column in
            places.first { $0.entity.name == entity && $0.name == column.name }
                .map { (place: $0, column: column) }
        }
        for (place, column) in added { try add(column, at: place, in: db) }
        for (entity, index) in indices
        where index.isUnique
            && added.contains(where: { place, _ in
                place.isComputed && place.entity.name == entity
                    && index.columns.contains(place.name)
            })
        {
            try db.execute(index.createStatement(on: entity))
            indices.removeAll { $0.entity == entity && $0.index == index }
        }
        for (place, _) in added { try fill(added: place, in: db) }
        try fill(requiredPlaces, in: db)
        hasChanged = hasChanged || db.totalChangedCount != before
        if hasChanged { try recordUnknownChanges(in: db) }
        var obstacles = try difference.requiredColumns.compactMap {
            try sentence(onRowsWithout: $0.column, of: $0.entity, in: db)
        }
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

    /// Runs steps.
    ///
    /// - Returns: Whether they have changed anything.
    private func run(_ steps: [MigrationStep], in db: SQLiteConnection) throws -> Bool {
        func state() throws -> [Int64] {
            [Int64(db.totalChangedCount), try db.value("PRAGMA schema_version")?.integer ?? 0]
        }
        let before = try state()
        let migration = Migration(db: db, path: path)
        for step in steps {
            do {
                try StoreError.translating(path) {
                    // Each by itself: one that makes a table anew makes it without what raises versions.
                    try raisingVersions(in: db) { try step.body(migration) }
                    try db.checkTransaction()
                }
            } catch let error as StoreError {
                throw StoreError(
                    error.code,
                    "\(error.message); this happened in the migration step \"\(step.name)\"",
                    underlying: error.underlying
                )
            }
        }
        return try state() != before
    }

    /// Gives each row that a step changes another version: programs that have the older model may hold it as it was.
    private func raisingVersions(in db: SQLiteConnection, _ body: () throws -> Void) throws {
        // Of this connection alone. Renaming a table takes its trigger with it, and removing it removes that.
        let triggers = try db.entityTables().map {
            (table: $0.quoted, name: "temp." + "\($0) (changed)".quoted)
        }
        for (table, name) in triggers {
            try db.execute(
                """
                CREATE TRIGGER \(name) AFTER UPDATE ON main.\(table) WHEN NEW.version = OLD.version BEGIN
                    UPDATE \(table) SET version = \(Self.otherVersion) WHERE id = NEW.id;
                END
                """
            )
        }
        defer {
            // Those that are left: they name what this has made, so nothing is missed if one cannot be removed.
            for (_, name) in triggers { try? db.execute("DROP TRIGGER IF EXISTS \(name)") }
        }
        try body()
    }

    /// Another version than a row has; the greatest is followed by no greater one.
    static let otherVersion = "version + iif(version < \(Int64.max), 1, -1)"

    /// Records a save without its changes, so that others who follow the history read everything anew.
    func recordUnknownChanges(in db: SQLiteConnection) throws {
        _ = try SQLiteHistory(db: db, path: path)
            .record([], by: SQLiteHistory.migration, at: Date(), in: model, StoredDates(in: db))
    }

    private func add(
        _ column: StoredModel.Column,
        at place: Place,
        in db: SQLiteConnection
    ) throws {
        let value = try defaultValue(at: place, in: db)
        // For those that still have the older model, too: what they insert has this value, unless no two may be
        // equal.
        let isNone = value.isNull || place.isUnique
        let rest = isNone ? "" : " DEFAULT \(value.literal)"
        try db.execute("ALTER TABLE \(place.table) ADD COLUMN \(column.definition)\(rest)")
    }

    /// Gives the rows of an attribute that was added what its table does not give them by default.
    private func fill(added place: Place, in db: SQLiteConnection) throws {
        if place.isComputed { return try fillEach(at: place, in: db) }
        let value = try defaultValue(at: place, in: db)
        if value.isNull { return }
        // SQLite reads one decimal number in some thousands as the one beside it.
        if try place.isUnique || db.value("SELECT \(value.literal) IS ?", [value]) != .integer(1) {
            try fillAll(at: place, with: value, in: db)
        }
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
