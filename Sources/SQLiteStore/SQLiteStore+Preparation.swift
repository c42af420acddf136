public import ObjectStore
internal import Synchronization

extension SQLiteStore {
    /// Makes the tables of a model in an empty store, or migrates those of an older model.
    ///
    /// In one transaction, the migration steps that the store has not run are run, then missing
    /// entities, attributes, relationships, constraints and indices are added. Existing objects get
    /// the default value of an attribute that is new or newly required. Data is removed only by a
    /// ``MigrationStep``; indices and constraints, which hold no data, may be removed without one.
    /// Objects that violate a new constraint are listed in an error, or merged if the store was
    /// opened with ``DuplicateHandling/merge(_:)``.
    ///
    /// - Parameter model: The model whose rows will be read and written.
    /// - Throws: `StoreError`, with the code `incompatible` if the store cannot be migrated to the
    ///   model. It lists the differences, or the objects that violate a new constraint. The store
    ///   is then unchanged.
    public func prepare(for model: ManagedObjectModel) throws {
        try checkStepNames()
        let schema = schema(of: model)
        try StoreError.translating(path) {
            let usable = try pool.read { db in try datesOfUsable(db, schema) }
            let dates = try usable ?? commits.alone { try update($0, to: schema) }
            sql.withLock { $0 = ModelSQL(model, dates) }
        }
        let places = schema.placesFilledAtOpening
        if access == .read || places.isEmpty { return }
        do {
            try StoreError.translating(path) {
                if try pool.read(schema.hasRowsToFill) { try fill(places, of: schema) }
            }
        } catch let error as StoreError where [.locked, .full].contains(error.code) {
            // What is missing is given at a later opening, or at an edit.
        }
    }

    /// Gives the objects of a prepared store all that they must have, and that programs with an older model have
    /// left out.
    ///
    /// It looks at all of them, and waits for no other process.
    func fill(for model: ManagedObjectModel) throws {
        let schema = schema(of: model)
        try StoreError.translating(path) { try fill(schema.requiredPlaces, of: schema) }
    }

    private func fill(_ places: [SQLiteSchema.Place], of schema: SQLiteSchema) throws {
        try commits.alone { db in
            try turns.withoutWaiting {
                try db.transaction("BEGIN IMMEDIATE") { try schema.fillRows(at: places, in: db) }
            }
        }
    }

    private func schema(of model: ManagedObjectModel) -> SQLiteSchema {
        SQLiteSchema(model, path: path, steps: migrations, duplicates: duplicates)
    }

    /// How the dates of a store are counted that can be used as it is; nil if it has to be written first.
    ///
    /// - Throws: ``StoreError`` if it would have to be, and may only be read.
    private func datesOfUsable(
        _ db: SQLiteConnection,
        _ schema: SQLiteSchema
    ) throws -> StoredDates? {
        let state = try schema.state(of: db)
        if access != .read {
            if case .current(_, .since2001) = state { return .since2001 }
            return nil
        }
        switch state {
        case .current(_, let dates): return dates
        case .empty:
            throw StoreError(
                .notFound,
                "\(path) is an empty store: nothing was ever saved in it"
            )
        case .other(let recorded):
            try schema.checkReading(recorded, in: db)
            return try StoredDates(in: db)
        }
    }

    /// Of two steps with one name, a store would run only the first.
    private func checkStepNames() throws {
        var names: Set<String> = []
        guard let again = migrations.first(where: { !names.insert($0.name).inserted }) else {
            return
        }
        throw StoreError(
            .failed,
            "\(path) was not opened: two of its migration steps are named \"\(again.name)\"; give the later one a "
                + "name of its own"
        )
    }

    /// Makes the tables of a model, migrates those of an older one, and converts its dates if it may.
    ///
    /// - Returns: How the dates are counted now.
    private func update(_ db: SQLiteConnection, to schema: SQLiteSchema) throws -> StoredDates {
        try update(db, to: schema, alone: false)
        // Who has a file open that has no log keeps no lock on it.
        let mayBeAlone = try hadLog && StoredDates(in: db) == .since1970
        guard mayBeAlone, let main = files?.main, main.keepOthersOut() else {
            return try StoredDates(in: db)
        }
        defer { main.letOthersIn() }
        // If, for example, the disk is full, the dates can stay as they are.
        if (try? update(db, to: schema, alone: true)) != nil {
            // The format is then in the file itself, where older programs look for it.
            _ = try? turns.withoutWaiting { try Self.truncateLog(db) }
        }
        return try StoredDates(in: db)
    }

    private func update(_ db: SQLiteConnection, to schema: SQLiteSchema, alone isAlone: Bool) throws
    {
        try db.transaction("BEGIN IMMEDIATE") {
            // Another process may have done it first.
            switch try schema.state(of: db) {
            case .current(let recorded, .since1970) where isAlone:
                try schema.migrate(recorded, alone: true, in: db)
            case .current: break
            case .empty: try schema.create(in: db)
            case .other(let recorded): try schema.migrate(recorded, alone: isAlone, in: db)
            }
        }
    }
}
